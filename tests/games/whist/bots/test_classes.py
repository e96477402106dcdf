"""Classes of cards and the estimates made of them, on positions laid out by hand."""

import numpy as np
import pytest

from bots.whist.classes import (
    ABSOLUTE_LOSER,
    ABSOLUTE_WINNER,
    LIKELY_LOSER,
    LIKELY_WINNER,
    NEUTRAL,
    WEIGHTS,
    Weights,
    classify,
    hopes_of,
    lengths,
    standing,
)
from bots.whist.knowledge import cards_set
from bots.whist.open_deal import SEEN, Deal
from engine.cards import parse_card, parse_cards
from tests.games.whist.bots.positions import laid_out


def kind(deal: Deal, card: str, wants: tuple[int, ...] = (1, 1, 1)) -> int:
    """The class of a card of seat 0."""
    return int(classify(deal, 0, parse_card(card), np.array(wants)))


def test_the_highest_card_nobody_can_ruff_is_an_absolute_winner() -> None:
    """The highest card of a suit is an absolute winner while no player can ruff it."""
    assert kind(laid_out("KC", "2C 3D", "4D 5D", bids=(1, 1, 1)), "KC") == ABSOLUTE_WINNER
    assert kind(laid_out("KC", "2C 3D", "4D 2S", bids=(1, 1, 1)), "KC") != ABSOLUTE_WINNER
    assert kind(laid_out("KC", "2C 3D", "AC 5D", bids=(1, 1, 1)), "KC") != ABSOLUTE_WINNER


def test_the_highest_trump_is_an_absolute_winner() -> None:
    """The highest trump is an absolute winner, whichever players lack trumps."""
    assert kind(laid_out("QS", "JS 3D", "4D 5D", bids=(1, 1, 1)), "QS") == ABSOLUTE_WINNER


def test_a_card_below_all_of_somebodys_is_an_absolute_loser() -> None:
    """A card is an absolute loser if a follower must beat it, having no lower card."""
    assert kind(laid_out("3C", "4C 5C", "2C 5D", bids=(1, 1, 1)), "3C") == ABSOLUTE_LOSER
    assert kind(laid_out("3C", "2C 5C", "2D 5D", bids=(1, 1, 1)), "3C") != ABSOLUTE_LOSER


def test_any_plain_card_loses_to_a_hand_of_trumps() -> None:
    """A player with nothing but trumps takes the trick with one, unless another beats it."""
    assert kind(laid_out("AC", "2C 5C", "2S 5S", bids=(1, 1, 1)), "AC") == ABSOLUTE_LOSER


def test_likely_classes_ask_who_wants_the_trick() -> None:
    """A card that can be beaten likely wins if nobody able wants to, and likely loses if two do."""
    deal = laid_out("TC", "2C AC", "3C KC", bids=(1, 1, 1))
    assert kind(deal, "TC", (1, 0, 0)) == LIKELY_WINNER
    assert kind(deal, "TC", (1, 1, 1)) == LIKELY_LOSER
    assert kind(deal, "TC", (1, 1, 0)) == NEUTRAL


def test_a_card_that_only_a_ruff_can_beat() -> None:
    """A card that only a ruff can beat loses to a player who wants the trick, whatever its rank."""
    deal = laid_out("TC", "2S 3D", "4D 5D", bids=(1, 1, 1))
    assert kind(deal, "TC", (1, 1, 0)) == LIKELY_LOSER
    assert kind(deal, "TC", (1, 0, 1)) == LIKELY_WINNER


def hopes(deal: Deal, weights: Weights = WEIGHTS) -> list[float]:
    values = np.zeros(deal.seats)
    hopes_of(deal, weights, values)
    return [round(float(value), 6) for value in values]


def test_hopes_count_sure_tricks_and_the_bonus() -> None:
    """With two aces and two bids the player who needs two has both and the bonus, the other too."""
    deal = laid_out("AC AD", "KC KD", "2C 2D", bids=(2, 0, 0))
    assert hopes(deal) == [12.0, 10.0, 10.0]


def test_a_bid_that_cannot_be_made_leaves_the_tricks() -> None:
    """A player who cannot make their bid expects only the points per trick."""
    deal = laid_out("AC AD", "KC KD", "2C 2D", bids=(0, 3, 0), taken=(1, 0, 0))
    assert hopes(deal) == [3.0, 0.0, 10.0]


def test_neutral_cards_bring_the_estimate_nearer_to_the_bid() -> None:
    """The more a neutral card counts, the better the chance of a bid that is not yet covered."""
    deal = laid_out("TC 2D", "2C QC", "3C KC", bids=(2, 0, 2))
    few, many = (hopes(deal, Weights(neutral=share))[0] for share in (0.2, 0.8))
    assert few < many


RANKED = Weights(ranked=True)


@pytest.mark.parametrize(
    ("hands", "chance"), [(("TC", "2C AC", "3C KC"), 0.5), (("TC", "AC 2S", "KC 3D"), 0.25)]
)
def test_a_neutral_card_stands_by_its_rank(hands: tuple[str, str, str], chance: float) -> None:
    """The rank decides a neutral card: as many cards above as below make it even."""
    deal = laid_out(*hands, bids=(1, 1, 1))
    assert standing(deal, 0, parse_card("TC"), RANKED) == pytest.approx(chance)


def test_who_may_ruff_counts_as_a_higher_card() -> None:
    """A player void in the suit with a trump counts as one with a higher card."""
    ruffed = laid_out("TC", "2C AC", "3S KD", bids=(1, 1, 1))
    beaten = laid_out("TC", "2C AC", "KC KD", bids=(1, 1, 1))
    card = parse_card("TC")
    assert standing(ruffed, 0, card, RANKED) == standing(beaten, 0, card, RANKED) == 0.4


def test_the_more_of_a_suit_is_played_the_likelier_it_is_trumped() -> None:
    """In proportion to the cards gone, while another holds a trump, and never for a trump."""
    weights = Weights(trumped=0.5)
    card = parse_card("TC")
    deal = laid_out("TC", "2C AC", "3S KC", bids=(1, 1, 1))
    fresh = standing(deal, 0, card, weights)
    deal.at[SEEN] = cards_set(parse_cards("4C 5C 6D"))
    assert fresh == 0.5
    assert standing(deal, 0, card, weights) == pytest.approx(0.5 * (1 - 0.5 * 2 / 13))
    for trump in "HC":
        other = laid_out("TC", "2C AC", "3S KC", trump=trump, bids=(1, 1, 1))
        other.at[SEEN] = deal.at[SEEN]
        assert standing(other, 0, card, weights) == 0.5


@pytest.mark.parametrize("weights", [RANKED, Weights(trumped=1.0)])
def test_a_split_neutral_card_is_a_part_of_a_trick(weights: Weights) -> None:
    """Two cards above and two below, and nothing played: half of a neutral card is a trick."""
    deal = laid_out("TC 3H", "2C QC", "3C KC", bids=(2, 2, 0))
    assert kind(deal, "TC", (2, 2, 0)) == NEUTRAL
    split, unsplit = hopes(deal, weights)[0], hopes(deal)[0]
    assert split > unsplit


@pytest.mark.parametrize(
    ("hand", "tricks"), [("2C 2S", 3), ("2C 3C 2S", 2), ("2D 3D 2H 4S", 2), ("2C 3C", 0)]
)
def test_a_short_suit_promises_ruffs_to_who_has_trumps(hand: str, tricks: int) -> None:
    """One for each plain suit of at most one card, the void ones too."""
    deal = laid_out(hand, "AC AD", "KC KD", bids=(1, 1, 1))
    assert lengths(deal, 0, Weights(short=1.0)) == tricks


def test_a_long_suit_promises_tricks_beyond_its_third_card() -> None:
    """A plain suit promises a trick for each card beyond its third; trumps count by rank."""
    plain = laid_out("2C 3C 4C 5C 6C", "AC AD", "KC KD", bids=(1, 1, 1))
    trumps = laid_out("2S 3S 4S 5S 6S", "AC AD", "KC KD", bids=(1, 1, 1))
    assert lengths(plain, 0, Weights(long=0.25)) == 0.5
    assert lengths(trumps, 0, Weights(long=0.25)) == 0.0


def test_the_lead_makes_either_end_easier_to_reach() -> None:
    """The leader expects more than the others, whether tricks are wanted or not."""
    for bids in ((2, 1, 1), (0, 1, 1)):
        deal = laid_out("TC 2D", "2C QC", "3C KC", bids=bids)
        without, with_lead = hopes(deal), hopes(deal, Weights(lead=0.5))
        assert with_lead[0] >= without[0]
        assert with_lead[1:] == without[1:]
