"""Plans: all that a player does in one turn, as the game's moves and for the kernels.

A player knows nothing more after exchanging or closing, so what follows belongs to one plan: chosen
world by world, exchanging and closing would look better than they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bots.schnapsen.bits import JACK_OF_TRUMPS, Ints, place_of
from bots.schnapsen.knowledge import Knowledge
from engine.cards import parse_card
from engine.choices import Action


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan: `action` is the first move; `card` is led or answered with in the end."""

    action: Action
    exchange: bool
    close: bool
    card: int


def plans_of(known: Knowledge, actions: Sequence[Action]) -> tuple[Plan, ...]:
    """All plans, in the order of `actions`, the choices of the turn.

    Leading a king or queen without announcing its marriage is left out: with open hands that is
    never better. Claims are left out too, since they need no search.
    """
    found: list[Plan] = []
    for action in actions:
        verb, _, token = action.partition(" ")
        if verb == "marry" or (verb == "play" and f"marry {token}" not in actions):
            found.append(Plan(action, False, False, place_of(parse_card(token), known.trump)))
        elif verb == "close":
            found += [Plan(action, False, True, card) for card in _places(known.hand)]
        elif verb == "exchange":
            hand = known.hand ^ JACK_OF_TRUMPS | 1 << known.turned
            closing = (False, True) if "close" in actions else (False,)
            found += [
                Plan(action, True, close, card) for close in closing for card in _places(hand)
            ]
    return tuple(found)


def as_rows(plans: Sequence[Plan]) -> Ints:
    """The plans for the kernels (`bots.schnapsen.plan_values`)."""
    rows = [(plan.exchange, plan.close, plan.card) for plan in plans]
    return np.array(rows, np.int64).reshape(len(rows), 3)


def _places(hand: int) -> list[int]:
    return [place for place in range(hand.bit_length()) if hand >> place & 1]
