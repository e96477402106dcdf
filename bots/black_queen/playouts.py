"""Candidates played out over common worlds, in one kernel."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bots.black_queen.careful import Weights, play_out
from bots.black_queen.lay_out import lay_world
from bots.black_queen.table import TURN, Numbers, Table, copy_table, play, score
from bots.search.compiled import kernel
from bots.search.draws import Draws
from bots.search.worlds import Plan, deal_world

Values: TypeAlias = NDArray[np.float64]


@kernel
def weigh(
    known: Table,
    first: Numbers,
    places: Numbers,
    plan: Plan,
    candidates: Numbers,
    weights: Weights,
    draws: Draws,
    laid: Table,
    played: Table,
    values: Values,
) -> None:
    """Fill `values`, a row for each of `candidates` and a column for each of so many worlds.

    A value is the score of the seat to play less the mean of the others'. `laid` and `played`
    are tables of the same size to work on.
    """
    seat, seats = known.now[TURN], len(known.seats)
    world = np.empty(len(places), np.int64)
    for column in range(values.shape[1]):
        deal_world(plan, draws, world)
        copy_table(known, laid)
        lay_world(laid, world, first, places)
        for row in range(len(candidates)):
            copy_table(laid, played)
            play(played, candidates[row])
            play_out(played, weights)
            own = score(played, seat)
            others = -own
            for other in range(seats):
                others += score(played, other)
            values[row, column] = own - others / (seats - 1)
