"""Classes of cards and the hopes made of them, on positions laid out by hand."""

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
    standing,
)
from bots.whist.kernel import Deal
from engine.cards import parse_card
from tests.bots.whist.positions import laid_out


def kind(deal: Deal, card: str, wants: tuple[int, ...] = (1, 1, 1)) -> int:
    """The class of a card of seat 0."""
    return int(classify(deal, 0, parse_card(card), np.array(wants)))


def test_the_highest_card_nobody_can_ruff_is_an_absolute_winner() -> None:
    """It is while who lacks its suit lacks trumps too; a trump of his makes it a losing one."""
    assert kind(laid_out("KC", "2C 3D", "4D 5D", bids=(1, 1, 1)), "KC") == ABSOLUTE_WINNER
    assert kind(laid_out("KC", "2C 3D", "4D 2S", bids=(1, 1, 1)), "KC") != ABSOLUTE_WINNER
    assert kind(laid_out("KC", "2C 3D", "AC 5D", bids=(1, 1, 1)), "KC") != ABSOLUTE_WINNER


def test_the_highest_trump_is_an_absolute_winner() -> None:
    """Nothing beats it, whoever lacks trumps."""
    assert kind(laid_out("QS", "JS 3D", "4D 5D", bids=(1, 1, 1)), "QS") == ABSOLUTE_WINNER


def test_a_card_below_all_of_somebodys_is_an_absolute_loser() -> None:
    """Whoever follows beats it; if one of his is lower he need not."""
    assert kind(laid_out("3C", "4C 5C", "2C 5D", bids=(1, 1, 1)), "3C") == ABSOLUTE_LOSER
    assert kind(laid_out("3C", "2C 5C", "2D 5D", bids=(1, 1, 1)), "3C") != ABSOLUTE_LOSER


def test_any_plain_card_loses_to_a_hand_of_trumps() -> None:
    """Whoever has nothing but trumps takes the trick with one, or another does from him."""
    assert kind(laid_out("AC", "2C 5C", "2S 5S", bids=(1, 1, 1)), "AC") == ABSOLUTE_LOSER


def test_likely_classes_ask_who_wants_the_trick() -> None:
    """A card that can be beaten wins if nobody who can wants to, and loses if two do."""
    deal = laid_out("TC", "2C AC", "3C KC", bids=(1, 1, 1))
    assert kind(deal, "TC", (1, 0, 0)) == LIKELY_WINNER
    assert kind(deal, "TC", (1, 1, 1)) == LIKELY_LOSER
    assert kind(deal, "TC", (1, 1, 0)) == NEUTRAL


def test_a_card_that_only_a_ruff_can_beat() -> None:
    """With nobody else in the suit it has no rank to trust in: one who wants the trick takes it."""
    deal = laid_out("TC", "2S 3D", "4D 5D", bids=(1, 1, 1))
    assert kind(deal, "TC", (1, 1, 0)) == LIKELY_LOSER
    assert kind(deal, "TC", (1, 0, 1)) == LIKELY_WINNER


def hopes(deal: Deal, weights: Weights = WEIGHTS) -> list[float]:
    values = np.zeros(deal.seats)
    hopes_of(deal, weights, values)
    return [round(float(value), 6) for value in values]


def test_hopes_count_sure_tricks_and_the_bonus() -> None:
    """Two aces and two bids: who needs two has both and his ten, who needs none has his too."""
    deal = laid_out("AC AD", "KC KD", "2C 2D", bids=(2, 0, 0))
    assert hopes(deal) == [12.0, 10.0, 10.0]


def test_a_bid_that_cannot_be_made_leaves_the_tricks() -> None:
    """Who has too many already, or too few cards left, hopes for points a trick alone."""
    deal = laid_out("AC AD", "KC KD", "2C 2D", bids=(0, 3, 0), taken=(1, 0, 0))
    assert hopes(deal) == [3.0, 0.0, 10.0]


def test_neutral_cards_bring_the_estimate_nearer_to_the_bid() -> None:
    """The more a neutral card counts, the better the chance of a bid that is not yet covered."""
    deal = laid_out("TC 2D", "2C QC", "3C KC", bids=(2, 0, 2))
    few, many = (hopes(deal, Weights(neutral=share))[0] for share in (0.2, 0.8))
    assert few < many


@pytest.mark.parametrize(
    ("hands", "chance"), [(("TC", "2C AC", "3C KC"), 0.5), (("TC", "AC 2S", "KC 3D"), 0.25)]
)
def test_a_neutral_card_stands_by_its_rank(hands: tuple[str, str, str], chance: float) -> None:
    """As many cards of the suit above as below make it even; every card above makes it worse."""
    deal = laid_out(*hands, bids=(1, 1, 1))
    assert standing(deal, 0, parse_card("TC")) == pytest.approx(chance)


def test_who_may_ruff_halves_the_standing_of_a_card() -> None:
    """One player without the suit and with a trump counts as much as everything below."""
    safe = laid_out("TC", "2C AC", "3D KD", bids=(1, 1, 1))
    ruffed = laid_out("TC", "2C AC", "3S KD", bids=(1, 1, 1))
    card = parse_card("TC")
    assert standing(ruffed, 0, card) == standing(safe, 0, card) / 2
