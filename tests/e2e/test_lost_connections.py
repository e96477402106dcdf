"""Tests connections that break in every way: clients come back, and their seats are kept."""

import asyncio
import signal
from contextlib import AsyncExitStack
from random import Random

import pytest

from protocol.client_events import Chatted
from protocol.connection import Client, connect
from protocol.to_server import AddBot, Chat, CreateTable, Join, Ready, Start, Watch
from protocol.version import JSON, MSGPACK
from tests.counts import count
from tests.e2e.client_log import ClientLog
from tests.e2e.players import HASTY, WARY, play, watch
from tests.e2e.processes import Programs, free_port
from tests.e2e.program import table_code, told
from tests.e2e.proxy import Proxy, proxy
from tests.e2e.stored import only_table

pytestmark = pytest.mark.e2e

SERVER_FLAGS = ("--ping-seconds", "0.25")
"""The server too notices soon that a connection is frozen."""
MISHAPS = 20
LONGEST_PEACE = 0.06
"""Seconds between two mishaps: some ten moves."""


async def vandalize(proxies: list[Proxy], rng: Random) -> None:
    """Cut, freeze or half-open one connection after the other."""
    for _ in range(MISHAPS):
        await asyncio.sleep(rng.uniform(0.0, LONGEST_PEACE))
        victim = rng.choice(proxies)
        match rng.randrange(4):
            case 0:
                victim.cut()
            case 1:
                victim.half_open()
            case 2:
                victim.freeze()
            case 3:
                victim.freeze()
                await asyncio.sleep(rng.uniform(0.0, 0.8))
                victim.thaw()


@pytest.mark.parametrize("match", range(count(1)))
async def test_broken_connections_cost_nothing(programs: Programs, rng: Random, match: int) -> None:
    """Cut, half-open and frozen connections lose no move, and no move is made twice."""
    server = await programs.serve(*SERVER_FLAGS)
    client_logs = [ClientLog() for _ in range(4)]
    async with AsyncExitStack() as stack:
        proxies = [await stack.enter_async_context(proxy(server.port)) for _ in client_logs]
        clients = [
            await stack.enter_async_context(
                connect(each.url, name=name, subprotocol=form, patience=WARY)
            )
            for each, name, form in zip(proxies, "ABCD", (MSGPACK, JSON) * 2, strict=True)
        ]
        opened = await clients[0].ask(CreateTable, game="black_queen", options={"deals": 3})
        async with asyncio.TaskGroup() as tasks:
            for client, client_log in zip(clients, client_logs, strict=True):
                tasks.create_task(play(client, client_log, Random(rng.random())))
            tasks.create_task(vandalize(proxies, rng))
            for client in clients[1:]:
                await client.ask(Join, table=opened.table)
            for client in clients:
                await client.ask(Ready, table=opened.table)
    await server.stop()
    stored = only_table(programs.data)
    for client_log in client_logs:
        client_log.check(stored)
    # On a busy machine several mishaps befall a connection before it is made again.
    assert sum(client_log.returns for client_log in client_logs) > MISHAPS / 10
    assert {entry.body.by for entry in stored.entries if entry.body.kind == "act"} == {"player"}


async def opened_by(ann: Client, ben: Client, bots: int = 2) -> str:
    """Return the code of a table with Ann as host, Ben, and bots; its match has begun."""
    code = (await ann.ask(CreateTable, game="black_queen", seats=2 + bots)).table
    assert code is not None
    await ben.ask(Join, table=code)
    for _ in range(bots):
        await ann.ask(AddBot, table=code, strength=0)
    await ann.ask(Start, table=code)
    return code


async def test_a_bot_plays_for_who_stays_away(programs: Programs, rng: Random) -> None:
    """After the grace period a bot plays an absent player's seat until their return."""
    server = await programs.serve("--grace-seconds", "0.3")
    async with proxy(server.port) as between, AsyncExitStack() as stack:
        ann = await stack.enter_async_context(connect(between.url, name="Ann", patience=HASTY))
        ben = await stack.enter_async_context(connect(server.url, name="Ben", patience=HASTY))

        def follow(seq: int) -> None:
            verbs = bens.verbs
            if len(bens.events) == 15:
                between.close()
            if "taken_over" in verbs[:-20]:
                between.reopen()

        anns, bens = ClientLog(), ClientLog(on_event=follow)
        await opened_by(ann, ben)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(play(ann, anns, Random(rng.random())))
            tasks.create_task(play(ben, bens, Random(rng.random())))
    await server.stop()
    stored = only_table(programs.data)
    for client_log in (anns, bens):
        client_log.check(stored)
    assert anns.returns == 1
    by = {kind: stored.kinds.index(kind) for kind in ("taken_over", "handed_back")}
    away = stored.entries[by["taken_over"] : by["handed_back"]]
    after = stored.entries[by["handed_back"] :]
    hers = [entry.body.by for entry in away if entry.body.kind == "act" and entry.body.seat == 0]
    assert set(hers) == {"stand_in"}
    hers = [entry.body.by for entry in after if entry.body.kind == "act" and entry.body.seat == 0]
    assert set(hers) == {"player"}


@pytest.mark.parametrize("restart", [False, True])
async def test_a_table_waits_when_all_are_away(
    programs: Programs, rng: Random, restart: bool
) -> None:
    """A table pauses when all its people are gone, and goes on when the first comes back."""
    flags = ("--grace-seconds", "0.3")
    server = await programs.serve(*flags, port=free_port(rng))
    async with proxy(server.port) as between, AsyncExitStack() as stack:
        ann = await stack.enter_async_context(connect(between.url, name="Ann", patience=HASTY))
        ben = await stack.enter_async_context(connect(between.url, name="Ben", patience=HASTY))
        eve = await stack.enter_async_context(connect(server.url, name="Eve", patience=HASTY))
        paused = asyncio.Event()

        def follow(seq: int) -> None:
            if len(eves.events) == 20:
                between.close()
            if eves.verbs[-1:] == ["paused"]:
                paused.set()

        anns, bens, eves = ClientLog(), ClientLog(), ClientLog(on_event=follow)
        await eve.ask(Watch, table=await opened_by(ann, ben))
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(play(ann, anns, Random(rng.random())))
            tasks.create_task(play(ben, bens, Random(rng.random())))
            tasks.create_task(watch(eve, eves))
            await paused.wait()
            if restart:
                await server.stop()
                server = await programs.serve(*flags, port=server.port)
            between.reopen()
    await server.stop()
    stored = only_table(programs.data)
    for client_log in (anns, bens, eves):
        client_log.check(stored)
    assert stored.kinds[stored.kinds.index("paused") + 1] in ("resumed", "handed_back")
    assert stored.kinds.count("resumed") == stored.kinds.count("paused") == 1


async def test_late_bytes_of_a_lost_connection_do_nothing(programs: Programs) -> None:
    """A command that was sent again over a new connection is carried out once."""
    server = await programs.serve("--ping-seconds", "20")
    async with proxy(server.port) as between, AsyncExitStack() as stack:
        ann = await stack.enter_async_context(connect(between.url, name="Ann", patience=WARY))
        ben = await stack.enter_async_context(connect(server.url, name="Ben", patience=HASTY))
        code = (await ann.ask(CreateTable, game="black_queen")).table
        await ben.ask(Join, table=code)
        between.freeze()
        await ann.ask(Chat, table=code, text="once")
        await ann.ask(AddBot, table=code, strength=0)
        between.thaw()
        await ann.ask(Chat, table=code, text="last")
        said = []
        async for event in ben.events():
            if isinstance(event, Chatted):
                said.append(event.chat.text)
                if said[-1] == "last":
                    break
    await server.stop()
    assert said == ["once", "last"]
    assert only_table(programs.data).kinds.count("bot_added") == 1


async def test_a_client_that_was_killed_finds_its_seat(programs: Programs, rng: Random) -> None:
    """A client restarted under its name is the same player, and plays its match to the end."""
    server = await programs.serve()
    words = ("--auto", "--json", "--name", "Ann", "--option", "bot_delay=0.02")
    opens = ("--create", "black_queen", "--start", "2", "--fill", "0", "--option", "deals=1")
    first = await programs.run("join", server.url, *opens, *words)
    code = await table_code(first)
    guest = await programs.run("bot", server.url, code, "--strength", "0", "--json")
    await told(first, 30)
    first.signal(signal.SIGKILL)
    await first.ended()
    second = await programs.run("join", server.url, code, *words[:4])
    await asyncio.gather(second.done(), guest.done())
    (before,) = {record["player"] for record in first.records("welcome")}
    (after,) = {record["player"] for record in second.records("welcome")}
    assert before == after
    (finished,) = second.records("finished")
    assert finished["totals"] == list(only_table(server.data).totals)
