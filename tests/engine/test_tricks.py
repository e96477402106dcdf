"""Who takes a trick, and what follows suit."""

import pytest

from engine.cards import CLUBS, DIAMONDS, HEARTS, SPADES, Card, card_texts, parse_cards, rank_of
from engine.facts import Fact
from engine.tricks import Ties, following, shown_voids, trick_winner


@pytest.mark.parametrize(
    ("cards", "place"),
    [("9C", 0), ("9C TC 3C", 1), ("9C AD AS", 0), ("2C 3C AC KC", 2), ("9C AS TC AH", 2)],
)
def test_highest_of_the_suit_led_takes(cards: str, place: int) -> None:
    """Without trumps the highest card of the suit led takes the trick."""
    assert trick_winner(parse_cards(cards)) == place


@pytest.mark.parametrize(
    ("cards", "place"),
    [("9C 2D AC", 1), ("9C 2D 5D AD", 3), ("9D AC 3D", 0), ("9C AS KS", 0)],
)
def test_highest_trump_takes(cards: str, place: int) -> None:
    """The highest trump takes the trick; without any, the highest card of the suit led."""
    assert trick_winner(parse_cards(cards), trump=DIAMONDS) == place


@pytest.mark.parametrize(
    ("ties", "place"),
    [(Ties.FIRST, 1), (Ties.LAST, 3)],
)
def test_equal_cards_are_told_apart_by_their_order(ties: Ties, place: int) -> None:
    """The first or the last of equal highest cards takes the trick, as the game defines it."""
    assert trick_winner(parse_cards("3C AC 4C AC 2C"), ties=ties) == place
    assert trick_winner(parse_cards("3C AS 4C AS 2C"), trump=SPADES, ties=ties) == place


def test_a_game_may_rank_its_cards_otherwise() -> None:
    """A game may rank tens above kings."""

    def tens_high(card: Card) -> int:
        order = "23456789JQKTA"
        return order.index("23456789TJQKA"[rank_of(card)])

    assert trick_winner(parse_cards("KC TC QC")) == 0
    assert trick_winner(parse_cards("KC TC QC"), rank=tens_high) == 1


def test_cards_of_the_suit_follow_or_else_all() -> None:
    """A player who has the suit must play it; otherwise they may play anything."""
    hand = parse_cards("2C QS 3C AH")
    assert card_texts(following(hand, HEARTS)) == ("AH",)
    assert following(hand, DIAMONDS) == hand


def test_who_does_not_follow_shows_a_void() -> None:
    """Only a player who does not follow suit is shown to be void in it."""
    tricks = [(0, "9C"), (1, "2D"), (2, "3C"), (0, "AS"), (1, "3D"), (2, "4H"), (0, "5C")]
    facts = [Fact("card_played", {"seat": seat, "card": card}) for seat, card in tricks]
    facts.insert(3, Fact("trick_taken", {"seat": 0, "points": 0}))
    assert shown_voids(facts, 3) == [set(), {CLUBS, SPADES}, {SPADES}]
    assert shown_voids(facts[:2], 3) == [set(), {CLUBS}, set()]
