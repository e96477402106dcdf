"""Who something belongs to: the table, a player, a team."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from engine.recycle.syntax.node import Kind, Node

if TYPE_CHECKING:
    from engine.recycle.syntax.groups import Card, Number, Player


@dataclass(frozen=True, slots=True)
class Table(Node):
    """``game``: what belongs to nobody."""


@dataclass(frozen=True, slots=True)
class CyclePlayer(Node):
    """``(current player)``, ``(next player)``, ``(previous player)``."""

    which: Literal["current", "next", "previous"]
    kind: ClassVar[Kind] = Kind.PLAYER


@dataclass(frozen=True, slots=True)
class NumberedPlayer(Node):
    """``(N player)``: seat ``number - Game.numbering``."""

    number: Number
    kind: ClassVar[Kind] = Kind.PLAYER


@dataclass(frozen=True, slots=True)
class OwnerOf(Node):
    """``(owner card)``: the player in one of whose locations the card lies."""

    card: Card
    kind: ClassVar[Kind] = Kind.PLAYER


@dataclass(frozen=True, slots=True)
class CycleTeam(Node):
    """``(current team)``, ``(next team)``, ``(previous team)``."""

    which: Literal["current", "next", "previous"]
    kind: ClassVar[Kind] = Kind.TEAM


@dataclass(frozen=True, slots=True)
class NumberedTeam(Node):
    """``(N team)``: team ``number - Game.numbering``."""

    number: Number
    kind: ClassVar[Kind] = Kind.TEAM


@dataclass(frozen=True, slots=True)
class TeamOf(Node):
    """``(team player)``."""

    player: Player
    kind: ClassVar[Kind] = Kind.TEAM
