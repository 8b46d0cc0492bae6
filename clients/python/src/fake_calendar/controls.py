"""The controls of a world, as functions. `controls.pyi` has their types."""

import json
import pathlib
import re
import urllib.parse
from typing import Any, List, Optional

from .transport import ControlError, Server, to_json

# Written from the server's OpenAPI document, as is `controls.pyi`.
_FUNCTIONS = json.loads(pathlib.Path(__file__).with_name("functions.json").read_text(encoding="utf-8"))


class Controls:
    """A control, or a group of them: `controls.clock.advance("1d")`.

    The names and arguments are those of `connect` in JavaScript, and fields of an operation are keyword arguments. Raises an
    AssertionError if a verification fails, and a ControlError for a wrong name or argument.
    """

    def __init__(self, server: Server, world: str, name: str = "") -> None:
        self._server = server
        self._world = world
        self._name = name

    def __getattr__(self, name: str) -> "Controls":
        if name.startswith("_"):
            raise AttributeError(name)
        return Controls(self._server, self._world, f"{self._name}.{name}" if self._name else name)

    def __call__(self, *arguments: Any, **fields: Any) -> Any:
        __tracebackhide__ = True
        function = _FUNCTIONS.get(self._name)
        if function is None:
            # The error of the server has the nearest name.
            return self._send("POST", f"/_control/functions/{self._name}", [*arguments])["result"]
        verb, path, body = _to_request(function, _to_input(self._name, function, arguments, fields))
        reply = self._send(verb, path, body, function.get("text", False))
        field = function.get("result", "")
        result = reply if field == "" else None if field is None else reply[field]
        if function.get("prints"):
            print(result)
        return result

    def _send(self, verb: str, path: str, body: Any, is_text: bool = False) -> Any:
        __tracebackhide__ = True
        place = "" if self._world == "default" else f"/w/{urllib.parse.quote(self._world, safe='')}"
        return self._server.send(verb, place + path, body, is_text)

    def __dir__(self) -> List[str]:
        start = f"{self._name}." if self._name else ""
        return sorted({name[len(start) :].split(".")[0] for name in _FUNCTIONS if name.startswith(start)})

    def __bool__(self) -> bool:
        __tracebackhide__ = True
        if not self._name:
            return True
        raise TypeError(f"control.{self._name} is not called: write control.{self._name}()")

    def __repr__(self) -> str:
        return f"<function control.{self._name}>" if self._name else f"<controls of the world {self._world}>"


def _to_input(function_name: str, function: dict, arguments: Any, fields: dict) -> Any:
    """Returns the input. An argument after those with names is an object with further fields, or the whole input."""
    __tracebackhide__ = True
    names, nullable = function["arguments"], function.get("nullable", [])
    named = {name: value for name, value in zip(names, arguments) if value is not None}
    # A trailing underscore is for the keywords of Python: `from_`.
    given = {name.rstrip("_"): value for name, value in fields.items() if value is not None or name in nullable}
    values = {**function.get("fixed", {}), **named, **given}
    rest = [value for value in arguments[len(names) :] if value is not None]
    problem = [f"{name} is given twice" for name in given if name in named]
    if len(rest) > 1 or (values and any(not isinstance(value, dict) for value in rest)):
        problem.append(f"give {', '.join([*names, 'and'] if names else [])} other fields as keyword arguments")
    if problem:
        raise ControlError(f"control.{function_name}: {problem[0]}")
    if not rest:
        return values
    return {**values, **rest[0]} if isinstance(rest[0], dict) else rest[0]


def _to_request(function: dict, values: Any) -> Any:
    """Returns verb, path with query, and body."""
    __tracebackhide__ = True
    verb, path, body = function["verb"], function["path"], values
    for name in re.findall(r"\{(\w+)\}", path):
        # Without a value the path is unknown, and the error of the server would not name the argument.
        if body.get(name, "") == "":
            raise ControlError(f"{name}: required")
        path = path.replace(f"{{{name}}}", urllib.parse.quote(str(body[name]), safe=""))
        body = {key: value for key, value in body.items() if key != name}
    if verb != "GET":
        return verb, path, body or None
    query = urllib.parse.urlencode({name: _to_parameter(value) for name, value in body.items()})
    return verb, f"{path}?{query}" if query else path, None


def _to_parameter(value: Any) -> str:
    __tracebackhide__ = True
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return value if isinstance(value, str) else to_json(value).strip('"')


def connect(url: str, world: Optional[str] = None, token: Optional[str] = None) -> Controls:
    """Returns the controls of a world of a running server: of `world`, else of the one in the address, else of `default`."""
    found = re.match(r"(https?://.+?)(?:/w/([^/]+))?(?:/(?:calendar/v3|_control|_ui)?)?/?$", url)
    if not found:
        raise ControlError(f"connect: give the address of a server, such as http://127.0.0.1:8787; got {url!r}")
    return Controls(Server(found[1], token), world or urllib.parse.unquote(found[2] or "default"))
