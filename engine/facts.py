"""Facts: what happened, and who may know it.

A step of a game yields facts in order. Each names what happened (`verb` and `args`, for words)
and how the table changed (`changes`, for pictures), and each has an audience. Where two people
see the same thing differently, the game makes two facts with audiences that do not overlap.
A seat's view is the fold of the facts it may see (`engine.views.fold`).

Cards are tokens here, not ints: facts and views are what leaves the engine.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from engine.cards import Token

Seat: TypeAlias = int
Viewer: TypeAlias = int
"""A seat, or one of the two below."""

SPECTATOR: Viewer = -1
"""Sees what everybody sees."""
OPEN: Viewer = -2
"""Sees every card; for finished tables and tests. No fact is ever addressed to it."""

Audience: TypeAlias = int
"""A bit for each viewer: spectators first, then the seats."""
EVERYONE: Audience = -1

Value: TypeAlias = int | str | bool | tuple[int, ...] | None
ZoneId: TypeAlias = str
"""``kind``, ``kind/owner`` or ``kind/owner/slot``: ``trick``, ``hand/2``, ``column/2/5``."""


def only(*viewers: Viewer) -> Audience:
    mask = 0
    for viewer in viewers:
        mask |= 1 << (viewer + 1)
    return mask


def all_but(*viewers: Viewer) -> Audience:
    return ~only(*viewers)


@dataclass(frozen=True, slots=True)
class Lay:
    """The table is laid anew: exactly these zones, each with so many backs in it."""

    zones: Mapping[ZoneId, int]
    do: Literal["lay"] = "lay"


@dataclass(frozen=True, slots=True)
class Move:
    """Cards leave `source` and join the end of `target`.

    Named cards leave as the faces they were seen as, or else as backs, and arrive face up; with
    `hidden` they arrive as backs. A plain count moves that many backs.
    """

    source: ZoneId
    target: ZoneId
    cards: tuple[Token, ...] | int
    hidden: bool = False
    do: Literal["move"] = "move"


@dataclass(frozen=True, slots=True)
class Show:
    """Backs of `zone` turn out to be these cards and lie face up from now on."""

    zone: ZoneId
    cards: tuple[Token, ...]
    do: Literal["show"] = "show"


@dataclass(frozen=True, slots=True)
class Set:
    """`key` now has `value`; None takes the key away."""

    key: str
    value: Value
    do: Literal["set"] = "set"


Change: TypeAlias = Lay | Move | Show | Set


@dataclass(frozen=True, slots=True)
class Fact:
    verb: str
    args: Mapping[str, Value] = field(default_factory=dict)
    changes: tuple[Change, ...] = ()
    audience: Audience = EVERYONE

    def seen_by(self, viewer: Viewer) -> bool:
        return self.audience >> (viewer + 1) & 1 == 1


def seen_by(facts: tuple[Fact, ...], viewer: Viewer) -> tuple[Fact, ...]:
    """The facts that `viewer` may know, in order."""
    return tuple(fact for fact in facts if fact.seen_by(viewer))
