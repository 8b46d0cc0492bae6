// npx fake-calendar exec -- go test calendar_test.go
package main

import (
	"context"
	"net/http"
	"os"
	"strings"
	"testing"

	calendar "google.golang.org/api/calendar/v3"
	"google.golang.org/api/option"
)

var address = os.Getenv("FAKE_CALENDAR_URL")

type bearer string

func (token bearer) RoundTrip(request *http.Request) (*http.Response, error) {
	request.Header.Set("Authorization", "Bearer "+string(token))
	return http.DefaultTransport.RoundTrip(request)
}

// control sends a request to the world "go", and returns its status.
func control(method, path, body string) int {
	request, _ := http.NewRequest(method, address+"/w/go/_control"+path, strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	return reply.StatusCode
}

func TestMain(m *testing.M) {
	control("POST", "/reset", "")
	os.Exit(m.Run())
}

func TestInsertIsRepeatedOnce(t *testing.T) {
	client := &http.Client{Transport: bearer("go~alice@example.com")}
	api, err := calendar.NewService(context.Background(), option.WithHTTPClient(client), option.WithEndpoint(address+"/calendar/v3/"))
	if err != nil {
		t.Fatal(err)
	}
	control("POST", "/faults", `{"on": "events.insert", "do": {"answerLost": true}}`)
	day := func(date string) *calendar.EventDateTime { return &calendar.EventDateTime{Date: date} }
	lunch := &calendar.Event{Id: "lunch0", Summary: "Lunch", Start: day("2026-03-02"), End: day("2026-03-03")}

	_, first := api.Events.Insert("primary", lunch).Do()
	_, second := api.Events.Insert("primary", lunch).Do()

	list, _ := api.Events.List("primary").Do()
	if first == nil || second == nil || !strings.Contains(second.Error(), "409") || len(list.Items) != 1 {
		t.Errorf("first %v, second %v, %d events", first, second, len(list.Items))
	}
	if status := control("GET", "/faults/verify", ""); status != 200 {
		t.Errorf("the fault did not fire: %d", status)
	}
}
