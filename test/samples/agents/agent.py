"""An agent in Python, without packages. It answers questions of the form "At what time does my ... begin on ...?"."""
import json
import os
import re
import sys
import urllib.parse
import urllib.request

REST = os.environ["FAKE_CALENDAR_REST_URL"]
TOKEN = os.environ["FAKE_CALENDAR_TOKEN"]
NOW = os.environ["FAKE_CALENDAR_NOW"]


def get(path, **query):
    url = f"{REST}{path}?{urllib.parse.urlencode(query)}"
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {TOKEN}"})
    with urllib.request.urlopen(request) as reply:
        return json.load(reply)


prompt = sys.stdin.read()
title = re.search(r"does my (.*) begin", prompt).group(1)
week = get("/calendars/primary/events", q=title, timeMin=NOW, singleEvents="true", orderBy="startTime")
print(week["items"][0]["start"]["dateTime"][11:16])
