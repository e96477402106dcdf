"""What else can be gone through: players, teams, numbers, names."""

from __future__ import annotations

from dataclasses import dataclass

from engine.recycle.syntax.categories import Collection, Number, Team
from engine.recycle.syntax.node import Kind


@dataclass(frozen=True, slots=True)
class Players(Collection):
    """``player``: all of them, in seat order."""

    kind = Kind.PLAYERS


@dataclass(frozen=True, slots=True)
class Teams(Collection):
    """``team``: all of them."""

    kind = Kind.TEAMS


@dataclass(frozen=True, slots=True)
class Others(Collection):
    """``(other player)``, ``(other team)``: all but the current one; `kind` PLAYERS or TEAMS."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class Members(Collection):
    """A team where a collection is wanted: its players."""

    team: Team
    kind = Kind.PLAYERS


@dataclass(frozen=True, slots=True)
class Range(Collection):
    """``(range low .. high)``, both included."""

    low: Number
    high: Number
    kind = Kind.INTEGERS


@dataclass(frozen=True, slots=True)
class Names(Collection):
    """``(A, B, C)``."""

    names: tuple[str, ...]
    kind = Kind.STRINGS
