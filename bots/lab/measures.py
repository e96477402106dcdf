"""The published statistics of a card game, as they are defined, on plain numbers and arrays.

    n players                 wp: share of random games that seat 0 wins
                              aiwp: share that one searching player wins among random ones
    estimate for a player     (n − mean rank) / (n − 1) over playouts
    fairness                  wp · n where wp ≤ 1/n, else n/(n − 1) · (1 − wp)
    order                     (aiwp − 1/n) / (1 − 1/n)
    convergence               1 − (slope/2 + ½), slope the least-squares slope of the mean number of
                              options against the number of the move, 0, 1, 2 …
    spread                    mean over moves of the best less the worst estimate
    threshold T               (1 + (n − 2)/(n − 1)) / 2: half-way from second place to first
    drama                     mean √(T − the winner's estimate) over moves at which that is below T
    security                  1 − the share of moves at which the winner's estimate is below T

All take one number or an array of them, one for each resample of the games (`bootstrap`).
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]


def fairness(share: Floats, players: int) -> Floats:
    """How near a `share` of wins comes to an even one among so many players: 1 even, 0 all or none.

    Both functions of a share take and return arrays of any one shape.
    """
    below = share * players
    above = players / (players - 1) * (1 - share)
    fair: Floats = np.where(share <= 1 / players, below, above)
    return fair


def order(share: Floats, players: int) -> Floats:
    """How far a searching player's share of wins is above an even one; 1 if it always wins."""
    return (share - 1 / players) / (1 - 1 / players)


def convergence(options: Floats, games: Floats) -> Floats:
    """`options[..., move]`: the mean number of options at each move, and how many games got there.

    Moves that no game got to do not count; of a single move there is no slope.
    """
    there = (games > 0).astype(np.float64)
    moves = np.arange(options.shape[-1])
    number = there.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        middle = (there * moves).sum(axis=-1) / number
        mean = np.where(games > 0, options, 0.0).sum(axis=-1) / number
        away = there * (moves - middle[..., np.newaxis])
        risen = np.where(games > 0, options - mean[..., np.newaxis], 0.0)
        slope = (away * risen).sum(axis=-1) / (away * away).sum(axis=-1)
    steady: Floats = 1 - (slope / 2 + 0.5)
    return steady


def threshold(players: int) -> float:
    """The estimate T below which a winner counts as behind, in [1/2, 1).

    >>> threshold(2), threshold(3), threshold(5)
    (0.5, 0.75, 0.875)
    """
    return (1 + (players - 2) / (players - 1)) / 2


def behind(estimate: Floats, players: int) -> tuple[Floats, Floats]:
    """For each estimate of a winner: 1 if it is below T, else 0; and √(T − estimate) or 0."""
    short = threshold(players) - estimate
    return (short > 0).astype(np.float64), np.sqrt(np.maximum(short, 0.0))


def drama(depth: Floats, below: Floats) -> Floats:
    """Drama, from the sum of the roots and the number of moves with winners below T."""
    return _ratio(depth, below)


def security(below: Floats, moves: Floats) -> Floats:
    """Security, from the number of moves with winners below T and of all moves."""
    return 1 - _ratio(below, moves)


def spread(differences: Floats, moves: Floats) -> Floats:
    """Spread, from the sum of best less worst and the number of moves."""
    return _ratio(differences, moves)


def _ratio(total: Floats, number: Floats) -> Floats:
    """Not a number where there is nothing to take the mean of."""
    with np.errstate(invalid="ignore", divide="ignore"):
        mean: Floats = np.asarray(total, float) / np.asarray(number, float)
    return mean
