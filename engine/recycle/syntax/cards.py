"""Cards, lists of cards and lists of card lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.recycle.syntax.categories import (
    Card,
    Cards,
    Collection,
    Comparison,
    Condition,
    End,
    Number,
    Owner,
    Piles,
    Place,
    String,
)
from engine.recycle.syntax.node import Kind
from engine.recycle.syntax.values import PointMap


@dataclass(frozen=True, slots=True)
class CardAt(Card):
    """``(top cards)``, ``(bottom cards)``, ``(N cards)``, N counted from 0 at the bottom."""

    place: End | Number
    cards: Cards


@dataclass(frozen=True, slots=True)
class ExtremeCard(Card):
    """``(max cards using points)``, ``(min …)``."""

    which: Literal["max", "min"]
    cards: Cards
    points: PointMap


@dataclass(frozen=True, slots=True)
class Location(Cards):
    """``(owner vloc NAME index)``: a real pile. The place is part of its identity."""

    owner: Owner
    place: Place
    name: String
    index: Number


@dataclass(frozen=True, slots=True)
class Filter(Cards, Piles):
    """``(filter collection 'V condition)``; `kind` is that of the collection."""

    collection: Collection
    variable: str
    condition: Condition
    kind: Kind = Kind.CARDS


@dataclass(frozen=True, slots=True)
class SetOperation(Cards):
    """A set operation on lists; an `Each` among `parts` stands for all of its lists."""

    operator: Literal["union", "intersect", "disjunction"]
    parts: tuple[Cards | Each, ...]


@dataclass(frozen=True, slots=True)
class Sorted(Cards):
    """``(sort cards using points)``: a view, the pile stays as it is."""

    cards: Cards
    points: PointMap


@dataclass(frozen=True, slots=True)
class Slice(Cards):
    """``(top N cards)``, ``(bottom N cards)``."""

    end: End
    count: Number
    cards: Cards


@dataclass(frozen=True, slots=True)
class RunSlice(Cards):
    """``(run top N cards using points)``: the longest run at that end, if it has N cards."""

    end: End
    least: Number
    cards: Cards
    points: PointMap


@dataclass(frozen=True, slots=True)
class PileAt(Cards):
    """``(top piles)``, ``(bottom piles)``, ``(N piles)``; top is the first one."""

    place: End | Number
    piles: Piles


@dataclass(frozen=True, slots=True)
class Partition(Piles):
    """``(partition KEY cards…)``: the cards by their value of the key, in order of first sight."""

    key: String
    parts: tuple[Cards | Each, ...]


@dataclass(frozen=True, slots=True)
class Subsets(Piles):
    """``(subsets cards)``, ``(subsets cards op N)`` for those whose size satisfies op N."""

    cards: Cards
    operator: Comparison | None = None
    size: Number | None = None


@dataclass(frozen=True, slots=True)
class Runs(Piles):
    """``(runs largest N cards using points)``, ``(runs all …)`` for those within runs too."""

    which: Literal["largest", "all"]
    least: Number
    cards: Cards
    points: PointMap


@dataclass(frozen=True, slots=True)
class Tuples(Piles):
    """``(tuples N cards using points)``: groups of N cards or more of equal points."""

    count: Number
    cards: Cards
    points: PointMap


@dataclass(frozen=True, slots=True)
class Indexed(Piles):
    """``(indexed owner vloc NAME)``: the locations of that name, by index."""

    owner: Owner
    place: Place
    name: String


@dataclass(frozen=True, slots=True)
class Each(Piles):
    """``(all collection 'V cards)``: one list for each item."""

    collection: Collection
    variable: str
    cards: Cards
