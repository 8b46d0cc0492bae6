# Written by test/control/pythonClient.test.ts from the OpenAPI document of /_control.
from datetime import datetime
from typing import Any, Dict, List, Literal, Optional, Sequence, Union

from .transport import Server

def connect(url: str, world: Optional[str] = ..., token: Optional[str] = ...) -> Controls:
    """Returns the controls of a world of a running server: of `world`, else of the one in the address, else of `default`."""

class _SyncTokens:
    def expire(
        self,
        *,
        account: Optional[str] = ...,
        calendarId: Optional[str] = ...,
        collection: Optional[Literal["events", "acl", "calendarList", "settings"]] = ...,
        afterUses: Optional[int] = ...,
    ) -> None:
        """Expires sync tokens, which are then answered with 410: all issued so far, or those of an `account`, a `calendarId`, a `collection`. With `afterUses` each is valid so many times; `null` ends that."""

class _Worlds:
    def __call__(self, *, maxResults: Optional[int] = ..., pageToken: Optional[str] = ...) -> List[str]:
        """Lists the worlds in the order of their creation: all, or at most `maxResults`. `pageToken` is the `nextPageToken` of the page before."""

    def rename(self, world: str, to: str) -> None:
        """Renames a world. It keeps its data, sync tokens, channels, snapshots, controls and journal. Addresses and tokens with the former name no longer reach it. Rejects the name of another world."""

    def setResult(
        self,
        world: str,
        *,
        task: str,
        attempt: int,
        passed: bool,
        score: float,
        missing: Sequence[Dict[str, Any]],
        unexpected: Sequence[Dict[str, Any]],
        calls: int,
        errors: int,
        secure: Optional[bool] = ...,
    ) -> None:
        """Sets the result of an attempt of an agent in a world, which the overview and the inspector show. A reset removes it."""

class _Diff:
    def __call__(
        self,
        since: Any = ...,
        until: Any = ...,
        *,
        world: Optional[str] = ...,
        copies: Optional[bool] = ...,
        all: Optional[bool] = ...,
        instances: Optional[bool] = ...,
    ) -> List[Dict[str, Any]]:
        """Returns the changes `since` a revision, an instant or a snapshot, or against another `world`; the default is the initial state. `until` is another such moment; the default is now. `copies` lists guests’ copies as changes of their own; `all` includes etags and the like, and `instances` lists the instances of changed series in place of the series."""

    def verify(
        self,
        expected: Sequence[Dict[str, Any]],
        since: Any = ...,
        until: Any = ...,
        *,
        world: Optional[str] = ...,
        copies: Optional[bool] = ...,
        all: Optional[bool] = ...,
        instances: Optional[bool] = ...,
    ) -> List[Dict[str, Any]]:
        """Verifies that the changes are exactly those `expected`, as `fake.diff(…).verify(…)` does in process. Otherwise answers 417 with the missing and the unexpected changes."""

class _Clock:
    def state(self) -> Dict[str, Any]:
        """Returns the world's clock."""

    def now(self) -> str:
        """Returns the world's clock."""

    def set(
        self,
        now: Optional[Union[str, datetime]] = ...,
        *,
        mode: Optional[Literal["real", "set", "frozen"]] = ...,
    ) -> List[Dict[str, Any]]:
        """Sets the world's clock: its mode, its time, or both."""

    def freeze(self, now: Optional[Union[str, datetime]] = ...) -> List[Dict[str, Any]]:
        """Sets the world's clock: its mode, its time, or both."""

    def run(self, now: Optional[Union[str, datetime]] = ...) -> List[Dict[str, Any]]:
        """Sets the world's clock: its mode, its time, or both."""

    def real(self, *, now: Optional[Union[str, datetime]] = ...) -> List[Dict[str, Any]]:
        """Sets the world's clock: its mode, its time, or both."""

    def advance(
        self,
        by: Optional[Union[str, float]] = ...,
        *,
        to: Optional[Union[str, datetime]] = ...,
    ) -> List[Dict[str, Any]]:
        """Advances the world's clock by a duration or to an instant, waits for the messages of due tasks, and returns the tasks."""

    def advanceTo(
        self,
        to: Optional[Union[str, datetime]] = ...,
        *,
        by: Optional[Union[str, float]] = ...,
    ) -> List[Dict[str, Any]]:
        """Advances the world's clock by a duration or to an instant, waits for the messages of due tasks, and returns the tasks."""

class _Conferences:
    def state(self) -> Dict[str, Any]:
        """Returns the policy for conference requests, and the open requests."""

    def policy(
        self,
        *,
        mode: Optional[Literal["nextRequest", "immediate", "delay", "reads", "manual"]] = ...,
        delay: Optional[Union[str, float]] = ...,
        reads: Optional[int] = ...,
        outcome: Optional[Literal["success", "failure"]] = ...,
        phone: Optional[Dict[str, Any]] = ...,
    ) -> None:
        """Sets when conference requests are answered (by a `mode`, after a `delay`, or after so many `reads`), and their `outcome`."""

    def expect(
        self,
        *,
        mode: Optional[Literal["nextRequest", "immediate", "delay", "reads", "manual"]] = ...,
        delay: Optional[Union[str, float]] = ...,
        reads: Optional[int] = ...,
        outcome: Optional[Literal["success", "failure"]] = ...,
        phone: Optional[Dict[str, Any]] = ...,
        requestId: Optional[str] = ...,
        eventId: Optional[str] = ...,
        times: Optional[int] = ...,
    ) -> None:
        """Sets the same for one request (`requestId`), for those of one event (`eventId`), or for the next `times` requests."""

    def settle(
        self,
        *,
        requestId: Optional[str] = ...,
        eventId: Optional[str] = ...,
        outcome: Optional[Literal["success", "failure"]] = ...,
    ) -> List[Dict[str, Any]]:
        """Answers open conference requests now: one by id, those of an event, or all."""

class _Mail:
    def __call__(self, to: Optional[str] = ...) -> List[Dict[str, Any]]:
        """Lists the mails that the service would have sent, the latest last: all, or those `to` one address. A mail has the event as it was when it was sent."""

    def eml(self, id: int) -> str:
        """Returns a mail as a message with its text and, if it is about an event, the iCalendar part `invite.ics`."""

    def until(
        self,
        to: Optional[str] = ...,
        count: Optional[int] = ...,
        *,
        where: Optional[Dict[str, Any]] = ...,
        timeout: Optional[Union[str, float]] = ...,
    ) -> List[Dict[str, Any]]:
        """Waits until `count` mails `to` an address were sent, which have the expected fields (`where`), earlier ones included, and returns them."""

class _Faults:
    def add(
        self,
        *,
        on: Union[str, Sequence[str]],
        do: Union[Dict[str, Any], Sequence[Dict[str, Any]]],
        account: Optional[str] = ...,
        calendarId: Optional[str] = ...,
        where: Optional[Dict[str, Any]] = ...,
        skip: Optional[int] = ...,
        times: Optional[Union[int, Literal["always"]]] = ...,
        every: Optional[int] = ...,
        probability: Optional[float] = ...,
        until: Optional[Union[str, datetime]] = ...,
        for_: Optional[Union[str, float]] = ...,
        optional: Optional[Literal[True]] = ...,
    ) -> Dict[str, Any]:
        """Adds a fault: the requests that fail, how often, and the effect. See [Faults](faults.md)."""

    def list(self) -> List[Dict[str, Any]]:
        """Lists the faults, each with the number of requests that matched and of those on which it fired."""

    def clear(self) -> int:
        """Removes all faults, and returns their number."""

    def remove(self, id: str) -> None:
        """Removes the fault with this `id`."""

    def verify(self) -> None:
        """Verifies that every fault fired as often as planned. Otherwise answers 417 with the names of the others."""

class _Quota:
    def __call__(self, seed: Any = ..., /, **fields: Any) -> None:
        """Sets the quota of any minute of the world's clock, for all users together and for each, or `"google"`: the limits of the service."""

    def state(self) -> Dict[str, Any]:
        """Returns the limits, and the units spent in the last minute."""

    def remove(self) -> None:
        """Removes the quota. Nothing is limited then."""

class _Notifications:
    def list(
        self,
        *,
        channelId: Optional[str] = ...,
        progress: Optional[Literal["waiting", "held", "delayed", "retrying", "delivered", "failed", "dropped", "withheld", "silenced"]] = ...,
    ) -> List[Dict[str, Any]]:
        """Lists the latest messages, all or by channel or progress, with their headers and delivery attempts."""

    def settled(self, *, timeout: Optional[Union[str, float]] = ...) -> None:
        """Waits until no message is pending, for at most a `timeout`."""

    def until(
        self,
        channelId: str,
        count: Optional[int] = ...,
        *,
        timeout: Optional[Union[str, float]] = ...,
    ) -> List[Dict[str, Any]]:
        """Waits until so many messages of a channel are delivered, and returns them. If the world has other channels only, it fails at once; before the first watch it waits."""

    def hold(self, channelId: Optional[str] = ...) -> None:
        """Holds the messages of a channel, or of all channels, until they are released."""

    def release(self, channelId: Optional[str] = ...) -> None:
        """Sends the held messages of a channel, or of all channels."""

    def drop(self, *, channelId: Optional[str] = ..., times: Optional[int] = ...) -> None:
        """Drops the next message, or the next `times` messages."""

    def duplicate(self, *, channelId: Optional[str] = ..., times: Optional[int] = ...) -> None:
        """Sends the next message, or each of the next `times` messages, twice."""

    def delay(self, by: Union[str, float], *, channelId: Optional[str] = ..., times: Optional[int] = ...) -> None:
        """Delays the next message, or each of the next `times` messages, by the world's clock."""

    def reorder(self, *, channelId: Optional[str] = ..., times: Optional[int] = ...) -> None:
        """Collects the next two messages, or the next `times`, and sends the last one first."""

    def replay(self, id: int) -> Dict[str, Any]:
        """Sends a message of the list again."""

class _Oauth:
    def state(self) -> Dict[str, Any]:
        """Returns the OAuth data of the world: clients, grants, tokens, and scripted failures."""

    def fail(self, *, fail: Literal["denied", "noRefreshToken"], times: Optional[int] = ...) -> None:
        """Lets the next consent, or the next `times`, be `denied` or give `noRefreshToken`."""

    def forget(self) -> None:
        """Removes the scripted failures of consents."""

    def mint(
        self,
        *,
        account: str,
        scopes: Optional[Sequence[str]] = ...,
        life: Optional[Union[str, float]] = ...,
        client: Optional[str] = ...,
    ) -> str:
        """Issues an access token of an account: for all scopes or the given ones, valid for an hour or for `life`."""

    def expire(self, account: Optional[str] = ..., *, token: Optional[str] = ...) -> int:
        """Expires all access tokens, those of one `account`, or one `token`, and returns their number."""

    def revoke(self, account: Optional[str] = ..., *, token: Optional[str] = ...) -> int:
        """Revokes all tokens and consents, those of one `account`, or those of the client of a `token`, and returns their number. It holds until the account consents again."""

    def consent(self, account: Optional[str] = ...) -> None:
        """Lets one `account` consent again after a revocation, or all: tokens that the world did not issue are valid."""

class _Calls:
    def __call__(
        self,
        method: Optional[Union[str, Sequence[str]]] = ...,
        *,
        account: Optional[str] = ...,
        calendarId: Optional[str] = ...,
        where: Optional[Union[Dict[str, Any], str]] = ...,
        since: Optional[Union[int, str]] = ...,
    ) -> List[Dict[str, Any]]:
        """Lists the latest requests, the oldest first, by `method` (`events.*`, several separated by commas), `account`, `calendarId`, and recorded `since` the call of a number. `evicted` counts the requests that the journal dropped."""

    def clear(self) -> int:
        """Removes all requests from the journal, and returns their number. Numbering continues."""

    def until(
        self,
        method: Union[str, Sequence[str]],
        count: Optional[int] = ...,
        *,
        account: Optional[str] = ...,
        calendarId: Optional[str] = ...,
        where: Optional[Dict[str, Any]] = ...,
        timeout: Optional[Union[str, float]] = ...,
    ) -> List[Dict[str, Any]]:
        """Waits until a `method` was called `count` times, earlier calls included, and returns the calls."""

    def verify(
        self,
        method: Union[str, Sequence[str]],
        where: Optional[Dict[str, Any]] = ...,
        *,
        account: Optional[str] = ...,
        calendarId: Optional[str] = ...,
        times: Optional[Union[int, Dict[str, Any]]] = ...,
    ) -> List[Dict[str, Any]]:
        """Verifies that a `method` was called as expected (`where`), at least once or `times` times, and returns those calls. Otherwise answers 417 with `verified: false` and a `message` with the closest call and its differences."""

class _Attempts:
    def open(
        self,
        task: Any,
        *,
        attempt: Optional[int] = ...,
        vary: Optional[int] = ...,
        world: Optional[str] = ...,
    ) -> Dict[str, Any]:
        """Opens an attempt of an agent at a `task`, in a world of its own: its addresses, its token, its prompt and its limits. `vary` is the number of a variation, and null for none. Until its last grade, a server without a control token answers only the routes of attempts below `/_control`."""

    def list(self) -> List[Dict[str, Any]]:
        """Lists the attempts whose worlds exist, each with the result of its latest grade."""

    def grade(
        self,
        id: str,
        *,
        answer: Optional[str] = ...,
        error: Optional[str] = ...,
        end: Optional[bool] = ...,
        command: Optional[str] = ...,
        stderr: Optional[str] = ...,
    ) -> Dict[str, Any]:
        """Grades an attempt by its world and the `answer` of the agent, with the evidence of the grade, as often as it is called. `error` says why the agent failed. `end` ends the attempt, whose token is then no longer valid."""

    def say(self, id: str, text: str) -> Dict[str, Any]:
        """Says something to the user of the task, and returns the reply: that of the first row of `user` whose words the text has."""

class Controls:
    def __init__(self, server: Server, world: str, name: str = ...) -> None: ...

    @property
    def syncTokens(self) -> _SyncTokens: ...

    @property
    def worlds(self) -> _Worlds: ...

    @property
    def diff(self) -> _Diff: ...

    @property
    def clock(self) -> _Clock: ...

    @property
    def conferences(self) -> _Conferences: ...

    @property
    def mail(self) -> _Mail: ...

    @property
    def faults(self) -> _Faults: ...

    @property
    def quota(self) -> _Quota: ...

    @property
    def notifications(self) -> _Notifications: ...

    @property
    def oauth(self) -> _Oauth: ...

    @property
    def calls(self) -> _Calls: ...

    @property
    def attempts(self) -> _Attempts: ...

    def health(self) -> Dict[str, Any]:
        """Returns the status of the server and the name of the world."""

    def reset(self) -> Dict[str, Any]:
        """Resets the world to its initial state. Earlier sync tokens are answered with 410."""

    def seed(self, seed: Any = ..., /, **fields: Any) -> Dict[str, Any]:
        """Adds a seed to the world."""

    def replace(self, seed: Any = ..., /, **fields: Any) -> Dict[str, Any]:
        """Replaces the world with a seed, which also becomes its initial state."""

    def state(self) -> Dict[str, Any]:
        """Returns a seed that restores exactly this world."""

    def print(self) -> str:
        """Returns the events of the world as a `text` of at most about a hundred lines, by calendar and day."""

    def delete(self) -> None:
        """Deletes the world of the request. It is created again when it is next used."""

    def fork(self, from_: Any, world: str, *, seed: Any = ...) -> None:
        """Creates or replaces a world: `from` a snapshot of the world of the request, or with a `seed`."""

    def deleteWorld(self, world: str) -> None:
        """Deletes a world by name. It is created again when it is next used."""

    def snapshots(self) -> List[Dict[str, Any]]:
        """Lists the named snapshots of the world, the latest last."""

    def snapshot(self, name: Optional[str] = ...) -> Dict[str, Any]:
        """Takes a snapshot of the world. It replaces one of the same name; without a name the route generates one."""

    def restore(self, name: Any) -> Dict[str, Any]:
        """Restores the world to a snapshot; sync tokens from before it are valid again, later ones are answered with 410."""

    def deleteSnapshot(self, name: Any) -> Dict[str, Any]:
        """Deletes a snapshot."""

    def changes(
        self,
        *,
        since: Optional[Union[int, str]] = ...,
        wait: Optional[Union[str, float]] = ...,
        kind: Optional[Literal["event", "calendar", "calendarList", "acl", "setting", "channel"]] = ...,
        account: Optional[str] = ...,
        calendarId: Optional[str] = ...,
        id: Optional[str] = ...,
        by: Optional[str] = ...,
        all: Optional[bool] = ...,
    ) -> List[Dict[str, Any]]:
        """Lists the writes, the oldest first, `since` a revision or an instant, by `kind`, `account`, `calendarId`, `id`, or the account that wrote (`by`). `wait` waits for the first one, at most 60s. `dropped` counts the earlier writes that were dropped."""

    def advance(
        self,
        by: Optional[Union[str, float]] = ...,
        *,
        to: Optional[Union[str, datetime]] = ...,
    ) -> List[Dict[str, Any]]:
        """Advances the world's clock by a duration or to an instant, waits for the messages of due tasks, and returns the tasks."""

    def advanceTo(
        self,
        to: Optional[Union[str, datetime]] = ...,
        *,
        by: Optional[Union[str, float]] = ...,
    ) -> List[Dict[str, Any]]:
        """Advances the world's clock by a duration or to an instant, waits for the messages of due tasks, and returns the tasks."""

    def clearMail(self) -> int:
        """Removes all mails, and returns their number."""

    def channels(self) -> List[Dict[str, Any]]:
        """Lists all channels, including those that have ended."""

    def ical(self, calendarId: str) -> Dict[str, Any]:
        """Returns the paths of a calendar as an iCalendar file: the public one, and the private one with its token."""

    def importICalendar(
        self,
        text: str,
        *,
        owner: Optional[str] = ...,
        calendar: Optional[str] = ...,
        name: Optional[str] = ...,
        timeZone: Optional[str] = ...,
        alarms: Optional[Literal["read", "ignore"]] = ...,
    ) -> Dict[str, Any]:
        """Adds the events of an iCalendar file to a calendar: of `owner`, the `calendar` `primary`, or one by its name or id. Without `calendar`, a new one. The `report` lists what was left out or changed. A body of the type `text/calendar` is the file itself; the other fields are then parameters of the query."""
