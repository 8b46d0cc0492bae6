"""The controls of a world, as functions."""

import datetime
import json
import os
import re
import urllib.error
import urllib.request
from typing import Any

# Requests to the fake never go through the proxy of the environment.
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))

# The place of keyword arguments, where optional arguments precede it.
_KEYWORDS_AT = {"calls": 1, "calls.until": 2, "calls.verify": 2}

_VERIFICATION_FAILED = 417


class ControlError(ValueError):
    """A wrong argument of a control, or a server that does not answer."""

    # pytest prints the module of an error before its name.
    __module__ = "builtins"


class Control:
    """A control, or a group of them: `control.clock.advance("1d")`.

    The names and arguments are those of `connect` in JavaScript. Keyword arguments become the last argument, an object:
    `control.faults.add(on="events.list", do={"fail": "backendError"})`. Raises an AssertionError if a verification
    fails, and a ControlError for a wrong name or argument.
    """

    def __init__(self, url: str, name: str = "") -> None:
        self._url = url
        self._name = name

    def __getattr__(self, name: str) -> "Control":
        if name.startswith("_"):
            raise AttributeError(name)
        return Control(self._url, f"{self._name}.{name}" if self._name else name)

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        __tracebackhide__ = True
        given = [*arguments]
        if options:
            given += [None] * (_KEYWORDS_AT.get(self._name, 0) - len(given)) + [options]
        answer = send_json("POST", f"{self._url}/_control/functions/{self._name}", given)
        result = answer.get("result")
        if answer.get("prints"):
            print(result)
        return _to_instant(result) if self._name == "clock.now" else result

    def __bool__(self) -> bool:
        __tracebackhide__ = True
        if not self._name:
            return True
        raise TypeError(f"control.{self._name} is not called: write control.{self._name}()")

    def __repr__(self) -> str:
        return f"<function control.{self._name}>" if self._name else f"<controls of {self._url}>"


def _to_instant(milliseconds: float) -> str:
    instant = datetime.datetime.fromtimestamp(milliseconds / 1000, datetime.timezone.utc)
    return instant.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def send_json(method: str, url: str, body: Any = None) -> Any:
    """Sends JSON, if a body is given, and returns the JSON of the reply. Raises AssertionError after 417, and ControlError after other errors."""
    __tracebackhide__ = True
    headers = {"Content-Type": "application/json"}
    token = os.environ.get("FAKE_CALENDAR_CONTROL_TOKEN")
    if token:
        headers["X-Fake-Control-Token"] = token
    data = None if body is None else _serialize(body)
    request = urllib.request.Request(url, data, headers, method=method)
    status, text = _send(request)
    try:
        reply = json.loads(text)
    except ValueError:
        raise ControlError(f"{url} is no fake-calendar server: it answered {status} without JSON") from None
    if status < 400:
        return reply
    message = re.sub(r"^Invalid value for: ", "", reply.get("error", {}).get("message", f"status {status}"))
    if status == _VERIFICATION_FAILED:
        raise AssertionError(message)
    raise ControlError(message)


def _send(request: urllib.request.Request) -> "tuple[int, str]":
    __tracebackhide__ = True
    try:
        with _OPENER.open(request) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError as error:
        raise ControlError(f"no server at {request.full_url}: {getattr(error, 'reason', error)}") from None


def _serialize(body: Any) -> bytes:
    __tracebackhide__ = True
    try:
        return json.dumps(body, default=_to_json).encode()
    except ControlError as error:
        # Without the frames of json.
        raise ControlError(str(error)) from None


def _to_json(value: Any) -> Any:
    if isinstance(value, datetime.datetime) and value.tzinfo is None:
        raise ControlError(f"{value.isoformat()} has no time zone: give a tzinfo")
    if isinstance(value, (datetime.datetime, datetime.date)):
        return value.isoformat()
    if isinstance(value, re.Pattern):
        return {"matches": value.pattern}
    raise ControlError(f"a {type(value).__name__} cannot be sent to the fake: {value!r}")
