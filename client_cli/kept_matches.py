"""Unfinished matches against bots, kept in the state directory until they are played to the end.

Each has a folder of its own, with the database of its private server and the player's identity
there. `match.json` in it says what is played; a folder without one holds no unfinished match. A
program that plays in a folder holds its lock, so that a second one neither offers nor removes it.
"""

import errno
import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from client_cli.game_menu import NO_CHOICE, ChosenGame, read_choice
from client_cli.remembered import RememberedFile

MOST_KEPT = 10
"""If there are more, the one that was not played for the longest time goes."""
_MATCH, _LOCK = "match.json", "lock"
_ROOM = 1024 * 1024
"""Bytes that the disk must have for a new match."""


@dataclass(frozen=True, slots=True)
class KeptMatch:
    """An unfinished match: where it is and, as far as its file can be read, what is played.

    `played` is when something last happened in it, in seconds since 1970; `fields` and `seats` are
    those of its table, `name` is the player's.
    """

    folder: Path
    played: float
    title: str = ""
    choice: ChosenGame = NO_CHOICE
    name: str | None = None
    seats: int | None = None
    # What `table_fields` gives: the options and settings of a table.
    fields: Mapping[str, Any] | None = None


class MatchFolder:
    """A folder in which matches are played, one after the other."""

    def __init__(self, path: Path, *, lasting: bool) -> None:
        self.path = path
        self._file = RememberedFile(path if lasting else None, _MATCH)

    def begin(
        self,
        title: str,
        choice: ChosenGame,
        name: str,
        seats: int | None,
        fields: Mapping[str, Any],
    ) -> bool:
        """Keep the match that begins for the next visit; returns whether that is possible."""
        settled = {key: fields[key] for key in ("options", "settings")}
        said = {"title": title, "name": name, "seats": seats, "fields": settled}
        return self._file.keep({**said, **choice.written()})

    def over(self) -> None:
        """Mark the folder as holding no unfinished match."""
        with suppress(OSError):
            (self.path / _MATCH).unlink()


class KeptMatches:
    """The unfinished matches below a `state` directory."""

    def __init__(self, state: Path) -> None:
        self._root = state / "matches"

    def of(self, game: str | None) -> list[KeptMatch]:
        """The unfinished matches of a game, or of all games; the last played one comes first.

        A match whose file cannot be read may be of any game. Matches that another program plays now
        are left out.
        """
        wanted = None if game is None else ChosenGame(game).written()["game"]
        found = [_read(folder) for folder in self._folders() if (folder / _MATCH).exists()]
        fitting = [m for m in found if wanted is None or m.choice.game in (None, wanted)]
        return sorted(fitting, key=lambda match: match.played, reverse=True)

    @contextmanager
    def opened(self, match: KeptMatch) -> Iterator[MatchFolder | None]:
        """The folder of `match`, locked; None if another program plays it now, or it is gone.

        The folder is removed afterwards if the match is over.
        """
        lock = _locked(match.folder)
        if lock is None:
            yield None
            return
        with self._held(match.folder, lock):
            there = (match.folder / _MATCH).exists()
            yield MatchFolder(match.folder, lasting=True) if there else None

    @contextmanager
    def new(self) -> Iterator[MatchFolder]:
        """A new locked folder, which is removed afterwards unless a match in it is unfinished.

        If none can be made the folder is temporary, and nothing is kept.
        """
        with ExitStack() as stack:
            made = self._make()
            if made is None:
                name = stack.enter_context(tempfile.TemporaryDirectory(prefix="blackqueen-"))
                yield MatchFolder(Path(name), lasting=False)
            else:
                stack.enter_context(self._held(*made))
                yield MatchFolder(made[0], lasting=True)

    def _make(self) -> tuple[Path, int] | None:
        """A new folder and its lock, after tidying up; None if the disk is full."""
        with suppress(OSError):
            self._root.mkdir(mode=0o700, parents=True, exist_ok=True)
            with _alone(self._root):
                self._tidy()
                number = 1
                while (self._root / str(number)).exists():
                    number += 1
                folder = self._root / str(number)
                folder.mkdir(mode=0o700)
                lock = _locked(folder, room=_ROOM)
                if lock is not None:
                    return folder, lock
                shutil.rmtree(folder, ignore_errors=True)
        return None

    def _tidy(self) -> None:
        """Remove folders without an unfinished match, and those above `MOST_KEPT`."""
        for folder in self._folders():
            if not (folder / _MATCH).exists():
                _remove(folder)
        for match in self.of(None)[MOST_KEPT - 1 :]:
            _remove(match.folder)

    def _folders(self) -> list[Path]:
        """The folders in which no program plays now."""
        try:
            folders = [each for each in self._root.iterdir() if each.name.isdecimal()]
        except OSError:
            return []
        return [folder for folder in folders if _is_free(folder)]

    @contextmanager
    def _held(self, folder: Path, lock: int) -> Iterator[None]:
        try:
            yield
        finally:
            if not (folder / _MATCH).exists():
                shutil.rmtree(folder, ignore_errors=True)
            os.close(lock)


def _read(folder: Path) -> KeptMatch:
    """The match in `folder`, with as much as its file tells."""
    played = max(map(_changed, (folder, *folder.glob("*"))))
    kept = RememberedFile(folder, _MATCH).read()
    if not isinstance(kept, dict):
        return KeptMatch(folder, played)
    said: dict[str, Any] = {}
    fits: Mapping[str, Callable[[Any], bool]] = {
        "title": lambda value: isinstance(value, str),
        "name": lambda value: isinstance(value, str),
        "seats": lambda value: type(value) is int,
        "fields": _are_fields,
    }
    for key, fit in fits.items():
        if fit(kept.get(key)):
            said[key] = kept[key]
    return KeptMatch(folder, played, choice=read_choice(kept) or NO_CHOICE, **said)


def _are_fields(value: object) -> bool:
    keys = ("options", "settings")
    return isinstance(value, dict) and all(isinstance(value.get(key), dict) for key in keys)


def _changed(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


def _locked(folder: Path, *, room: int = 0) -> int | None:
    """The lock of `folder`; None if another program has it, or the disk lacks `room`."""
    try:
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if room:
            if os.pwrite(lock, bytes(room), 0) < room:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.ftruncate(lock, 0)
    except OSError:
        os.close(lock)
        return None
    return lock


def _is_free(folder: Path) -> bool:
    if (lock := _locked(folder)) is None:
        return False
    os.close(lock)
    return True


def _remove(folder: Path) -> None:
    """Remove a folder that no program plays in."""
    if (lock := _locked(folder)) is not None:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


@contextmanager
def _alone(root: Path) -> Iterator[None]:
    """Keep other programs from making or removing folders for a moment."""
    lock = os.open(root / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)
