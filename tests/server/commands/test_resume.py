"""Reconnecting: every missed event exactly once, or one snapshot."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from protocol.version import JSON, MSGPACK
from protocol.wire_form import WireForm
from server.commands.resume import Resume
from server.store.errors import StoreUnavailable
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server

MOST_TOLD = 64
"""Events that a hello is answered with here, at most; enough to show that they are counted."""


async def playing(
    server: ServerHarness, moves: int, **options: int
) -> tuple[str, TestClient, TestClient]:
    """Ann and Bea in the middle of a match."""
    ann, bea = await server.client("Ann"), await server.client("Bea", JSON)
    code = await ann.open_table(options={"columns": 2, **options})
    await bea.ask("join", table=code)
    await ann.ask("start", table=code)
    for _ in range(moves):
        await some_move(code, ann, bea)
    return code, ann, bea


async def some_move(code: str, *clients: TestClient) -> None:
    mover = next(client for client in clients if client.tables[code].my_turn)
    answer = await mover.move(code, at=-1)
    assert answer["type"] == "ok"


@pytest.mark.parametrize("subprotocol", [MSGPACK, JSON])
async def test_a_returning_player_gets_what_they_missed_from_every_number(
    tmp_path: Path, subprotocol: str
) -> None:
    """A client that resumes within the deal gets exactly the missed events, else a snapshot."""
    async with open_server(tmp_path) as server:
        code, ann, bea = await playing(server, 58)
        deal = max(
            event["seq"]
            for event in ann.received
            if event["type"] == "event"
            for fact in event.get("facts", ())
            if fact["verb"] == "deal_started"
        )
        now = ann.tables[code]
        assert now.seq - deal > 5
        for seen in range(now.seq + 2):
            again = TestClient(server, subprotocol)
            await again.hello(token=ann.token, resume={code: seen})
            welcome, *rest = again.received
            assert welcome["type"] == "welcome"
            events = [message for message in rest if message["type"] == "event"]
            if deal - 1 <= seen <= now.seq:
                assert [event["seq"] for event in events] == list(range(seen + 1, now.seq + 1))
                assert not any(message["type"] == "table" for message in rest)
            else:
                assert events == []
                assert [m["seq"] for m in rest if m["type"] == "table"] == [now.seq]
                assert again.tables[code].view == now.view
                assert again.tables[code].facts == now.facts
        assert bea.tables[code].seq == now.seq


async def test_a_lost_connection_leaves_no_gap(tmp_path: Path) -> None:
    """After any loss a client's mirror equals that of a client that stayed."""
    async with open_server(tmp_path) as server:
        code, ann, bea = await playing(server, 0, deals=2)
        rng = Random(1)
        stayed = await server.client("Walter")
        await stayed.ask("watch", table=code)
        while stayed.tables[code].info.phase == "playing":
            lost = rng.choice((ann, bea))
            number = None
            if lost.tables[code].my_turn and rng.random() < 0.5:
                mirror = lost.tables[code]
                move: dict[str, Any] = {
                    "turn": mirror.question.turn,
                    "action": mirror.choices.actions[0],
                }
                number = await lost.send("act", table=code, **move)
            if rng.random() < 0.3:
                lost.disconnect()
                lost.connect(server)
                await lost.reconnect()
            if number is not None:
                await lost.send("act", number, table=code, **move)
            await server.settle()
            for client in (ann, bea):
                assert client.tables[code].seq == stayed.tables[code].seq
        for client in (ann, bea):
            assert client.tables[code].view.values == stayed.tables[code].view.values
            assert client.tables[code].info == stayed.tables[code].info


async def test_a_player_who_resumes_nothing_gets_their_tables_whole(tmp_path: Path) -> None:
    """A table of the player that is not in `resume` is sent as a snapshot."""
    async with open_server(tmp_path) as server:
        code, ann, _ = await playing(server, 3)
        again = TestClient(server)
        await again.hello(token=ann.token)
        assert [message["type"] for message in again.received[:2]] == ["welcome", "table"]
        assert again.tables[code].view == ann.tables[code].view
        assert again.tables[code].my_turn == ann.tables[code].my_turn


async def test_a_table_that_is_gone_is_told_to_be_closed(tmp_path: Path) -> None:
    """An unknown table in `resume` is told to be closed."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        await ann.reconnect(resume={"NOWHERE": 7})
        assert ann.new_messages("closed") == [
            {"type": "closed", "table": "NOWHERE", "reason": "finished"}
        ]


async def test_a_spectator_resumes_as_a_spectator(tmp_path: Path) -> None:
    """A spectator resumes by naming the table."""
    async with open_server(tmp_path) as server:
        code, ann, bea = await playing(server, 2)
        walter = await server.client("Walter")
        await walter.ask("watch", table=code)
        walter.disconnect()
        await some_move(code, ann, bea)
        await walter.reconnect()
        assert walter.tables[code].seq == ann.tables[code].seq
        await some_move(code, ann, bea)
        assert walter.tables[code].seq == ann.tables[code].seq


async def test_a_player_seated_while_disconnected_gets_a_snapshot(tmp_path: Path) -> None:
    """A player seated while disconnected gets a snapshot."""
    async with open_server(tmp_path) as server:
        ann, bea = await server.client("Ann"), await server.client("Bea")
        code = await ann.open_table(settings={"latecomers": "anyone"})
        await ann.ask("start", table=code, fill=0)
        await bea.ask("watch", table=code)
        await bea.send("join", table=code)
        bea.disconnect()
        await server.settle()
        await bea.reconnect()
        assert bea.tables[code].seat == 1
        assert bea.tables[code].view == server.table(code).game.view(server.state(code).play, 1)


async def test_a_player_who_lost_their_seat_while_away_is_told_so(tmp_path: Path) -> None:
    """A player who lost their seat in a lobby while away is told so, and does not watch."""
    async with open_server(tmp_path) as server:
        ann, bea, cid = [await server.client(name) for name in ("Ann", "Bea", "Cid")]
        code = await ann.open_table(seats=3)
        await bea.ask("join", table=code)
        await cid.ask("join", table=code)
        seen = {client: client.tables[code].seq for client in (bea, cid)}
        bea.disconnect()
        cid.disconnect()
        await ann.ask("kick", table=code, seat=2)
        await server.wait(31)
        for client, reason in ((bea, "away"), (cid, "kicked")):
            await client.reconnect(resume={code: seen[client]})
            assert client.new_messages("closed")[-1] == {
                "type": "closed",
                "table": code,
                "reason": reason,
            }
            assert code not in client.tables


async def test_a_move_to_another_seat_is_followed_by_a_snapshot(tmp_path: Path) -> None:
    """A move to another seat is followed by a snapshot."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        code = await ann.open_table(seats=3)
        await ann.send("sit", table=code, seat=2)
        ann.disconnect()
        await server.settle()
        ann.new_messages()
        await ann.reconnect()
        assert [message["type"] for message in ann.new_messages()][:2] == ["welcome", "table"]
        assert ann.tables[code].seat == 2


async def test_a_seat_is_handed_back_on_return(tmp_path: Path) -> None:
    """Everybody is told of an absence, the stand-in, and the return."""
    async with open_server(tmp_path) as server:
        code, ann, bea = await playing(server, 2)
        bea.disconnect()
        await server.settle()
        assert ann.new_messages("presence")[-1]["away"] is True
        await server.wait(31)
        assert ann.tables[code].info.seats[1].stand_in
        await bea.reconnect()
        await server.settle()
        assert ann.new_messages("presence")[-1]["away"] is False
        assert not ann.tables[code].info.seats[1].stand_in
        assert ann.tables[code].seq == bea.tables[code].seq


async def test_who_was_away_knows_who_is_there_now(tmp_path: Path) -> None:
    """Presence that changed without an event is sent on return."""
    async with open_server(tmp_path) as server:
        code, ann, bea = await playing(server, 2)
        ann.disconnect()
        bea.disconnect()
        await ann.reconnect()
        assert ann.tables[code].info.seats[1].away
        assert not ann.tables[code].info.seats[0].away


async def test_who_has_missed_very_much_gets_a_snapshot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hello is answered with a bounded number of events, and snapshots otherwise."""
    monkeypatch.setattr("server.commands.resume.MOST_TOLD", MOST_TOLD)
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        codes = [await ann.open_table() for _ in range(3)]
        for number in range(MOST_TOLD // 2):
            for code in codes:
                await ann.ask("ready", table=code, ready=number % 2 == 0)
        bea = TestClient(server)
        await bea.hello(name="Bea", resume=dict.fromkeys(codes, 2))
        kinds = [(message["type"], message["table"]) for message in bea.received[1:]]
        events = [("event", code) for code in codes[:2] for _ in range(MOST_TOLD // 2)]
        assert [kind for kind in kinds if kind[0] != "notice"] == [*events, ("table", codes[2])]
        assert all(bea.tables[code].seq == ann.tables[code].seq for code in codes[2:])
        await ann.ask("ready", table=codes[0], ready=False)
        for number in range(MOST_TOLD // 2):
            await ann.ask("ready", table=codes[0], ready=number % 2 == 0)
        cid = TestClient(server)
        await cid.hello(name="Cid", resume={codes[0]: 2})
        assert [message["type"] for message in cid.received[1:]] == ["table"]


async def test_who_is_welcomed_but_cannot_be_shown_anything_comes_in_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client whose tables cannot be shown is disconnected, so that it comes back."""
    async with open_server(tmp_path) as server:
        code, ann, _ = await playing(server, 2)
        with monkeypatch.context() as broken:
            broken.setattr(Resume, "resume", unavailable)
            await ann.reconnect()
            assert ann.closed() == (1012, "the tables were lost")
        await ann.reconnect()
        assert ann.closed() is None
        assert ann.tables[code].seq == server.state(code).seq


@pytest.mark.parametrize("older_first", [True, False])
async def test_who_comes_back_in_vain_is_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, older_first: bool
) -> None:
    """A newer connection without tables replaces the older one, so its player is away."""
    async with open_server(tmp_path) as server:
        code, ann, _ = await playing(server, 2)
        older = ann.connection
        monkeypatch.setattr(Resume, "resume", unavailable)
        await ann.reconnect()
        lost = [older, ann.connection] if older_first else [ann.connection, older]
        for connection in lost:
            server.game_server.disconnected(connection)
        await server.settle()
        assert server.table(code).clocks.is_away(0)


async def unavailable(self: Resume, *asked: object) -> None:
    raise StoreUnavailable("the disk is gone")


def times_told(client: TestClient) -> list[WireForm]:
    """What a client was told since the last question, without its welcome."""
    return [each for each in client.new_messages() if each["type"] != "welcome"]


async def test_who_has_missed_nothing_is_told_the_times(tmp_path: Path) -> None:
    """A client that missed nothing gets one message with clocks, reserves and presence."""
    async with open_server(tmp_path) as server:
        code, ann, bea = await playing(server, 1)
        late = next(seat for seat, each in enumerate((ann, bea)) if each.tables[code].my_turn)
        bea.disconnect()
        await server.wait(20)
        ann.disconnect()
        ann.new_messages()
        await ann.reconnect(features=["legend", "unchanged"])
        await server.settle()
        told, here = times_told(ann)
        assert here == {"type": "presence", "table": code, "seat": 0, "away": False}
        assert (told["type"], told["table"], told["clock"]) == ("unchanged", code, 100.0)
        assert told["reserve"] == [300, 300]
        assert told["info"]["seats"][1]["away"]
        await bea.reconnect(features=["unchanged"])
        await server.wait(150)
        ann.disconnect()
        await ann.reconnect(features=["unchanged"])
        (told,) = (each for each in times_told(ann) if each["type"] == "unchanged")
        assert told["clock"] == 0.0
        assert told["reserve"][late] == 250


async def test_who_comes_back_knows_whose_time_is_up(tmp_path: Path) -> None:
    """A client that comes back is told whose time is up, in each case, older ones too."""
    async with open_server(tmp_path) as server:
        code, ann, bea = await playing(server, 1)
        late = next(seat for seat, each in enumerate((ann, bea)) if each.tables[code].my_turn)
        here = (ann, bea)[1 - late]
        here.disconnect()
        seen = here.tables[code].seq
        await server.wait(29)
        await here.reconnect()
        await server.wait(392)
        ways: list[dict[str, Any]] = [
            {},
            {"features": ["unchanged"]},
            {"resume": {}},
            {"resume": {code: seen - 1}},
        ]
        for fields in ways:
            here.disconnect()
            here.new_messages()
            await here.reconnect(**fields)
            await server.settle()
            told = here.new_messages("notice")
            assert [(each["kind"], each["seats"]) for each in told] == [("time_up", [late])]


async def test_a_client_of_the_last_release_is_told_who_is_there(tmp_path: Path) -> None:
    """A client of the last release gets presence in the messages that it knows."""
    async with open_server(tmp_path) as server:
        _, ann, _ = await playing(server, 1)
        ann.disconnect()
        ann.new_messages()
        await ann.reconnect(features=["legend", "choices.prompt"])
        await server.settle()
        assert {message["type"] for message in times_told(ann)} == {"presence"}
