"""Tests invariant 3 on a real server: `kill -9` at any moment loses no acknowledged move."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from random import Random

import pytest

from protocol.connection import connect
from protocol.to_server import CreateTable, Join, Ready
from protocol.version import JSON, MSGPACK
from tests.counts import NIGHT, count
from tests.e2e.client_log import ClientLog, read
from tests.e2e.players import HASTY, play
from tests.e2e.processes import Programs, free_port
from tests.e2e.program import table_code, told
from tests.e2e.server_killer import ServerKiller
from tests.e2e.stored import StoredTable, only_table

pytestmark = pytest.mark.e2e

KILLS = 20 if NIGHT else 12
LOBBY_EVENTS = 11
"""opened, four seated, four ready, started, dealt."""
MOVES_OF_A_DEAL = 4 * 26
MOVES_OF_HEARTS = 4 + 52
DEALS = 4


@pytest.mark.parametrize("match", range(count(1)))
async def test_kills_cost_nothing(programs: Programs, rng: Random, match: int) -> None:
    """A server killed at random moments loses no acknowledged move, and all players come back."""
    lobby = rng.sample(range(2, LOBBY_EVENTS), 3)
    moves = rng.sample(
        range(LOBBY_EVENTS, LOBBY_EVENTS + DEALS * MOVES_OF_A_DEAL * 3 // 4), KILLS - 3
    )
    stored = await under_fire(programs, rng, [*lobby, *moves], "black_queen", deals=DEALS)
    assert stored.kinds.count("act") == MOVES_OF_A_DEAL * DEALS


@pytest.mark.parametrize("match", range(count(1)))
async def test_kills_while_cards_are_passed(programs: Programs, rng: Random, match: int) -> None:
    """A server killed after each choice of passed cards asks no player for a second choice."""
    # Nobody can have 30 points before the second deal is over.
    starts = [LOBBY_EVENTS + deal * MOVES_OF_HEARTS for deal in range(2)]
    moments = [start + choices for start in starts for choices in range(4)]
    stored = await under_fire(programs, rng, moments, "hearts", target=30)
    passes = [body.action for body in stored.moves if body.action.startswith("pass")]
    # In every fourth deal nobody passes.
    assert len(passes) == 4 * (stored.deals - stored.deals // 4)
    assert stored.kinds.count("act") == len(passes) + 52 * stored.deals


async def under_fire(
    programs: Programs, rng: Random, moments: Sequence[int], game: str, **options: int
) -> StoredTable:
    """Play a match of four whose server is killed at these events; check each client's log."""
    server = await programs.serve(port=free_port(rng))
    killer = ServerKiller(programs, server, list(moments))
    client_logs = [ClientLog(on_event=killer.saw) for _ in range(4)]
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(
                connect(server.url, name=name, subprotocol=form, patience=HASTY)
            )
            for name, form in zip(("Ann", "Ben", "Cem", "Dee"), (MSGPACK, JSON) * 2, strict=True)
        ]
        opened = await clients[0].ask(CreateTable, game=game, options=options)
        code = opened.table
        async with asyncio.TaskGroup() as tasks:
            killing = tasks.create_task(killer.work(rng))
            playing = [
                tasks.create_task(play(client, client_log, Random(rng.random())))
                for client, client_log in zip(clients, client_logs, strict=True)
            ]
            for client in clients[1:]:
                await client.ask(Join, table=code)
            for client in clients:
                await client.ask(Ready, table=code)
            await asyncio.gather(*playing)
            await killing
    await killer.server.stop()
    assert killer.kills == len(moments)
    stored = only_table(programs.data)
    # A kill follows what somebody has just been told; the others may still be on their way back.
    assert sum(client_log.losses for client_log in client_logs) >= len(moments)
    for client_log in client_logs:
        assert client_log.returns == client_log.losses > 0
        # One for sitting down; all else that was missed came as events, unless a deal was over.
        assert len(client_log.snapshots) <= 1 + stored.deals
        client_log.check(stored)
    return stored


async def test_programs_come_back_by_themselves(programs: Programs, rng: Random) -> None:
    """A player's client, a remote bot and a spectator survive kills and report equal results."""
    server = await programs.serve(port=free_port(rng))
    opens = ("--create", "black_queen", "--start", "2", "--fill", "0", "--option", "deals=1")
    host = await programs.run("join", server.url, *opens, "--auto", "--json")
    code = await table_code(host)
    spectator = await programs.run("watch", server.url, code, "--json")
    # The match starts with the bot, and the kills with the match: everybody must have joined.
    await table_code(spectator)
    clients = [host, spectator, await programs.run("bot", server.url, code, "--json")]
    kills = count(3)
    last = LOBBY_EVENTS + MOVES_OF_A_DEAL
    for moment in sorted(rng.sample(range(LOBBY_EVENTS, last * 3 // 4), kills)):
        await told(host, moment)
        await server.kill()
        server = await programs.serve(port=server.port)
    await asyncio.gather(*(client.done() for client in clients))
    stored = only_table(programs.data)
    for client in clients:
        client_log = read(client)
        assert client_log.returns == client_log.losses > 0
        client_log.check(stored)
        assert client.records("finished")[-1]["totals"] == list(stored.totals)
