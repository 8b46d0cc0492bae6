"""A client of fake-calendar, an in-memory fake of the Google Calendar API v3."""

from .attempts import Attempt, open_attempt
from .controls import Controls, connect
from .transport import ControlError

__all__ = ["Attempt", "ControlError", "Controls", "connect", "open_attempt"]
