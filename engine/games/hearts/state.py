"""A deal of Hearts in play, as tuples and ints."""

from typing import NamedTuple

from engine.cards import Card, Piles
from engine.facts import Seat
from engine.game import Setup
from engine.games.hearts.rule_sets import RULE_SETS, RuleSet

SEATS = 4
PASSED = 3
"""How many cards each passes."""
NOBODY: Seat = -1
"""Leads while cards are passed."""


class State(NamedTuple):
    """Hands are sorted; `trick` is in the order of play.

    `passed` are the cards that each seat has chosen to pass, empty for who has not; they are
    remembered after they have changed hands. `shift` says how many seats to the left they go, 0
    where nobody passes. `broken`: a heart has been played.

    A named tuple, because `_replace` is more than twice as fast as `dataclasses.replace`.
    """

    setup: Setup
    hands: Piles
    shift: int
    passed: Piles
    leader: Seat
    trick: tuple[Card, ...]
    taken: Piles
    broken: bool

    @property
    def rules(self) -> RuleSet:
        """The rule set of the table."""
        return RULE_SETS[str(self.setup.options["rules"])]

    @property
    def passing(self) -> bool:
        """Whether cards are still being passed."""
        return self.leader == NOBODY

    @property
    def choosing(self) -> tuple[Seat, ...]:
        """The seats that have not yet chosen which cards to pass."""
        return tuple(seat for seat, cards in enumerate(self.passed) if not cards)

    @property
    def turn(self) -> Seat:
        """The seat that plays next, once passing is over and as long as the deal is not."""
        return (self.leader + len(self.trick)) % SEATS

    @property
    def first_trick(self) -> bool:
        """Whether no trick has been taken yet."""
        return not any(self.taken)

    @property
    def over(self) -> bool:
        """Whether every card has been played and taken."""
        # Between tricks all have equally many cards, so the leader's tell of everybody's.
        leader = self.leader
        return not (self.trick or leader == NOBODY or self.hands[leader])


def receiver_of(seat: Seat, shift: int) -> Seat:
    """The seat that receives the cards that `seat` passes."""
    return (seat + shift) % SEATS


def giver_to(seat: Seat, shift: int) -> Seat:
    """The seat whose passed cards `seat` receives."""
    return (seat - shift) % SEATS
