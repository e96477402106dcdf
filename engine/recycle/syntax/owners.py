"""Owners of piles and values: the table, a player, a team."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.recycle.syntax.categories import Card, Number, Owner, Player, Team


@dataclass(frozen=True, slots=True)
class Table(Owner):
    """``game``: the table, which owns what belongs to no player or team."""


@dataclass(frozen=True, slots=True)
class CyclePlayer(Player):
    """``(current player)``, ``(next player)``, ``(previous player)``."""

    which: Literal["current", "next", "previous"]


@dataclass(frozen=True, slots=True)
class NumberedPlayer(Player):
    """``(N player)``: seat ``number - Game.numbering``."""

    number: Number


@dataclass(frozen=True, slots=True)
class OwnerOf(Player):
    """``(owner card)``: the player in one of whose locations the card lies."""

    card: Card


@dataclass(frozen=True, slots=True)
class CycleTeam(Team):
    """``(current team)``, ``(next team)``, ``(previous team)``."""

    which: Literal["current", "next", "previous"]


@dataclass(frozen=True, slots=True)
class NumberedTeam(Team):
    """``(N team)``: team ``number - Game.numbering``."""

    number: Number


@dataclass(frozen=True, slots=True)
class TeamOf(Team):
    """``(team player)``."""

    player: Player
