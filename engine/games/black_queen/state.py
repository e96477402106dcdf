"""A deal of Black Queen in play, as tuples and ints."""

from typing import NamedTuple

from engine.cards import Card, Piles
from engine.facts import Seat
from engine.game import Setup

EMPTY = -1
"""In place of a column's card that is not there."""


class State(NamedTuple):
    """`up` and `down` hold a card or EMPTY a column; `trick` is in the order of play.

    Between tricks everybody holds equally many cards, and a face-down card lies bare only while
    the trick lasts in which its cover was played.

    A named tuple, because `_replace` is more than twice as fast as `dataclasses.replace`.
    """

    setup: Setup
    hands: Piles
    up: Piles
    down: Piles
    leader: Seat
    trick: tuple[Card, ...]
    taken: Piles

    @property
    def turn(self) -> Seat:
        """The seat that plays next, as long as the deal is not over."""
        return (self.leader + len(self.trick)) % len(self.hands)

    @property
    def over(self) -> bool:
        """Whether every card has been played and taken."""
        # All have equally many cards, so the leader's tell of everybody's.
        return not (
            self.trick
            or self.hands[self.leader]
            or self.up[self.leader].count(EMPTY) < len(self.up[self.leader])
        )


def with_card(row: tuple[Card, ...], column: int, card: Card) -> tuple[Card, ...]:
    """`row` with `card` (or EMPTY) in `column`, which counts from 1."""
    return (*row[: column - 1], card, *row[column:])
