"""The conditions of a description."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.recycle.syntax.categories import (
    Card,
    Collection,
    Comparison,
    Condition,
    Number,
    Player,
    String,
    Team,
)


@dataclass(frozen=True, slots=True)
class Logic(Condition):
    """A conjunction or disjunction (``and``, ``or``) of one condition or more."""

    operator: Literal["and", "or"]
    operands: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Not(Condition):
    """``(not condition)``."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class Compare(Condition):
    """A comparison of two numbers."""

    operator: Comparison
    left: Number
    right: Number


@dataclass(frozen=True, slots=True)
class Same(Condition):
    """Equality (``==``, `negated` ``!=``) of two strings, cards, players or teams."""

    left: String | Card | Player | Team
    right: String | Card | Player | Team
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Quantified(Condition):
    """``(any collection 'V condition)``, or ``all`` (`every`)."""

    every: bool
    collection: Collection
    variable: str
    condition: Condition
