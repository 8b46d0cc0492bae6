"""Calls the service with the official Python client under faults, and prints the outcomes by name as JSON.

The server and a token are given as arguments; faults are added by the routes under /_control.
"""

import json
import socket
import sys
import urllib.request

import httplib2
from google.oauth2.credentials import Credentials
from google_auth_httplib2 import AuthorizedHttp

from googleapiclient.discovery import build_from_document
from googleapiclient.errors import HttpError

base, token = sys.argv[1:3]


def control(verb, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(base + "/_control/" + path, data, headers, method=verb)) as reply:
        return json.loads(reply.read())


_, document = httplib2.Http().request(base + "/$discovery/rest?version=v3")


def events(timeout):
    # The pause between two attempts is the client's, and is skipped in `outcome`.
    authorized = AuthorizedHttp(Credentials(token), http=httplib2.Http(timeout=timeout))
    return build_from_document(document, http=authorized).events()


def outcome(call, retries):
    call._sleep = lambda seconds: None
    try:
        return ["answered", call.execute(num_retries=retries)]
    except HttpError as error:
        return ["HttpError", error.resp.status, error.resp.get("retry-after")]
    except Exception as error:
        return [type(error).__name__]


def met(name, do, retries=0, times=1, timeout=10, insert=False):
    fault = control("POST", "faults", {"on": "events.insert" if insert else "events.list", "times": times, "do": do})
    service = events(timeout)
    day = {"date": "2026-03-02"}
    call = (
        service.insert(calendarId="primary", body={"id": name, "start": day, "end": {"date": "2026-03-03"}}, fields="id")
        if insert
        else service.list(calendarId="primary", fields="items/id")
    )
    came = outcome(call, retries)
    fired = [one["fired"] for one in control("GET", "faults")["faults"]]
    control("DELETE", "faults")
    there = [event["id"] for event in events(10).list(calendarId="primary").execute()["items"]]
    seen[name] = {"came": came, "fired": fired[0], "there": name in there}


seen = {}
met("unavailable", {"fail": "backendError503"}, retries=3, times=2)
met("limited", {"fail": "rateLimitExceeded429", "retryAfter": 3})
met("limitedthenfree", {"fail": "rateLimitExceeded"}, retries=1)
met("reset0", {"reset": True}, insert=True)
met("resetread", {"reset": True}, retries=3, times=2)
met("cutoff", {"truncate": 5})
met("hanging", {"hang": True}, timeout=0.3, insert=True)
met("void00", {"empty": True}, insert=True)
met("lost00", {"answerLost": True}, insert=True)
met("late00", {"delay": "5s"}, timeout=0.3)
met("halting", {"stall": {"after": 5, "for": "5s"}}, timeout=0.3)
met("slowly", {"stall": {"after": 5, "for": "20ms"}})
met("teapot", {"status": 418, "headers": {"Retry-After": "7"}, "body": {"short": "stout"}})
met("nopage", {"emptyPage": True})
met("stale0", {"stale": "1h"})
met("plain0", {"delay": 1})
print(json.dumps(seen))
