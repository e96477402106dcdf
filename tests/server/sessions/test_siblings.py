"""Several connections of one player: each is served, and they share one player."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from protocol.to_server import Hello
from protocol.version import CLOSE_REPLACED
from protocol.wire_form import WireForm
from server.sessions.registry import MOST_OF_A_PLAYER
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server


async def beside(client: TestClient, client_id: str, **fields: Any) -> TestClient:
    """Another program of the player, which knows of siblings."""
    other = TestClient(client.server, client_id=client_id)
    other.token = client.token
    assert (await other.hello(**{"alongside": True, **fields}))["player"] == client.player
    return other


async def two(server: ServerHarness, name: str = "Ann") -> tuple[TestClient, TestClient]:
    """A player in two tabs."""
    first = TestClient(server, client_id="first")
    await first.hello(name=name, alongside=True)
    return first, await beside(first, "second")


def away(client: TestClient, code: str, seat: int = 0) -> bool:
    return client.tables[code].info.seats[seat].away


async def test_both_play_at_the_same_table(tmp_path: Path) -> None:
    """Both connections get every event and their own answers, and may move."""
    async with open_server(tmp_path) as server:
        first, second = await two(server)
        bea = await server.client("Bea")
        code = await first.open_table()
        assert second.tables[code].seat == 0
        await bea.ask("join", table=code)
        await second.ask("start", table=code)
        players = [first, bea, second]
        for moves in range(12):
            mover = next(each for each in players if each.tables[code].my_turn)
            await mover.move(code)
            assert first.tables[code] == second.tables[code], moves
            players.append(players.pop(0))
        assert all(len(each) == 1 for of in (first, second) for each in of.answers.values())
        assert first.closed() is None
        assert second.closed() is None


async def test_who_sits_down_sits_on_all_connections(tmp_path: Path) -> None:
    """Sitting down, moving and leaving concern all connections; watching only its own."""
    async with open_server(tmp_path) as server:
        first, second = await two(server)
        bea = await server.client("Bea")
        code = await bea.open_table(seats=3)
        await first.ask("watch", table=code)
        assert code not in second.tables
        assert first.tables[code].seat is None
        await second.ask("join", table=code)
        assert [each.tables[code].seat for each in (first, second)] == [1, 1]
        await first.ask("sit", table=code, seat=2)
        assert [each.tables[code].seat for each in (first, second)] == [2, 2]
        await second.ask("leave", table=code)
        assert [code in each.tables for each in (first, second)] == [False, False]
        own = await first.open_table()
        await first.ask("start", table=own, fill=0)
        zoe, other = await two(server, "Zoe")
        await other.ask("watch", table=own)
        assert (own in zoe.tables, other.tables[own].seat) == (False, None)


async def test_one_is_away_when_the_last_connection_is_gone(tmp_path: Path) -> None:
    """A player is absent when their last connection is gone."""
    async with open_server(tmp_path) as server:
        first, second = await two(server)
        bea = await server.client("Bea")
        code = await first.open_table()
        await bea.ask("join", table=code)
        first.disconnect()
        await server.wait(1)
        assert not away(bea, code)
        await second.ask("start", table=code)
        await first.reconnect(alongside=True)
        assert first.tables[code] == second.tables[code]
        for client in (second, first):
            assert not away(bea, code)
            client.disconnect()
        await server.settle()
        assert away(bea, code)
        await second.reconnect(alongside=True)
        assert not away(bea, code)


async def test_the_same_program_replaces_itself(tmp_path: Path) -> None:
    """A program that reconnects replaces its own connection only."""
    async with open_server(tmp_path) as server:
        first, second = await two(server)
        old = first.wire
        first.connect(server)
        await first.hello(alongside=True)
        assert old.closed == (CLOSE_REPLACED, "replaced")
        assert second.closed() is None
        assert (await first.ask("ping"))["type"] == "pong"
        assert (await second.ask("ping"))["type"] == "pong"


async def test_programs_that_know_of_no_siblings_replace_each_other(tmp_path: Path) -> None:
    """Programs that do not know siblings replace each other, and not the others."""
    async with open_server(tmp_path) as server:
        old = await server.client("Ann", client_id="old")
        tab = await beside(old, "tab")
        assert old.closed() is None
        older = await beside(old, "older", alongside=False)
        assert old.closed() == (CLOSE_REPLACED, "replaced")
        assert [each.closed() for each in (tab, older)] == [None, None]


async def test_a_player_has_a_bounded_number(tmp_path: Path) -> None:
    """A player has a limited number of connections, of which the oldest goes."""
    async with open_server(tmp_path) as server:
        first = await server.client("Ann")
        crowd = [await beside(first, f"tab{at}") for at in range(MOST_OF_A_PLAYER + 2)]
        gone = [each.closed() is not None for each in (first, *crowd)]
        assert gone == [True] * 3 + [False] * MOST_OF_A_PLAYER
        assert len(server.game_server.connections) == MOST_OF_A_PLAYER


async def test_handshakes_at_once_leave_no_connection_without_a_place(tmp_path: Path) -> None:
    """Of simultaneous handshakes those above the limit lose their places."""
    async with open_server(tmp_path) as server:
        first = await server.client("Ann")
        tabs = []
        for at in range(MOST_OF_A_PLAYER + 3):
            tab = TestClient(server, client_id=f"tab{at}")
            tab.token = first.token
            tabs.append(tab)
        async with asyncio.TaskGroup() as tasks:
            for tab in tabs:
                tasks.create_task(tab.hello(alongside=True))
        online = set(server.game_server.connections.of(first.player))
        assert len(online) == MOST_OF_A_PLAYER
        for each in (first, *tabs):
            assert (each.connection in online) == (each.closed() is None)


async def test_they_share_what_one_may_send(tmp_path: Path) -> None:
    """The connections of a player share one budget."""
    async with open_server(tmp_path, messages_per_second=1, message_burst=65) as server:
        first, second = await two(server)
        await server.wait(65)
        sent = 0
        while (await [first, second][sent % 2].ask("ping"))["type"] == "pong":
            sent += 1
        assert sent == 65
        await server.wait(2)
        assert (await first.ask("ping"))["type"] == "pong"
        assert (await second.ask("ping"))["type"] == "pong"
        assert await first.refusal("ping") == "rate_limited"
        third = await beside(first, "third")
        assert await third.refusal("ping") == "rate_limited"
        await server.wait(Hello.price + 2)
        assert (await third.ask("ping"))["type"] == "pong"


async def test_a_command_that_is_sent_on_both_is_carried_out_for_each(tmp_path: Path) -> None:
    """A command number belongs to a program, also with siblings."""
    async with open_server(tmp_path) as server:
        first, second = await two(server)
        code = await first.open_table(seats=3)
        said = {"table": code, "text": "hello"}
        bea = await server.client("Bea")
        await bea.ask("join", table=code)
        for client in (first, second):
            assert (await client.ask("chat", 900, **said))["type"] == "ok"
        assert len(bea.new_messages("chat")) == 2
        await first.send("chat", 900, **said)
        await second.send("chat", 900, **said)
        await server.settle()
        answers: list[list[WireForm]] = [each.answers[900] for each in (first, second)]
        assert [len(each) for each in answers] == [2, 2]
        assert all(one == again for one, again in answers)
        assert bea.new_messages("chat") == []


async def test_a_number_is_answered_once_over_old_and_new_connection(tmp_path: Path) -> None:
    """A program that reconnects while its command is written gets one answer."""
    async with open_server(tmp_path) as server:
        first, second = await two(server)
        server.store.hold_writes()
        number = await first.send("create_table", game="black_queen", seats=2)
        first.connect(server)
        await first.hello(alongside=True)
        await first.send("create_table", number, game="black_queen", seats=2)
        assert first.answers[number] == []
        server.store.release_writes()
        await server.settle()
        (answer,) = first.answers[number]
        assert len(server.game_server.live.directory) == 1
        assert second.answers[number] == [] or second.answers[number][0]["type"] == "welcome"
        assert set(second.tables) == {answer["table"]}


@pytest.mark.parametrize("kind", ["latecomer", "refused"])
async def test_notices_come_on_all(tmp_path: Path, kind: str) -> None:
    """Notices come on all connections of a player."""
    async with open_server(tmp_path) as server:
        host, table = await two(server, "Ann")
        guest, waiting = await two(server, "Bea")
        code = await host.open_table(settings={"latecomers": "ask"})
        await host.ask("start", table=code, fill=0)
        asked = await guest.ask("join", table=code)
        await table.ask("admit", table=code, request=asked["request"], admit=False)
        told = [host, table] if kind == "latecomer" else [guest, waiting]
        for each in told:
            assert kind in [m["kind"] for m in each.received if m["type"] == "notice"]
