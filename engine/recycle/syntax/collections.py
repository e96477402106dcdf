"""Further collections: players, teams, numbers, names."""

from __future__ import annotations

from dataclasses import dataclass

from engine.recycle.syntax.categories import Collection, Number, Team
from engine.recycle.syntax.node import Kind


@dataclass(frozen=True, slots=True)
class Players(Collection):
    """All players, in seat order: ``player``."""

    kind = Kind.PLAYERS


@dataclass(frozen=True, slots=True)
class Teams(Collection):
    """All teams: ``team``."""

    kind = Kind.TEAMS


@dataclass(frozen=True, slots=True)
class Others(Collection):
    """All but the current one: ``(other player)``, ``(other team)``; `kind` PLAYERS or TEAMS."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class Members(Collection):
    """The players of a team, if it stands where a collection is expected."""

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
