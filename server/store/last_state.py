"""A small file beside the database with the database's position.

It is written at every commit before the commit is reported, in place and without waiting for the
disk. So after a crash of the process it has the exact position of the database, and after a crash
of the machine at least a position of some seconds before; never a later one.
"""

import json
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, Self

from server.store.files import state_file

BYTES = 256
"""Of the file; it is always overwritten whole, in one piece."""


class CommitCount(NamedTuple):
    """The position of a database. Neither number ever falls.

    `entries` were added in all, `commits` are those that added none.
    """

    entries: int
    commits: int


@dataclass(frozen=True, slots=True)
class LastState:
    """The contents of the file: the database, its position, and the time."""

    identity: str
    position: CommitCount
    time: float

    @property
    def moment(self) -> str:
        """The time when the file was written, as a date and time of day."""
        return moment(self.time)


def moment(time: float) -> str:
    """Return seconds since the epoch as a date and time of day, in UTC."""
    return datetime.fromtimestamp(time, UTC).isoformat(sep=" ", timespec="seconds")


class StateFile:
    """The file of the database at `path`; it can be written after `open`."""

    def __init__(self, path: Path) -> None:
        self.path = state_file(path)
        self._file = -1
        self._begin = b""

    def read(self) -> LastState | None:
        """Return the last contents; None if there never were any, empty if unreadable."""
        if not self.path.exists():
            return None
        try:
            found = json.loads(self.path.read_bytes())
            position = CommitCount(int(found["entries"]), int(found["commits"]))
            return LastState(str(found["identity"]), position, float(found["time"]))
        except (OSError, ValueError, KeyError, TypeError):
            return LastState("", CommitCount(0, 0), 0.0)

    def open(self, identity: str) -> Self:
        """Write the positions of the database with this identity from now on."""
        self._begin = f'{{"identity":"{identity}","entries":'.encode()
        self._file = os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600)
        return self

    def write(self, position: CommitCount, time: float) -> None:
        """Write the database's position; raise `OSError` if the file cannot be written."""
        text = b'%s%d,"commits":%d,"time":%.3f}' % (self._begin, *position, time)
        os.pwrite(self._file, text.ljust(BYTES - 1) + b"\n", 0)

    def close(self) -> None:
        """Close the file, if it is open."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
