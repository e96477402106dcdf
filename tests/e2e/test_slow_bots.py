"""Tests many tables of slow bots at one server."""

import asyncio
import os
import signal
from pathlib import Path
from random import Random
from urllib.request import urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from protocol.connection import connect
from protocol.to_server import CreateTable, Start
from tests.e2e.client_log import ClientLog
from tests.e2e.players import HASTY, play
from tests.e2e.processes import Programs, Server

pytestmark = pytest.mark.e2e

TABLES = 20
MOVES = 26
"""What a bot does in one deal of two players."""


async def match(server: Server, number: int) -> None:
    """Play one table of a random player and a slow bot."""
    async with connect(server.url, name=f"Player {number}", patience=HASTY) as client:
        opened = await client.ask(CreateTable, game="black_queen", seats=2, options={"deals": 1})
        await client.ask(Start, table=opened.table, fill=1)
        await play(client, ClientLog(), Random(number))


def figures(server: Server) -> dict[str, float]:
    """Return the server's metrics, by name and labels."""
    with urlopen(f"http://127.0.0.1:{server.port}/metrics") as answer:
        families = list(text_string_to_metric_families(answer.read().decode()))
    return {
        sample.name + "".join(f" {k}={v}" for k, v in sample.labels.items()): sample.value
        for family in families
        for sample in family.samples
    }


async def test_twenty_tables_of_slow_bots_finish(programs: Programs) -> None:
    """Every match ends, no bot is late, and the event loop's lag was measured meanwhile."""
    server = await programs.serve("--warm-bots", module="tests.e2e.slow_server")
    await server.program.complaint("bots_warmed")
    async with asyncio.TaskGroup() as tasks:
        for number in range(TABLES):
            tasks.create_task(match(server, number))
    told = await asyncio.to_thread(figures, server)
    assert told["blackqueen_moves_total by=bot"] == TABLES * MOVES
    assert told["blackqueen_bot_seconds_count"] == TABLES * MOVES
    assert told["blackqueen_late_bots_total"] == 0
    assert told["blackqueen_loop_lag_seconds_count"] > 0
    assert told["blackqueen_loop_lag_worst_seconds"] > 0
    await server.stop()


async def test_bots_whose_process_died_go_on(programs: Programs) -> None:
    """Bot processes killed at rest and during play are restarted, and no bot is replaced."""
    server = await programs.serve("--warm-bots", module="tests.e2e.slow_server")
    await server.program.complaint("bots_warmed")
    kill_children(server)
    await server.program.complaint("bots_lost")
    async with asyncio.TaskGroup() as tasks:
        matches = [tasks.create_task(match(server, number)) for number in range(3)]
        await asyncio.wait(matches, return_when=asyncio.FIRST_COMPLETED)
        kill_children(server)
    told = await asyncio.to_thread(figures, server)
    assert told["blackqueen_bot_seconds_count"] == 3 * MOVES
    assert told["blackqueen_late_bots_total"] == 0
    await server.stop()


def kill_children(server: Server) -> None:
    """Kill the server's bot processes, as a system without memory would."""
    children = Path(f"/proc/{server.program.pid}/task/{server.program.pid}/children")
    for pid in map(int, children.read_text().split()):
        if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes():
            os.kill(pid, signal.SIGKILL)
