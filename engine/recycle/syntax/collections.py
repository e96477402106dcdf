"""What else can be gone through: players, teams, numbers, names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from engine.recycle.syntax.node import Kind, Node

if TYPE_CHECKING:
    from engine.recycle.syntax.groups import Number, Team


@dataclass(frozen=True, slots=True)
class Players(Node):
    """``player``: all of them, in seat order."""

    kind: ClassVar[Kind] = Kind.PLAYERS


@dataclass(frozen=True, slots=True)
class Teams(Node):
    """``team``: all of them."""

    kind: ClassVar[Kind] = Kind.TEAMS


@dataclass(frozen=True, slots=True)
class Others(Node):
    """``(other player)``, ``(other team)``: all but the current one; `kind` PLAYERS or TEAMS."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class Members(Node):
    """A team where a collection is wanted: its players."""

    team: Team
    kind: ClassVar[Kind] = Kind.PLAYERS


@dataclass(frozen=True, slots=True)
class Range(Node):
    """``(range low .. high)``, both included."""

    low: Number
    high: Number
    kind: ClassVar[Kind] = Kind.INTEGERS


@dataclass(frozen=True, slots=True)
class Names(Node):
    """``(A, B, C)``."""

    names: tuple[str, ...]
    kind: ClassVar[Kind] = Kind.STRINGS
