// Inserts, patches and reads events with reminders of the given forms with the official Go client. Prints JSON.
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

type body map[string]json.RawMessage

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
func eventOf(fields ...body) *calendar.Event {
	event := &calendar.Event{}
	for _, given := range fields {
		text, err := json.Marshal(given)
		check(err)
		check(json.Unmarshal(text, event))
		value, isGiven := given["reminders"]
		if !isGiven {
			continue
		}
		if string(value) == "null" {
			event.NullFields = []string{"Reminders"}
			continue
		}
		var parts body
		check(json.Unmarshal(value, &parts))
		event.Reminders.ForceSendFields, event.Reminders.NullFields = nil, nil
		for key, name := range map[string]string{"useDefault": "UseDefault", "overrides": "Overrides"} {
			part, isGiven := parts[key]
			if isGiven && string(part) == "null" {
				event.Reminders.NullFields = append(event.Reminders.NullFields, name)
			} else if isGiven {
				event.Reminders.ForceSendFields = append(event.Reminders.ForceSendFields, name)
			}
		}
		for _, override := range event.Reminders.Overrides {
			override.ForceSendFields = []string{"Minutes"}
		}
		event.ForceSendFields = []string{"Reminders"}
	}
	return event
}

func outcome(event *calendar.Event, err error) interface{} {
	var refused *googleapi.Error
	if errors.As(err, &refused) {
		return refused.Errors[0].Reason
	}
	check(err)
	for _, override := range event.Reminders.Overrides {
		override.ForceSendFields = []string{"Minutes"}
	}
	event.Reminders.ForceSendFields = []string{"UseDefault"}
	return event.Reminders
}

func main() {
	var given struct {
		Times body
		Own   json.RawMessage
		Forms []body
	}
	check(json.NewDecoder(os.Stdin).Decode(&given))
	client := &http.Client{Transport: bearer(os.Args[2])}
	endpoint := option.WithEndpoint(os.Args[1] + "/calendar/v3/")
	service, err := calendar.NewService(context.Background(), endpoint, option.WithHTTPClient(client))
	check(err)
	results := [][]interface{}{}
	for number, form := range given.Forms {
		inserted := outcome(service.Events.Insert("primary", eventOf(given.Times, form)).Do())
		id := fmt.Sprintf("event%d", number)
		own := body{"id": json.RawMessage(`"` + id + `"`), "reminders": given.Own}
		_, err := service.Events.Insert("primary", eventOf(given.Times, own)).Do()
		check(err)
		patched := outcome(service.Events.Patch("primary", id, eventOf(form)).Do())
		results = append(results, []interface{}{inserted, patched, outcome(service.Events.Get("primary", id).Do())})
	}
	check(json.NewEncoder(os.Stdout).Encode(results))
}
