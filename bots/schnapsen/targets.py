"""Targets for the solver: five of them together give the game points of a deal.

From one seat's view: does it win? Does it win at least 2, at least 3? Does it keep the other from
winning at least 2, at least 3? Each is given by what the seat still needs and what stops it
(`bots.schnapsen.strict`); the score after closing is taken into account here.
"""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from bots.schnapsen.bits import Ints
from engine.games.schnapsen import ENOUGH

AIMS = (0, 2, 3, -2, -3)
"""0: to win; 2, 3: to win so many game points; −2, −3: to keep the other player from so many."""

_HALF = 33
_TAKER, _SEAT, _OTHER = 0, 1, -1

Target: TypeAlias = tuple[int, int, int, int]
"""`need`, `bar`, `last`, and whether it is reached where that is known: 1 or −1, else 0."""


@dataclass(frozen=True, slots=True)
class Side:
    """The card points of a player, with all marriages, counted or not."""

    points: int = 0
    has_trick: bool = False


@dataclass(frozen=True, slots=True)
class Closed:
    """The talon was closed, by the seat or by the other player.

    `worth` are the game points the closer wins, None where that is settled at the end;
    `against` those that the opponent wins.
    """

    by_seat: bool
    worth: int | None
    against: int


def targets(seat: Side, other: Side, closed: Closed | None) -> Ints:
    """All targets of `seat`, one a row, in the order of `AIMS`."""
    return np.array([_target(aim, seat, other, closed) for aim in AIMS], np.int64)


def game_points(points: int, *, has_trick: bool) -> int:
    """The game points, 1 to 3, won against a player with these card points."""
    if not has_trick:
        return 3
    return 2 if points < _HALF else 1


def _target(aim: int, seat: Side, other: Side, closed: Closed | None) -> Target:
    if aim < 0:
        # The other player's target, and the opposite answer.
        mirrored = closed and Closed(not closed.by_seat, closed.worth, closed.against)
        need, bar, last, known = _target(-aim, other, seat, mirrored)
        return bar, need, -last, -known
    need, bar = ENOUGH - seat.points, ENOUGH - other.points
    if closed and not closed.by_seat:
        return need, bar, _SEAT, 0 if closed.against >= aim else -1
    last = _TAKER if aim == 0 and not closed else _OTHER
    if closed and closed.worth is not None:
        return need, bar, last, 0 if closed.worth >= aim else -1
    if aim == 0:
        return need, bar, last, 0
    lost = game_points(other.points, has_trick=other.has_trick) < aim
    return need, bar - (ENOUGH - (_HALF if aim == 2 else 1)), last, -1 if lost else 0
