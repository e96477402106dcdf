"""What the player is told when the server refuses a command."""

from argparse import Namespace

import pytest

from client_cli.private_table import refusing
from client_cli.refusals import reason_for, refusal
from engine.phrases import Phrase
from protocol.errors import ErrorCode, ProtocolError
from protocol.exits import UsageError
from protocol.texts import speaking
from protocol.to_server import Act, AddBot, Join, Kick, RemoveBot, Sit, Start, ToServer
from tests.client_cli.tables import table


@pytest.mark.parametrize(
    ("kind", "code", "told"),
    [
        (Sit, "seat_taken", "seat 3 is taken. Choose another seat."),
        (AddBot, "seat_taken", "seat 3 is taken. Choose another seat."),
        (Kick, "no_such_seat", "no other player sits at seat 3."),
        (RemoveBot, "no_such_seat", "no bot sits at seat 3."),
        (Join, "no_such_seat", "there is no seat 3 at this table."),
    ],
)
def test_seats_are_counted_from_one(kind: type[ToServer], code: ErrorCode, told: str) -> None:
    """A refusal about a seat counts seats from 1."""
    assert refusal(kind, {"seat": 2}, ProtocolError(code, "of seat 2"), table()) == told


def test_other_reasons_are_the_servers() -> None:
    """Other refusals are in the server's words."""
    host = ProtocolError("forbidden", "only the host")
    assert reason_for(Kick, {"seat": 2}, host) == "only the host"
    assert reason_for(Join, {"seat": None}, ProtocolError("seat_taken", "taken")) == "taken"


def test_advice_stands_where_it_adds_something() -> None:
    """Advice is added only if it says something new."""
    host = ProtocolError("forbidden", "only the table's host may do that")
    assert refusal(Start, {}, host, table()) == "only the table's host may do that."
    playing = ProtocolError("wrong_phase", "the table is in the middle of a match")
    assert refusal(Start, {}, playing, table()) == "the table is in the middle of a match."
    late = ProtocolError("stale_turn", "turn 7 is over; it is 8")
    assert refusal(Start, {}, late, table()).endswith(
        "it is 8. Look at the table again: the question has changed."
    )


def test_a_phrase_goes_before_the_reason() -> None:
    """A phrase with a text replaces the reason; an unknown phrase does not."""
    follow = Phrase("follow_suit", {"suit": "S", "either": "9S JS"})
    error = ProtocolError("illegal_action", "♠ was led and must be followed", phrase=follow)
    assert refusal(Act, {}, error, table()) == "You must follow spades: 9♠ or J♠."
    newer = ProtocolError("forbidden", "not on Sundays", phrase=Phrase("sunday"))
    assert refusal(Act, {}, newer, table()) == "not on Sundays."
    taken = ProtocolError("seat_taken", "seat 2", phrase=Phrase("seat_taken", {"place": 2}))
    assert reason_for(Join, {"seat": 2}, taken) == "Seat 3 is taken"


def test_a_wrong_command_line_is_told_in_the_language_of_the_player() -> None:
    """A mistake on the command line is told in the player's language, also by the server."""
    error = ProtocolError(
        "unknown_game", "no game 'x'", phrase=Phrase("refused_game", {"why": "x"})
    )
    for spoken, told in (("en", "no game 'x'"), ("de", "Dieses Spiel gibt es hier nicht")):
        with (
            speaking(spoken),
            pytest.raises(UsageError, match=told),
            refusing(Namespace(seats=None)),
        ):
            raise error
