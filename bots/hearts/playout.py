"""Deals played to their end by the rules of thumb, which give a position its value."""

import numpy as np
from numpy.typing import NDArray

from bots.hearts.bits import ALL
from bots.hearts.careful import Weights, careful_card
from bots.hearts.open_deal import HAND, PLAYED, SIZE, TURN, Deal, lay, lead_over_others
from bots.hearts.shooting import shooting_card
from bots.search.compiled import kernel
from bots.search.draws import Draws
from bots.search.worlds import Ints, Plan, deal_world

AVOID, SHOOT = 0, 1
"""How the seat that searches goes on after its move."""


@kernel
def play_out(deal: Deal, seat: int, plan: int, weights: Weights, draws: Draws) -> float:
    """Play all cards that are left; `seat`'s lead over the mean of the others."""
    while deal[PLAYED] != ALL:
        if plan == SHOOT and deal[TURN] == seat:
            lay(deal, shooting_card(deal, weights, draws))
        else:
            lay(deal, careful_card(deal, weights, draws))
    return lead_over_others(deal, seat)


@kernel
def put_world(deal: Deal, seat: int, sizes: Ints, world: Ints) -> None:
    """Give the others their cards in a world: `sizes` for the seats after `seat`, in order."""
    at = 0
    for step in range(3):
        cards = 0
        for _ in range(sizes[step]):
            cards |= 1 << world[at]
            at += 1
        deal[HAND + ((seat + 1 + step) & 3)] = cards


@kernel
def values_of_cards(
    deal: Deal,
    worlds: Plan,
    sizes: Ints,
    cards: Ints,
    plans: Ints,
    weights: Weights,
    draws: Draws,
    values: NDArray[np.float64],
) -> None:
    """Fill `values`: a row for each card with its plan, a column for each of some new worlds.

    All are played in common worlds, with common draws for the players' whims.
    """
    seat = deal[TURN]
    world = np.empty(worlds.held.size, np.int64)
    start, now = np.empty(SIZE, np.int64), np.empty(SIZE, np.int64)
    start[:] = deal
    luck = np.empty(4, np.uint64)
    for column in range(values.shape[1]):
        deal_world(worlds, draws, world)
        put_world(start, seat, sizes, world)
        for row in range(cards.size):
            now[:] = start
            luck[:] = draws
            lay(now, cards[row])
            values[row, column] = play_out(now, seat, plans[row], weights, luck)
        draws[:] = luck
