"""Point maps: the points of cards, as a table that computes each card once.

An award counts for every card that has all its values; the awards of a card add up.
Source: RECYCLE, "Semantics" 10.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

from engine.recycle.running.unknown import UNKNOWN, Unseen

Conditions: TypeAlias = tuple[tuple[str, str], ...]
Awards: TypeAlias = tuple[tuple[Conditions, int], ...]
Attributes: TypeAlias = Callable[[int], Mapping[str, str]]
"""The attributes of a card."""


class PointTable(dict[int, int]):
    """The points of cards, by card; filled on demand."""

    __slots__ = ("_by_first", "attributes", "awards")

    def __init__(self, awards: Awards, attributes: Attributes) -> None:
        super().__init__()
        self.awards = awards
        self.attributes = attributes
        # By what an award asks first, so that a card looks only at those that may be its own.
        self._by_first: dict[tuple[str, str], list[tuple[Conditions, int]]] = {}
        for (first, *rest), points in awards:
            self._by_first.setdefault(first, []).append((tuple(rest), points))

    # What compiled code is given is a number, except while an option is put into words.
    def __missing__(self, card: int) -> Any:
        if isinstance(card, Unseen):
            return UNKNOWN
        has = self.attributes(card)
        points = sum(
            points
            for first in has.items()
            for rest, points in self._by_first.get(first, ())
            if all(has.get(key) == value for key, value in rest)
        )
        self[card] = points
        return points


def updated(awards: Awards, more: Awards) -> Awards:
    """`awards` with those of `more` added; an award for equal values is replaced."""
    replaced = {frozenset(conditions) for conditions, _ in more}
    return tuple(award for award in awards if frozenset(award[0]) not in replaced) + more


@lru_cache(maxsize=256)
def awards_text(awards: Awards) -> str:
    """A point map as a view shows it: ``SUIT:HEARTS=1 RANK:Q,SUIT:SPADES=13``."""
    return " ".join(
        f"{','.join(f'{key}:{value}' for key, value in conditions)}={points}"
        for conditions, points in awards
    )


def parse_awards(text: str) -> Awards:
    """The awards that the `text` of `awards_text` describes."""
    return tuple(_award(award) for award in text.split(" ") if award)


def _award(text: str) -> tuple[Conditions, int]:
    conditions, _, points = text.partition("=")
    pairs = (pair.partition(":") for pair in conditions.split(",") if pair)
    return tuple((key, value) for key, _, value in pairs), int(points)
