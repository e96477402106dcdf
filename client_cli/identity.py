"""A player's identity at a server: the token of the last visit, in the user's state directory.

There is one file for each server and name, readable only by its owner, and locked while a program
plays under it. A second program of the same user finds it locked and gets a player of its own, so
that two windows never fight for one seat.
"""

import fcntl
import getpass
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from protocol.visible_text import shown_name


def login_name() -> str:
    """The login name, changed to what a server accepts as a name."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = ""
    return shown_name(name)


def state_directory() -> Path:
    """The folder in which the program stores data of this user."""
    from platformdirs import user_state_path

    return user_state_path("blackqueen")


class TokenPlace:
    """The place of one token; without a file nothing is stored."""

    def __init__(self, file: int | None = None) -> None:
        self._file = file
        self.token = None if file is None else _read(file)

    @property
    def is_kept(self) -> bool:
        """Whether the token is stored in a file."""
        return self._file is not None

    def keep(self, token: str) -> None:
        """Write the token into the file, if there is one."""
        if self._file is None or token == self.token:
            return
        self.token = token
        written = os.pwrite(self._file, json.dumps({"token": token}).encode(), 0)
        os.ftruncate(self._file, written)

    def forget(self) -> None:
        """Remove the token, which the server does not know any more."""
        self.token = None


NOBODY = TokenPlace()
"""Keeps nothing: for bots, for scripts, and if the file cannot be used."""


@contextmanager
def identity(url: str, name: str, directory: Path) -> Iterator[TokenPlace]:
    """The identity of `name` at `url`, locked until the end of the block."""
    file = _locked(directory / "identities" / _file_name(url, name))
    if file is None:
        yield TokenPlace()
        return
    try:
        yield TokenPlace(file)
    finally:
        os.close(file)


@contextmanager
def known_identity(url: str, name: str, directory: Path) -> Iterator[TokenPlace]:
    """The identity of an earlier visit, or one that is not stored."""
    if (directory / "identities" / _file_name(url, name)).exists():
        with identity(url, name, directory) as known:
            yield known
    else:
        yield TokenPlace()


def _file_name(url: str, name: str) -> str:
    return hashlib.sha256(f"{url}\n{name}".encode()).hexdigest()[:32] + ".json"


def _locked(path: Path) -> int | None:
    """The open and locked file; None if another program holds it or it cannot be created."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        return None
    return file


def _read(file: int) -> str | None:
    try:
        token = json.loads(os.pread(file, 4096, 0))["token"]
    except (ValueError, KeyError, TypeError):
        return None
    return token if isinstance(token, str) else None
