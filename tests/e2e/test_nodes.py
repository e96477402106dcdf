"""Processes with tables that share a database in PostgreSQL."""

import asyncio
from contextlib import AsyncExitStack
from random import Random
from urllib.request import urlopen

import pytest

from protocol.connection import connect
from tests.counts import NIGHT
from tests.e2e.cluster import ClusterProcesses, until_ready
from tests.e2e.databases import on_postgresql
from tests.e2e.nodes import owners
from tests.e2e.players import HASTY
from tests.e2e.processes import Programs, Server
from tests.e2e.program import SECONDS
from tests.e2e.proxy import proxy
from tests.e2e.stored import table_at, url_of
from tests.e2e.test_cluster_faults import DEALS, PlayedTable
from tests.e2e.test_disk import forgive
from tests.e2e.test_kill import MOVES_OF_A_DEAL
from tests.e2e.test_public_events import Subscriber
from tests.mosquitto import Mosquitto
from tests.raw_client import raw_client
from tests.server.node.nodes import stored_tables
from tests.server.small_descriptions import HIGH, MOVES

pytestmark = pytest.mark.e2e

TABLES = 5
FLAGS = ("--plain-bots", "--address-pages-per-second", "0")
IN_MEMORY = 'blackqueen_tables{phase="playing"}'


async def figure(server: Server, name: str) -> float:
    """A figure of a process by its name and labels."""

    def get() -> str:
        with urlopen(f"http://127.0.0.1:{server.port}/metrics", timeout=30) as page:
            text: str = page.read().decode()
        return text

    lines = (await asyncio.to_thread(get)).splitlines()
    return next((float(line.split()[-1]) for line in lines if line.startswith(name)), 0.0)


async def until_figure(server: Server, name: str, value: float) -> None:
    """Wait until a figure of a process has this value."""
    async with asyncio.timeout(SECONDS):
        while await figure(server, name) != value:
            pass


async def admin_nodes(programs: Programs) -> list[list[str]]:
    """The words of each line of `blackqueen admin nodes` below the head."""
    program = await programs.run("admin", "nodes", "--data", str(programs.data))
    await program.done()
    return [line.split() for line in program.lines[1:]]


@on_postgresql
async def test_a_process_without_network_is_replaced_and_ends(
    programs: Programs, mosquitto: Mosquitto, rng: Random
) -> None:
    """Two processes have all roles, and the players of a table; then one is cut off.

    All its traffic is held back while it stores a move; the other one has its tables by then. What
    it has sent arrives in the end, and changes nothing for the log or for anybody. It says so in
    one line, and is started again. The game of its folder is played on at the other one, and is
    still on offer there. Whoever listens to public events hears of one server.
    """
    url = url_of(programs.data)
    await stored_tables(url, programs.folder, TABLES)
    cluster = ClusterProcesses(programs, mosquitto)
    port = int(url.rpartition(":")[2].partition("/")[0])
    prefix = mosquitto.topic()
    subscriber = Subscriber(mosquitto, prefix)
    flags = (*FLAGS, "--events", f"{mosquitto.url}/{prefix}")

    def online() -> list[bool]:
        return [each["online"] for each in subscriber.heard if each["type"] == "server"]

    async with AsyncExitStack() as stack:
        to_database, to_broker = [
            await stack.enter_async_context(proxy(each)) for each in (port, mosquitto.port)
        ]
        words = (
            *("--database-url", url.replace(f":{port}/", f":{to_database.port}/")),
            *("--bus", cluster.bus.replace(f":{mosquitto.port}/", f":{to_broker.port}/")),
        )
        games = programs.folder / "games"
        games.mkdir()
        games.joinpath("High2.rcy").write_text(HIGH)
        first = await cluster.whole("n1", "--games", str(games), *flags, *words)
        assert owners(programs) == {"n1": TABLES}
        await until_ready(first)
        names = [await stack.enter_async_context(proxy(first.port)) for _ in range(2)]
        clients = [
            await stack.enter_async_context(connect(name.url, name=who, patience=HASTY))
            for who, name in zip(("Ann", "Bea", "Cem", "Dee"), names * 2, strict=True)
        ]
        listening = await stack.enter_async_context(asyncio.TaskGroup())
        hearing = listening.create_task(subscriber.run())
        await subscriber.until(lambda last: f"{prefix}/server" in last)
        table, hosted = PlayedTable(clients[:2], rng), PlayedTable(clients[2:], rng)
        await table.open()
        await hosted.open("High2.rcy", seats=2)
        topic = f"{prefix}/tables/black_queen/{table.code}"
        tasks = await stack.enter_async_context(asyncio.TaskGroup())
        tasks.create_task(table.play())
        tasks.create_task(hosted.play())
        second = await cluster.whole("n2", "--admin", *flags)
        async with asyncio.timeout(SECONDS):
            while (nodes := await admin_nodes(programs))[-1][0] != "4":
                pass
        assert [line for line in nodes if "tables" in line] == [
            ["tables.n1", "tables", "here", "held", str(TABLES + 2)],
            ["tables.n2", "tables", "here", "held", "0"],
        ]
        await until_ready(second)
        # Ann goes to the gateway that stays, while the table is at the other node.
        names[0].lead_to(second.port)
        names[0].cut()
        # More than are waited for: who waits for leave to move has not noted their last answer yet.
        table.let(4)
        await table.goes_on(1)
        assert [log.losses for log in table.logs] == [1, 0]
        names[1].lead_to(second.port)
        names[1].cut()
        table.let(4)
        await table.goes_on(table.moves + 1)
        to_database.silence()
        table.let(MOVES_OF_A_DEAL * DEALS)
        async with asyncio.timeout(SECONDS):
            # It stores something, and renews its lease.
            while to_database.held < 2:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        to_broker.silence()
        await table.goes_on(table.moves)
        await until_figure(second, IN_MEMORY, TABLES + 2)
        hosted.let(MOVES * DEALS)
        async with raw_client(second.url) as eve:
            opened = await eve.ask("create_table", game="High2.rcy")
            assert opened["type"] == "ok", opened
        assert owners(programs) == {"n2": TABLES + 3}
        assert first.program.code is None
        # The node that is held back can still speak to the broker of the public events.
        await subscriber.until(lambda last: f"{topic}/match_result" in last)
        to_database.thaw()
        to_broker.thaw()
        assert await first.program.ended() == 1
        await subscriber.until(lambda last: online()[-2:] == [False, True])
        hearing.cancel()
    assert first.program.errors.splitlines()[-1] == (
        "blackqueen serve: node n1: another node has taken over; it stores nothing any more"
    )
    forgive(first.program)
    for played, moves in ((table, MOVES_OF_A_DEAL), (hosted, MOVES)):
        stored = table_at(programs.data, played.code)
        assert stored.kinds.count("act") == moves * DEALS
        for log in played.logs:
            assert log.losses == log.returns == 1
            log.check(stored, internal=played is table)
    heard = [each for each in subscriber.heard if each.get("table") == table.code]
    events = [each["number"] for each in heard if each["type"] not in ("summary", "turn")]
    again = events.index(1, 1)
    assert events == [*range(1, again + 1), *range(1, len(events) - again + 1)]
    assert await figure(second, "blackqueen_node_lease_sure") == 1
    await second.stop()
    assert owners(programs) == {}


@pytest.mark.skipif(not NIGHT, reason="the other one by day is enough, which is cut off")
@on_postgresql
async def test_a_process_with_all_roles_that_is_killed_is_replaced(
    programs: Programs, mosquitto: Mosquitto, rng: Random
) -> None:
    """A table has a player at each of two; its own is killed, and both play on at the other."""
    cluster = ClusterProcesses(programs, mosquitto)
    servers = [await cluster.whole(name, *FLAGS) for name in ("n1", "n2")]
    await until_ready(*servers)
    async with AsyncExitStack() as stack:
        names = [await stack.enter_async_context(proxy(server.port)) for server in servers]
        clients = [
            await stack.enter_async_context(connect(name.url, name=who, patience=HASTY))
            for who, name in zip(("Ann", "Bea"), names, strict=True)
        ]
        table = PlayedTable(clients, rng)
        await table.open()
        tasks = await stack.enter_async_context(asyncio.TaskGroup())
        tasks.create_task(table.play())
        table.let(10)
        await table.goes_on(9)
        (owner,) = owners(programs)
        killed = ("n1", "n2").index(owner)
        names[killed].lead_to(servers[1 - killed].port)
        await servers[killed].kill()
        table.let(MOVES_OF_A_DEAL * DEALS)
        await table.goes_on(table.moves)
    stored = table_at(programs.data, table.code)
    assert stored.kinds.count("act") == MOVES_OF_A_DEAL * DEALS
    losses = [1, 0] if killed == 0 else [0, 1]
    assert [log.losses for log in table.logs] == [log.returns for log in table.logs] == losses
    for log in table.logs:
        log.check(stored)
    await servers[1 - killed].stop()
