"""The folder of game descriptions that a server hosts; it is scanned whenever games are listed.

Its files are not trusted: a file is read only if it is a plain file, lies in the folder itself, and
is no larger than a description can be. All functions here block.
"""

import os
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeAlias

from engine.errors import EngineError
from server.games.descriptions import (
    SUFFIXES,
    DescribedGame,
    GameSource,
    described,
    described_id,
    problems_in,
)

MOST_FILES = 500
MOST_BYTES = 1_000_000
"""No description that the engine takes is longer, and few pages of rules are."""
NAME_LENGTH = 64
STABLE_SECONDS = 2.0
"""A file written so recently may be written again without a change of its times."""

Problems: TypeAlias = tuple[str, ...]


Make: TypeAlias = Callable[[GameSource, str], DescribedGame]
"""Makes the game of a text with its rules page, or raises an `EngineError`."""


class UnusableFile(Exception):
    """A file that cannot be a description; the message says why."""


@dataclass(frozen=True, slots=True)
class FolderScan:
    """The result of a scan: games and problems, by the names of their files.

    It is not `is_whole` if the folder could not be read.
    """

    games: Mapping[str, DescribedGame] = field(default_factory=dict)
    problems: Mapping[str, Problems] = field(default_factory=dict)
    is_whole: bool = True


class _Stamp(NamedTuple):
    """The values of a file's status that change when the file does."""

    device: int
    inode: int
    size: int
    modified: int
    changed: int


class _Seen(NamedTuple):
    """A file and its rules page at the last scan, and the result."""

    stamps: tuple[_Stamp | None, ...]
    stable: bool
    source: GameSource | None
    result: DescribedGame | Problems


class GameFolder:
    """The folder or single file `path`. `make` makes the game; `now` is the time of files."""

    def __init__(
        self,
        path: Path,
        make: Make = described,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.path = path
        self._make = make
        self._now = now
        self._seen: dict[str, _Seen] = {}

    def scan(self) -> FolderScan:
        """Return all games of the folder; only files changed since the last scan are read again."""
        try:
            files = self._files()
        except OSError as error:
            self._seen = {}
            why = f"cannot be read: {error.strerror}"
            return FolderScan(problems={str(self.path): (why,)}, is_whole=False)
        seen = {path.name: self._see(path) for path in files[:MOST_FILES]}
        self._seen = seen
        games = {name: s.result for name, s in seen.items() if isinstance(s.result, DescribedGame)}
        problems = {name: s.result for name, s in seen.items() if isinstance(s.result, tuple)}
        for path in files[MOST_FILES:]:
            problems[path.name] = (f"more than {MOST_FILES} files lie in the folder",)
        return FolderScan(games, problems)

    def _files(self) -> list[Path]:
        """Return possible descriptions by name, without files whose names begin with a dot.

        Editors put such files beside the one that is being written.
        """
        if self.path.is_file():
            return [self.path]
        with os.scandir(self.path) as entries:
            names = sorted(e.name for e in entries if e.name.endswith(SUFFIXES))
        return [self.path / name for name in names if not name.startswith(".")]

    def _see(self, path: Path) -> _Seen:
        before = self._seen.get(path.name)
        pages = tuple(_pages(path))
        stamps = tuple(_stamp(each) for each in (path, *pages))
        if before is not None and before.stable and before.stamps == stamps:
            return before
        # Times in the future never get old: such a file is read at every scan.
        latest = max((stamp.modified for stamp in stamps if stamp is not None), default=0)
        stable = self._now() - latest / 1e9 > STABLE_SECONDS
        try:
            source = self._source(path)
            rules = next(filter(None, map(self._page, pages)), "")
        except UnusableFile as error:
            return _Seen(stamps, stable, None, (str(error),))
        if before is not None and before.source == source and before.stamps[1:] == stamps[1:]:
            return _Seen(stamps, stable, source, before.result)
        return _Seen(stamps, stable, source, tried(self._make, source, rules))

    def _source(self, path: Path) -> GameSource:
        name = path.name
        if len(name) > NAME_LENGTH or not name.isprintable():
            raise UnusableFile(
                f"a name has at most {NAME_LENGTH} characters, all of them printable"
            )
        text = self._read(path)
        return GameSource(described_id(name, text), text)

    def _page(self, path: Path) -> str:
        """Return a page of rules; empty if there is none, or none that can be shown."""
        try:
            return self._read(path)
        except UnusableFile:
            return ""

    def _read(self, path: Path) -> str:
        raw = _bytes_of(self._inside(path))
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise UnusableFile(f"is no text in UTF-8 (byte {error.start})") from None
        if "\0" in text:
            raise UnusableFile("is no text: there are zero bytes in it")
        return text

    def _inside(self, path: Path) -> Path:
        """Return the file's real path; raise `UnusableFile` if a link leads out of the folder."""
        try:
            real, folder = path.resolve(strict=True), path.parent.resolve(strict=True)
        except (OSError, RuntimeError) as error:
            raise UnusableFile(f"cannot be read: {_words(error)}") from None
        if path != self.path and folder not in real.parents:
            raise UnusableFile("is a link that leads out of the folder")
        return real


def tried(make: Make, source: GameSource, rules: str) -> DescribedGame | Problems:
    """Return the game of a text, or all its errors."""
    try:
        return make(source, rules)
    except EngineError as error:
        return tuple(problems_in(error))
    # A text that makes the program fail must not hide the others.
    except Exception as error:
        return (f"the program fails at it: {type(error).__name__}",)


def _pages(path: Path) -> Iterator[Path]:
    """List the possible names of a rules page: Agram3.md, or Agram.md for Agram2 to Agram5."""
    yield path.with_suffix(".md")
    if shared := path.stem.rstrip("0123456789"):
        yield path.with_name(f"{shared}.md")


def _stamp(path: Path) -> _Stamp | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return _Stamp(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def _bytes_of(path: Path) -> bytes:
    try:
        # Else opening a pipe would wait for somebody to write into it.
        opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            if not stat.S_ISREG(os.fstat(opened).st_mode):
                raise UnusableFile("is no plain file")
            with open(opened, "rb", closefd=False) as file:
                raw = file.read(MOST_BYTES + 1)
        finally:
            os.close(opened)
    except OSError as error:
        raise UnusableFile(f"cannot be read: {_words(error)}") from None
    if len(raw) > MOST_BYTES:
        raise UnusableFile(f"is larger than {MOST_BYTES} bytes")
    return raw


def _words(error: OSError | RuntimeError) -> str:
    """Return the message of an error, also for a loop of links, which has no system message."""
    return getattr(error, "strerror", None) or "a link leads round in a circle"
