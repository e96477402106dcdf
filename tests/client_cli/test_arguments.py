"""What the commands take on the command line."""

from argparse import ArgumentTypeError

import pytest

from client_cli.arguments import bot_strengths, seat_number, table_fields
from protocol.exits import Mistake


def test_options_of_the_game_and_of_the_table_are_told_apart() -> None:
    """By the names of the table's settings."""
    fields = table_fields(["deals=2", "turn_seconds=30", "bot_delay=0.5", "open=yes"])
    assert fields == {
        "options": {"deals": 2, "open": True},
        "settings": {"turn_seconds": 30, "bot_delay": 0.5},
    }


@pytest.mark.parametrize("word", ["deals", "=2", "deals="])
def test_an_option_needs_a_name_and_a_value(word: str) -> None:
    """Otherwise the command line is wrong."""
    with pytest.raises(Mistake, match="deals=2"):
        table_fields([word])


def test_people_count_seats_from_one() -> None:
    """Seat 0 is none."""
    assert seat_number("3") == 2
    for wrong in ("0", "-1", "two"):
        with pytest.raises(ArgumentTypeError, match="counted from 1"):
            seat_number(wrong)


def test_strengths_are_numbers_with_commas() -> None:
    """As many as one likes."""
    assert bot_strengths("2,1,0") == (2, 1, 0)
    with pytest.raises(ArgumentTypeError, match="look like 2,1,0"):
        bot_strengths("strong")
