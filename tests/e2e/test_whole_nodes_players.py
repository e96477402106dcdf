"""Tests players with seats at all nodes, with two devices, and with repeated commands."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random

import psycopg
import pytest

from protocol.version import VERSION
from protocol.wire_form import WireForm
from tests.e2e.databases import on_postgresql
from tests.e2e.processes import Programs
from tests.e2e.program import SECONDS
from tests.e2e.stored import table_at, tables, url_of
from tests.e2e.test_disk import forgive
from tests.e2e.whole_nodes import ROAMS, Nodes, Player
from tests.raw_client import raw_socket
from tests.server.store.test_postgresql_faults import mischief

pytestmark = [pytest.mark.e2e, on_postgresql, pytest.mark.timeout(120)]

KEY = 271828
"""Of the lock that a commit waits for."""
WAITS = "SELECT count(*) > 0 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"


async def test_players_come_by_several_nodes_and_once_more(programs: Programs, rng: Random) -> None:
    """Players have seats at three nodes and two devices; a node is killed before its answer."""
    nodes = Nodes(programs, rng)
    await nodes.begin("a", "b", "c")
    await _absent_where_they_are_gone(nodes)
    await _two_devices(nodes, programs)
    await _opens_one_table(nodes, programs)


@asynccontextmanager
async def device(
    nodes: Nodes, node: str, id: int = 1, name: str = "Dot", **hello: str
) -> AsyncIterator[Player]:
    """Connect a player's program to a node without replacing the player's other connections."""
    async with raw_socket(nodes.urls[node]) as raw:
        player = Player(raw)
        fixed = {"version": VERSION, "features": ROAMS, "alongside": True}
        player.welcome = await player.ask("hello", id, name=name, **fixed, **hello)
        yield player


async def _absent_where_they_are_gone(nodes: Nodes) -> None:
    """A player with seats at three nodes who loses one connection is absent at one table only."""
    hosts: dict[str, Player] = {}
    codes: dict[str, str] = {}
    guests: dict[str, Player] = {}
    async with AsyncExitStack() as stack, AsyncExitStack() as going:
        for number, name in enumerate("abc", start=3):
            hosts[name] = await stack.enter_async_context(nodes.player(f"Host {name}", name))
            codes[name] = await hosts[name].opens_table()
            assert (await hosts[name].told(type="table"))["seat"] == 0
            there = going if name == "b" else stack
            guests[name] = await there.enter_async_context(nodes.player("Ann", name))
            assert (await guests[name].ask("join", number, table=codes[name]))["type"] == "ok"

        async def away() -> dict[str, bool]:
            return {name: await _is_away(hosts[name], codes[name]) for name in "abc"}

        assert await away() == dict.fromkeys("abc", False)
        await going.aclose()
        await hosts["b"].told(type="presence", away=True)
        assert await away() == {"a": False, "b": True, "c": False}
        async with nodes.player("Ann", "b"):
            await hosts["b"].told(type="presence", away=False)
            assert await away() == dict.fromkeys("abc", False)
            assert {each["info"]["table"] for each in await _tables_of(guests["c"])} == {
                *codes.values()
            }


async def _is_away(host: Player, code: str) -> bool:
    assert (await host.ask("sync", 9, table=code))["type"] == "ok"
    seats = (await host.told(type="table"))["info"]["seats"]
    return bool(seats[1].get("away", False))


async def _tables_of(player: Player) -> list[WireForm]:
    found: list[WireForm] = (await player.ask("my_tables", 10))["tables"]
    return found


async def _two_devices(nodes: Nodes, programs: Programs) -> None:
    """Two devices of a player, one of them at another node, both have the seat and can move."""
    async with device(nodes, "a", client="desk") as desk:
        code = await desk.opens_table()
        assert (await desk.ask("add_bot", 3, table=code, strength=0))["type"] == "ok"
        secret = (await desk.ask("add_device", 4))["code"]
        async with device(nodes, "c", client="phone", code=secret, device="phone") as phone:
            token = phone.welcome["token"]
        assert (await desk.ask("start", 5, table=code))["type"] == "ok"
        async with (
            device(nodes, "b", client="phone", token=token) as elsewhere,
            device(nodes, "a", client="phone", token=token) as phone,
        ):
            assert elsewhere.welcome["player"] == phone.welcome["player"] == desk.welcome["player"]
            assert (await elsewhere.told(type="moved"))["url"] == nodes.urls["a"]
            assert (await phone.told(type="table"))["seat"] == 0
            for number, player in enumerate((desk, phone) * 2, start=100):
                move = _move(code, (await desk.question())["question"])
                answer = await player.ask("act", number, **move)
                assert answer["type"] == "ok"
                # By the one that was too late, for the same turn; and once more by the first.
                late = await (phone if player is desk else desk).ask("act", number + 50, **move)
                assert late["type"] == "error"
                assert await player.ask("act", number, **move) == answer
            assert (await elsewhere.ask("act", 200, **move))["type"] == "moved"
            second = (await elsewhere.ask("create_table", 201, game="hearts"))["table"]
            mine = {each["info"]["table"] for each in await _tables_of(desk)}
            assert mine == {code, second}
            devices = (await desk.ask("devices", 6))["devices"]
            (named,) = (each["device"] for each in devices if not each.get("this"))
            assert (await desk.ask("revoke_device", 7, device=named))["type"] == "ok"
            assert (await phone.closed())[1] == "forbidden"
            assert (await elsewhere.closed())[1] == "forbidden"
    stored = table_at(programs.data, code)
    keys = [entry.key for entry in stored.entries if entry.body.kind == "act" and entry.key]
    assert [(key.client, key.command) for key in keys if key.player] == [
        ("desk", 100),
        ("phone", 101),
        ("desk", 102),
        ("phone", 103),
    ]


def _move(code: str, asked: WireForm) -> WireForm:
    return {"table": code, "turn": asked["turn"], "action": asked["choices"]["actions"][0]}


async def _opens_one_table(nodes: Nodes, programs: Programs) -> None:
    """A node is killed after storing a new table and before answering.

    If the client sends the command again at other nodes, as a repeated command or as a new one, it
    gets that table.
    """
    before = {table.code for table in tables(programs.data)}
    url = url_of(programs.data)
    program = nodes.servers["a"].program
    plain = url.replace("+psycopg", "")
    with psycopg.connect(plain) as blocking, psycopg.connect(plain, autocommit=True) as asking:
        blocking.execute("SELECT pg_advisory_lock(%s)", (KEY,))
        with mischief(url, "commit", f"PERFORM pg_advisory_xact_lock({KEY})"):
            async with device(nodes, "a", client="once", name="Ivy") as ivy:
                token = ivy.welcome["token"]
                await ivy.send("create_table", 2, game="hearts")
                await _until(asking, WAITS)
                program.signal(signal.SIGSTOP)
                blocking.execute("SELECT pg_advisory_unlock(%s)", (KEY,))
                await _until(asking, f"SELECT count(*) > {len(before)} FROM tables")
                program.signal(signal.SIGKILL)
                await program.ended()
    (opened,) = {table.code for table in tables(programs.data)} - before
    for node, number in (("b", 1), ("c", 3)):
        async with device(nodes, node, client="once", id=number, token=token) as ivy:
            answer = await ivy.ask("create_table", 2, game="hearts")
            assert (answer["type"], answer["table"]) == ("ok", opened)
    assert {table.code for table in tables(programs.data)} - before == {opened}
    forgive(program)


async def _until(asking: psycopg.Connection, query: str) -> None:
    """Wait until a query's answer is true."""
    async with asyncio.timeout(SECONDS):
        while asking.execute(query.encode()).fetchone() != (True,):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
