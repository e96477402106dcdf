"""What is asked of open hands: five questions to which a deal's game points are the answers.

From the view of one seat: does it win? Does it win at least 2, at least 3? Does it keep the other
from winning at least 2, at least 3? Each is told by what the seat still needs and what stops it
(`bots.schnapsen.strict`); this is where the score of closed talons comes in.
"""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from bots.schnapsen.bits import Ints
from engine.games.schnapsen import ENOUGH

AIMS = (0, 2, 3, -2, -3)
"""To win; to win so many game points; to keep the other from so many."""

_HALF = 33
_TAKER, _SEAT, _OTHER = 0, 1, -1

Question: TypeAlias = tuple[int, int, int, int]
"""`need`, `bar`, `last`, and the answer where it is known: 1 or −1, else 0."""


@dataclass(frozen=True, slots=True)
class Side:
    """What a player has: `points` with all marriages, counted or not."""

    points: int = 0
    has_trick: bool = False


@dataclass(frozen=True, slots=True)
class Closed:
    """The talon was closed, by the seat that asks or by the other.

    `worth` are the game points the closer wins, None where that is settled at the end;
    `against` those that his opponent wins.
    """

    by_seat: bool
    worth: int | None
    against: int


def questions(seat: Side, other: Side, closed: Closed | None) -> Ints:
    """All questions, one a row, in the order of `AIMS`."""
    return np.array([_question(aim, seat, other, closed) for aim in AIMS], np.int64)


def game_points(points: int, *, has_trick: bool) -> int:
    """What is won against somebody with so many points."""
    if not has_trick:
        return 3
    return 2 if points < _HALF else 1


def _question(aim: int, seat: Side, other: Side, closed: Closed | None) -> Question:
    if aim < 0:
        # The other's question, and the opposite answer.
        mirrored = closed and Closed(not closed.by_seat, closed.worth, closed.against)
        need, bar, last, known = _question(-aim, other, seat, mirrored)
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
