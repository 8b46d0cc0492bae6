"""Attempts of agents at tasks: each opens a world with one token, and is graded by what the agent did in it."""

import contextlib
import json
import urllib.error
import urllib.request
from typing import Any, Dict, Iterator, Optional

from .controls import Controls
from .transport import open_without_proxy, to_json


class Attempt:
    """An open attempt: `prompt`, `token`, `rest`, `mcp`, `account`, `now`, and all else that `POST /_control/attempts` gives."""

    def __init__(self, controls: Controls, opened: Dict[str, Any]) -> None:
        self._controls = controls
        self._is_ended = False
        self.opened = opened

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self.opened:
            raise AttributeError(f"an attempt has no {name}")
        return self.opened[name]

    def call(self, verb: str, path: str, body: Any = None) -> Any:
        """Sends a request to the Calendar API as the agent, and returns the reply, also that of an error."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else to_json(body).encode()
        request = urllib.request.Request(self.rest + path, data, headers, method=verb)
        try:
            with open_without_proxy(request) as response:
                text = response.read().decode()
        except urllib.error.HTTPError as error:
            text = error.read().decode()
        return json.loads(text) if text else None

    def say(self, text: str) -> str:
        """Says something to the user of the task, and returns the reply."""
        return self._controls.attempts.say(self.id, text)["user"]

    def grade(self, answer: str = "", **work: Any) -> Dict[str, Any]:
        """Grades the attempt: `passed`, `score`, `missing`, `unexpected`, `evidence`. Call it as often as you like."""
        self._is_ended = self._is_ended or work.get("end", False)
        return self._controls.attempts.grade(self.id, answer=answer, **work)

    def verify(self, answer: str = "", **work: Any) -> None:
        """Raises an AssertionError that lists what is missing and what is unexpected, unless the attempt has passed."""
        __tracebackhide__ = True
        result = self.grade(answer, **work)
        lines = [f"{kind}: {one['text']}" for kind in ("missing", "unexpected") for one in result[kind]]
        if not result["passed"]:
            raise AssertionError("\n".join([f"{result['task']}: not passed, score {result['score']:.2f}", *lines]))

    def close(self) -> None:
        """Ends the attempt, and deletes its world."""
        if not self._is_ended:
            self.grade(end=True)
        Controls(self._controls._server, self.world).delete()


@contextlib.contextmanager
def open_attempt(
    controls: Controls, task: Dict[str, Any], vary: Optional[int] = None, attempt: Optional[int] = None
) -> Iterator[Attempt]:
    """Opens an attempt, whose world is deleted at the end."""
    one = Attempt(controls, controls.attempts.open(task, vary=vary, attempt=attempt))
    try:
        yield one
    finally:
        one.close()
