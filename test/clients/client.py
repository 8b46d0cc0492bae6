"""Makes requests as Alice with the official Python client, and prints the results as JSON.

Only the given server can be connected to: the socket refuses any other address.
"""

import json
import socket
import sys

base, how, token = sys.argv[1:4]
allowed = {("127.0.0.1", int(base.rsplit(":", 1)[1]))}
connect = socket.socket.connect


def guarded(self, address):
    if address[:2] not in allowed:
        raise AssertionError("connects to %s:%s" % tuple(address[:2]))
    seen["connections"] += 1
    return connect(self, address)


seen = {"connections": 0, "batch": []}
socket.socket.connect = guarded

import httplib2
from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build, build_from_document
from googleapiclient.errors import HttpError

DISCOVERY = "/discovery/v1/apis/{api}/{apiVersion}/rest"
credentials = Credentials(token)
if how == "build":
    service = build("calendar", "v3", credentials=credentials, discoveryServiceUrl=base + DISCOVERY, cache_discovery=False)
else:
    _, document = httplib2.Http().request(base + "/$discovery/rest?version=v3")
    service = build_from_document(document, credentials=credentials)

events = service.events()
day = lambda date: {"date": date}
made = events.insert(
    calendarId="primary",
    body={"id": "picnic0", "summary": "Picnic – été", "start": day("2026-03-07"), "end": day("2026-03-08")},
).execute()
seen["inserted"] = [made["summary"], made["organizer"]["email"]]
seen["patched"] = events.patch(calendarId="primary", eventId="picnic0", body={"location": "Park"}).execute()["location"]
seen["fields"] = events.list(calendarId="primary", fields="items(id,start/date)").execute()
seen["etag"] = events.get(calendarId="primary", eventId="picnic0").execute()["etag"] != made["etag"]

for number in range(3):
    events.insert(
        calendarId="primary",
        body={"id": "lunch%d" % number, "start": day("2026-04-0%d" % (number + 1)), "end": day("2026-04-0%d" % (number + 2))},
    ).execute()
request, pages = events.list(calendarId="primary", maxResults=2), []
while request is not None:
    page = request.execute()
    pages.append(len(page["items"]))
    request = events.list_next(request, page)
seen["pages"] = pages


def called(request_id, response, error):
    seen["batch"].append([request_id, error.resp.status if error else (response or {}).get("id", "")])


batch = service.new_batch_http_request(callback=called)
batch.add(events.get(calendarId="primary", eventId="lunch0"), request_id="first")
batch.add(events.get(calendarId="primary", eventId="nothing0"), request_id="a missing one")
batch.add(
    events.insert(calendarId="primary", body={"id": "été".encode().hex(), "start": day("2026-05-01"), "end": day("2026-05-02")}),
    request_id="a new one",
)
batch.add(events.delete(calendarId="primary", eventId="lunch1"), request_id="last")
seen["batchUri"] = batch._batch_uri
batch.execute()

try:
    events.get(calendarId="nobody@example.com", eventId="x").execute()
except HttpError as error:
    seen["error"] = [error.resp.status, error._get_reason().strip()]

# The client sends a GET whose URL is longer than 2,048 characters as a POST with a form.
long = events.list(calendarId="primary", privateExtendedProperty=[f"none{i}=x" for i in range(60)], fields="items/id")
seen["long"] = [len(long.uri) > 2048, long.execute()]

seen["deleted"] = events.delete(calendarId="primary", eventId="picnic0").execute()
print(json.dumps(seen))
