"""The world of a test."""

import operator
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import pytest

from .controls import Controls
from .transport import Server

_MAX_REPORTED_CALLS = 10
_MAX_REPORTED_LINES = 15


_documents: Dict[str, Dict[str, Any]] = {}


def _read_discovery(server: Server) -> Dict[str, Any]:
    """Once per server, and not in the world of a test, whose journal would contain the request."""
    if server.root not in _documents:
        _documents[server.root] = server.send("GET", "/discovery/v1/apis/calendar/v3/rest")
    return _documents[server.root]


class FakeCalendar:
    """A world of the server: complete, and apart from those of other tests.

    All addresses select the world, so that clients need no setting for it.
    """

    def __init__(self, server: Server, world: str, account: Optional[str] = None) -> None:
        self.server = server
        self.world = world
        self.url = f"{server.root}/w/{world}"
        self.base_url = f"{self.url}/calendar/v3"
        self.token_uri = f"{self.url}/token"
        self.discovery_url = self.url + "/discovery/v1/apis/{api}/{apiVersion}/rest"
        self.control = Controls(server, world)
        self._account = account

    @property
    def account(self) -> str:
        """The account of `calendar`: the one that the test names, or else the first one of the world."""
        if self._account is None:
            self._account = self.control.state()["accounts"][0]["email"]
        return self._account

    def token(self, account: Optional[str] = None) -> str:
        """Returns an access token of an account, which also names the world."""
        return f"{self.world}~{account or self.account}"

    def client(self, account: Any = None) -> Any:
        """Returns the official client for an account, or with credentials of google-auth.

        Skips the test if the client is not installed.
        """
        try:
            from google.oauth2.credentials import Credentials
            from googleapiclient import _helpers, errors, http
            from googleapiclient.discovery import build_from_document
        except ImportError:
            pytest.skip("the official client is not installed: pip install google-api-python-client")
        for module in (_helpers, http):
            # pytest then shows the line of the test, and not those of the client, for an error of the service.
            module.__tracebackhide__ = operator.methodcaller("errisinstance", errors.HttpError)
        credentials = Credentials(self.token(account)) if account is None or isinstance(account, str) else account
        document = {**_read_discovery(self.server), "rootUrl": f"{self.url}/"}
        return build_from_document(document, credentials=credentials)

    def __repr__(self) -> str:
        return f"<FakeCalendar {self.url}>"

    def format_report(self) -> str:
        """Lists the last ten calls, each in a line, with each kind of hint once, and the events of a small world."""
        events = self.server.send("GET", f"/w/{self.world}/_control/print")["text"].split("\n")
        is_short = len(events) <= _MAX_REPORTED_LINES and events[1:] != ["no events"]
        return "\n".join([self._format_calls(), *(f"  {line}" for line in events if is_short)])

    def _format_calls(self) -> str:
        calls = self.control.calls()
        lines: List[str] = []
        explained: List[str] = []
        for call in calls[-_MAX_REPORTED_CALLS:]:
            hints = call["hints"]
            words = [str(call["n"]), call["method"], call.get("account", "-"), str(call.get("status", "no response"))]
            words += [f"{name}={value}" for name, value in _list_pairs(call["params"])]
            words += [f"{name}={call[name]}" for name in ("reason", "fault") if name in call]
            lines.append("  " + " ".join(words + [f"hint={hint['code']}" for hint in hints]))
            for hint in hints:
                if hint["code"] not in explained:
                    explained.append(hint["code"])
                    lines += ["    " + _format_hint(hint), "    " + hint["why"]]
        if not calls:
            return self._explain_missing_calls()
        count = f"the last {_MAX_REPORTED_CALLS} of {len(calls)} calls" if len(calls) > _MAX_REPORTED_CALLS else "the calls"
        return "\n".join([f"{count} of the failed test", *lines])

    def _explain_missing_calls(self) -> str:
        """Names the world `default` if it received calls, because a client that names no world sends to it."""
        head = "the journal of the failed test has no calls"
        try:
            self.control.calls.verify("*")
        except AssertionError as error:
            others = [line for line in str(error).split("\n") if line.startswith("The world ")]
            if others:
                return "\n".join([head, *(f"  {line}" for line in others)])
        return f"{head} (the client sends a request when execute() is called)"


def _list_pairs(params: Dict[str, Any]) -> List[Tuple[str, str]]:
    """A repeated parameter is a list. The client sends `alt=json` with each request."""
    pairs = [(name, one) for name, given in params.items() for one in (given if isinstance(given, list) else [given])]
    return [pair for pair in pairs if pair != ("alt", "json")]


def _format_hint(hint: Dict[str, Any]) -> str:
    allowed = ", ".join(hint.get("allowed", []))
    return f"{hint['code']} {hint['what']}. {hint['instead']}" + (f" (allowed: {allowed})" if allowed else "")


Seed = Union[str, Dict[str, Any]]


def create_world(
    server: Server,
    world: str,
    seed: Union[None, Seed, Sequence[Seed]] = None,
    now: Optional[str] = None,
    account: Optional[str] = None,
) -> FakeCalendar:
    """Creates a world with seeds, by name or as objects, and freezes its clock at `now`, if they are given."""
    __tracebackhide__ = True
    fake = FakeCalendar(server, world, account)
    if seed is None:
        if now is not None:
            fake.control.clock.freeze(now)
        return fake
    seeds = list(seed) if isinstance(seed, (list, tuple)) else [seed]
    # The clock comes first, because seeds may be relative to it.
    clock = [] if now is None else [{"clock": {"mode": "frozen", "now": now}}]
    server.send("PUT", f"/_control/worlds/{world}", {"seed": [*clock, *seeds]})
    return fake
