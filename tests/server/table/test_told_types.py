"""What a seat was shown is for a bot, and what a player may be told is for the player."""

from pathlib import Path

import pytest

from tests.type_errors import type_errors

PREAMBLE = """
from server.table.history import History
from server.table.messages import past_facts

history: History
"""
RIGHT = 'past_facts(history.facts_of_deal("ann"))'
WRONG = {
    "past_facts(history.facts_for_seat(0))": 'type "SeatFacts"; expected "PlayerFacts"',
    "past_facts(history.steps()[0].facts)": 'expected "PlayerFacts"',
}


@pytest.mark.timeout(180)
def test_what_a_bot_is_given_cannot_be_sent(tmp_path: Path) -> None:
    """Neither what a seat was shown nor what was not filtered at all becomes a message."""
    found = type_errors(tmp_path, PREAMBLE, [RIGHT, *WRONG])
    assert found[RIGHT] == []
    for line, words in WRONG.items():
        assert any(words in error for error in found[line]), found[line]
