"""Movements of cards in described games, told once and in every language."""

import pytest

from engine.cards import FRENCH
from engine.facts import Fact
from protocol.texts import sentences, speaking

NAMES = ("Ann", "Blaise", "Cleo")
TITLES = {"hand": "hand", "pile": "pile", "crib": "box"}


def chosen(seat: int, action: str) -> Fact:
    return Fact("option_taken", {"seat": seat, "action": action})


def moved(source: str, target: str, cards: str | int) -> Fact:
    key = "cards" if isinstance(cards, str) else "count"
    return Fact("cards_moved", {"source": source, "target": target, key: cards})


def told(*facts: Fact) -> list[str]:
    said = sentences(facts, NAMES, FRENCH, 0, lambda kind: TITLES.get(kind, kind))
    assert len(said) == len(facts)
    return [text for text in said if text is not None]


def test_a_card_that_is_played_is_told_once() -> None:
    """A card named by its player's action is not told again as a movement."""
    facts = (chosen(1, "play QS"), moved("hand/1", "trick/1", "QS"))
    assert told(*facts) == ["Blaise: play Q♠."]
    assert told(chosen(0, "play QS"), moved("hand/0", "trick/0", "QS")) == ["You: play Q♠."]


def test_a_move_of_several_parts_is_told_once() -> None:
    """In a move of several parts each named card is told once, and a hidden one by its pile."""
    parts = (moved("up/1/4", "discard", "KD"), moved("drawn/1", "up/1/4", "KH"))
    assert told(chosen(1, "play KD, play KH"), *parts) == ["Blaise: play K♦, play K♥."]
    draws = chosen(1, "take from stock")
    assert told(draws, moved("stock", "hand/1", 1)) == ["Blaise: take from stock."]
    assert len(told(draws, moved("stock", "hand/0", "KH"))) == 2
    assert len(told(draws, moved("stock", "hand/1", 2))) == 2


def test_a_trick_that_is_taken_is_one_line() -> None:
    """Movements to one place are one line, which includes the last card played."""
    trick = [moved(f"trick/{seat}", "taken/0", card) for seat, card in enumerate(("2C", "3C"))]
    facts = (chosen(1, "play 3C"), moved("hand/1", "trick/1", "3C"), *trick)
    assert told(*facts) == ["Blaise: play 3♣.", "2♣ 3♣ go to your taken."]
    said = sentences(facts, NAMES, FRENCH, 0, str)
    assert [text is None for text in said] == [False, True, True, False]


def test_backs_are_counted() -> None:
    """Unseen cards are counted in the line, with the game's titles."""
    assert told(moved("stock", "hand/1", 1)) == ["1 card goes from the stock to Blaise's hand."]
    assert told(moved("crib", "hand/0", 3)) == ["3 cards go from the box to your hand."]
    mixed = (moved("stock", "pile/1/2", 2), moved("hand/0", "pile/1/2", "QS"))
    assert told(*mixed) == ["Q♠ and 2 cards go to Blaise's pile 2."]
    assert told(moved("hand/1", "hand/0", "9C 9D")) == ["9♣ 9♦ go from Blaise's hand to your hand."]


def test_cards_that_only_pass_a_place_are_one_line() -> None:
    """A card that passes several places is one line, from its first place to its last."""
    passes = (moved("hand/1", "caught/0", "9C"), moved("caught/0", "hand/0", "9C"))
    assert told(*passes) == ["9♣ goes from Blaise's hand to your hand."]
    assert sentences(passes, NAMES, FRENCH, 0, str)[0] is None
    assert len(told(passes[0], moved("caught/0", "hand/0", "9D"))) == 2
    assert len(told(passes[0], moved("hand/1", "hand/0", "9C"))) == 2
    assert len(told(passes[0], chosen(0, "pass"), passes[1])) == 3
    several = [moved("hand/1", "caught/0", card) for card in ("9C", "9D")]
    assert len(told(*several, moved("caught/0", "hand/0", "9D"))) == 2
    assert told(chosen(1, "play 9C"), *passes) == [
        "Blaise: play 9♣.",
        "9♣ goes from your caught to your hand.",
    ]


def test_other_places_are_other_lines() -> None:
    """Movements to other places are lines of their own, in order."""
    facts = (moved("stock", "hand/0", 1), chosen(1, "pass"), moved("stock", "hand/0", 1))
    assert [text[:4] for text in told(*facts)] == ["1 ca", "Blai", "1 ca"]
    assert told(moved("a", "b", 1), moved("a", "c", 1)) == [
        "1 card goes from the a to the b.",
        "1 card goes from the a to the c.",
    ]


def test_movements_in_german() -> None:
    """German lines about movements need no article for titles."""
    with speaking("de"):
        assert told(
            moved("hand/1", "hand/0", "9C 9D"), moved("stock", "pile/2/b", 1), moved("a", "b", 3)
        ) == [
            "9♣ 9♦ gehen von Blaise (hand) zu dir (hand).",
            "1 Karte geht von „stock“ zu Cleo (pile b).",
            "3 Karten gehen von „a“ zu „b“.",
        ]


@pytest.mark.parametrize("args", [{"target": 3}, {"source": "a", "target": "b"}])
def test_a_movement_of_nothing_is_not_told(args: dict[str, str | int]) -> None:
    """A movement of no cards is not told."""
    assert told(Fact("cards_moved", args)) == []
