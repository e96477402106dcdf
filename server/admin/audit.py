"""The audit log: one line of JSON for every act of an administrator, appended to a file.

An act that changes something is recorded before it is done (`result` ``begun``) and again with its
result; if the first line cannot be written, the act is not done. The file is opened for every line,
so it may be moved away (`logrotate`) while the server runs.
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
from typing import Any, NamedTuple

FILE = "audit.log"
READ_BYTES = 4_000_000
"""Of the end of the file, when it is read back."""
BEGUN = "begun"
SAFE = (
    os.O_CLOEXEC
    # A link would let whoever may write in the folder choose what is written to; a pipe that nobody
    # reads would be waited for for ever.
    | os.O_NOFOLLOW
    | os.O_NONBLOCK
)
APPENDING = os.O_WRONLY | os.O_APPEND | os.O_CREAT


class Caller(NamedTuple):
    """The process at the other end of the socket, as far as the system knows it, else None."""

    uid: int | None
    pid: int | None


class AuditLog:
    """The audit log in file `path`, which only its owner can read. `time` returns seconds."""

    def __init__(self, path: Path, time: Callable[[], float], node: str | None = None) -> None:
        self._path = path
        self._node = {} if node is None else {"node": node}
        self._time = time

    async def record(
        self, caller: Caller, act: str, arguments: Mapping[str, object], result: str
    ) -> None:
        """Append a line, which the system has received when this returns.

        Raises `OSError` if it cannot be written, for instance if the path is no file.
        """
        time = datetime.fromtimestamp(self._time(), UTC).isoformat(timespec="milliseconds")
        told = {"act": act, "arguments": arguments, "result": result}
        await asyncio.to_thread(self._append, time, caller, told)

    async def last(self, count: int) -> list[dict[str, Any]]:
        """Return the last `count` lines, the newest last, without damaged lines.

        Raises `OSError` if the file cannot be read; without a file there are no lines.
        """
        return await asyncio.to_thread(self._last, count)

    def _last(self, count: int) -> list[dict[str, Any]]:
        try:
            file = os.open(self._path, os.O_RDONLY | SAFE)
        except FileNotFoundError:
            return []
        with open(file, "rb") as opened:
            size = _check(file)
            opened.seek(max(0, size - READ_BYTES))
            lines = opened.read(READ_BYTES).splitlines()
        # The first one may have begun before.
        whole = lines if size <= READ_BYTES else lines[1:]
        return [line for line in map(_parsed, whole[-count:]) if line is not None]

    def _append(self, time: str, caller: Caller, told: Mapping[str, object]) -> None:
        # The name may have to come from another machine, so it is looked up here, in a thread.
        who = {"uid": caller.uid, "user": _name(caller.uid), "pid": caller.pid}
        line = json.dumps({"time": time, **self._node, **who, **told}).encode() + b"\n"
        file = os.open(self._path, APPENDING | SAFE, 0o600)
        try:
            _check(file)
            # One call, so that no line is torn by another.
            if os.write(file, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        finally:
            os.close(file)


def _check(file: int) -> int:
    """Return the size of an open file; raise `OSError` if it is no plain file."""
    found = os.fstat(file)
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is no file")
    return found.st_size


def _parsed(line: bytes) -> dict[str, Any] | None:
    try:
        told = json.loads(line)
    except ValueError:
        return None
    return told if isinstance(told, dict) else None


def _name(uid: int | None) -> str | None:
    """Return the name of a user on this machine."""
    try:
        return None if uid is None else pwd.getpwuid(uid).pw_name
    except KeyError:
        return None
