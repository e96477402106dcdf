"""The published statistics of a card game, as they are defined, on plain numbers and arrays.

    n players                 wp: share of random games that seat 0 wins
                              aiwp: share that one searching player wins among random ones
    estimate for a player     (n − mean rank) / (n − 1) over playouts
    fairness                  wp · n where wp ≤ 1/n, else n/(n − 1) · (1 − wp)
    order                     (aiwp − 1/n) / (1 − 1/n)
    convergence               mean over games of 1 − (slope/2 + ½), slope the least-squares slope of
                              that game's number of options against the move number, 0, 1, 2 …
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
Counts: TypeAlias = NDArray[np.int64]


def fairness(share: Floats, players: int) -> Floats:
    """How near a `share` of wins is to an even one among so many players: 1 even, 0 all or none.

    This function and `order` take and return arrays of any one shape.
    """
    below = share * players
    above = players / (players - 1) * (1 - share)
    fair: Floats = np.where(share <= 1 / players, below, above)
    return fair


def order(share: Floats, players: int) -> Floats:
    """How far a searching player's share of wins is above an even one; 1 if it always wins."""
    return (share - 1 / players) / (1 - 1 / players)


def game_convergence(options: Counts | Floats, lengths: Counts) -> Floats:
    """The convergence of each game, from `options[game, move]`; `lengths` are its moves.

    The value is not a number for a game of a single move, which has no slope. What lies beyond the
    length of a game is not read.
    """
    moves = np.arange(options.shape[-1])
    there = moves < lengths[:, np.newaxis]
    with np.errstate(invalid="ignore", divide="ignore"):
        away = np.where(there, moves - (lengths[:, np.newaxis] - 1) / 2, 0.0)
        # The mean of the options need not be taken off: what lies beside it adds up to nothing.
        slope = (away * options).sum(axis=-1) / (away * away).sum(axis=-1)
    steady: Floats = 1 - (slope / 2 + 0.5)
    return steady


def convergence(total: Floats, games: Floats) -> Floats:
    """Convergence, from the sum of the games' values and the number of games that have one."""
    return _ratio(total, games)


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
    """The quotient, or not a number if the divisor is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        mean: Floats = np.asarray(total, float) / np.asarray(number, float)
    return mean
