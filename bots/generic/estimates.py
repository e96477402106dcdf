"""How a deal stands for somebody, as a number: what playouts say of his rank."""

from collections.abc import Sequence
from typing import Any

from engine.catalogue import AnyGame
from engine.game import Game, Outcome
from engine.match import Match


def deal_of(game: AnyGame) -> Game[Any]:
    """The game of one deal that `game` is played in: of a match its deals, else itself.

    Generic players look as far as the end of the deal. A match is more deals of the same, dealt
    afresh, and what lies beyond the present one would only add noise.
    """
    deal: Game[Any] = game.game if isinstance(game, Match) else game
    return deal


def estimate(rank: float, seats: int) -> float:
    """A rank as a number from 0, the last, to 1, the first.

    >>> estimate(1, 4), estimate(2.5, 4), estimate(4, 4)
    (1.0, 0.5, 0.0)
    """
    return (seats - rank) / (seats - 1) if seats > 1 else 1.0


def estimates(outcomes: Sequence[Outcome]) -> tuple[float, ...]:
    """What the mean rank of each seat over at least one playout is worth."""
    seats = len(outcomes[0].ranks)
    sums = [sum(outcome.ranks[seat] for outcome in outcomes) for seat in range(seats)]
    return tuple(estimate(total / len(outcomes), seats) for total in sums)
