"""The points of a deal to which the only player of a table may go back.

Such a point is a question as it was asked, or its rest after one of several seats has answered.
Turn numbers only rise: a point that is restored gets a new number, so those of one deal are in
order, and a late answer never fits.
"""

from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Any, NamedTuple

from engine.facts import AddressedFact, Seat

MOST_STATES = 64
"""So many points keep their state, the latest of a deal; a state of a described game may take
several KiB. A lower number would make logs unreadable in which moves were taken back to the others.
"""
MOST_FACTS = 4096
"""A deal with more facts cannot be taken back: they would be too many to tell at once."""


class UndoPoint(NamedTuple):
    """Question `turn` to the seats in `to_act`, after the move of seat `by`.

    `facts` are those since the point before; the first point has none before it, and has the
    facts since the deal began. `play` is the state of the game. `later`: points of the deal before
    this one, the first, were too many to keep.
    """

    turn: int
    to_act: tuple[Seat, ...]
    # Each game has its own type of state.
    play: Any
    facts: tuple[AddressedFact, ...]
    by: Seat | None = None
    later: bool = False


UndoPoints = tuple[UndoPoint, ...]


def with_next(points: UndoPoints, point: UndoPoint) -> UndoPoints:
    """Add the next point, which may begin another deal, to the latest ones of the deal.

    The result is empty once the facts are too many, until another deal begins.
    """
    started = [at for at, (fact, _) in enumerate(point.facts) if fact.verb == "deal_started"]
    if started:
        return (point._replace(facts=point.facts[started[-1] :], by=None),)
    if not points:
        return ()
    if len(points) < MOST_STATES:
        return (*points, point)
    oldest, first, *others = *points, point
    facts = oldest.facts + first.facts
    if len(facts) > MOST_FACTS:
        return ()
    return (first._replace(facts=facts, by=None, later=True), *others)


def turns_of(points: UndoPoints, seat: Seat) -> tuple[int, ...]:
    """Return the turns in which a seat has moved, in order."""
    moved = (before.turn for before, then in pairwise(points) if then.by == seat)
    return tuple(dict.fromkeys(moved))


def back_to(points: UndoPoints, turn: int, now: int) -> UndoPoints | None:
    """Return the points up to question `turn`, which is `now` asked anew under that number.

    Returns None if there is no such turn among them.
    """
    for at, point in enumerate(points):
        if point.turn == turn:
            return (*points[:at], point._replace(turn=now))
    return None


def facts_of(points: Sequence[UndoPoint]) -> tuple[AddressedFact, ...]:
    """Return all facts of the deal up to the last of the points."""
    return tuple(chain.from_iterable(point.facts for point in points))
