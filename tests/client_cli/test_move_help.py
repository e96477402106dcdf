"""The help for typing a move."""

import re

import pytest

from client_cli.move_help import how_to_move
from engine.cards import FRENCH
from engine.choices import Pick
from protocol.mirror import TableMirror
from protocol.typed import resolve
from tests.client_cli.tables import ANNS_TURN, ASCII, WIDE, table

HAND = {"hand/0": "TC QS KS 2H"}


def asked(*actions: str, picks: tuple[Pick, ...] = (), hand: str = HAND["hand/0"]) -> TableMirror:
    return table(zones={"hand/0": hand}, actions=actions, picks=picks, to_act=(0,))


BIDS = asked(*(f"bid {tricks}" for tricks in range(11)))
PASSING = asked(picks=(Pick("pass", ("TC", "QS", "KS", "2H"), 3, 3),))


@pytest.mark.parametrize(
    ("at", "told"),
    [
        (BIDS, "bid 2, or just 2"),
        (asked("bid 7"), "bid 7, or just 7"),
        (asked("bid 0", "bid 1", "stay"), "bid 1, or just 1 or words such as stay"),
        (asked("bid 1", "raise 1"), "bid 1 or raise 1"),
        (PASSING, "3 cards, such as pass QS KS 2H, or by their numbers: 1 2 3"),
        (asked("play TC", "play QS"), "a number from the table or a card such as QS"),
        (asked("play TC"), "a number from the table or a card such as TC"),
        (
            asked("play QS", "play KS", "marry QS", "close"),
            "a number from the table, a card such as KS or words such as marry QS",
        ),
        (asked("close"), "a number from the table or words such as close"),
        (
            ANNS_TURN,
            "a number from the table, a card such as 2C or JC@1 from column 1",
        ),
        (table(), "when it is your turn; ? tells then how to type it"),
    ],
)
def test_the_help_is_made_of_the_moves_at_hand(at: TableMirror, told: str) -> None:
    """The help has an example of each kind of legal move."""
    assert how_to_move(at, WIDE) == told


@pytest.mark.parametrize(
    ("pick", "hand", "told"),
    [
        (Pick("give", ("QS", "KS"), 1, 1), "QS KS", "1 card, such as give QS, or by "),
        (Pick("show", ("QS", "KS"), 0, 2), "QS KS", "0 to 2 cards, such as show QS, or by "),
        (Pick("show", ("QS", "KS"), 1, 2), "QS KS", "1 to 2 cards, such as show QS, or by "),
        (Pick("take", ("QS", "KS"), 2, 2), "", "2 cards, such as take QS KS"),
    ],
)
def test_a_pattern_says_how_many_cards_it_takes(pick: Pick, hand: str, told: str) -> None:
    """The help for a pick says how many cards it takes, by number if shown."""
    assert how_to_move(asked(picks=(pick,), hand=hand), WIDE).startswith(told)


def test_beside_other_moves_a_number_is_no_card_of_a_pattern() -> None:
    """Beside other moves a number is the move with that number, and no card of a pick."""
    both = asked("play TC", picks=(Pick("meld", ("QS", "KS"), 2, 2),))
    assert how_to_move(both, WIDE) == (
        "a number from the table, a card such as TC or 2 cards, such as meld QS KS"
    )


@pytest.mark.parametrize(
    ("at", "examples"),
    [
        (BIDS, {"2": "bid 2", "bid 2": "bid 2"}),
        (PASSING, {"1 2 3": "pass TC QS KS", "pass QS KS 2H": "pass QS KS 2H"}),
        (ANNS_TURN, {"2C": "play 2C", "JC@1": "play JC@1"}),
    ],
)
def test_what_the_help_tells_is_understood(at: TableMirror, examples: dict[str, str]) -> None:
    """Every example of the help is understood exactly as shown."""
    told = how_to_move(at, WIDE)
    for typed, action in examples.items():
        assert re.search(rf"(^| ){re.escape(typed)}($|[ ,])", told)
        assert resolve(typed, at.choices, FRENCH) == action


def test_words_of_a_stranger_are_cleaned() -> None:
    """Verbs of a server are cleaned for the terminal."""
    assert how_to_move(asked("cl\x1bose"), WIDE).endswith("words such as close")
    assert how_to_move(asked("schließen"), ASCII).endswith("words such as schlie?en")
