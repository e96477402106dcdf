"""Actions: what changes the state of a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.recycle.syntax.cards import CardAt
from engine.recycle.syntax.categories import Action, Body, Card, Cards, Number, Player, String
from engine.recycle.syntax.values import Award, IntStorage, PointMap, StringStorage


@dataclass(frozen=True, slots=True)
class Move(Action):
    """`target` names a place in a real pile: on top, at the bottom, or before the card there."""

    card: Card
    target: CardAt


@dataclass(frozen=True, slots=True)
class SwapCards(Action):
    """Exchange two cards: ``(swap CARD CARD)``."""

    left: Card
    right: Card


@dataclass(frozen=True, slots=True)
class SwapPiles(Action):
    """Exchange the cards of two piles, keeping their orders."""

    left: Cards
    right: Cards


@dataclass(frozen=True, slots=True)
class Remember(Action):
    """Put a mark of the card into a `mem`; the card stays where it is."""

    card: Card
    target: CardAt


@dataclass(frozen=True, slots=True)
class Forget(Action):
    """Remove a mark from a `mem`."""

    card: Card


@dataclass(frozen=True, slots=True)
class Shuffle(Action):
    """Shuffle a pile: ``(shuffle PILE)``."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class Interleave(Action):
    """Interleave two piles, ``(shuffle faro a b)``: cards of `other` between those of `cards`."""

    cards: Cards
    other: Cards


@dataclass(frozen=True, slots=True)
class SetInt(Action):
    """Set a number: ``(set (owner sto NAME) number)``."""

    storage: IntStorage
    value: Number


@dataclass(frozen=True, slots=True)
class ChangeInt(Action):
    """Change a number: ``inc`` (`sign` 1) or ``dec`` (`sign` -1)."""

    storage: IntStorage
    amount: Number
    sign: Literal[1, -1]


@dataclass(frozen=True, slots=True)
class SetString(Action):
    """Set a string: ``(set (owner str NAME) string)``."""

    storage: StringStorage
    value: String


@dataclass(frozen=True, slots=True)
class SetPoints(Action):
    """Set a point map, ``(set points awards)``; `update` adds to it instead."""

    points: PointMap
    awards: tuple[Award, ...]
    update: bool = False


@dataclass(frozen=True, slots=True)
class Cycle(Action):
    """Change the turn: ``cycle next`` queues `player`, ``cycle current`` gives it at once."""

    when: Literal["next", "current"]
    player: Player


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """Do nothing, as an option: ``(turn pass)``."""


@dataclass(frozen=True, slots=True)
class Repeat(Action):
    """Repeat an action: ``(repeat N action)``."""

    times: Number
    body: Body


@dataclass(frozen=True, slots=True)
class RepeatAll(Action):
    """Repeat `action` as often as the list is long from which it takes cards."""

    action: Move | Forget
