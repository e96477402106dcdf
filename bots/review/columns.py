"""Two columns beside a judgement: what one could know of a move, and how the cards lay.

By what the seat knew, a move is best in some of the deals that it could not tell apart. In the deal
as it was, with all hands open, it has a place among the moves. A decision is good by the first
column, and the second says whether it was lucky.
"""

from collections.abc import Sequence
from math import hypot
from typing import NamedTuple

from bots.bot import BEST, Decision
from engine.choices import Action

SURE = 2.0
"""How many standard errors a difference must have to count as one, here and in a summary."""


class Shares(NamedTuple):
    """In which shares of the deals that looked the same the move and the bot's were best."""

    played: float
    bots: float


class Places(NamedTuple):
    """The places of the move and of the bot's among so many `moves`, with all hands open.

    Places count from 1, and equal moves share one. `best` is a move in the first place: the played
    one or the bot's, if these are.
    """

    played: int
    bots: int
    moves: int
    best: Action


def shares_of(decision: Decision, played: Action, bots: Action) -> Shares | None:
    """The shares that a thorough search tells; None if its bot does not compare in worlds."""
    shares = {each.action: each.why.get(BEST) for each in decision.candidates}
    mine, other = shares.get(played), shares.get(bots)
    return None if mine is None or other is None else Shares(mine, other)


class Valued(NamedTuple):
    """A move with its points and their standard error."""

    action: Action
    points: float
    error: float


def places_of(valued: Sequence[Valued], played: Action, bots: Action) -> Places | None:
    """The places of two moves among all; None if either was not valued."""
    known = {each.action: each for each in valued}
    if played not in known or bots not in known:
        return None
    places = {each.action: 1 + sum(_is_better(one, each) for one in valued) for each in valued}
    most = max(valued, key=lambda each: each.points).action
    best = next((each for each in (played, bots) if places[each] == 1), most)
    return Places(places[played], places[bots], len(valued), best)


def _is_better(one: Valued, other: Valued) -> bool:
    return one.points - other.points > SURE * hypot(one.error, other.error)
