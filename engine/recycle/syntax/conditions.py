"""What holds or does not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from engine.recycle.syntax.node import Kind, Node

if TYPE_CHECKING:
    from engine.recycle.syntax.groups import (
        Card,
        Collection,
        Condition,
        Number,
        Player,
        String,
        Team,
    )
    from engine.recycle.syntax.words import Comparison


@dataclass(frozen=True, slots=True)
class Logic(Node):
    """``and`` or ``or`` of one condition or more."""

    operator: Literal["and", "or"]
    operands: tuple[Condition, ...]
    kind: ClassVar[Kind] = Kind.BOOLEAN


@dataclass(frozen=True, slots=True)
class Not(Node):
    condition: Condition
    kind: ClassVar[Kind] = Kind.BOOLEAN


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """Two numbers compared."""

    operator: Comparison
    left: Number
    right: Number
    kind: ClassVar[Kind] = Kind.BOOLEAN


@dataclass(frozen=True, slots=True)
class Same(Node):
    """``==`` and ``!=`` (`negated`) of two strings, two cards, two players or two teams."""

    left: String | Card | Player | Team
    right: String | Card | Player | Team
    negated: bool = False
    kind: ClassVar[Kind] = Kind.BOOLEAN


@dataclass(frozen=True, slots=True)
class Quantified(Node):
    """``(any collection 'V condition)``, or ``all`` (`every`)."""

    every: bool
    collection: Collection
    variable: str
    condition: Condition
    kind: ClassVar[Kind] = Kind.BOOLEAN
