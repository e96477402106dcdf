"""The audit log: one line of JSON for everything that an administrator asks, appended to a file.

What changes something is recorded before it is done (`result` ``begun``) and again with its result;
if the first line cannot be written, it is not done. The file is opened for every line, so it may be
moved away (`logrotate`) while the server runs.
"""

import asyncio
import errno
import json
import os
import pwd
import stat
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

FILE = "audit.log"
BEGUN = "begun"
FLAGS = (
    os.O_WRONLY
    | os.O_APPEND
    | os.O_CREAT
    | os.O_CLOEXEC
    # A link would let whoever may write in the folder choose what is written to; a pipe that nobody
    # reads would be waited for for ever.
    | os.O_NOFOLLOW
    | os.O_NONBLOCK
)


class Caller(NamedTuple):
    """The process at the other end of the socket, as the system knows it; None where it does not.

    `uid` is the user, `pid` the process.
    """

    uid: int | None
    pid: int | None


class AuditLog:
    """Appends to the file `path`, which only its owner can read. `time` gives seconds."""

    def __init__(self, path: Path, time: Callable[[], float]) -> None:
        self._path = path
        self._time = time

    async def record(
        self, caller: Caller, act: str, arguments: Mapping[str, object], result: str
    ) -> None:
        """Append a line; it is with the system when this returns.

        `OSError` if it cannot be, as where the path leads to something that is no file.
        """
        time = datetime.fromtimestamp(self._time(), UTC).isoformat(timespec="milliseconds")
        told = {"act": act, "arguments": arguments, "result": result}
        await asyncio.to_thread(self._append, time, caller, told)

    def _append(self, time: str, caller: Caller, told: Mapping[str, object]) -> None:
        # The name may have to come from another machine, so it is looked up here, in a thread.
        who = {"uid": caller.uid, "user": _name(caller.uid), "pid": caller.pid}
        line = json.dumps({"time": time, **who, **told}).encode() + b"\n"
        file = os.open(self._path, FLAGS, 0o600)
        try:
            if not stat.S_ISREG(os.fstat(file).st_mode):
                raise OSError(errno.EINVAL, "it is no file")
            # One call, so that no line is torn by another.
            if os.write(file, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        finally:
            os.close(file)


def _name(uid: int | None) -> str | None:
    """The name of a user on this machine."""
    try:
        return None if uid is None else pwd.getpwuid(uid).pw_name
    except KeyError:
        return None
