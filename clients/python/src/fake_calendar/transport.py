"""JSON over HTTP to a server, with the values that Python programs have."""

import datetime
import json
import os
import re
import urllib.error
import urllib.request
from typing import Any, Optional, Tuple

# Requests to the fake never go through the proxy of the environment.
open_without_proxy = urllib.request.build_opener(urllib.request.ProxyHandler({})).open

_UNAUTHORIZED = 401
_VERIFICATION_FAILED = 417

class ControlError(ValueError):
    """A wrong argument of a control, or a server that does not answer."""

    # pytest prints the module of an error before its name.
    __module__ = "builtins"


class Server:
    """A running server. `token` is the one of its `--control-token`, by default that of the environment."""

    def __init__(self, root: str, token: Optional[str] = None) -> None:
        self.root = root
        self.token = token or os.environ.get("FAKE_CALENDAR_CONTROL_TOKEN")

    def send(self, verb: str, path: str, body: Any = None, is_text: bool = False) -> Any:
        """Sends JSON, if a body is given, and returns that of the reply, or its text. Raises an AssertionError after 417, and a ControlError after others."""
        __tracebackhide__ = True
        headers = {"Content-Type": "application/json", **({"X-Fake-Control-Token": self.token} if self.token else {})}
        data = None if body is None else to_json(body).encode()
        status, text = _send(urllib.request.Request(self.root + path, data, headers, method=verb))
        if is_text and status < 400:
            return text
        try:
            reply = json.loads(text)
        except ValueError:
            raise ControlError(f"{self.root} is no fake-calendar server: it answered {status} without JSON") from None
        if status < 400:
            return reply
        message = re.sub(r"^Invalid value for: ", "", reply.get("error", {}).get("message", f"status {status}"))
        if status == _UNAUTHORIZED:
            message += " Set FAKE_CALENDAR_CONTROL_TOKEN, or give it to connect()."
        if status == _VERIFICATION_FAILED:
            raise AssertionError(message)
        raise ControlError(message)


def _send(request: urllib.request.Request) -> Tuple[int, str]:
    __tracebackhide__ = True
    try:
        with open_without_proxy(request) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except (OSError, ValueError) as error:
        raise ControlError(f"no server at {request.full_url}: {getattr(error, 'reason', error)}") from None


def to_json(value: Any) -> str:
    __tracebackhide__ = True
    try:
        return json.dumps(value, default=_to_json)
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
