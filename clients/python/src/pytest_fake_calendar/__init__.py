"""pytest fixtures for fake-calendar."""

from .control import Control, ControlError
from .server import ServerError
from .world import FakeCalendar

__all__ = ["Control", "ControlError", "FakeCalendar", "ServerError"]
