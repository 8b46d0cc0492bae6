"""The plugin: fixtures, the marker `fake_calendar`, and the report of a failed test."""

import contextlib
import difflib
import os
import uuid
from typing import Any, Callable, Iterator

import pytest

from .attempts import Attempt, open_attempt
from .controls import Controls
from .server import SharedServer
from .transport import ControlError, Server
from .world import FakeCalendar, create_world

_SERVER = pytest.StashKey[SharedServer]()
_PASSED = pytest.StashKey[bool]()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "fake_calendar(seed=None, now=None, account=None): the seed, the frozen time and the account of the test's world",
    )
    shared = getattr(config, "workerinput", {}).get("fake_calendar")
    config.stash[_SERVER] = SharedServer(**(shared or {"pid": os.getpid()}))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Lets the workers of pytest-xdist share the server."""
    node.workerinput["fake_calendar"] = node.config.stash[_SERVER].share()


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput") and _SERVER in config.stash:
        config.stash[_SERVER].stop()


@pytest.fixture
def fake_calendar(request: pytest.FixtureRequest) -> Iterator[FakeCalendar]:
    """The world of the test: its addresses, and clients of its accounts.

    A passed test fails if a planned fault did not fire.
    """
    __tracebackhide__ = True
    fake = _create_world(request, request.config.stash[_SERVER].open())
    yield fake
    try:
        if request.node.stash.get(_PASSED, False):
            fake.control.faults.verify()
    finally:
        fake.control.delete()


def _create_world(request: pytest.FixtureRequest, server: Server) -> FakeCalendar:
    """Creates the world of the marker. A wrong argument fails with one line that has the place of the test."""
    marker = request.node.get_closest_marker("fake_calendar")
    world = f"test-{uuid.uuid4().hex[:12]}"
    if marker is None:
        return create_world(server, world)
    try:
        _require_arguments(marker)
        return create_world(server, world, **marker.kwargs)
    except ControlError as error:
        problem = str(error)
    # After the handler, because pytest prints the error in whose handler another is raised.
    file, line, _ = request.node.location
    pytest.fail(f"{file}:{(line or 0) + 1}: pytest.mark.fake_calendar: {problem}", pytrace=False)


def _require_arguments(marker: pytest.Mark) -> None:
    names = ("seed", "now", "account")
    if marker.args:
        raise ControlError(f"write the name of the argument: seed={marker.args[0]!r}")
    for name in marker.kwargs:
        if name not in names:
            nearest = difflib.get_close_matches(name, names, 1)
            instead = f'did you mean "{nearest[0]}"?' if nearest else f"there are {', '.join(names)}"
            raise ControlError(f'there is no "{name}"; {instead}')
    account = marker.kwargs.get("account")
    if account is not None and "@" not in str(account):
        raise ControlError(f"account: expected an address such as alice@example.com, got {account!r}")


@pytest.fixture
def calendar(fake_calendar: FakeCalendar) -> Any:
    """The official client for the world of the test."""
    return fake_calendar.client()


@pytest.fixture
def control(fake_calendar: FakeCalendar) -> Controls:
    """The controls of the world: its clock, faults, calls, mails and changes."""
    return fake_calendar.control


@pytest.fixture
def attempt(request: pytest.FixtureRequest) -> Iterator[Callable[..., Attempt]]:
    """Opens attempts of agents: `attempt(task)`, or with `vary=1` a variation. Their worlds are deleted after the test."""
    controls = Controls(request.config.stash[_SERVER].open(), "default")
    with contextlib.ExitStack() as opened:
        yield lambda task, **options: opened.enter_context(open_attempt(controls, task, **options))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo) -> Iterator[None]:
    outcome = yield
    report = outcome.get_result()
    if report.when != "call":
        return
    item.stash[_PASSED] = report.passed
    fake = getattr(item, "funcargs", {}).get("fake_calendar")
    if report.failed and isinstance(fake, FakeCalendar):
        try:
            report.sections.append(("fake-calendar", fake.format_report()))
        except ControlError as error:
            report.sections.append(("fake-calendar", str(error)))
