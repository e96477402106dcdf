"""Tests whole servers that share a PostgreSQL, as real processes: `moved`, kills, drains."""

import asyncio
import signal
from contextlib import AsyncExitStack
from dataclasses import replace
from random import Random

import pytest

from protocol.client_events import Disconnected, Reconnected, TableSnapshot
from protocol.connection import connect
from protocol.to_server import Watch
from tests.e2e.databases import on_postgresql
from tests.e2e.nodes import owners
from tests.e2e.played_table import DEALS, PlayedTable
from tests.e2e.players import HASTY
from tests.e2e.processes import Programs
from tests.e2e.proxy import proxy
from tests.e2e.stored import table_at
from tests.e2e.test_admin import admin
from tests.e2e.test_disk import forgive
from tests.e2e.test_kill import MOVES_OF_A_DEAL
from tests.e2e.whole_nodes import Nodes
from tests.protocol.model_socket_server import kinds_until

pytestmark = [pytest.mark.e2e, on_postgresql]

WATCHFUL = replace(HASTY, table=0.3, sign=0.3)
"""Notices soon that a node stands still."""


@pytest.fixture
async def nodes(programs: Programs, rng: Random) -> Nodes:
    """Start three nodes: a, b and c."""
    begun = Nodes(programs, rng)
    await begun.begin("a", "b", "c")
    return begun


async def test_tables_are_found_and_go_on_wherever_they_are(
    nodes: Nodes, programs: Programs
) -> None:
    """Players at tables of three nodes play on while one node is told to stop and one hangs."""
    await _seats_at_three_nodes(nodes)
    await _any_node_does_what_is_asked(nodes, programs)
    code = await _a_node_stops(nodes)
    await _a_node_stands_still(nodes, programs, code)


async def _seats_at_three_nodes(nodes: Nodes) -> None:
    """A guest is told a table's node and sits down there, and counts as absent at no table.

    The guest has one client id, one row of command numbers, and a connection to each node.
    """
    async with (
        nodes.player("Ann", "a") as at_a,
        nodes.player("Host b", "b") as host_b,
        nodes.player("Host c", "c") as host_c,
    ):
        codes = {"b": await host_b.opens_table(), "c": await host_c.opens_table()}
        for number, (name, code) in enumerate(codes.items(), start=3):
            told = {"type": "moved", "id": number, "table": code, "url": nodes.urls[name]}
            assert await at_a.ask("join", number, table=code) == told
        async with nodes.player("Old", "a", ()) as old:
            refused = await old.ask("join", 2, table=codes["b"])
            assert refused["code"] == "elsewhere"
            assert nodes.urls["b"] in refused["reason"]
        async with nodes.player("Ann", "b") as at_b, nodes.player("Ann", "c") as at_c:
            assert at_b.welcome["player"] == at_c.welcome["player"] == at_a.welcome["player"]
            assert at_b.welcome["node"] == nodes.urls["b"]
            for number, player, host, code in (
                (3, at_b, host_b, codes["b"]),
                (4, at_c, host_c, codes["c"]),
            ):
                assert (await player.ask("join", number, table=code))["type"] == "ok"
                await host.told(type="table", seat=0)
                assert (await host.ask("sync", 9, table=code))["type"] == "ok"
                seats = (await host.told(type="table"))["info"]["seats"]
                assert [seat.get("away", False) for seat in seats] == [False, False]
            own = await at_a.opens_table()
            mine = await at_c.ask("my_tables", 10)
            assert {each["info"]["table"] for each in mine["tables"]} == {own, *codes.values()}
            for number, code in enumerate(codes.values(), start=20):
                player = at_b if code == codes["b"] else at_c
                assert (await player.ask("leave", number, table=code))["type"] == "ok"
        async with nodes.player("Ann", "c") as at_c:
            # Their seat is known at every node.
            assert (await at_c.told(type="moved"))["url"] == nodes.urls["a"]


async def _any_node_does_what_is_asked(nodes: Nodes, programs: Programs) -> None:
    """An administrator asks any node, which also acts on players connected to another node."""
    folder = programs.data / "c"
    async with nodes.player("Guest", "b") as guest:
        assert await admin(programs, folder, "announce", "tea is ready") == ["shown to 1 client"]
        assert (await guest.told(type="notice"))["reason"] == "tea is ready"
        kicked = await admin(programs, folder, "kick", "Guest")
        assert kicked[0] == f"disconnected {guest.welcome['player']} (Guest)"
        assert await guest.closed() == (4001, "forbidden")


async def _a_node_stops(nodes: Nodes) -> str:
    """A node stops during a hand: clients are told the new node, and the match goes on there.

    Returns the table.
    """
    async with nodes.player("Ann", "a") as ann:
        code: str = (await ann.told(type="table"))["table"]
        await ann.ask("add_bot", 30, table=code, strength=0)
        assert (await ann.ask("start", 31, table=code))["type"] == "ok"
        await ann.plays(code, 3)
        await ann.question()
        nodes.servers["a"].program.signal(signal.SIGTERM)
        told = await ann.told(type="moved")
        assert told.keys() == {"type", "table", "url"}
        async with nodes.player("Ann", nodes.name_at(told["url"])) as there:
            await there.plays(code, 3)
        assert await ann.closed()
    await nodes.servers["a"].program.done()
    return code


async def _a_node_stands_still(nodes: Nodes, programs: Programs, code: str) -> None:
    """A node hangs: its table continues at the other node, which shows it at once.

    A client that does nothing finds the table there, too. Once the hung node continues, it notices
    that it lost its lease, and ends.
    """
    owner, other = ("b", "c") if await nodes.has("b", code) else ("c", "b")
    program = nodes.servers[owner].program
    async with (
        connect(nodes.urls[other], name="Eve", patience=WATCHFUL) as eve,
        nodes.player("Ann", other) as ann,
        nodes.player("Bea", other) as bea,
    ):
        await eve.ask(Watch, table=code)
        await kinds_until(eve, TableSnapshot)
        program.signal(signal.SIGSTOP)
        for player in (ann, bea):
            failed = nodes.urls[owner]
            assert (await player.ask("watch", 40, table=code, failed=failed))["type"] == "ok"
        await bea.told(type="table", seat=None)
        told = await kinds_until(eve, Reconnected)
        assert Disconnected in told
        await ann.plays(code, 3)
    program.signal(signal.SIGCONT)
    assert await program.ended() == 1
    assert "another node has taken over" in program.errors
    forgive(program)
    assert owners(programs).keys() == {other}


async def test_a_match_is_played_over_a_kill_and_a_drain(
    nodes: Nodes, programs: Programs, rng: Random
) -> None:
    """Two players' clients connect to different nodes, and follow their table over a kill.

    The log has every acknowledged move once, and equals what both clients received.
    """
    async with AsyncExitStack() as stack:
        entries = [
            await stack.enter_async_context(proxy(nodes.servers[name].port)) for name in "ab"
        ]
        clients = [
            await stack.enter_async_context(connect(entry.url, name=who, patience=HASTY))
            for who, entry in zip(("Ann", "Bea"), entries, strict=True)
        ]
        table = PlayedTable(clients, rng)
        await table.open()
        tasks = await stack.enter_async_context(asyncio.TaskGroup())
        tasks.create_task(table.play())
        table.let(8)
        await table.goes_on(5)
        assert owners(programs) == {"a": 1}
        for entry in entries:
            entry.lead_to(nodes.servers["c"].port)
        await nodes.servers["a"].kill()
        table.let(8)
        await table.goes_on(11)
        ((owner, _),) = owners(programs).items()
        nodes.servers[owner].program.signal(signal.SIGTERM)
        left = "b" if owner == "c" else "c"
        for entry in entries:
            entry.lead_to(nodes.servers[left].port)
        table.let(MOVES_OF_A_DEAL * DEALS)
        await nodes.servers[owner].program.done()
    stored = table_at(programs.data, table.code)
    assert stored.kinds.count("act") == MOVES_OF_A_DEAL * DEALS
    for log in table.logs:
        log.check(stored)
