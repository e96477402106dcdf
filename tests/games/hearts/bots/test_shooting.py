"""The plan to take all points, card by card."""

from random import Random

import pytest

from bots.hearts.careful import WEIGHTS, careful_card
from bots.hearts.open_deal import TAKEN, Deal
from bots.hearts.shooting import can_shoot, shooting_card
from bots.search.draws import draws_from
from engine.cards import card_text
from tests.games.hearts.bots.positions import laid_out, open_deal_of


def opened(hand: str, trick: str = "") -> Deal:
    """A deal in which seat 0 is to play."""
    leader = (4 - len(trick.split())) % 4
    rest = laid_out((hand, "5C 6D", "7C 8D", "9C TD"), trick=trick, leader=leader)
    deal = open_deal_of(rest)
    deal[TAKEN : TAKEN + 4] = 0
    return deal


@pytest.mark.parametrize(
    ("hand", "trick", "plays"),
    [
        ("AD 2C 3C", "", "AD"),
        ("AD 3D QD", "KD 5D", "AD"),
        ("AD QD 3D", "JD 5D 4H", "QD"),
        ("KD 3D QD", "AD", "3D"),
        ("AH AD 3D", "KC", "3D"),
        ("AH 3H 2H", "KC", "2H"),
        ("AD QD 3D", "JD 5D 4D", "3D"),
    ],
    ids=[
        "the surest card is led",
        "a trick is made sure of",
        "the last to play takes points as cheaply as it can",
        "a lost trick costs the lowest card",
        "what does not count is thrown away first",
        "of hearts the lowest",
        "a trick without points is left alone",
    ],
)
def test_it_takes_what_counts(hand: str, trick: str, plays: str) -> None:
    """The shooting plan plays the expected card in each position."""
    assert card_text(shooting_card(opened(hand, trick), WEIGHTS, draws_from(Random(1)))) == plays


def test_the_plan_ends_with_the_first_point_that_goes_elsewhere() -> None:
    """The plan ends when another player gets a point; own points change nothing."""
    deal, draws = opened("AD QD 3D", "JD 5D 4H"), draws_from(Random(1))
    deal[TAKEN] = 5
    assert can_shoot(deal, 0)
    deal[TAKEN + 2] = 1
    assert not can_shoot(deal, 0)
    careful = careful_card(deal, WEIGHTS, draws)
    assert shooting_card(deal, WEIGHTS, draws) == careful
    assert card_text(careful) == "3D"
