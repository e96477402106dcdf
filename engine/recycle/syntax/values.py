"""Numbers and strings, and the point maps that cards are valued by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.recycle.syntax.categories import (
    Card,
    Cards,
    Collection,
    Number,
    Operator,
    Owner,
    Player,
    String,
    Team,
)
from engine.recycle.syntax.node import Node


@dataclass(frozen=True, slots=True)
class Integer(Number):
    """A literal number."""

    value: int


@dataclass(frozen=True, slots=True)
class IntStorage(Number):
    """``(owner sto NAME)``; 0 until it is set."""

    owner: Owner
    name: String


@dataclass(frozen=True, slots=True)
class Size(Number):
    """The number of items of a collection: ``(size collection)``."""

    collection: Collection


@dataclass(frozen=True, slots=True)
class Sum(Number):
    """``(sum cards using points)``."""

    cards: Cards
    points: PointMap


@dataclass(frozen=True, slots=True)
class Score(Number):
    """``(score card using points)``."""

    card: Card
    points: PointMap


@dataclass(frozen=True, slots=True)
class ExtremeScore(Number):
    """``(scoremax cards using points)``, ``(scoremin …)``: the points, not the card."""

    which: Literal["max", "min"]
    cards: Cards
    points: PointMap


@dataclass(frozen=True, slots=True)
class Arithmetic(Number):
    """Arithmetic; ``+`` and ``*`` have two or more operands, the others two."""

    operator: Operator
    operands: tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class Triangular(Number):
    """``(tri n)``."""

    number: Number


@dataclass(frozen=True, slots=True)
class Fibonacci(Number):
    """``(fib n)``."""

    number: Number


@dataclass(frozen=True, slots=True)
class Random(Number):
    """``(random low .. high)``, both included; ``(random n)`` has `low` 0."""

    low: Number
    high: Number


@dataclass(frozen=True, slots=True)
class Total(Number):
    """``(all collection 'V number)``: the sum of the number over the collection."""

    collection: Collection
    variable: str
    number: Number


@dataclass(frozen=True, slots=True)
class PlayerNumber(Number):
    """``(pid player)``, counted from `Game.numbering`."""

    player: Player


@dataclass(frozen=True, slots=True)
class TeamNumber(Number):
    """``(tid team)``, counted from `Game.numbering`."""

    team: Team


@dataclass(frozen=True, slots=True)
class Name(String):
    """A literal string: ``NAME``."""

    text: str


@dataclass(frozen=True, slots=True)
class StringStorage(String):
    """``(owner str NAME)``; empty until it is set."""

    owner: Owner
    name: String


@dataclass(frozen=True, slots=True)
class CardAttribute(String):
    """``(cardatt KEY card)``; empty where there is no such card or key."""

    key: String
    card: Card


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
