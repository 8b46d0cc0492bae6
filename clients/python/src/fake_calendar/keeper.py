"""Runs a command until it ends, or until another process has ended: `keeper.py PID COMMAND…`.

A run of pytest that is killed cannot end its server, and this program then does.
"""

import os
import subprocess
import sys

_POLL_S = 0.5


def _exists(pid: int) -> bool:
    if os.name != "posix":
        return True
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, PermissionError):
        # A pid of another user is in use again, because the run has ended.
        return False
    return True


def main(pid: int, command: "list[str]") -> int:
    try:
        child = subprocess.Popen(command)
    except OSError as error:
        print(error, file=sys.stderr)
        return 127
    while _exists(pid):
        try:
            return child.wait(_POLL_S)
        except subprocess.TimeoutExpired:
            pass
    child.terminate()
    return child.wait()


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
