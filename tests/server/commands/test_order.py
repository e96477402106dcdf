"""The order in which the commands of a connection are carried out, if some take long."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from server.commands import router
from server.store import BanRow
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server


@asynccontextmanager
async def asleep(folder: Path) -> AsyncIterator[tuple[ServerHarness, str, str, asyncio.Event]]:
    """A server with two stored tables that load once the event is set."""
    async with open_server(folder) as server:
        ann = await server.client("Ann")
        code, other = await ann.open_table(), await ann.open_table()
    async with open_server(folder) as server:
        go_on = asyncio.Event()

        async def hold(name: str) -> None:
            if name == "load":
                await go_on.wait()

        server.store.gate = hold
        yield server, code, other, go_on


async def settled(server: ServerHarness, client: TestClient, number: int) -> None:
    """Let a command that waits for the store be answered."""
    async with asyncio.timeout(60):
        while not client.answers[number]:  # noqa: ASYNC110 - the store answers from a thread
            await asyncio.sleep(0.001)
    await server.settle()


async def test_commands_for_one_table_keep_their_order(tmp_path: Path) -> None:
    """Commands for one table keep their order, and others overtake slow ones."""
    async with asleep(tmp_path) as (server, code, _, go_on):
        walter = await server.client("Walter")
        numbers = [await walter.send(kind, table=code) for kind in ("watch", "sync", "leave")]
        lists = await walter.send("list_tables")
        await settled(server, walter, lists)
        assert [walter.answers[number] for number in numbers] == [[], [], []]
        go_on.set()
        await settled(server, walter, numbers[-1])
        answers = [each for each in walter.received if each.get("id") in numbers]
        assert [answer["id"] for answer in answers] == numbers
        assert {answer["type"] for answer in answers} == {"ok"}
        assert server.game_server.subscribers.spectators(code) == 0


async def test_a_connection_waits_if_it_has_very_many_commands_under_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection with very many commands under way is not read from."""
    async with asleep(tmp_path) as (server, code, other, go_on):
        walter = await server.client("Walter")
        first = await walter.send("watch", table=code)
        monkeypatch.setattr(router, "MOST_UNDER_WAY", 1)
        monkeypatch.setattr(router, "MOMENT_SECONDS", 0.0)
        async with asyncio.TaskGroup() as tasks:
            second = tasks.create_task(walter.send("watch", table=other))
            for _ in range(20):
                await asyncio.sleep(0)
            assert not second.done()
            go_on.set()
        await settled(server, walter, second.result())
        assert walter.answers[first][0]["type"] == "ok"


@pytest.mark.parametrize("kinds", [("watch", "sync"), ("sync", "watch")])
async def test_a_connection_that_closes_meanwhile_follows_nothing(
    tmp_path: Path, kinds: tuple[str, ...]
) -> None:
    """A connection that closes meanwhile follows nothing afterwards."""
    async with asleep(tmp_path) as (server, code, _, go_on):
        walter = await server.client("Walter")
        for kind in kinds:
            await walter.send(kind, table=code)
        walter.disconnect()
        go_on.set()
        again = await server.client("Bea")
        await settled(server, again, await again.send("join", table=code))
        assert server.game_server.subscribers.spectators(code) == 0
        assert server.game_server.router._last == {}


async def test_who_is_banned_while_the_store_is_asked_gets_no_seat(tmp_path: Path) -> None:
    """A player who is banned while the store is asked gets no seat."""
    async with asleep(tmp_path) as (server, code, _, go_on):
        walter = await server.client("Walter")
        await walter.send("join", table=code)
        server.game_server.bans.put(BanRow("player", walter.player, None, "", server.now))
        walter.disconnect()
        go_on.set()
        again = await server.client("Bea")
        await settled(server, again, await again.send("join", table=code))
        assert not server.game_server.live.directory.sits(walter.player, code)
