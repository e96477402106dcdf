"""Tests that a server that is told to stop is gone in time, with all its processes."""

import asyncio
import signal
from contextlib import suppress
from pathlib import Path
from time import monotonic

import pytest

from protocol.connection import Client, connect
from protocol.errors import ConnectionLost, ProtocolError
from protocol.to_server import CreateTable, Hint, Start
from server.ops.stop_limit import EXIT_FORCED
from tests.e2e.endless_server import THINKS
from tests.e2e.players import HASTY
from tests.e2e.processes import Programs, Server
from tests.e2e.test_hostile_games import HOSTILE

pytestmark = pytest.mark.e2e

DRAIN = ("--drain-seconds", "2")
STOPPED_WITHIN = 6.0
"""Seconds, on a busy machine; a bot that thought on would take longer by far."""
BUSY_TICKS = 30
"""0.3 s on the processor, by which Python has all but started. More takes long if others work."""


def bots_of(server: Server) -> list[int]:
    """Return the server's bot processes."""
    children = Path(f"/proc/{server.program.pid}/task/{server.program.pid}/children")
    return [int(pid) for pid in children.read_text().split() if b"spawn_main" in command(int(pid))]


def command(pid: int) -> bytes:
    """Return the command line of a process; empty if the process has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def ticks(pid: int) -> int:
    """Return the processor time of a process; 0 if the process has ended."""
    try:
        after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return int(after_name[11]) + int(after_name[12])


async def at_work(server: Server) -> None:
    """Wait until a process of the server's bots uses the processor."""
    while not any(ticks(pid) >= BUSY_TICKS for pid in bots_of(server)):  # noqa: ASYNC110
        await asyncio.sleep(0.02)


async def busy_server(programs: Programs, game: str) -> Server:
    """Start a server with a bot that thinks longer than any test waits."""
    if not game:
        server = await programs.serve(*DRAIN, "--warm-bots")
        await server.program.complaint("bots_warming")
        await at_work(server)
        return server
    endless = game == "black_queen"
    if endless:
        server = await programs.serve(*DRAIN, "--warm-bots", module="tests.e2e.endless_server")
        await server.program.complaint("bots_warmed")
    else:
        games = programs.folder / "games"
        games.mkdir()
        (games / game).write_text(HOSTILE["Flood"])
        server = await programs.serve(*DRAIN, "--games", str(games))
    async with connect(server.url, name="Ann", patience=HASTY) as ann, asyncio.TaskGroup() as tasks:
        opened = await ann.ask(CreateTable, game=game, seats=2)
        await ann.ask(Start, table=opened.table, fill=1)
        # It is either Ann's turn or her opponent's.
        hint = tasks.create_task(hinted(ann, opened.table))
        await (server.program.complaint(THINKS) if endless else at_work(server))
        hint.cancel()
    return server


async def hinted(client: Client, table: str | None) -> None:
    with suppress(ProtocolError, ConnectionLost):
        await client.ask(Hint, table=table)


@pytest.mark.timeout(120)
@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGKILL], ids=["SIGTERM", "SIGKILL"])
@pytest.mark.parametrize(
    "game", ["black_queen", "Flood2.rcy", ""], ids=["endless", "described", "compiling"]
)
async def test_no_bot_holds_up_the_end(programs: Programs, game: str, sign: signal.Signals) -> None:
    """Neither endless bots, nor a description, nor a compiler delays the end."""
    server = await busy_server(programs, game)
    began = monotonic()
    server.program.signal(sign)
    code = await server.program.ended()
    await programs.all_gone()
    assert monotonic() - began < STOPPED_WITHIN
    assert code == (0 if sign == signal.SIGTERM else -signal.SIGKILL)


STUCK = """
import sys, threading
from server.ops.stop_limit import StopLimit

limit = StopLimit(0)
limit.children = lambda: [int(sys.argv[1])]
limit.begin()
limit.begin()
threading.Event().wait()
"""


async def test_a_server_that_is_stuck_is_ended_all_the_same(programs: Programs) -> None:
    """A server whose main thread hangs is ended all the same, with its child processes."""
    child = await programs.python("import time; time.sleep(3600)")
    stuck = await programs.python(STUCK, words=(str(child.pid),))
    assert await stuck.ended() == EXIT_FORCED
    assert await child.ended() == -signal.SIGKILL
    assert "stop_forced" in "".join(stuck.lines)
