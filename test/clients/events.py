"""Sends the given calls of events with the official Python client. Prints the replies, or the error of each, as JSON."""

import json
import sys

from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError

base, token = sys.argv[1:3]
DISCOVERY = base + "/discovery/v1/apis/{api}/{apiVersion}/rest"
calendar = build(
    "calendar", "v3", credentials=Credentials(token), discoveryServiceUrl=DISCOVERY, cache_discovery=False
)


def reply(call):
    resource = getattr(calendar, call["resource"])()
    try:
        return getattr(resource, {"import": "import_"}.get(call["method"], call["method"]))(**call["params"]).execute()
    except HttpError as error:
        return json.loads(error.content)


print(json.dumps([reply(call) for call in json.load(sys.stdin)]))
