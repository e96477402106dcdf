"""Numbers and strings, and the point maps that cards are valued by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from engine.recycle.syntax.node import Kind, Node

if TYPE_CHECKING:
    from engine.recycle.syntax.groups import (
        Card,
        Cards,
        Collection,
        Number,
        Owner,
        Player,
        String,
        Team,
    )
    from engine.recycle.syntax.words import Operator


@dataclass(frozen=True, slots=True)
class Integer(Node):
    value: int
    kind: ClassVar[Kind] = Kind.INTEGER


@dataclass(frozen=True, slots=True)
class IntStorage(Node):
    """``(owner sto NAME)``; 0 until it is set."""

    owner: Owner
    name: String
    kind: ClassVar[Kind] = Kind.INTEGER


@dataclass(frozen=True, slots=True)
class Size(Node):
    collection: Collection
    kind: ClassVar[Kind] = Kind.INTEGER


@dataclass(frozen=True, slots=True)
class Sum(Node):
    """``(sum cards using points)``."""

    cards: Cards
    points: PointMap
    kind: ClassVar[Kind] = Kind.INTEGER


@dataclass(frozen=True, slots=True)
class Score(Node):
    """``(score card using points)``."""

    card: Card
    points: PointMap
    kind: ClassVar[Kind] = Kind.INTEGER


@dataclass(frozen=True, slots=True)
class ExtremeScore(Node):
    """``(scoremax cards using points)``, ``(scoremin …)``: the points, not the card."""

    which: Literal["max", "min"]
    cards: Cards
    points: PointMap
    kind: ClassVar[Kind] = Kind.INTEGER


@dataclass(frozen=True, slots=True)
class Arithmetic(Node):
    """``+`` and ``*`` have two operands or more, the others two."""

    operator: Operator
    operands: tuple[Number, ...]
    kind: ClassVar[Kind] = Kind.INTEGER


@dataclass(frozen=True, slots=True)
class Triangular(Node):
    """``(tri n)``."""

    number: Number
    kind: ClassVar[Kind] = Kind.INTEGER


@dataclass(frozen=True, slots=True)
class Fibonacci(Node):
    """``(fib n)``."""

    number: Number
    kind: ClassVar[Kind] = Kind.INTEGER


@dataclass(frozen=True, slots=True)
class Random(Node):
    """``(random low .. high)``, both included; ``(random n)`` has `low` 0."""

    low: Number
    high: Number
    kind: ClassVar[Kind] = Kind.INTEGER


@dataclass(frozen=True, slots=True)
class Total(Node):
    """``(all collection 'V number)``: the sum of the number over the collection."""

    collection: Collection
    variable: str
    number: Number
    kind: ClassVar[Kind] = Kind.INTEGER


@dataclass(frozen=True, slots=True)
class PlayerNumber(Node):
    """``(pid player)``, counted from `Game.numbering`."""

    player: Player
    kind: ClassVar[Kind] = Kind.INTEGER


@dataclass(frozen=True, slots=True)
class TeamNumber(Node):
    """``(tid team)``, counted from `Game.numbering`."""

    team: Team
    kind: ClassVar[Kind] = Kind.INTEGER


@dataclass(frozen=True, slots=True)
class Name(Node):
    text: str
    kind: ClassVar[Kind] = Kind.STRING


@dataclass(frozen=True, slots=True)
class StringStorage(Node):
    """``(owner str NAME)``; empty until it is set."""

    owner: Owner
    name: String
    kind: ClassVar[Kind] = Kind.STRING


@dataclass(frozen=True, slots=True)
class CardAttribute(Node):
    """``(cardatt KEY card)``; empty where there is no such card or key."""

    key: String
    card: Card
    kind: ClassVar[Kind] = Kind.STRING


@dataclass(frozen=True, slots=True)
class PointMap(Node):
    """``(owner points NAME)``; gives 0 for every card until it is set."""

    owner: Owner
    name: String


@dataclass(frozen=True, slots=True)
class Award(Node):
    """``((KEY : VALUE)… number)``: cards that have every one of the values."""

    conditions: tuple[tuple[String, String], ...]
    value: Number
