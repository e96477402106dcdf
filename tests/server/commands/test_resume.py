"""Reconnecting: every missed event exactly once, or one snapshot."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from protocol.version import JSON, MSGPACK
from server.table.history import MOST_TOLD
from tests.server.house import Guest, House, open_house


async def playing(house: House, moves: int, **options: int) -> tuple[str, Guest, Guest]:
    """Ann and Bea in the middle of a match."""
    ann, bea = await house.guest("Ann"), await house.guest("Bea", JSON)
    code = await ann.open_table(options={"columns": 2, **options})
    await bea.ask("join", table=code)
    await ann.ask("start", table=code)
    for _ in range(moves):
        await some_move(code, ann, bea)
    return code, ann, bea


async def some_move(code: str, *guests: Guest) -> None:
    mover = next(guest for guest in guests if guest.tables[code].my_turn)
    answer = await mover.move(code, at=-1)
    assert answer["type"] == "ok"


@pytest.mark.parametrize("subprotocol", [MSGPACK, JSON])
async def test_who_comes_back_gets_what_he_missed_from_every_number(
    tmp_path: Path, subprotocol: str
) -> None:
    """Since the deal began: the events after that number, no more and no less; else a snapshot."""
    async with open_house(tmp_path) as house:
        code, ann, bea = await playing(house, 58)
        deal = max(
            event["seq"]
            for event in ann.inbox
            if event["type"] == "event"
            for fact in event.get("facts", ())
            if fact["verb"] == "deal_started"
        )
        now = ann.tables[code]
        assert now.seq - deal > 5
        for seen in range(now.seq + 2):
            again = Guest(house, subprotocol)
            await again.hello(token=ann.token, resume={code: seen})
            welcome, *rest = again.inbox
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
    """Whatever a client missed, its picture becomes the same as that of a client that stayed."""
    async with open_house(tmp_path) as house:
        code, ann, bea = await playing(house, 0, deals=2)
        rng = Random(1)
        stayed = await house.guest("Walter")
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
                lost.lose()
                lost.connect(house)
                await lost.back()
            if number is not None:
                await lost.send("act", number, table=code, **move)
            await house.calm()
            for guest in (ann, bea):
                assert guest.tables[code].seq == stayed.tables[code].seq
        for guest in (ann, bea):
            assert guest.tables[code].view.values == stayed.tables[code].view.values
            assert guest.tables[code].info == stayed.tables[code].info


async def test_who_resumes_nothing_gets_his_tables_whole(tmp_path: Path) -> None:
    """A table at which the player sits and that is not in `resume` is sent as a snapshot."""
    async with open_house(tmp_path) as house:
        code, ann, _ = await playing(house, 3)
        again = Guest(house)
        await again.hello(token=ann.token)
        assert [message["type"] for message in again.inbox[:2]] == ["welcome", "table"]
        assert again.tables[code].view == ann.tables[code].view
        assert again.tables[code].my_turn == ann.tables[code].my_turn


async def test_a_table_that_is_gone_is_told_to_be_closed(tmp_path: Path) -> None:
    """An unknown table in `resume` is closed, whatever it once was."""
    async with open_house(tmp_path) as house:
        ann = await house.guest("Ann")
        await ann.back(resume={"NOWHERE": 7})
        assert ann.take("closed") == [{"type": "closed", "table": "NOWHERE", "reason": "finished"}]


async def test_a_spectator_resumes_as_a_spectator(tmp_path: Path) -> None:
    """A spectator goes on watching by naming the table."""
    async with open_house(tmp_path) as house:
        code, ann, bea = await playing(house, 2)
        walter = await house.guest("Walter")
        await walter.ask("watch", table=code)
        walter.lose()
        await some_move(code, ann, bea)
        await walter.back()
        assert walter.tables[code].seq == ann.tables[code].seq
        await some_move(code, ann, bea)
        assert walter.tables[code].seq == ann.tables[code].seq


async def test_who_took_a_seat_while_he_was_lost_gets_a_snapshot(tmp_path: Path) -> None:
    """Events told to a spectator do not add up to what the seat may see."""
    async with open_house(tmp_path) as house:
        ann, bea = await house.guest("Ann"), await house.guest("Bea")
        code = await ann.open_table(settings={"latecomers": "anyone"})
        await ann.ask("start", table=code, fill=0)
        await bea.ask("watch", table=code)
        await bea.send("join", table=code)
        bea.lose()
        await house.calm()
        await bea.back()
        assert bea.tables[code].seat == 1
        assert bea.tables[code].view == house.table(code).game.view(house.state(code).play, 1)


async def test_who_lost_his_seat_while_he_was_away_is_told_so(tmp_path: Path) -> None:
    """A seat in a lobby is not kept; a client that resumes does not become a spectator."""
    async with open_house(tmp_path) as house:
        ann, bea, cid = [await house.guest(name) for name in ("Ann", "Bea", "Cid")]
        code = await ann.open_table(seats=3)
        await bea.ask("join", table=code)
        await cid.ask("join", table=code)
        seen = {guest: guest.tables[code].seq for guest in (bea, cid)}
        bea.lose()
        cid.lose()
        await ann.ask("kick", table=code, seat=2)
        await house.wait(31)
        for guest, reason in ((bea, "left"), (cid, "kicked")):
            await guest.back(resume={code: seen[guest]})
            assert guest.take("closed")[-1] == {"type": "closed", "table": code, "reason": reason}
            assert code not in guest.tables


async def test_a_move_to_another_seat_is_followed_by_a_snapshot(tmp_path: Path) -> None:
    """Facts told at one seat do not add up to the view of another."""
    async with open_house(tmp_path) as house:
        ann = await house.guest("Ann")
        code = await ann.open_table(seats=3)
        await ann.send("sit", table=code, seat=2)
        ann.lose()
        await house.calm()
        ann.take()
        await ann.back()
        assert [message["type"] for message in ann.take()][:2] == ["welcome", "table"]
        assert ann.tables[code].seat == 2


async def test_a_seat_is_handed_back_on_return(tmp_path: Path) -> None:
    """Everybody learns of the absence, the stand-in, and the return."""
    async with open_house(tmp_path) as house:
        code, ann, bea = await playing(house, 2)
        bea.lose()
        assert ann.take("presence")[-1]["away"] is True
        await house.wait(31)
        assert ann.tables[code].info.seats[1].stand_in
        await bea.back()
        await house.calm()
        assert ann.take("presence")[-1]["away"] is False
        assert not ann.tables[code].info.seats[1].stand_in
        assert ann.tables[code].seq == bea.tables[code].seq


async def test_who_was_away_knows_who_is_there_now(tmp_path: Path) -> None:
    """Presence that changed without an event is sent again on return."""
    async with open_house(tmp_path) as house:
        code, ann, bea = await playing(house, 2)
        ann.lose()
        bea.lose()
        await ann.back()
        assert ann.tables[code].info.seats[1].away
        assert not ann.tables[code].info.seats[0].away


async def test_who_has_missed_very_much_gets_a_snapshot(tmp_path: Path) -> None:
    """However many tables a hello names, it is answered with a bounded number of events."""
    async with open_house(tmp_path) as house:
        ann = await house.guest("Ann")
        codes = [await ann.open_table() for _ in range(3)]
        for number in range(MOST_TOLD // 2):
            for code in codes:
                await ann.ask("ready", table=code, ready=number % 2 == 0)
        bea = Guest(house)
        await bea.hello(name="Bea", resume=dict.fromkeys(codes, 2))
        kinds = [(message["type"], message["table"]) for message in bea.inbox[1:]]
        events = [("event", code) for code in codes[:2] for _ in range(MOST_TOLD // 2)]
        assert [kind for kind in kinds if kind[0] != "notice"] == [*events, ("table", codes[2])]
        assert all(bea.tables[code].seq == ann.tables[code].seq for code in codes[2:])
        await ann.ask("ready", table=codes[0], ready=False)
        for number in range(MOST_TOLD // 2):
            await ann.ask("ready", table=codes[0], ready=number % 2 == 0)
        cid = Guest(house)
        await cid.hello(name="Cid", resume={codes[0]: 2})
        assert [message["type"] for message in cid.inbox[1:]] == ["table"]
