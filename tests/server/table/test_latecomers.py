"""Joining a running match: by the host's admission, not at all, or freely."""

from typing import Any

import pytest

from protocol.to_server import Admit, Join, Kick, Leave, Start, TableSettings
from protocol.wire_form import WireForm
from server.table.effects import AwaitDisconnect, Effect, Notify, SendSnapshot
from server.table.entries import Seated
from server.table.seat_requests import (
    ANSWER_SECONDS,
    MOST_REQUESTS,
    PAUSE_SECONDS,
    REQUESTS_PER_MINUTE,
)
from tests.server.table.harness import CODE, TableHarness


def playing(seats: int = 3, *guests: str, latecomers: Any = "ask", **fields: Any) -> TableHarness:
    """A match of Ann and her guests, with bots in the other seats."""
    table = TableHarness(seats=seats, settings=TableSettings(latecomers=latecomers), **fields)
    for who in guests:
        table.ask(who, Join)
    table.ask("ann", Start, fill=0)
    return table


def notices(table: TableHarness, who: str) -> list[WireForm]:
    """The notices of one player, without common fields."""
    told = [
        each.message for each in table.effects if isinstance(each, Notify) and each.player == who
    ]
    assert all(each["type"] == "notice" and each["table"] == CODE for each in told)
    return [
        {name: value for name, value in each.items() if name not in ("type", "table")}
        for each in told
    ]


def ended(how: str, name: str = "Bea", request: int = 1) -> tuple[WireForm, WireForm]:
    """What the requester and the host are told of a request's end."""
    return (
        {"kind": "refused", "request": request, "reason": how},
        {"kind": "latecomer_gone", "request": request, "name": name, "reason": how},
    )


ASKS = {"kind": "latecomer", "request": 1, "name": "Bea"}


def test_the_host_is_asked() -> None:
    """A request is answered at once, and only the host is told the player's name."""
    table = playing(3, "cid")
    before = len(table.log)
    answer = table.ask("bea", Join)
    asked = {"type": "asked", "table": CODE, "request": 1, "seconds": ANSWER_SECONDS}
    assert {**answer, "id": 0} == {**asked, "id": 0}
    assert notices(table, "ann") == [ASKS]
    assert notices(table, "bea") == notices(table, "cid") == []
    assert AwaitDisconnect("bea") in table.effects
    assert not any(
        isinstance(each, SendSnapshot) and each.player == "bea" for each in table.effects
    )
    assert len(table.log) == before
    table.check()


def test_the_host_admits() -> None:
    """Admission is an entry, and the newcomer gets a snapshot."""
    table = playing()
    table.ask("bea", Join, seat=2)
    answer = table.ask("ann", Admit, request=1)
    assert answer["seq"] == len(table.log)
    assert table.log[-1].body == Seated(2, "bea", "Bea")
    assert table.last(SendSnapshot) == SendSnapshot("bea", 2)
    assert notices(table, "bea") == []
    assert notices(table, "ann") == [ASKS, ended("admitted")[1]]
    table.check()


def test_the_host_refuses() -> None:
    """A refusal is told to the requester, is no entry, and ends the request."""
    table = playing()
    table.ask("bea", Join)
    before = len(table.log)
    assert table.ask("ann", Admit, request=1, admit=False)["type"] == "ok"
    assert notices(table, "bea") == [ended("refused")[0]]
    assert notices(table, "ann") == [ASKS, ended("refused")[1]]
    assert len(table.log) == before
    assert table.refusal("ann", Admit, request=1) == "unknown_request"
    table.check()


def test_only_the_host_decides() -> None:
    """Only the host can answer a request."""
    table = playing(3, "cid")
    table.ask("bea", Join)
    assert table.refusal("cid", Admit, request=1) == "forbidden"
    assert table.refusal("bea", Admit, request=1) == "not_seated"
    assert table.refusal("ann", Admit, request=2) == "unknown_request"


def test_the_host_has_a_minute() -> None:
    """A request is refused after a minute."""
    table = playing()
    table.ask("bea", Join)
    assert table.actor.due() is not None
    table.wait(ANSWER_SECONDS - 1)
    assert notices(table, "bea") == []
    table.wait(1)
    assert notices(table, "bea") == [ended("too_late")[0]]
    assert notices(table, "ann")[-1] == ended("too_late")[1]
    assert table.refusal("ann", Admit, request=1) == "unknown_request"


def test_a_host_who_is_away_decides_nothing() -> None:
    """Requests end when the host goes, and none is possible until the host returns."""
    table = playing(3, "cid")
    table.ask("bea", Join)
    table.disconnect("cid")
    assert notices(table, "bea") == []
    table.disconnect("ann")
    assert notices(table, "bea") == [ended("host_away")[0]]
    table.wait(PAUSE_SECONDS)
    assert table.refusal("bea", Join) == "forbidden"
    table.reconnect("ann")
    assert table.ask("bea", Join)["request"] == 2


def test_another_host_is_asked_anew() -> None:
    """A new host must be asked anew; another player's leaving changes nothing."""
    table = playing(4, "cid", "dan", game="black_queen")
    table.ask("bea", Join)
    table.ask("dan", Leave)
    assert notices(table, "bea") == []
    table.ask("ann", Leave)
    assert notices(table, "bea") == [ended("over")[0]]
    table.wait(PAUSE_SECONDS)
    assert table.ask("bea", Join)["type"] == "asked"
    assert notices(table, "cid")[-1] == {**ASKS, "request": 2}


def test_nobody_waits_for_a_match_that_is_over() -> None:
    """The end of the match or of the table ends the requests."""
    table = playing(2, options={"rounds": 1})
    table.ask("bea", Join)
    table.ask("ann", Leave)
    assert table.phase() == "closed"
    assert notices(table, "bea") == [ended("match_over")[0]]


def test_one_request_a_player() -> None:
    """A player has one request, and asking again gives the first answer."""
    table = playing()
    table.ask("bea", Join)
    table.wait(10)
    again = table.ask("bea", Join, seat=2)
    assert (again["request"], again["seconds"]) == (1, ANSWER_SECONDS - 10)
    assert notices(table, "ann") == [ASKS]


def test_ten_requests_a_table() -> None:
    """A table has at most ten requests."""
    table = playing()
    for number in range(MOST_REQUESTS):
        assert table.ask(f"guest{number}", Join)["request"] == number + 1
    assert table.refusal("bea", Join) == "table_full"
    table.ask("guest3", Leave)
    assert table.ask("bea", Join)["request"] == MOST_REQUESTS + 1


def test_a_crowd_cannot_pester_the_host() -> None:
    """The number of new requests a minute is limited, with the time to wait told."""
    table = playing()
    for number in range(200):
        table.ask(f"guest{number}", Join)
        table.ask(f"guest{number}", Leave)
    told = [notice for notice in notices(table, "ann") if notice["kind"] == "latecomer"]
    assert len(told) == REQUESTS_PER_MINUTE
    answer = table.ask("bea", Join)
    assert (answer["code"], answer["retry_after"]) == ("try_again", 60 / REQUESTS_PER_MINUTE)
    table.wait(60 / REQUESTS_PER_MINUTE)
    assert table.ask("bea", Join)["type"] == "asked"


@pytest.mark.parametrize("gone", [False, True])
def test_a_request_is_withdrawn(gone: bool) -> None:
    """A request is withdrawn by leaving or with the connection, and the host is told."""
    table = playing()
    table.ask("bea", Join)
    if gone:
        table.disconnect("bea")
    else:
        assert table.ask("bea", Leave)["type"] == "ok"
    assert notices(table, "ann") == [ASKS, ended("withdrawn")[1]]
    assert notices(table, "bea") == []
    assert table.refusal("ann", Admit, request=1) == "unknown_request"
    assert table.actor.due() == table.actor.clocks.due(table.state)


def test_who_was_refused_does_not_ask_at_once() -> None:
    """A refused player must wait before asking again."""
    table = playing()
    table.ask("bea", Join)
    table.ask("ann", Admit, request=1, admit=False)
    answer = table.ask("bea", Join)
    assert (answer["code"], answer["retry_after"]) == ("try_again", PAUSE_SECONDS)
    table.wait(PAUSE_SECONDS)
    assert table.ask("bea", Join)["type"] == "asked"


def test_the_last_seat_is_given_once() -> None:
    """When the last bot's seat is taken all other requests are refused."""
    table = playing(2)
    table.ask("bea", Join)
    table.ask("cid", Join)
    table.ask("ann", Admit, request=2)
    assert table.state.seat_of("cid") == 1
    assert notices(table, "bea") == [ended("full")[0]]
    assert table.refusal("dan", Join) == "table_full"


def test_the_seat_asked_for_is_gone() -> None:
    """If the requested seat is gone no other is given, and both are told."""
    table = playing(3)
    table.ask("bea", Join, seat=1)
    table.ask("cid", Join, seat=1)
    table.ask("ann", Admit, request=1)
    assert table.refusal("ann", Admit, request=2) == "table_full"
    assert notices(table, "cid") == [ended("full", "Cid", 2)[0]]


def test_who_comes_back_need_not_ask() -> None:
    """A player of the match may rejoin without asking, even if nobody else may."""
    for latecomers in ("ask", "never"):
        table = playing(3, "bea", latecomers=latecomers)
        table.ask("bea", Leave)
        assert table.ask("bea", Join)["type"] == "ok"
        assert table.state.seat_of("bea") == 1


def test_who_was_sent_away_may_not_even_ask() -> None:
    """A player removed by the host may not ask."""
    table = playing(3, "bea")
    table.ask("ann", Kick, seat=1)
    assert table.refusal("bea", Join) == "forbidden"
    assert notices(table, "ann") == []


def test_nobody_is_let_in() -> None:
    """With `never` only the match's own players may join it."""
    table = playing(3, "cid", latecomers="never")
    assert table.refusal("bea", Join) == "forbidden"
    assert notices(table, "ann") == []


def test_anyone_is_let_in() -> None:
    """With `anyone` players join without asking."""
    table = playing(latecomers="anyone")
    assert table.ask("bea", Join)["type"] == "ok"
    assert notices(table, "ann") == []


def test_a_disk_that_fails_leaves_the_request_as_it_was() -> None:
    """After a failed write the request stands, and the host may try again."""
    table = playing()
    table.ask("bea", Join)
    table.broken = True
    assert table.ask("ann", Admit, request=1)["code"] == "try_again"
    table.repair()
    assert table.ask("ann", Admit, request=1)["type"] == "ok"
    table.check()


def test_who_withdraws_while_being_admitted_sits() -> None:
    """A withdrawal during admission is a leave from the seat."""
    table = playing()
    table.ask("bea", Join)
    table.held = True
    admit = table.send("ann", Admit, request=1)
    leave = table.send("bea", Leave)
    table.repair()
    assert table.answers[admit][0]["type"] == table.answers[leave][0]["type"] == "ok"
    assert table.kinds[-2:] == ["seated", "left"]
    table.check()


def test_requests_cost_a_table_nothing_otherwise() -> None:
    """Without requests they cause no effect and no alarm."""
    table = playing(3, "cid")
    told: list[Effect] = [
        each for each in table.effects if isinstance(each, Notify | AwaitDisconnect)
    ]
    assert told == []
    assert table.actor.due() == table.actor.clocks.due(table.state)


def test_who_comes_and_goes_has_seen_a_seat_once() -> None:
    """The memory of who saw a seat does not grow with repeated visits."""
    table = playing(3, "bea")
    seen = table.state.seen
    for _ in range(5):
        assert table.ask("bea", Leave)["type"] == "ok"
        assert table.ask("bea", Join, seat=1)["type"] == "ok"
    assert table.state.seen == seen == (("ann", 0), ("bea", 1))
