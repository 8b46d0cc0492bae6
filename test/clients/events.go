// Sends the given calls of events with the official Go client. Prints the replies, or the error of each, as JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"

	calendar "google.golang.org/api/calendar/v3"
	"google.golang.org/api/googleapi"
	"google.golang.org/api/option"
)

type object map[string]json.RawMessage

type call struct {
	Resource, Method string
	Params           struct {
		EventID       string `json:"eventId"`
		OriginalStart string `json:"originalStart"`
		Body          json.RawMessage
	}
}

type bearer string

func (token bearer) RoundTrip(request *http.Request) (*http.Response, error) {
	request.Header.Set("Authorization", "Bearer "+string(token))
	return http.DefaultTransport.RoundTrip(request)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// An empty value is left out unless it is in ForceSendFields, and null is sent for what is in NullFields.
func force(parts object, names map[string]string) (forced, nulls []string) {
	for key, name := range names {
		part, isGiven := parts[key]
		if isGiven && string(part) == "null" {
			nulls = append(nulls, name)
		} else if isGiven {
			forced = append(forced, name)
		}
	}
	return
}

func eventOf(body json.RawMessage) *calendar.Event {
	event, given := &calendar.Event{}, object{}
	check(json.Unmarshal(body, event))
	check(json.Unmarshal(body, &given))
	event.ForceSendFields, event.NullFields = force(given, map[string]string{"reminders": "Reminders", "recurrence": "Recurrence"})
	if event.Reminders != nil {
		parts := object{}
		check(json.Unmarshal(given["reminders"], &parts))
		names := map[string]string{"useDefault": "UseDefault", "overrides": "Overrides"}
		event.Reminders.ForceSendFields, event.Reminders.NullFields = force(parts, names)
		for _, override := range event.Reminders.Overrides {
			override.ForceSendFields = []string{"Minutes"}
		}
	}
	return event
}

// What is false or 0 in a reply is in the output.
func shown(event *calendar.Event) *calendar.Event {
	if event != nil && event.Reminders != nil {
		event.Reminders.ForceSendFields = []string{"UseDefault"}
		for _, override := range event.Reminders.Overrides {
			override.ForceSendFields = []string{"Minutes"}
		}
	}
	return event
}

func send(service *calendar.Service, one call) (interface{}, error) {
	const id = "primary"
	body, eventID := one.Params.Body, one.Params.EventID
	switch one.Resource + "." + one.Method {
	case "events.insert":
		event, err := service.Events.Insert(id, eventOf(body)).Do()
		return shown(event), err
	case "events.import":
		event, err := service.Events.Import(id, eventOf(body)).Do()
		return shown(event), err
	case "events.patch":
		event, err := service.Events.Patch(id, eventID, eventOf(body)).Do()
		return shown(event), err
	case "events.update":
		event, err := service.Events.Update(id, eventID, eventOf(body)).Do()
		return shown(event), err
	case "events.get":
		event, err := service.Events.Get(id, eventID).Do()
		return shown(event), err
	case "events.instances":
		return service.Events.Instances(id, eventID).OriginalStart(one.Params.OriginalStart).Do()
	case "acl.insert":
		rule := &calendar.AclRule{}
		check(json.Unmarshal(body, rule))
		return service.Acl.Insert(id, rule).Do()
	}
	return nil, fmt.Errorf("unknown method %s", one.Method)
}

func main() {
	var calls []call
	check(json.NewDecoder(os.Stdin).Decode(&calls))
	client := &http.Client{Transport: bearer(os.Args[2])}
	endpoint := option.WithEndpoint(os.Args[1] + "/calendar/v3/")
	service, err := calendar.NewService(context.Background(), endpoint, option.WithHTTPClient(client))
	check(err)
	replies := []interface{}{}
	for _, one := range calls {
		reply, err := send(service, one)
		var refused *googleapi.Error
		if errors.As(err, &refused) {
			reply = json.RawMessage(refused.Body)
		} else {
			check(err)
		}
		replies = append(replies, reply)
	}
	check(json.NewEncoder(os.Stdout).Encode(replies))
}
