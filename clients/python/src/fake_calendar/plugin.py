"""The plugin: fixtures, the marker `fake_calendar`, and the report of a failed test."""

import contextlib
import os
import uuid
from typing import Any, Callable, Iterator

import pytest

from .attempts import Attempt, open_attempt
from .controls import Controls
from .server import SharedServer
from .transport import ControlError
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
    marker = request.node.get_closest_marker("fake_calendar")
    server = request.config.stash[_SERVER].open()
    fake = create_world(server, f"test-{uuid.uuid4().hex[:12]}", **(marker.kwargs if marker else {}))
    yield fake
    try:
        if request.node.stash.get(_PASSED, False):
            fake.control.faults.verify()
    finally:
        fake.control.delete()


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
