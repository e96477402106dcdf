"""The seat that plays by itself."""

from random import Random

import pytest

from client_cli.auto import AutoPlayer, AutoStart
from client_cli.effects import Effect, End, SendCommand
from protocol.errors import ErrorCode, ProtocolError
from protocol.exits import Exit
from protocol.mirror import TableMirror
from protocol.to_client import HintAnswer, Ok
from protocol.to_server import Act, Hint, Ready, Start
from tests.client_cli.tables import ANNS_TURN, CODE, FREE, bot, human, table
from tests.counts import count

ASK_HINT = SendCommand(Hint, {"table": CODE})


def player(seats: int | None = None, fill: int = 0) -> AutoPlayer:
    return AutoPlayer(Random(1), AutoStart(seats, fill))


def action_of(effects: list[Effect]) -> str:
    (asked,) = effects
    assert isinstance(asked, SendCommand)
    assert asked.kind is Act
    assert asked.fields["turn"] == ANNS_TURN.question.turn
    return str(asked.fields["action"])


def hint(turn: int = 7) -> HintAnswer:
    return HintAnswer(id=1, table=CODE, turn=turn, action="play TC")


def test_it_asks_for_a_hint_once_a_turn() -> None:
    """The automatic player asks for one hint a turn."""
    auto = player()
    assert auto.look(ANNS_TURN) == [ASK_HINT]
    assert auto.look(ANNS_TURN) == []


def test_it_plays_what_the_hint_says() -> None:
    """The automatic player plays the hint's move with the turn's number."""
    assert action_of(player().advised(ANNS_TURN, hint())) == "play TC"


def test_a_hint_for_another_turn_is_not_played() -> None:
    """A hint for another turn is not played."""
    assert player().advised(ANNS_TURN, hint(turn=8)) == []
    assert player().advised(table(to_act=(1,)), hint()) == []


def test_without_hints_it_plays_at_random() -> None:
    """Without hints the automatic player plays at random and asks no more."""
    auto = player()
    refused = ProtocolError("no_hints", "no hints here")
    assert action_of(auto.advised(ANNS_TURN, refused)) in ANNS_TURN.choices.actions
    assert action_of(auto.look(ANNS_TURN)) in ANNS_TURN.choices.actions
    actions = ANNS_TURN.choices.actions
    hintless = table(to_act=(0,), actions=actions, hints=False)
    assert action_of(player().look(hintless)) in actions


def test_every_legal_move_may_come_up() -> None:
    """Every legal move may come up in random play."""
    auto = AutoPlayer(Random(5), hints=False)
    refused = ProtocolError("no_hints", "no hints here")
    drawn = {action_of(auto.advised(ANNS_TURN, refused)) for _ in range(count(100))}
    assert drawn == set(ANNS_TURN.choices.actions)


def test_a_refused_move_is_replaced() -> None:
    """A refused move is replaced by a random one; several refusals in a row are an error."""
    auto = player()
    refused = ProtocolError("illegal_action", "no such move")
    for _ in range(4):
        assert action_of(auto.moved(ANNS_TURN, refused)) in ANNS_TURN.choices.actions
    (end,) = auto.moved(ANNS_TURN, refused)
    assert end == End(Exit.REFUSED, "the server refused every move: no such move")


def test_a_good_move_forgives_the_refused_ones() -> None:
    """Only refusals in a row count: an accepted move resets their number."""
    auto = player()
    refused = ProtocolError("illegal_action", "no such move")
    for _ in range(10):
        assert auto.moved(ANNS_TURN, refused)[0] != End(Exit.REFUSED)
        assert auto.moved(ANNS_TURN, Ok(id=1)) == []


@pytest.mark.parametrize("code", ["stale_turn", "draining", "try_again"])
def test_a_move_that_came_at_a_bad_time_is_made_later(code: ErrorCode) -> None:
    """A move refused temporarily is made again at the next event."""
    auto = player()
    for refuse in (auto.advised, auto.moved):
        assert auto.look(ANNS_TURN) == [ASK_HINT]
        assert refuse(ANNS_TURN, ProtocolError(code, "not now")) == []
    assert auto.look(ANNS_TURN) == [ASK_HINT]


def lobby(*, ready: bool = False, host: int = 1, free: int = 1) -> TableMirror:
    seats = (human("Ann", ready=ready), human("Bob"), bot("Carl"), *[FREE] * free)
    return table(seats=seats, phase="lobby", host=host)


def test_in_the_lobby_it_says_ready() -> None:
    """In the lobby the player says ready once, and again after options have changed."""
    auto = player()
    asked = SendCommand(Ready, {"table": CODE, "ready": True})
    assert auto.look(lobby()) == [asked]
    assert auto.look(lobby()) == []
    assert auto.readied() == []
    assert auto.look(lobby(ready=True)) == []
    assert auto.look(lobby()) == [asked]


def test_a_gathering_host_starts_when_enough_seats_are_taken() -> None:
    """An automatic host starts once when enough seats are taken, with bots in the others."""
    auto = player(3, 2)
    assert auto.look(lobby(host=0)) == [SendCommand(Start, {"table": CODE, "fill": 2})]
    assert auto.look(lobby(host=0)) == []
    assert player(4).look(lobby(host=0)) == []


def test_a_full_table_needs_no_filling() -> None:
    """A full table is started without bots."""
    assert player(3).look(lobby(host=0, free=0)) == [SendCommand(Start, {"table": CODE})]


def test_who_is_not_host_does_not_start() -> None:
    """A player who is not host says ready instead of starting."""
    assert player(1).look(lobby(host=1)) == [SendCommand(Ready, {"table": CODE, "ready": True})]


def test_a_start_that_is_refused_ends_it() -> None:
    """A refused start ends the program, unless the match has started by itself."""
    auto = player(2)
    assert auto.started(Ok(id=1)) == []
    assert auto.started(ProtocolError("wrong_phase", "already playing")) == []
    (end,) = auto.started(ProtocolError("unknown_strength", "there are 0, 1"))
    assert end == End(Exit.REFUSED, "the table does not start: there are 0, 1")


def test_spectators_and_paused_tables_are_left_alone() -> None:
    """The automatic player does nothing as a spectator or at a paused table."""
    assert player().look(table(seat=None, phase="lobby")) == []
    assert player().look(table(phase="paused", to_act=(0,), actions=("play TC",))) == []
    assert player().look(table(to_act=(1,))) == []
