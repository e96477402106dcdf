"""Text for people who listen: cards by name, signs in words, rules without their marks."""

import pytest

from client_cli.speech import CardNames, aloud, lines_aloud
from client_cli.spoken_rules import spoken_rules
from client_cli.text import EMPTY, line
from engine.cards import FRENCH, LegendCard


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        ("You play Q♠.", "You play queen of spades."),
        ("Ann passes 2♣ 10♥ A♦.", "Ann passes two of clubs, ten of hearts, ace of diamonds."),
        ("9♠, J♠ or A♠", "nine of spades, jack of spades or ace of spades"),
        ("J♣@12 wins", "jack of clubs from 12 wins"),
        ("trumps ♥", "trumps hearts"),
        ("2♣ 3♣ go to Ben's taken.", "two of clubs, three of clubs go to Ben's taken."),
        ("You -13, Bob +10, Cid 0", "You minus 13, Bob plus 10, Cid 0"),
        ("contract not made: −10", "contract not made: minus 10"),
        ("2-player well-known 3.5", "2-player well-known 3.5"),
        ("JQ and TC stay", "JQ and TC stay"),
    ],
)
def test_signs_are_said_in_words(shown: str, said: str) -> None:
    """Signs are spoken as words: cards, suits, arrows and negative numbers."""
    assert aloud(shown) == said


def test_empty_lines_are_not_said() -> None:
    """Empty lines are not spoken."""
    assert lines_aloud([line("You lead."), EMPTY, line("A♠")]) == ["You lead.", "Ace of spades"]


def test_a_sentence_begins_with_a_capital() -> None:
    """A sentence starts with a capital if a card begins it, but a name is not changed."""
    assert lines_aloud([line("4♠ is turned up."), line("ann: A♠?")]) == [
        "Four of spades is turned up.",
        "ann: ace of spades?",
    ]


def test_moves_are_said() -> None:
    """Moves are spoken with the places of cards."""
    names = CardNames((*FRENCH, LegendCard("WILD", "wild", "", 60, "black")))
    assert names.move("play JC@5") == "play jack of clubs from 5"
    assert names.move("play JC@5", "column") == "play jack of clubs from column 5"
    assert names.move("meld 2C, QS@1, 3D") == (
        "meld two of clubs, queen of spades from 1, three of diamonds"
    )
    assert (names.card("WILD"), names.card("??"), names.move("bid 3")) == ("wild", "??", "bid 3")


def test_rules_are_said_without_their_marks() -> None:
    """Rules are spoken without marks, and each table row names its columns."""
    page = """# Whist
Play *one* card. Hearts are ♥.

| players | cards |
|---|---|
| 2 | one 2♦ |
| 3 | |

- each heart: −1
```
play QS
```"""
    assert spoken_rules(page) == [
        "Whist",
        "Play one card. Hearts are hearts.",
        "players 2, cards one two of diamonds.",
        "players 3.",
        "each heart: minus 1",
        "play QS",
    ]
