"""Choices for generic bots: the moves to try, and their number."""

from collections import Counter
from collections.abc import Iterable
from itertools import chain, combinations
from math import comb
from random import Random

from engine.choices import Action, Choices, Pick, random_action


def listed(choices: Choices, rng: Random, most: int) -> tuple[Action, ...]:
    """The moves to try: all, but only `most` random ones of a larger pick."""
    found: dict[Action, None] = dict.fromkeys(choices.actions)
    for pick in choices.picks:
        found |= dict.fromkeys(_moves(pick, rng, most))
    return tuple(found)


def _moves(pick: Pick, rng: Random, most: int) -> Iterable[Action]:
    sizes = range(pick.least, pick.most + 1)
    if sum(comb(len(pick.cards), size) for size in sizes) <= most:
        every = chain.from_iterable(combinations(pick.cards, size) for size in sizes)
        return [" ".join((pick.verb, *cards)) for cards in every]
    return [random_action(Choices(picks=(pick,)), rng) for _ in range(most)]


def moves_in(choices: Choices) -> int:
    """The number of different moves, in which equal cards make no difference.

    >>> moves_in(Choices(("wait",), (Pick("pass", ("2C", "3D", "3D"), 1, 2),)))
    5
    """
    return len(choices.actions) + sum(map(_ways, choices.picks))


def _ways(pick: Pick) -> int:
    """The number of multisets of each size, computed card by card."""
    ways = [1] + [0] * pick.most
    for copies in Counter(pick.cards).values():
        ways = [
            sum(ways[size - taken] for taken in range(min(copies, size) + 1))
            for size in range(pick.most + 1)
        ]
    return sum(ways[pick.least :])
