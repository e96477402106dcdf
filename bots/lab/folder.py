"""The folder of a simulation: its tables, their progress, and the simulation they belong to.

``simulation.json`` says what is played and how many games are in the tables, with the length and
the checksum of each table up to there. It is replaced as one piece after the rows it counts have
been written, so a program that is killed leaves at most rows beyond it, which are cut off when the
next one goes on. Everything else in the folder is made from the tables and may be deleted.
"""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from zlib import crc32

from bots.lab.differences import differences
from bots.lab.errors import BadFolder
from bots.lab.plan import Plan
from bots.lab.runs import Texts, columns, header

STATE = "simulation.json"
REPORT = "report.html"
FORMAT = 1
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Extent:
    """The extent of a table that counts: its length in bytes and their CRC-32."""

    length: int = 0
    checksum: int = 0

    def and_then(self, more: bytes) -> "Extent":
        """The extent after `more` is appended."""
        return Extent(self.length + len(more), crc32(more, self.checksum))


@dataclass(frozen=True, slots=True)
class Progress:
    """`runs` games are in the tables. `stopped` counts those without an end, by the reason."""

    runs: int
    tables: Mapping[str, Extent]
    stopped: Mapping[str, int] = field(default_factory=dict)


class Folder:
    """A folder to which this process alone writes: `opened` makes, checks and locks it."""

    def __init__(self, path: Path, plan: Plan, done: Progress) -> None:
        self.path = path
        self.plan = plan
        self.done = done

    def add(self, runs: int, texts: Texts, stopped: Mapping[str, int]) -> None:
        """Store the next `runs` games; they are on disk when this returns."""
        tables = dict(self.done.tables)
        reasons = dict(self.done.stopped)
        with refusals(self.path):
            for name, text in texts.items():
                raw = text.encode()
                with (self.path / f"{name}.csv").open("ab") as file:
                    file.write(raw)
                    file.flush()
                    os.fsync(file.fileno())
                tables[name] = tables[name].and_then(raw)
            for reason, count in stopped.items():
                reasons[reason] = reasons.get(reason, 0) + count
            self._commit(Progress(self.done.runs + runs, tables, reasons))

    def _commit(self, done: Progress) -> None:
        state = {"format": FORMAT, "plan": self.plan.as_json(), "done": asdict(done)}
        replace_file(self.path / STATE, json.dumps(state, indent=1).encode())
        self.done = done

    def _begin(self) -> None:
        tables = {}
        for name, names in columns(self.plan.seats).items():
            raw = header(names).encode()
            (self.path / f"{name}.csv").write_bytes(raw)
            tables[name] = Extent().and_then(raw)
        self._commit(Progress(0, tables))

    def _cut(self) -> None:
        """Cut off what was written after the last commit; `BadFolder` if the rest has changed."""
        for name, extent in self.done.tables.items():
            file = self.path / f"{name}.csv"
            if not file.is_file() or _extent(file, extent.length) != extent:
                raise BadFolder(
                    f"{file} is damaged: it is not what was written. Delete {self.path} to begin "
                    "anew, or name another folder"
                )
            os.truncate(file, extent.length)


@contextmanager
def opened(path: Path, plan: Plan) -> Iterator[Folder]:
    """The folder at `path`, created if needed, with what is done of `plan` in it.

    `BadFolder` if it cannot be written, is in use, is damaged, or belongs to another plan.
    """
    with refusals(path):
        path.mkdir(parents=True, exist_ok=True)
    with _locked(path):
        folder = Folder(path, plan, Progress(0, {}))
        with refusals(path):
            if (path / STATE).exists():
                folder.done = _stored(path, plan)
                folder._cut()
            elif not _unbegun(path, plan):
                raise BadFolder(f"{path} is not empty and holds no simulation: name another folder")
            else:
                folder._begin()
        yield folder


def _unbegun(path: Path, plan: Plan) -> bool:
    """Whether the folder holds nothing but the remains of an interrupted start."""
    begun = {f"{name}.csv": header(names) for name, names in columns(plan.seats).items()}
    return all(
        file.name == f".{STATE}.new"
        or (file.name in begun and begun[file.name].encode().startswith(file.read_bytes()))
        for file in path.iterdir()
    )


@contextmanager
def refusals(path: Path) -> Iterator[None]:
    """Turn an `OSError` in the block into `BadFolder`."""
    try:
        yield
    except OSError as error:
        raise BadFolder(f"{error.filename or path} cannot be used: {error.strerror}") from error


def replace_file(path: Path, content: bytes) -> None:
    """Replace a file atomically: a reader sees either the old file or the new one."""
    beside = path.with_name(f".{path.name}.new")
    with beside.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with refusals(path):
        handle = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise BadFolder(f"{path} is being written by another simulation") from None
    finally:
        os.close(handle)


def _stored(path: Path, plan: Plan) -> Progress:
    """The progress of the simulation in the folder, if it is that of `plan`."""
    try:
        state = json.loads((path / STATE).read_text(encoding="utf-8"))
        if state["format"] != FORMAT:
            raise BadFolder(f"{path} was written by another version of this program")
        kept, done = dict(state["plan"]), state["done"]
        progress = Progress(
            int(done["runs"]),
            {name: Extent(**done["tables"][name]) for name in columns(plan.seats)},
            {str(reason): int(count) for reason, count in done["stopped"].items()},
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadFolder(f"{path / STATE} is damaged: {error}") from error
    asked = json.loads(json.dumps(plan.as_json()))
    if told := "; ".join(differences(kept, asked)):
        raise BadFolder(f"{path} holds another simulation: {told}. Name another folder")
    return progress


def _extent(file: Path, length: int) -> Extent:
    found = Extent()
    with file.open("rb") as stream:
        while found.length < length and (part := stream.read(min(_CHUNK, length - found.length))):
            found = found.and_then(part)
    return found
