"""A program that plays a seat: it says ready, moves, and gives the seat up."""

from dataclasses import replace

import pytest

from engine.choices import Pick
from engine.facts import Fact
from protocol import playing
from protocol.client_events import (
    Answered,
    ClientEvent,
    Disconnected,
    Noticed,
    Reconnected,
    TableClosed,
    TableSnapshot,
    Welcomed,
)
from protocol.errors import ConnectionLost, IllegalMove, ProtocolError
from protocol.mirror import TableMirror
from protocol.playing import MatchResult, SeatPlayer, always, take_seat
from protocol.to_client import Asked, Notice, TableInfo
from protocol.to_server import Join, Leave, ListTables, Ready
from tests.client_cli.tables import ANNS_TURN, CODE, FREE, bot, event, human, table
from tests.protocol.model_server import welcome
from tests.protocol.scripted_client import ScriptedClient

ENDED = Fact("match_ended", {"totals": (1, 2, 3), "ranks": (3, 2, 1)})
OVER = table(phase="finished", facts=(ENDED,))
LOBBY = table(seats=(human("Robo", ready=False), bot("Carl"), FREE), phase="lobby")
ASKED = Asked(id=1, table=CODE, request=1, seconds=60.0)
RESULT = MatchResult(CODE, 0, ("Ann", "Blaise", "Carl"), (1, 2, 3), (3, 2, 1))


async def first(table: TableMirror) -> str:
    return table.choices.actions[0]


async def played(script: ScriptedClient, *told: list[ClientEvent]) -> MatchResult | None:
    player = SeatPlayer(script.client, CODE, always(first))
    return await player.play(*(each.append for each in told))


async def test_it_says_ready_and_plays_to_the_end() -> None:
    """The program answers each turn once, to the end of the match, and returns its result."""
    happens: list[ClientEvent] = [
        TableSnapshot(LOBBY),
        event(ANNS_TURN),
        event(ANNS_TURN),
        event(table(to_act=(1,))),
        event(OVER),
    ]
    told: list[ClientEvent] = []
    script = ScriptedClient([*happens])
    result = await played(script, told)
    assert result == RESULT
    assert result.rank == 3
    assert script.asked[0] == (Ready, {"table": CODE})
    assert script.moves == ["play 2C"]
    assert told == happens


async def test_a_spectator_is_not_asked() -> None:
    """A program without a seat is never asked to move."""
    script = ScriptedClient([event(table(seat=None, to_act=(0,))), event(table(seat=None))])
    with pytest.raises(ConnectionLost):
        await played(script)
    assert script.asked == []
    assert playing.result_of(table(seat=None, facts=(ENDED,))) is None


async def test_a_move_refused_at_a_bad_time_is_made_when_something_happens() -> None:
    """A move refused temporarily is made again at the next event."""
    script = ScriptedClient(
        [event(ANNS_TURN), Disconnected("gone"), Reconnected(), event(OVER)],
        refusals=["draining", "try_again"],
    )
    await played(script)
    assert len(script.moves) == 3


async def test_a_move_refused_for_good_is_an_error() -> None:
    """A move refused as illegal raises an error."""
    with pytest.raises(ProtocolError, match="illegal_action"):
        await played(ScriptedClient([event(ANNS_TURN)], refusals=["illegal_action"]))


async def test_a_move_that_is_not_offered_gives_the_seat_up() -> None:
    """A choice that is not offered gives up the seat, and is not sent."""
    script = ScriptedClient([event(ANNS_TURN)])

    async def wrong(table: TableMirror) -> str:
        return "play AS"

    with pytest.raises(IllegalMove, match=r"^'play AS' is not one of the choices: play 2C, play"):
        await SeatPlayer(script.client, CODE, always(wrong)).play()
    assert script.asked == [(Leave, {"table": CODE})]


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        (table(to_act=(0,), actions=tuple(f"bid {n}" for n in range(14))), r"bid 11 and 2 more$"),
        (
            table(to_act=(0,), picks=(Pick("pass", ("2C", "3D", "4H"), 2, 2),)),
            r"choices: pass with 2 of 2C 3D 4H$",
        ),
        (
            table(to_act=(0,), actions=("go",), picks=(Pick("show", ("2C", "3D"), 0, 2),)),
            r"choices: go, show with 0 to 2 of 2C 3D$",
        ),
    ],
)
async def test_the_choices_are_told_in_a_few_words(choices: TableMirror, words: str) -> None:
    """The error for a choice that is not offered lists the legal ones briefly."""

    async def wrong(table: TableMirror) -> str:
        return "what"

    player = SeatPlayer(ScriptedClient([event(choices)]).client, CODE, always(wrong))
    with pytest.raises(IllegalMove, match=words):
        await player.play()


@pytest.mark.parametrize("refusals", [[], ["draining"]])
async def test_an_error_in_choosing_gives_the_seat_up(refusals: list[None]) -> None:
    """An error of the chooser gives up the seat and is raised as it is."""

    async def fails(table: TableMirror) -> str:
        raise ZeroDivisionError

    script = ScriptedClient([event(ANNS_TURN)], refusals=[*refusals])
    with pytest.raises(ZeroDivisionError):
        await SeatPlayer(script.client, CODE, always(fails)).play()
    assert script.kinds == [Leave]


async def test_who_cannot_get_ready_gives_the_seat_up() -> None:
    """An error while getting ready gives up the seat and is raised."""

    async def cannot(table: TableMirror) -> playing.Chooser:
        raise LookupError(table.info.game)

    script = ScriptedClient([TableSnapshot(LOBBY)])
    with pytest.raises(LookupError, match="black_queen"):
        await SeatPlayer(script.client, CODE, cannot).play()
    assert script.asked == [(Leave, {"table": CODE})]


async def test_a_lost_seat_is_an_error_unless_the_match_is_over() -> None:
    """Being removed is an error, and a table that closes after its match is not."""
    with pytest.raises(ProtocolError, match="the host removed you"):
        await played(ScriptedClient([TableClosed(table(), "kicked")]))
    assert await played(ScriptedClient([TableClosed(table(), "finished")])) is None
    assert await played(ScriptedClient([TableClosed(OVER, "finished")])) == RESULT


async def test_a_connection_that_ends_is_told_as_such() -> None:
    """A lost connection is reported as such, whichever side closed it."""
    with pytest.raises(ConnectionLost):
        await played(ScriptedClient([event(table())]))


async def test_a_request_to_be_let_in_is_made_again_on_a_new_connection() -> None:
    """A request to join is made again after reconnecting, until the program has a seat."""
    asked, back = Answered(Join(id=1, table=CODE), ASKED), Welcomed(welcome(1))
    script = ScriptedClient([asked, back, TableSnapshot(table()), back, event(OVER)])
    assert await played(script) == RESULT
    assert script.asked == [(Join, {"table": CODE})]


async def test_a_refused_request_is_an_error() -> None:
    """A refused request to join is an error with its reason."""
    refused = Noticed(Notice(kind="refused", table=CODE, reason="full"))
    with pytest.raises(ProtocolError, match="not let in"):
        await played(ScriptedClient([refused]))


async def test_it_sits_down_at_the_first_table_with_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program joins the first table with room, and looks again if others were faster."""
    monkeypatch.setattr(playing, "LOOK_AGAIN_SECONDS", 0.0)
    full, running = table(phase="lobby"), table(seats=LOBBY.info.seats)
    script = ScriptedClient(
        [], refusals=[None, None, "table_full"], lists=[[full, running], [LOBBY], [LOBBY]]
    )
    assert await take_seat(script.client) == CODE
    assert script.kinds == [ListTables, ListTables, Join, ListTables, Join]
    assert script.asked[0][1] == {"page": None, "free": 1, "phase": "lobby"}


async def test_a_seat_that_is_refused_for_another_reason_is_an_error() -> None:
    """A seat refused for another reason than lack of room is an error."""
    with pytest.raises(ProtocolError, match="too_many_tables"):
        await take_seat(ScriptedClient([], [None, "too_many_tables"], [[LOBBY]]).client)


async def test_a_table_asked_for_by_code_is_that_or_none() -> None:
    """A table asked for by its code is the only one that is tried."""
    with pytest.raises(ProtocolError, match="table_full"):
        await take_seat(ScriptedClient([], [None, "table_full"], [[LOBBY]]).client, CODE)


@pytest.mark.parametrize("phase", ["lobby", "playing"])
async def test_no_seat_is_taken_at_a_table_that_does_not_suit(phase: str) -> None:
    """A table that does not suit is not joined, since leaving it would cost a bot its seat."""
    seats = LOBBY.info.seats
    listed = table(seats=seats, phase="lobby" if phase == "lobby" else "playing")
    script = ScriptedClient([], lists=[[OVER, listed]])
    with pytest.raises(ProtocolError, match="Black Queen does not suit this program"):
        await take_seat(script.client, CODE, lambda info: info.phase not in ("lobby", "playing"))
    assert script.kinds == [ListTables]


async def test_a_table_that_does_not_suit_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that does not suit is skipped for the next one."""
    monkeypatch.setattr(playing, "LOOK_AGAIN_SECONDS", 0.0)
    asked: list[str] = []

    def suits(info: TableInfo) -> bool:
        asked.append(info.table)
        return len(asked) > 1

    script = ScriptedClient([], lists=[[LOBBY], [LOBBY]])
    assert await take_seat(script.client, suits=suits) == CODE
    assert script.kinds == [ListTables, ListTables, Join]


async def test_a_turn_of_the_next_match_is_another_question() -> None:
    """A turn of the next match is played although its number was used before."""
    again = replace(ANNS_TURN, info=ANNS_TURN.info.model_copy(update={"match": 2}))
    script = ScriptedClient([event(ANNS_TURN), event(again), event(OVER)])
    await played(script)
    assert script.moves == ["play 2C", "play 2C"]
