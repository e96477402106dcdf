"""Who may join a running match: players whom the host admits, nobody, or anyone."""

from typing import Any

import pytest

from protocol.to_server import Admit, Join, Kick, Leave, Start, TableSettings
from protocol.wire_form import WireForm
from server.table.effects import Await, Effect, Notify, Show
from server.table.entries import Seated
from server.table.latecomers import ANSWER_SECONDS, MOST_REQUESTS, PAUSE_SECONDS
from tests.server.table.room import CODE, Room


def playing(seats: int = 3, *guests: str, latecomers: Any = "ask", **fields: Any) -> Room:
    """A match of Ann and her guests, with bots in the other seats."""
    room = Room(seats=seats, settings=TableSettings(latecomers=latecomers), **fields)
    for who in guests:
        room.say(who, Join)
    room.say("ann", Start, fill=0)
    return room


def notices(room: Room, who: str) -> list[WireForm]:
    """What one player has been told outside the sequence, without what all of it says."""
    told = [each.message for each in room.told if isinstance(each, Notify) and each.player == who]
    assert all(each["type"] == "notice" and each["table"] == CODE for each in told)
    return [
        {name: value for name, value in each.items() if name not in ("type", "table")}
        for each in told
    ]


def ended(how: str, name: str = "Bea", request: int = 1) -> tuple[WireForm, WireForm]:
    """What the requester and the host hear about the end of a request."""
    return (
        {"kind": "refused", "request": request, "reason": how},
        {"kind": "latecomer_gone", "request": request, "name": name, "reason": how},
    )


ASKS = {"kind": "latecomer", "request": 1, "name": "Bea"}


def test_the_host_is_asked() -> None:
    """The answer comes at once and shows nothing; only the host hears the player's name."""
    room = playing(3, "cid")
    before = len(room.log)
    answer = room.say("bea", Join)
    asked = {"type": "asked", "table": CODE, "request": 1, "seconds": ANSWER_SECONDS}
    assert {**answer, "id": 0} == {**asked, "id": 0}
    assert notices(room, "ann") == [ASKS]
    assert notices(room, "bea") == notices(room, "cid") == []
    assert Await("bea") in room.told
    assert not any(isinstance(each, Show) and each.player == "bea" for each in room.told)
    assert len(room.log) == before
    room.check()


def test_the_host_admits() -> None:
    """That is an entry, and brings the newcomer a snapshot; the host's command is answered."""
    room = playing()
    room.say("bea", Join, seat=2)
    answer = room.say("ann", Admit, request=1)
    assert answer["seq"] == len(room.log)
    assert room.log[-1].body == Seated(2, "bea", "Bea")
    assert room.last(Show) == Show("bea", 2)
    assert notices(room, "bea") == []
    assert notices(room, "ann") == [ASKS, ended("admitted")[1]]
    room.check()


def test_the_host_refuses() -> None:
    """The asker hears it; the log does not grow; what is over cannot be answered again."""
    room = playing()
    room.say("bea", Join)
    before = len(room.log)
    assert room.say("ann", Admit, request=1, admit=False)["type"] == "ok"
    assert notices(room, "bea") == [ended("refused")[0]]
    assert notices(room, "ann") == [ASKS, ended("refused")[1]]
    assert len(room.log) == before
    assert room.refusal("ann", Admit, request=1) == "unknown_request"
    room.check()


def test_only_the_host_decides() -> None:
    """Neither another player nor the asker."""
    room = playing(3, "cid")
    room.say("bea", Join)
    assert room.refusal("cid", Admit, request=1) == "forbidden"
    assert room.refusal("bea", Admit, request=1) == "not_seated"
    assert room.refusal("ann", Admit, request=2) == "unknown_request"


def test_the_host_has_a_minute() -> None:
    """Then it is refused, even if nothing else happens at the table."""
    room = playing()
    room.say("bea", Join)
    assert room.table.due() is not None
    room.wait(ANSWER_SECONDS - 1)
    assert notices(room, "bea") == []
    room.wait(1)
    assert notices(room, "bea") == [ended("too_late")[0]]
    assert notices(room, "ann")[-1] == ended("too_late")[1]
    assert room.refusal("ann", Admit, request=1) == "unknown_request"


def test_a_host_who_is_away_decides_nothing() -> None:
    """Requests end when the host goes, and none is made until the host is back."""
    room = playing(3, "cid")
    room.say("bea", Join)
    room.lose("cid")
    assert notices(room, "bea") == []
    room.lose("ann")
    assert notices(room, "bea") == [ended("host_away")[0]]
    room.wait(PAUSE_SECONDS)
    assert room.refusal("bea", Join) == "forbidden"
    room.back("ann")
    assert room.say("bea", Join)["request"] == 2


def test_another_host_is_asked_anew() -> None:
    """A new host has not been asked; another player's leaving changes nothing."""
    room = playing(4, "cid", "dan", game="black_queen")
    room.say("bea", Join)
    room.say("dan", Leave)
    assert notices(room, "bea") == []
    room.say("ann", Leave)
    assert notices(room, "bea") == [ended("host_away")[0]]
    room.wait(PAUSE_SECONDS)
    assert room.say("bea", Join)["type"] == "asked"
    assert notices(room, "cid")[-1] == {**ASKS, "request": 2}


def test_nobody_waits_for_a_match_that_is_over() -> None:
    """The end of the match, or of the table, ends the requests."""
    room = playing(2, options={"rounds": 1})
    room.say("bea", Join)
    room.say("ann", Leave)
    assert room.phase() == "closed"
    assert notices(room, "bea") == [ended("match_over")[0]]


def test_one_request_a_player() -> None:
    """Asking again is answered with the same request, and the host hears of one."""
    room = playing()
    room.say("bea", Join)
    room.wait(10)
    again = room.say("bea", Join, seat=2)
    assert (again["request"], again["seconds"]) == (1, ANSWER_SECONDS - 10)
    assert notices(room, "ann") == [ASKS]


def test_ten_requests_a_table() -> None:
    """The next one is refused, until one of them is over."""
    room = playing()
    for number in range(MOST_REQUESTS):
        assert room.say(f"guest{number}", Join)["request"] == number + 1
    assert room.refusal("bea", Join) == "table_full"
    room.say("guest3", Leave)
    assert room.say("bea", Join)["request"] == MOST_REQUESTS + 1


@pytest.mark.parametrize("gone", [False, True])
def test_a_request_is_withdrawn(gone: bool) -> None:
    """By leaving, or with the connection; only the host is told, since the player knows."""
    room = playing()
    room.say("bea", Join)
    if gone:
        room.lose("bea")
    else:
        assert room.say("bea", Leave)["type"] == "ok"
    assert notices(room, "ann") == [ASKS, ended("withdrawn")[1]]
    assert notices(room, "bea") == []
    assert room.refusal("ann", Admit, request=1) == "unknown_request"
    assert room.table.due() == room.table.clocks.due(room.state)


def test_who_was_refused_does_not_ask_at_once() -> None:
    """The host must not be flooded; the error says how long to wait, and is not final."""
    room = playing()
    room.say("bea", Join)
    room.say("ann", Admit, request=1, admit=False)
    answer = room.say("bea", Join)
    assert (answer["code"], answer["retry_after"]) == ("try_again", PAUSE_SECONDS)
    room.wait(PAUSE_SECONDS)
    assert room.say("bea", Join)["type"] == "asked"


def test_the_last_seat_is_given_once() -> None:
    """When the last bot's seat is taken, everybody who waits for one is refused."""
    room = playing(2)
    room.say("bea", Join)
    room.say("cid", Join)
    room.say("ann", Admit, request=2)
    assert room.state.seat_of("cid") == 1
    assert notices(room, "bea") == [ended("full")[0]]
    assert room.refusal("dan", Join) == "table_full"


def test_the_seat_asked_for_is_gone() -> None:
    """No other seat is given: the host hears why, the player that the request ended."""
    room = playing(3)
    room.say("bea", Join, seat=1)
    room.say("cid", Join, seat=1)
    room.say("ann", Admit, request=1)
    assert room.refusal("ann", Admit, request=2) == "table_full"
    assert notices(room, "cid") == [ended("full", "Cid", 2)[0]]


def test_who_comes_back_need_not_ask() -> None:
    """Not even where nobody is let in: the seat and its cards were theirs in this match."""
    for latecomers in ("ask", "never"):
        room = playing(3, "bea", latecomers=latecomers)
        room.say("bea", Leave)
        assert room.say("bea", Join)["type"] == "ok"
        assert room.state.seat_of("bea") == 1


def test_who_was_sent_away_may_not_even_ask() -> None:
    """The ban holds."""
    room = playing(3, "bea")
    room.say("ann", Kick, seat=1)
    assert room.refusal("bea", Join) == "forbidden"
    assert notices(room, "ann") == []


def test_nobody_is_let_in() -> None:
    """With `never` only its own players may join a match; the lobby before it is open."""
    room = playing(3, "cid", latecomers="never")
    assert room.refusal("bea", Join) == "forbidden"
    assert notices(room, "ann") == []


def test_anyone_is_let_in() -> None:
    """With `anyone` nobody is asked."""
    room = playing(latecomers="anyone")
    assert room.say("bea", Join)["type"] == "ok"
    assert notices(room, "ann") == []


def test_a_disk_that_fails_leaves_the_request_as_it_was() -> None:
    """The host may try again, and what the asker does meanwhile waits its turn."""
    room = playing()
    room.say("bea", Join)
    room.broken = True
    assert room.say("ann", Admit, request=1)["code"] == "try_again"
    room.repair()
    assert room.say("ann", Admit, request=1)["type"] == "ok"
    room.check()


def test_who_withdraws_while_being_admitted_sits() -> None:
    """The entry was first: leaving then gives up a seat like any other."""
    room = playing()
    room.say("bea", Join)
    room.held = True
    admit = room.send("ann", Admit, request=1)
    leave = room.send("bea", Leave)
    room.repair()
    assert room.answers[admit][0]["type"] == room.answers[leave][0]["type"] == "ok"
    assert room.kinds[-2:] == ["seated", "left"]
    room.check()


def test_requests_cost_a_table_nothing_otherwise() -> None:
    """Without one, no effect and no alarm comes of all that happens at a table."""
    room = playing(3, "cid")
    told: list[Effect] = [each for each in room.told if isinstance(each, Notify | Await)]
    assert told == []
    assert room.table.due() == room.table.clocks.due(room.state)
