"""The server of a run of pytest."""

import json
import os
import pathlib
import secrets
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from typing import Dict, Optional, Union

from .transport import Server

_COMMAND = "npx fake-calendar"
_KEEPER = str(pathlib.Path(__file__).with_name("keeper.py"))

# npx may install the package first.
_START_TIMEOUT_S = 300
_POLL_S = 0.02


class ServerError(RuntimeError):
    """The server does not start."""

    __module__ = "builtins"


class SharedServer:
    """One server for all processes of a run, which starts when the first test uses it.

    `folder` is common to the processes. `pid` is the process with whose end the server ends.
    """

    def __init__(self, pid: int, folder: Optional[str] = None, token: Optional[str] = None) -> None:
        self._pid = pid
        self._folder = folder
        self._token = token or os.environ.get("FAKE_CALENDAR_CONTROL_TOKEN") or secrets.token_urlsafe()
        self._server: Optional[Server] = None

    def share(self) -> Dict[str, Union[int, str]]:
        """Returns the arguments with which another process creates this server."""
        return {"pid": self._pid, "folder": str(self._find_folder()), "token": self._token}

    def open(self) -> Server:
        """Returns the server, and starts it first if needed."""
        if self._server is None:
            named = os.environ.get("FAKE_CALENDAR_URL")
            # Its own server has a control token, so that the agents of tests cannot use the controls.
            self._server = Server(named.split("/w/")[0].rstrip("/")) if named else Server(self._start(), self._token)
        return self._server

    def stop(self) -> None:
        """Ends the server, and removes the folder."""
        if self._folder is None:
            return
        pid = pathlib.Path(self._folder, "pid")
        if pid.exists():
            _end(int(pid.read_text()))
        shutil.rmtree(self._folder, ignore_errors=True)

    def _find_folder(self) -> pathlib.Path:
        if self._folder is None:
            self._folder = tempfile.mkdtemp(prefix="fake-calendar-")
        return pathlib.Path(self._folder)

    def _start(self) -> str:
        folder = self._find_folder()
        try:
            (folder / "lock").touch(exist_ok=False)
        except FileExistsError:
            return self._wait(None)
        try:
            process = self._launch(folder)
        except (IndexError, OSError, ValueError) as error:
            # The other processes and the next tests then do not wait for a server.
            problem = "the command is empty" if isinstance(error, IndexError) else str(error)
            (folder / "errors").write_text(problem)
            (folder / "failed").touch()
            raise ServerError(_describe_failure(problem)) from None
        return self._wait(process)

    def _launch(self, folder: pathlib.Path) -> "subprocess.Popen[bytes]":
        words = shlex.split(os.environ.get("FAKE_CALENDAR_COMMAND") or _COMMAND, posix=os.name == "posix")
        command = [shutil.which(words[0]) or words[0], *words[1:], "--port", "0", "--json"]
        with open(folder / "started", "wb") as started, open(folder / "errors", "wb") as errors:
            process = subprocess.Popen(
                [sys.executable, _KEEPER, str(self._pid), *command],
                stdin=subprocess.DEVNULL,
                stdout=started,
                stderr=errors,
                env={**os.environ, "FAKE_CALENDAR_CONTROL_TOKEN": self._token},
                start_new_session=True,
            )
        (folder / "pid").write_text(str(process.pid))
        return process

    def _wait(self, process: "Optional[subprocess.Popen[bytes]]") -> str:
        """Waits until the server has printed its address. `process` is given in the process that started it."""
        folder = self._find_folder()
        deadline = time.monotonic() + _START_TIMEOUT_S
        while time.monotonic() < deadline:
            started = _read(folder / "started")
            if started.endswith("\n"):
                return json.loads(started)["rootUrl"].rstrip("/")
            if process is not None and process.poll() is not None:
                (folder / "failed").touch()
            if (folder / "failed").exists():
                raise ServerError(_describe_failure(_read(folder / "errors").strip()))
            time.sleep(_POLL_S)
        raise ServerError(_describe_failure(f"no address within {_START_TIMEOUT_S} s"))


def _describe_failure(problem: str) -> str:
    command = os.environ.get("FAKE_CALENDAR_COMMAND") or _COMMAND
    return (
        f"`{command}` does not start: {problem or 'it ended'}\n"
        "Install it (npm install --save-dev fake-calendar), or set FAKE_CALENDAR_COMMAND or FAKE_CALENDAR_URL."
    )


def _read(file: pathlib.Path) -> str:
    return file.read_text(errors="replace") if file.exists() else ""


def _end(pid: int) -> None:
    """Ends a process and its children."""
    if os.name != "posix":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(pid)], capture_output=True, check=False)
        return
    try:
        os.killpg(pid, signal.SIGTERM)
    except ProcessLookupError:
        pass
