"""Gateways and tables as processes of their own, with a real broker between them."""

import asyncio
import signal
from collections.abc import Awaitable
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest

from protocol.connection import connect
from protocol.version import CLOSE_REPLACED, JSON, MSGPACK, VERSION
from tests.counts import NIGHT
from tests.e2e.client_log import ClientLog
from tests.e2e.cluster import ClusterProcesses, until_ready, until_without_tables
from tests.e2e.databases import on_postgresql
from tests.e2e.nodes import owners
from tests.e2e.players import HASTY
from tests.e2e.processes import Programs
from tests.e2e.program import Program
from tests.e2e.proxy import proxy
from tests.e2e.stored import only_table
from tests.e2e.test_cluster_faults import DEALS, PlayedTable
from tests.e2e.test_kill import LOBBY_EVENTS, MOVES_OF_A_DEAL
from tests.e2e.test_postgresql import Watcher, match_of
from tests.mosquitto import Mosquitto
from tests.raw_client import raw_client, raw_socket

pytestmark = pytest.mark.e2e

HELLO: dict[str, Any] = {"version": VERSION, "client": "test"}


@pytest.mark.skipif(not NIGHT, reason="test_cluster_faults.py does the same by day, and more")
@on_postgresql
async def test_kills_of_each_process_cost_nothing(
    programs: Programs, mosquitto: Mosquitto, rng: Random
) -> None:
    """Players at two gateways; one of these, the broker and both nodes are killed in a match.

    Of the first node that is killed, the players who are connected notice a pause and no more.
    """
    cluster = ClusterProcesses(programs, mosquitto)
    first, second, *both = await asyncio.gather(
        cluster.gateway("g1"),
        cluster.gateway("g2"),
        cluster.role("tables", "t1"),
        cluster.role("tables", "t2"),
    )
    nodes = dict(zip(("t1", "t2"), both, strict=True))
    await until_ready(first, second, *both)
    watcher = Watcher()
    client_logs = [ClientLog(on_event=watcher.saw) for _ in range(4)]
    async with AsyncExitStack() as stack:
        # Where a name in the network led to the first, it leads to the second later.
        name = await stack.enter_async_context(proxy(first.port))
        clients = [
            await stack.enter_async_context(
                connect(url, name=who, subprotocol=form, patience=HASTY)
            )
            for who, url, form in (
                ("Ann", name.url, MSGPACK),
                ("Ben", second.url, JSON),
                ("Cem", name.url, JSON),
                ("Dee", second.url, MSGPACK),
            )
        ]
        async with match_of(clients, client_logs, rng):
            await watcher.until(LOBBY_EVENTS + 10)
            name.lead_to(second.port)
            await first.kill()
            await watcher.until(watcher.seen + 10)
            assert [client_log.losses for client_log in client_logs] == [1, 0, 1, 0]
            mosquitto.restart()
            await watcher.until(watcher.seen + 10)
            assert [client_log.losses for client_log in client_logs] == [1, 0, 1, 0]
            (owner,) = owners(programs)
            await nodes.pop(owner).kill()
            await watcher.until(watcher.seen + 10)
            assert [client_log.losses for client_log in client_logs] == [1, 0, 1, 0]
            (left,) = nodes.values()
            await left.kill()
            await until_without_tables(second)
            tables = await cluster.role("tables", owner)
    await until_ready(second)
    await tables.stop()
    await second.stop()
    stored = only_table(programs.data)
    assert stored.kinds.count("act") == MOVES_OF_A_DEAL
    for client_log in client_logs:
        assert client_log.returns == client_log.losses
        client_log.check(stored)


async def test_a_player_is_one_at_all_gateways(programs: Programs, mosquitto: Mosquitto) -> None:
    """A token, a code, a newer connection and who is away are the same wherever they come in."""
    cluster = ClusterProcesses(programs, mosquitto)
    first, second = await asyncio.gather(cluster.gateway("g1"), cluster.gateway("g2"))
    await until_without_tables(first)
    async with raw_socket(first.url) as early:
        assert (await early.ask("hello", **HELLO))["code"] == "try_again"
    tables = await cluster.tables()
    await until_ready(first, second, tables)
    async with raw_client(first.url) as ann, raw_socket(second.url) as phone:
        code = (await ann.ask("add_device"))["code"]
        beside: dict[str, Any] = {"client": "phone", "device": "phone", "alongside": True}
        welcome = await phone.ask("hello", version=VERSION, code=code, **beside)
        assert welcome["player"] == ann.welcome["player"]
        table = (await ann.ask("create_table", game="hearts"))["table"]
        # The table is told to the device at the other gateway, too.
        assert (await phone.ask("my_tables"))["tables"][0]["info"]["table"] == table
        named = [each["device"] for each in (await phone.ask("devices"))["devices"]]
        assert len(named) == 2
        async with raw_socket(second.url) as again:
            token = ann.welcome["token"]
            welcome = await again.ask("hello", token=token, **HELLO)
            assert welcome["player"] == ann.welcome["player"]
            assert await ann.closed() == (CLOSE_REPLACED, "replaced")
            assert (await again.ask("revoke_device", device=named[1]))["type"] == "ok"
            assert (await phone.closed())[1] == "forbidden"
            await tables.stop()
            assert await again.closed() == (1012, "the tables were lost")
    await until_without_tables(second)


LOCAL = Path(__file__).parents[2] / "deploy" / "local_cluster.py"


def local_cluster(programs: Programs, *words: str) -> Awaitable[Program]:
    """Start the documented program that tries a cluster out."""
    argv = [str(LOCAL), *words]
    code = f"import runpy, sys; sys.argv = {argv!r}; runpy.run_path(sys.argv[0], None, '__main__')"
    return programs.python(code)


async def test_a_whole_cluster(programs: Programs, rng: Random) -> None:
    """A match is played from its gateways to the end; Ctrl-C ends all that it has started.

    At night it is the whole, with the certificates, passwords and rules of the compose file.
    """
    words = ("--secure",) if NIGHT else ("--gateways", "1", "--tables", "1")
    cluster = await local_cluster(programs, *words, "--bot-delay", "0")
    await cluster.line(lambda text: text.startswith("Ctrl-C"))
    one_of_each = ["mosquitto", "postgresql", "tables-1", "gateway-1"]
    begun = [line.partition(":")[0] for line in cluster.lines if ": process " in line]
    assert NIGHT or begun == one_of_each
    urls = [line.split()[-1] for line in cluster.lines if line.startswith("Players join")]
    assert len(urls) == (2 if NIGHT else 1)
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(connect(url, name=who, patience=HASTY))
            for who, url in (("Ann", urls[0]), ("Bea", urls[-1]))
        ]
        table = PlayedTable(clients, rng)
        await table.open()
        table.let(MOVES_OF_A_DEAL * DEALS)
        await table.play()
    assert all(log.over and log.losses == 0 for log in table.logs)
    cluster.signal(signal.SIGINT)
    await cluster.done()
    await programs.all_gone()
