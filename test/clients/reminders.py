"""Inserts, patches and reads events with reminders of the given forms with the official Python client. Prints JSON."""

import json
import sys

from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError

base, token = sys.argv[1:3]
given = json.load(sys.stdin)
DISCOVERY = base + "/discovery/v1/apis/{api}/{apiVersion}/rest"
calendar = build(
    "calendar", "v3", credentials=Credentials(token), discoveryServiceUrl=DISCOVERY, cache_discovery=False
)
events = calendar.events()


def outcome(request):
    try:
        return request.execute()["reminders"]
    except HttpError as error:
        return json.loads(error.content)["error"]["errors"][0]["reason"]


results = []
for number, form in enumerate(given["forms"]):
    inserted = outcome(events.insert(calendarId="primary", body={**given["times"], **form}))
    event_id = "event%d" % number
    events.insert(
        calendarId="primary", body={**given["times"], "id": event_id, "reminders": given["own"]}
    ).execute()
    patched = outcome(events.patch(calendarId="primary", eventId=event_id, body=form))
    read = outcome(events.get(calendarId="primary", eventId=event_id))
    results.append([inserted, patched, read])
print(json.dumps(results))
