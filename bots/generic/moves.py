"""Choices as generic players use them: the moves to try, and their number."""

from collections import Counter
from collections.abc import Iterable
from itertools import chain, combinations
from math import comb
from random import Random

from engine.choices import Action, Choices, Pick, random_action


def listed(choices: Choices, rng: Random, most: int) -> tuple[Action, ...]:
    """The moves to try: all, but of a pattern with more than `most` moves a random handful."""
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
    """How many different moves there are; equal cards make no difference.

    >>> moves_in(Choices(("wait",), (Pick("pass", ("2C", "3D", "3D"), 1, 2),)))
    5
    """
    return len(choices.actions) + sum(map(_ways, choices.picks))


def _ways(pick: Pick) -> int:
    """Multisets of each size, card by card: how many ways there are to have taken so many."""
    ways = [1] + [0] * pick.most
    for copies in Counter(pick.cards).values():
        ways = [
            sum(ways[size - taken] for taken in range(min(copies, size) + 1))
            for size in range(pick.most + 1)
        ]
    return sum(ways[pick.least :])
