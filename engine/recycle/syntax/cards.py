"""Cards, lists of cards and lists of card lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from engine.recycle.syntax.node import Kind, Node

if TYPE_CHECKING:
    from engine.recycle.syntax.groups import (
        Cards,
        Collection,
        Condition,
        Number,
        Owner,
        Piles,
        String,
    )
    from engine.recycle.syntax.values import PointMap
    from engine.recycle.syntax.words import Comparison, End, Place


@dataclass(frozen=True, slots=True)
class CardAt(Node):
    """``(top cards)``, ``(bottom cards)``, ``(N cards)``, N counted from 0 at the bottom."""

    place: End | Number
    cards: Cards
    kind: ClassVar[Kind] = Kind.CARD


@dataclass(frozen=True, slots=True)
class ExtremeCard(Node):
    """``(max cards using points)``, ``(min …)``."""

    which: Literal["max", "min"]
    cards: Cards
    points: PointMap
    kind: ClassVar[Kind] = Kind.CARD


@dataclass(frozen=True, slots=True)
class Location(Node):
    """``(owner vloc NAME index)``: a real pile. The place is part of its identity."""

    owner: Owner
    place: Place
    name: String
    index: Number
    kind: ClassVar[Kind] = Kind.CARDS


@dataclass(frozen=True, slots=True)
class Filter(Node):
    """``(filter collection 'V condition)``; `kind` is that of the collection."""

    collection: Collection
    variable: str
    condition: Condition
    kind: Kind = Kind.CARDS


@dataclass(frozen=True, slots=True)
class SetOperation(Node):
    """Of lists of cards; an `Each` among `parts` stands for all the lists it gives."""

    operator: Literal["union", "intersect", "disjunction"]
    parts: tuple[Cards | Each, ...]
    kind: ClassVar[Kind] = Kind.CARDS


@dataclass(frozen=True, slots=True)
class Sorted(Node):
    """``(sort cards using points)``: a view, the pile stays as it is."""

    cards: Cards
    points: PointMap
    kind: ClassVar[Kind] = Kind.CARDS


@dataclass(frozen=True, slots=True)
class Slice(Node):
    """``(top N cards)``, ``(bottom N cards)``."""

    end: End
    count: Number
    cards: Cards
    kind: ClassVar[Kind] = Kind.CARDS


@dataclass(frozen=True, slots=True)
class RunSlice(Node):
    """``(run top N cards using points)``: the longest run at that end, if it has N cards."""

    end: End
    least: Number
    cards: Cards
    points: PointMap
    kind: ClassVar[Kind] = Kind.CARDS


@dataclass(frozen=True, slots=True)
class PileAt(Node):
    """``(top piles)``, ``(bottom piles)``, ``(N piles)``; top is the first one."""

    place: End | Number
    piles: Piles
    kind: ClassVar[Kind] = Kind.CARDS


@dataclass(frozen=True, slots=True)
class Partition(Node):
    """``(partition KEY cards…)``: the cards by their value of the key, in order of first sight."""

    key: String
    parts: tuple[Cards | Each, ...]
    kind: ClassVar[Kind] = Kind.PILES


@dataclass(frozen=True, slots=True)
class Subsets(Node):
    """``(subsets cards)``, ``(subsets cards op N)`` for those whose size satisfies op N."""

    cards: Cards
    operator: Comparison | None = None
    size: Number | None = None
    kind: ClassVar[Kind] = Kind.PILES


@dataclass(frozen=True, slots=True)
class Runs(Node):
    """``(runs largest N cards using points)``, ``(runs all …)`` for those within runs too."""

    which: Literal["largest", "all"]
    least: Number
    cards: Cards
    points: PointMap
    kind: ClassVar[Kind] = Kind.PILES


@dataclass(frozen=True, slots=True)
class Tuples(Node):
    """``(tuples N cards using points)``: groups of N cards or more of equal points."""

    count: Number
    cards: Cards
    points: PointMap
    kind: ClassVar[Kind] = Kind.PILES


@dataclass(frozen=True, slots=True)
class Indexed(Node):
    """``(indexed owner vloc NAME)``: the locations of that name, by index."""

    owner: Owner
    place: Place
    name: String
    kind: ClassVar[Kind] = Kind.PILES


@dataclass(frozen=True, slots=True)
class Each(Node):
    """``(all collection 'V cards)``: one list for each item."""

    collection: Collection
    variable: str
    cards: Cards
    kind: ClassVar[Kind] = Kind.PILES
