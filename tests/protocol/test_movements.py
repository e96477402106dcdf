"""Movements of cards in described games, told once and in every language."""

import pytest

from engine.cards import FRENCH
from engine.facts import Fact, Move
from engine.layout import Layout, ZoneHint
from engine.views import Zone
from protocol.texts import sentences, speaking
from protocol.texts.movements import TableZones

NAMES = ("Ann", "Blaise", "Cleo")
TITLES = {"hand": "hand", "pile": "pile", "crib": "box"}
LAYOUT = Layout(
    (
        ZoneHint("hand", "hand", "hand"),
        ZoneHint("trick", "trick", "played"),
        ZoneHint("up", "slots", "column", over="down"),
        ZoneHint("down", "slots", "covered"),
    )
)
PLACES = TableZones(
    lambda kind: TITLES.get(kind, kind), LAYOUT, {"stock": Zone(backs=9), "heap": Zone(("2C",), 1)}
)


def chosen(seat: int, action: str) -> Fact:
    return Fact("option_taken", {"seat": seat, "action": action})


def moved(source: str, target: str, cards: str | int) -> Fact:
    key = "cards" if isinstance(cards, str) else "count"
    return Fact("cards_moved", {"source": source, "target": target, key: cards})


def told(*facts: Fact) -> list[str]:
    said = sentences(facts, NAMES, FRENCH, 0, PLACES)
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
    own = chosen(0, "take from stock")
    assert told(own, moved("stock", "hand/0", "KH")) == ["You draw K♥."]
    assert len(told(draws, moved("stock", "hand/1", 2))) == 2


def test_a_trick_that_is_taken_is_one_line() -> None:
    """Movements to one place are one line, which includes the last card played."""
    trick = [moved(f"trick/{seat}", "taken/0", card) for seat, card in enumerate(("2C", "3C"))]
    facts = (chosen(1, "play 3C"), moved("hand/1", "trick/1", "3C"), *trick)
    assert told(*facts) == ["Blaise: play 3♣.", "You take the trick."]
    said = sentences(facts, NAMES, FRENCH, 0, PLACES)
    assert [text is None for text in said] == [False, True, True, False]


def test_backs_are_counted() -> None:
    """Unseen cards are counted in the line, with the game's titles."""
    assert told(moved("hand/1", "box", 1)) == ["1 card goes from Blaise's hand to the box."]
    assert told(moved("stock", "crib", 3)) == ["3 cards go from the stock to the box."]
    mixed = (moved("stock", "pile/1/2", 2), moved("hand/0", "pile/1/2", "QS"))
    assert told(*mixed) == ["Q♠ and 2 cards go to Blaise's pile 2."]
    counted = chosen(1, "play 2 to crib"), moved("hand/1", "crib", 2)
    assert told(*counted) == ["Blaise: play 2 to crib."]


def test_where_zones_lie_tells_what_happens() -> None:
    """Cards are drawn, given, turned up, or taken with a trick, by where their places lie."""
    assert told(moved("stock", "hand/1", 1)) == ["Blaise draws a card."]
    assert told(moved("stock", "hand/0", "QS")) == ["You draw Q♠."]
    assert told(moved("hand/1", "hand/0", "9C 9D")) == ["Blaise gives you 9♣ 9♦."]
    assert told(moved("hand/0", "hand/1", 2)) == ["You give Blaise 2 cards."]
    assert told(moved("down/1/3", "up/1/3", "4H")) == ["Blaise turns up 4♥."]
    assert told(moved("stock", "pile", "4H")) == ["4♥ is turned up."]
    assert told(moved("heap", "pile", "2C")) == ["2♣ goes from the heap to the pile."]
    assert told(moved("crib", "row/0", "9C 9D")) == ["You get 9♣ 9♦ from the box."]
    trick = [moved(f"trick/{seat}", "taken/1", card) for seat, card in enumerate(("2C", "3C"))]
    assert told(*trick) == ["Blaise takes the trick."]
    gathered = [moved(f"hand/{seat}", "pool", card) for seat, card in enumerate(("2C", "3C"))]
    assert told(*gathered) == ["2♣ 3♣ go to the pool."]
    with speaking("de"):
        assert told(moved("hand/0", "hand/1", 2)) == ["Du gibst Blaise 2 Karten."]
        assert told(moved("stock", "hand/2", 1)) == ["Cleo zieht eine Karte."]


def test_what_nobody_asks_for_is_not_told() -> None:
    """Nothing is said of what others are dealt, is put back, or goes where it lay."""
    deal = Fact("deal_started", {"deal": 1})
    dealt = (moved("stock", "hand/0", "2C 3C 4C"), moved("stock", "hand/1", 3))
    assert told(deal, *dealt) == ["Deal 1.", "You get 3 cards in hand."]
    assert told(deal, moved("stock", "pile/1/2", 1), moved("stock", "burnt", 5)) == ["Deal 1."]
    assert told(moved("stock", "stock", 3)) == []
    turned = (moved("stock", "up", "KH"), moved("up", "hand/1", "KH"))
    assert told(deal, *turned) == ["Deal 1.", "K♥ is turned up."]
    laid = Fact("table_laid", {})
    assert told(laid, moved("stock", "hand/0", "KH")) == ["You get 1 card in hand."]
    late = (chosen(1, "pass"), laid, moved("stock", "hand/0", "KH"))
    assert told(*late) == ["Blaise: pass.", "You draw K♥."]
    back = Move("pile/0", "stock", ("2C",), hidden=True)
    args = {"source": "pile/0", "target": "stock", "cards": "2C"}
    assert told(Fact("cards_moved", args, (back,))) == []
    assert told(*(moved(f"trick/{seat}", "spent", "2C") for seat in (0, 1))) == []


def test_what_several_have_named_is_not_told_again() -> None:
    """Cards that several players have named, one after the other, are not told as movements."""
    bids = (chosen(0, "play 2C"), chosen(1, "play 3C"))
    laid = [moved(f"hand/{seat}", f"bid/{seat}", card) for seat, card in enumerate(("2C", "3C"))]
    assert told(*bids, *laid) == ["You: play 2♣.", "Blaise: play 3♣."]


def test_cards_that_only_pass_a_place_are_one_line() -> None:
    """A card that passes several places is one line, from its first place to its last."""
    passes = (moved("hand/1", "caught/0", "9C"), moved("caught/0", "hand/0", "9C"))
    assert told(*passes) == ["Blaise gives you 9♣."]
    turned = (moved("hand/1", "caught/0", "9C 9D"), moved("caught/0", "hand/0", "9D 9C"))
    assert told(*turned) == ["Blaise gives you 9♣ 9♦."]
    assert sentences(passes, NAMES, FRENCH, 0, PLACES)[0] is None
    assert len(told(passes[0], moved("caught/0", "hand/0", "9D"))) == 2
    assert len(told(passes[0], moved("hand/1", "hand/0", "9C"))) == 2
    assert len(told(passes[0], chosen(0, "pass"), passes[1])) == 3
    several = [moved("hand/1", "caught/0", card) for card in ("9C", "9D")]
    assert len(told(*several, moved("caught/0", "hand/0", "9D"))) == 2
    assert told(chosen(1, "play 9C"), *passes) == [
        "Blaise: play 9♣.",
        "9♣ goes to your hand.",
    ]


def test_other_places_are_other_lines() -> None:
    """Movements to other places are lines of their own, in order."""
    facts = (moved("stock", "hand/0", 1), chosen(1, "pass"), moved("stock", "hand/0", 1))
    assert [text[:5] for text in told(*facts)] == ["You d", "Blais", "You d"]
    assert told(moved("a", "b", 1), moved("a", "c", 1)) == [
        "1 card goes from the a to the b.",
        "1 card goes from the a to the c.",
    ]


def test_movements_in_german() -> None:
    """German lines about movements need no article for titles."""
    with speaking("de"):
        assert told(
            moved("hand/1", "pile/1", "9C 9D"), moved("stock", "pile/2/b", 1), moved("a", "b", 3)
        ) == [
            "9♣ 9♦ gehen zu Blaise (pile).",
            "Cleo zieht eine Karte.",
            "3 Karten gehen von „a“ zu „b“.",
        ]


@pytest.mark.parametrize("args", [{"target": 3}, {"source": "a", "target": "b"}])
def test_a_movement_of_nothing_is_not_told(args: dict[str, str | int]) -> None:
    """A movement of no cards is not told."""
    assert told(Fact("cards_moved", args)) == []
