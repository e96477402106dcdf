"""Cards, packs and the legend."""

from collections import Counter

import pytest

from engine.cards import (
    FRENCH,
    TOKENS,
    card_text,
    card_texts,
    deck,
    parse_card,
    parse_cards,
    rank_of,
    suit_of,
    without,
)
from engine.errors import BadAction


def test_every_card_has_one_text() -> None:
    """Text and number name the same 52 cards."""
    assert [parse_card(card_text(card)) for card in range(52)] == list(range(52))
    assert len(set(TOKENS)) == 52


def test_a_text_tells_rank_and_suit() -> None:
    """Ranks go from two to ace, suits from clubs to hearts."""
    assert [suit_of(card) for card in parse_cards("2C AD 5S KH")] == [0, 1, 2, 3]
    assert [rank_of(card) for card in parse_cards("2C TD QS AH")] == [0, 8, 10, 12]


@pytest.mark.parametrize("text", ["", "Q", "qs", "SQ", "10S", "1S", "QS ", "QSQS", "Q♠"])
def test_other_texts_are_no_cards(text: str) -> None:
    """Any other text is refused, with an error that says what cards look like."""
    with pytest.raises(BadAction, match="cards look like QS, TH, 2C"):
        parse_card(text)


def test_packs_hold_equal_cards_side_by_side() -> None:
    """Two packs are 104 cards, each kind twice, sorted."""
    cards = deck(2)
    assert cards == tuple(sorted(cards))
    assert set(Counter(cards).values()) == {2}
    assert len(cards) == 104


def test_one_copy_leaves_a_pile() -> None:
    """Removing one of several equal cards keeps the others in order."""
    pile = parse_cards("QS 2C QS 3D")
    assert card_texts(without(pile, parse_card("QS"))) == ("2C", "QS", "3D")
    with pytest.raises(ValueError, match="not in tuple"):
        without(pile, parse_card("AH"))


def test_the_legend_names_all_cards_for_people() -> None:
    """The legend gives clients the label, group and colour of every card."""
    legend = {card.token: card for card in FRENCH}
    assert set(legend) == set(TOKENS)
    ten = legend["TH"]
    assert (ten.label, ten.group, ten.colour, ten.back) == ("10♥", "♥", "red", "standard")
    assert [card.order for card in FRENCH] == sorted(card.order for card in FRENCH)
    assert len({card.colour for card in FRENCH}) == 4
