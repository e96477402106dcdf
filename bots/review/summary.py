"""The summary of a review: the points given away, the best and worst move, turning points."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot, sqrt
from typing import NamedTuple

from bots.review.columns import SURE
from bots.review.judging import Judgement, Worth

MOST_TURNS = 3


class Swing(NamedTuple):
    """A turning point: the deal's expected score has changed by `change` between two decisions.

    `at` is the number of the later one, counted from 0, at which the seat finds out. The causes of
    a change are the seat's own move, the others' moves, and the cards that came.
    """

    at: int
    change: Worth


@dataclass(frozen=True, slots=True)
class Summary:
    """The summary of a review: `best` and `worst` are numbers of decisions, from 0, or None.

    `agreed` of the `decisions` are as the bot would have made them. `given_away` is the sum over
    the `weighed` ones, None if there are none.
    """

    decisions: int
    agreed: int
    weighed: int
    given_away: Worth | None
    worst: int | None
    best: int | None
    turns: tuple[Swing, ...]


def summarize(judgements: Sequence[Judgement]) -> Summary:
    """The summary of a seat's judgements in the order of the match."""
    given = [each.given_away for each in judgements]
    known = [each for each in given if each is not None]
    by_points = any(each.worth is not None for each in judgements)
    total = Worth(sum(each.points for each in known), sqrt(sum(each.error**2 for each in known)))
    return Summary(
        decisions=len(judgements),
        agreed=sum(each.agrees for each in judgements),
        weighed=len(known) if by_points else 0,
        given_away=total if by_points else None,
        worst=_greatest(given, 0.0) if by_points else None,
        best=_greatest([each.ahead for each in judgements], SURE),
        turns=_turns(judgements),
    )


def _greatest(worths: Sequence[Worth | None], sure: float) -> int | None:
    """The first number with the most points, if they exceed 0 by so many errors."""
    found, most = None, 0.0
    for at, worth in enumerate(worths):
        if worth is not None and worth.points > max(most, sure * worth.error):
            found, most = at, worth.points
    return found


def _turns(judgements: Sequence[Judgement]) -> tuple[Swing, ...]:
    """The greatest changes within a deal, in the order of the match."""
    turns = []
    for at, (before, after) in enumerate(pairwise(judgements), 1):
        if before.deal != after.deal or before.worth is None or after.worth is None:
            continue
        error = hypot(before.worth.error, after.worth.error)
        change = Worth(after.worth.points - before.worth.points, error)
        if abs(change.points) > SURE * error:
            turns.append(Swing(at, change))
    turns.sort(key=lambda turn: -abs(turn.change.points))
    return tuple(sorted(turns[:MOST_TURNS]))
