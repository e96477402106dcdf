"""Tests the program that starts several nodes on this machine."""

import signal
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import pytest

from protocol.connection import connect
from tests.e2e.played_table import DEALS, PlayedTable
from tests.e2e.players import HASTY
from tests.e2e.processes import Programs
from tests.e2e.test_kill import MOVES_OF_A_DEAL
from tests.postgres import program

pytestmark = pytest.mark.e2e

LOCAL = Path(__file__).parents[2] / "deploy" / "local_cluster.py"


async def test_local_nodes(programs: Programs, rng: Random) -> None:
    """A match is played through different nodes to its end; Ctrl-C ends all processes."""
    program("postgres")
    argv = [str(LOCAL), "--nodes", "2", "--bot-delay", "0"]
    code = f"import runpy, sys; sys.argv = {argv!r}; runpy.run_path(sys.argv[0], None, '__main__')"
    nodes = await programs.python(code)
    await nodes.line(lambda text: text.startswith("Ctrl-C"))
    begun = [line.partition(":")[0] for line in nodes.lines if ": process " in line]
    assert sorted(begun) == ["node-1", "node-2", "postgresql"]
    urls = [line.split()[-1] for line in nodes.lines if line.startswith("Players join")]
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(connect(url, name=who, patience=HASTY))
            for who, url in zip(("Ann", "Bea"), urls, strict=True)
        ]
        table = PlayedTable(clients, rng)
        await table.open()
        table.let(MOVES_OF_A_DEAL * DEALS)
        await table.play()
    assert all(log.over and log.losses == 0 for log in table.logs)
    nodes.signal(signal.SIGINT)
    await nodes.done()
    await programs.all_gone()
