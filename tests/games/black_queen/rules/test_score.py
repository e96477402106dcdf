"""Scores of Black Queen: what taken cards are worth."""

from collections import Counter

import pytest

from engine.cards import HEARTS, card_text, deck, parse_cards, suit_of
from engine.games.black_queen import pack, penalty, points, score
from tests.games.black_queen.hands import deal


@pytest.mark.parametrize(
    ("seats", "removed", "each"),
    [
        (2, "", 26),
        (3, "2D", 17),
        (4, "", 26),
        (5, "2D 2D 2C 2S", 20),
        (6, "", 26),
        (7, "2D 2D", 22),
        (8, "", 26),
    ],
)
def test_low_cards_leave_the_pack_until_it_divides(seats: int, removed: str, each: int) -> None:
    """The pack is one for every two players, less the cards that the rules remove."""
    cards = pack(seats)
    left_out = Counter(deck(seats // 2)) - Counter(cards)
    assert left_out == Counter(parse_cards(removed))
    assert len(cards) == seats * each


@pytest.mark.parametrize("seats", range(2, 9))
def test_no_penalty_card_ever_leaves_the_pack(seats: int) -> None:
    """Every deal has 25 points for each pack, since no point card is removed."""
    assert points(pack(seats)) == -25 * (seats // 2)


def test_hearts_and_the_black_queen_cost() -> None:
    """A heart costs 1, a queen of spades 12, and no other card counts."""
    for card in range(52):
        expected = {"QS": -12}.get(card_text(card), -1 if suit_of(card) == HEARTS else 0)
        assert penalty(card) == expected


def test_no_card_at_all_is_worth_ten() -> None:
    """A player who has taken no card scores +10."""
    deal("2C 3D", "3C 4D").play("2C", "3C", "4D", "3D").expect_scores(10, 5)


def test_cards_without_points_are_worth_five() -> None:
    """A player who has taken cards without points scores +5."""
    hands = deal("2C 2H 9D", "3C 4H 5D", "4C 5H 2D").play("2C", "3C", "4C", "5H", "2H", "4H")
    hands.play("2D", "9D", "5D").expect_scores(5, 10, 3)


def test_points_count_against_their_taker() -> None:
    """Hearts and queens of spades count against their taker, unless one player has all points."""
    hands = deal("AH 2S 5D", "3H QS 4D", "4H KS 2C", leader=0)
    hands.play("AH", "3H", "4H", "2S", "QS", "KS", "2C", "5D", "4D").expect_scores(-3, 10, -12)


def test_all_points_count_for_their_taker() -> None:
    """A player who takes all points of the deal scores them as a plus."""
    hands = deal("AH AS 5D", "3H QS 4D", "4H KS 2D", leader=0)
    hands.play("AH", "3H", "4H", "AS", "QS", "KS", "5D", "4D", "2D").expect_scores(15, 10, 10)


def test_all_but_one_point_still_count_against() -> None:
    """A player who takes all points but one loses them."""
    hands = deal("AH AS 5D", "3H QS 9D", "4H KS 2H", leader=0)
    hands.play("AH", "3H", "4H", "AS", "QS", "KS", "5D", "9D", "2H").expect_scores(-15, -1, 10)


def test_fifty_lost_points_become_fifty_won() -> None:
    """With two packs all 26 hearts and both queens turn −50 into +50."""
    everything = (*parse_cards("QS QS"), *(card for card in deck(2) if suit_of(card) == HEARTS))
    assert points(everything) == -50
    assert score(everything, -50) == 50
    assert score(everything[1:], -50) == -38
    assert score(everything[:-1], -50) == -49


@pytest.mark.parametrize(
    ("taken", "expected"),
    [
        ("", 10),
        ("2C AS KS", 5),
        ("2H", -1),
        ("QS", -12),
        ("QS QS 2C", -24),
        ("QS 2H 3H AH", -15),
    ],
)
def test_score_of_a_pile(taken: str, expected: int) -> None:
    """Each case of the rules, in a deal for 50 points."""
    assert score(parse_cards(taken), -50) == expected


def test_a_deal_without_points_gives_five_to_takers() -> None:
    """In a deal without points taking cards scores +5, not as taking all points."""
    assert score(parse_cards("2C"), 0) == 5
