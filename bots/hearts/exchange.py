"""Passing as kernels: the value of three passed cards once all have passed and played."""

import numpy as np
from numpy.typing import NDArray

from bots.hearts.careful import Weights
from bots.hearts.open_deal import HAND, SIZE, TURN, TWO_OF_CLUBS, Deal
from bots.hearts.passing import PassWeights, careful_pass
from bots.hearts.playout import play_out, put_world
from bots.search.compiled import kernel
from bots.search.draws import Draws
from bots.search.worlds import Ints, Plan, deal_world


@kernel
def exchange(deal: Deal, passed: Ints, shift: int) -> None:
    """Every seat's `passed` set goes `shift` seats to the left; the two of clubs leads."""
    for seat in range(4):
        deal[HAND + seat] &= ~passed[seat]
    for seat in range(4):
        deal[HAND + ((seat + shift) & 3)] |= passed[seat]
    for seat in range(4):
        if deal[HAND + seat] & TWO_OF_CLUBS:
            deal[TURN] = seat


@kernel
def values_of_passes(
    deal: Deal,
    seat: int,
    shift: int,
    worlds: Plan,
    sizes: Ints,
    passes: Ints,
    plans: Ints,
    weights: Weights,
    pass_weights: PassWeights,
    draws: Draws,
    values: NDArray[np.float64],
) -> None:
    """Fill `values`: a row for each set to pass with its plan, a column for each new world.

    The others choose their passes once a world, since they do not see what is passed to them.
    """
    world = np.empty(worlds.held.size, np.int64)
    start, now = np.empty(SIZE, np.int64), np.empty(SIZE, np.int64)
    start[:] = deal
    passed = np.zeros(4, np.int64)
    luck = np.empty(4, np.uint64)
    for column in range(values.shape[1]):
        deal_world(worlds, draws, world)
        put_world(start, seat, sizes, world)
        for other in range(4):
            if other != seat:
                passed[other] = careful_pass(start[HAND + other], pass_weights, draws)
        for row in range(passes.size):
            now[:] = start
            luck[:] = draws
            passed[seat] = passes[row]
            exchange(now, passed, shift)
            values[row, column] = play_out(now, seat, plans[row], weights, luck)
        draws[:] = luck
