"""A client of fake-calendar, an in-memory fake of the Google Calendar API v3."""

from .controls import Controls, connect
from .transport import ControlError

__all__ = ["ControlError", "Controls", "connect"]
