"""The path of a move: few of our functions lie between its frame and the commit, all of them named.

A real move is traced through a real server. At each station of its way (it is decoded, becomes an
entry, is played by the rules, becomes a row, is given to the writer, is committed) the functions of
`server/` that are on the stack count as passed.
"""

import re
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from types import FrameType
from typing import Any

import server
from engine import Match
from protocol.codec import Codec
from protocol.connection import connect
from protocol.to_server import Act, CreateTable, Join, Start
from server.store import EntryRow, Store
from server.store.transaction import DriverTransaction
from server.table.entries import Acted
from tests.server.socket_server import open_socket_server

MOST = 10
SERVER = str(Path(server.__file__).parent)
ARCHITECTURE = Path(server.__file__).parents[1] / "ARCHITECTURE.md"
COMMIT = DriverTransaction.commit.__code__
STATIONS = {
    Codec.decode_command.__code__: "decoded",
    Acted.__init__.__code__: "an entry",
    Match.apply.__code__: "played",
    EntryRow.__new__.__code__: "a row",
}


class Trace:
    """Which functions a move has passed, in order, and at which stations it was seen."""

    def __init__(self) -> None:
        self.on = False
        self.passed: list[str] = []
        self.stations: list[str] = []

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        """What `sys.setprofile` wants to be given."""
        if not self.on:
            return
        if event == "call" and frame.f_code in STATIONS:
            self._note(STATIONS[frame.f_code], frame)
        elif event == "c_call":
            owner = getattr(argument, "__self__", None)
            if isinstance(owner, sqlite3.Connection) and frame.f_code is COMMIT:
                # By the driver's commit, or by the only statement.
                self._note("committed", frame.f_back)
            elif isinstance(owner, SimpleQueue) and frame.f_code is Store.commit.__code__:
                self._note("given to the writer", frame)

    def _note(self, station: str, frame: FrameType | None) -> None:
        self.stations.append(station)
        stack = []
        while frame is not None:
            if frame.f_code.co_filename.startswith(SERVER):
                stack.append(frame.f_code.co_qualname.partition(".<locals>")[0])
            frame = frame.f_back
        # What is between brackets in a function is a frame of its own, and part of it.
        names = dict.fromkeys(reversed(stack))
        self.passed += [name for name in names if name not in self.passed]


@contextmanager
def traced() -> Iterator[Trace]:
    """A trace that follows this thread and those that are started meanwhile."""
    trace = Trace()
    threading.setprofile(trace)
    sys.setprofile(trace)
    try:
        yield trace
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


async def path_of_a_move(folder: Path) -> Trace:
    """Two people play; the path of one move, from its frame to the commit."""
    with traced() as trace:
        async with (
            open_socket_server(folder) as running,
            connect(running.url, name="Ann") as ann,
            connect(running.url, name="Bea") as bea,
        ):
            answer = await ann.ask(CreateTable, game="black_queen", seats=2)
            assert answer.table is not None
            await bea.ask(Join, table=answer.table)
            await ann.ask(Start, table=answer.table)
            clients = [ann, bea]
            mover = next(c for c in clients if c.session.tables[answer.table].my_turn)
            mirror = mover.session.tables[answer.table]
            action = mirror.choices.actions[0]
            trace.on = True
            await mover.ask(Act, table=answer.table, turn=mirror.question.turn, action=action)
            trace.on = False
    return trace


def listed() -> list[str]:
    """The functions that ARCHITECTURE.md names as the path of a move."""
    text = ARCHITECTURE.read_text(encoding="utf-8")
    part = text[text.index("passes these ten functions") :]
    return re.findall(r"^\d+\. `([\w.]+)`", part, re.MULTILINE)


async def test_a_move_passes_ten_functions_and_the_guide_names_them(tmp_path: Path) -> None:
    """Every function between the frame and the commit stands in ARCHITECTURE.md, ten at most."""
    trace = await path_of_a_move(tmp_path)
    assert trace.stations == [
        "decoded",
        "an entry",
        "played",
        "a row",
        "given to the writer",
        "committed",
    ]
    assert len(trace.passed) <= MOST, trace.passed
    assert trace.passed == listed()
