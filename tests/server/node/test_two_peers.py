"""Gateway and tables as two peers, over a courier that loses, repeats and reorders by a seed.

What clients are promised holds all the same: one answer to each command, every event once and in
order (the test client checks each), and a seat that is there again after any loss.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.bus import requests
from server.bus.over_courier import EXPIRY
from server.crossing.names import TRANSIENT
from server.store import BanRow
from server.table.fold import replay
from server.tables.rows import entry_of
from tests.server.client import TestClient
from tests.server.node.two_peers import TwoPeers, open_two_peers


@pytest.fixture
async def server(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[TwoPeers]:
    """A server whose network fails by this run's seed."""
    seed = request.config.getoption("randomly_seed", 0)
    async with open_two_peers(tmp_path, seed) as server:
        yield server


def all_see_the_same(server: TwoPeers, code: str, *clients: TestClient) -> None:
    """Everybody at the table has seen its last entry."""
    last = server.state(code).seq
    assert [client.tables[code].seq for client in clients] == [last] * len(clients)


async def come_in(client: TestClient) -> None:
    """A client that connects, and tries again while the tables cannot be reached."""
    for _ in range(100):
        if (answer := await client.reconnect())["type"] == "welcome":
            return
        assert answer["code"] == "try_again"
    raise AssertionError("the tables cannot be reached any more")


async def come_back(*clients: TestClient) -> None:
    """Clients that were hung up on come in again and resume, as real ones do."""
    for client in clients:
        assert client.closed() is not None
        await come_in(client)
    await clients[0].server.settle()


async def test_a_match_is_played_to_its_end(server: TwoPeers) -> None:
    """Each command has one answer, all see every event, and the log replays to the table."""
    code, (ann, bea) = await server.match_of("Ann", "Bea", options={"deals": 1})
    walter = await server.client("Walter")
    await walter.ask("watch", table=code)
    await server.play(code, 200, ann, bea)
    assert ann.tables[code].info.phase == "finished"
    all_see_the_same(server, code, ann, bea, walter)
    for client in (ann, bea, walter):
        assert {len(answers) for answers in client.answers.values()} == {1}
    stored = await server.store.load(code)
    assert stored is not None
    entries = [entry_of(row) for row in stored[1]]
    *_, (_, last) = replay(server.library, entries)
    assert last.state == server.state(code)
    assert server.world.buses["gateway"].repeated > 0, "nothing was lost"


async def test_a_client_that_was_away_resumes_without_a_gap(server: TwoPeers) -> None:
    """What happened meanwhile comes as events, and its seat is its own again."""
    code, (ann, bea) = await server.match_of("Ann", "Bea")
    await server.play(code, 4, ann, bea)
    seen = bea.tables[code].seq
    bea.disconnect()
    await server.settle()
    assert server.table(code).clocks.is_away(1)
    await ann.ask("chat", table=code, text="where are you")
    if ann.tables[code].my_turn:
        await ann.move(code)
    bea.new_messages()
    await come_in(bea)
    await server.settle()
    assert not bea.new_messages("snapshot")
    assert bea.tables[code].seq >= seen
    assert not server.table(code).clocks.is_away(1)
    await server.play(code, 4, ann, bea)
    all_see_the_same(server, code, ann, bea)


async def test_an_answer_finds_the_connection_that_its_client_has_now(server: TwoPeers) -> None:
    """A move whose connection is replaced before its answer is answered once, and made once."""
    code, clients = await server.match_of("Ann", "Bea")
    mover = next(client for client in clients if client.tables[code].my_turn)
    mirror = mover.tables[code]
    fields = {"table": code, "turn": mirror.question.turn, "action": mirror.choices.actions[0]}
    before = server.state(code).seq
    older = mover.connection
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(mover.send("act", 900, **fields))
        await asyncio.sleep(0)
        await mover.reconnect()
        server.game_server.disconnected(older)
    await mover.send("act", 900, **fields)
    await server.settle()
    assert mover.answers[900][-1]["type"] == "ok"
    final = [answer for answer in mover.answers[900] if answer.get("code") not in TRANSIENT]
    assert final == [final[0]] * len(final)
    assert server.state(code).seq == before + 1
    all_see_the_same(server, code, *clients)


async def test_tables_that_are_killed_come_back_from_the_store(server: TwoPeers) -> None:
    """No acknowledged move is lost: clients are hung up on, come in again and play on."""
    code, (ann, bea) = await server.match_of("Ann", "Bea")
    await server.play(code, 6, ann, bea)
    last = server.state(code).seq
    await server.kill_tables()
    assert ann.closed() == bea.closed() == (1012, "the tables were lost")
    await come_back(ann, bea)
    assert server.state(code).seq == last
    all_see_the_same(server, code, ann, bea)
    await server.play(code, 6, ann, bea)
    all_see_the_same(server, code, ann, bea)


async def test_commands_to_tables_that_are_gone_may_be_sent_again(server: TwoPeers) -> None:
    """A command that was under way when the tables were killed is carried out once at last."""
    code, (ann, bea) = await server.match_of("Ann", "Bea")
    mover = ann if ann.tables[code].my_turn else bea
    mirror = mover.tables[code]
    fields = {"table": code, "turn": mirror.question.turn, "action": mirror.choices.actions[0]}
    before = server.state(code).seq
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(mover.send("act", 900, **fields))
        await asyncio.sleep(0)
        await server.kill_tables()
    await come_back(ann, bea)
    await mover.send("act", 900, **fields)
    await server.settle()
    assert mover.answers[900][-1]["type"] == "ok"
    assert server.state(code).seq == before + 1
    all_see_the_same(server, code, ann, bea)


async def test_clients_stay_while_the_broker_is_away(server: TwoPeers) -> None:
    """However long: what they send may be sent again, and then the match goes on."""
    code, (ann, bea) = await server.match_of("Ann", "Bea")
    await server.play(code, 4, ann, bea)
    server.world.cut_off("gateway", "tables")
    mover = ann if ann.tables[code].my_turn else bea
    mirror = mover.tables[code]
    fields = {"table": code, "turn": mirror.question.turn, "action": mirror.choices.actions[0]}
    await mover.send("act", 900, **fields)
    since = server.world.now
    await server.until(lambda: server.world.now > since + 1.5 * EXPIRY)
    assert [answer["code"] for answer in mover.answers[900]] == ["try_again"]
    await server.back("tables", "gateway")
    await server.play(code, 6, ann, bea)
    assert ann.closed() == bea.closed() is None
    all_see_the_same(server, code, ann, bea)


async def test_clients_stay_at_a_gateway_that_was_forgotten(server: TwoPeers) -> None:
    """Cut off from the tables for long, it tells them anew who is there, and nobody comes in again.

    Players and spectators are shown their tables, and a list that somebody follows is told whole.
    """
    code, (ann, bea) = await server.match_of("Ann", "Bea")
    walter, lea = await server.client("Walter"), await server.client("Lea")
    await walter.ask("watch", table=code)
    await lea.ask("follow_tables")
    await server.play(code, 4, ann, bea)
    server.world.cut_off("gateway")
    await server.until(lambda: "gateway" not in server.world.buses["tables"].alive)
    assert len(server.game_server.links) == 0
    assert [server.table(code).clocks.is_away(seat) for seat in (0, 1)] == [True, True]
    seen = len(lea.received)
    await server.back("gateway")
    assert [server.table(code).clocks.is_away(seat) for seat in (0, 1)] == [False, False]
    assert "lobby" in [message["type"] for message in lea.received[seen:]]
    await server.play(code, 6, ann, bea)
    assert {each.closed() for each in (ann, bea, walter, lea)} == {None}
    all_see_the_same(server, code, ann, bea, walter)


async def test_a_gateway_that_is_killed_leaves_seats_that_wait(server: TwoPeers) -> None:
    """Its players are away until they come in at the next one."""
    code, (ann, bea) = await server.match_of("Ann", "Bea")
    await server.play(code, 4, ann, bea)
    await server.kill_gateway()
    assert len(server.game_server.links) == 0
    assert [server.table(code).clocks.is_away(seat) for seat in (0, 1)] == [True, True]
    for client in (ann, bea):
        await come_in(client)
    await server.settle()
    assert [server.table(code).clocks.is_away(seat) for seat in (0, 1)] == [False, False]
    await server.play(code, 4, ann, bea)
    all_see_the_same(server, code, ann, bea)


async def test_a_gateway_learns_of_ten_thousand_bans(server: TwoPeers) -> None:
    """However many there are, a new gateway gets them all, and its players play on."""
    many = [BanRow("player", f"p{at}", None, "spam " * 20, server.now) for at in range(10_000)]
    server.game_server.bans.load(many)
    await server.kill_gateway()
    bans = server.game_server.connections.bans
    await server.until(lambda: len(bans) == len(many))
    attached = server.game_server._gateway.nodes.attachments
    ann = await server.client("Ann")
    assert (await ann.ask("ping"))["type"] == "pong"
    assert server.game_server._gateway.nodes.attachments == attached


async def test_a_closed_connection_is_told_of_until_it_is_heard(
    server: TwoPeers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A gateway with too many open requests says so again, and the seat waits for its player."""
    code, (ann, bea) = await server.match_of("Ann", "Bea")
    with monkeypatch.context() as busy:
        busy.setattr(requests, "WINDOW", 0)
        bea.disconnect()
        await server.settle()
        assert not server.table(code).clocks.is_away(1)
    await server.wait(1.0)
    assert server.table(code).clocks.is_away(1)
    assert ann.closed() is None
