"""The careful player: its chances, its fear of a moon, and that it knows only its seat's view."""

from itertools import product
from random import Random

import pytest

from bots.hearts.careful import WEIGHTS, careful_card, chance_to_hold, moon_threat
from bots.hearts.knowledge import read
from bots.hearts.lay_out import lay_out
from bots.hearts.open_deal import NONE, TAKEN, new_deal
from bots.search.draws import draws_from
from engine.cards import card_text
from tests.counts import count
from tests.games.hearts.bots.positions import (
    any_deal,
    laid_out,
    open_deal_of,
    position,
    random_walk,
)


@pytest.mark.parametrize("lower", range(4))
@pytest.mark.parametrize("higher", range(4))
def test_a_follower_goes_higher_with_the_suit_and_nothing_lower(lower: int, higher: int) -> None:
    """The chance that a follower goes higher equals that of enumerating all hands."""
    ways = list(product(range(3), repeat=lower + higher))
    over = sum(0 not in way[:lower] and 0 in way[lower:] for way in ways) / len(ways)
    for followers in range(4):
        assert chance_to_hold(lower, higher, followers) == pytest.approx((1 - over) ** followers)


@pytest.mark.parametrize(
    ("taken", "threat"),
    [
        ((0, 0, 0, 0), NONE),
        ((0, 0, 7, 0), NONE),
        ((0, 0, 8, 0), 2),
        ((0, 1, 14, 0), NONE),
        ((14, 0, 0, 0), NONE),
        ((1, 0, 14, 0), NONE),
    ],
)
def test_a_moon_is_feared_of_another_who_alone_has_points(
    taken: tuple[int, ...], threat: int
) -> None:
    """From eight points on a player who alone has points may shoot; own points are no reason."""
    deal = new_deal(1, 0)
    deal[TAKEN : TAKEN + 4] = taken
    assert moon_threat(deal, 0, 8.0) == threat


def test_it_sees_no_more_than_its_seat() -> None:
    """Seeing all hands does not change the careful player's move in whole deals."""
    for seed in range(count(10)):
        rng = Random(seed)
        for state, facts in random_walk(rng, any_deal(rng)):
            if state.over or state.passing:
                continue
            seen = lay_out(read(position(state, facts)))
            whole = seen.copy()
            whole[:4] = open_deal_of(state)[:4]
            draws = draws_from(Random(1))
            assert careful_card(seen, WEIGHTS, draws) == careful_card(whole, WEIGHTS, draws)


def test_without_whims_it_takes_no_chances() -> None:
    """Without whims the careful player's card does not depend on the random draws."""
    state = laid_out(("2C 7D 8S 5H", "5C 6C 7S 8H", "9S TS JS 2H", "4H 5D 6D 3H"))
    deal = open_deal_of(state)

    def cards(noise: float) -> set[int]:
        weights = WEIGHTS._replace(noise=noise)
        return {careful_card(deal, weights, draws_from(Random(seed))) for seed in range(40)}

    assert len(cards(0.0)) == 1
    assert len(cards(20.0)) > 1


@pytest.mark.parametrize(("points", "plays"), [(12, "AD"), (5, "4D")])
def test_a_cheap_trick_is_taken_to_stop_a_moon(points: int, plays: str) -> None:
    """Under a king with a heart thrown on it, the last player takes the trick to stop a shooter."""
    state = laid_out(("5C", "AD 4D", "6C", "7C"), trick="KD 2D 3H", leader=2)
    deal = open_deal_of(state)
    deal[TAKEN : TAKEN + 4] = (0, 0, points, 0)
    assert card_text(careful_card(deal, WEIGHTS, draws_from(Random(1)))) == plays
