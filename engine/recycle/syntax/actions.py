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
    """``(swap CARD CARD)``: each goes to where the other was."""

    left: Card
    right: Card


@dataclass(frozen=True, slots=True)
class SwapPiles(Action):
    """The two piles' cards change places, in their order."""

    left: Cards
    right: Cards


@dataclass(frozen=True, slots=True)
class Remember(Action):
    """A mark for the card is put into a `mem`; the card stays where it is."""

    card: Card
    target: CardAt


@dataclass(frozen=True, slots=True)
class Forget(Action):
    """A mark is taken out of a `mem`."""

    card: Card


@dataclass(frozen=True, slots=True)
class Shuffle(Action):
    """``(shuffle PILE)``: in random order."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class Interleave(Action):
    """``(shuffle faro a b)``: the cards of `other` go between those of `cards`."""

    cards: Cards
    other: Cards


@dataclass(frozen=True, slots=True)
class SetInt(Action):
    """``(set (owner sto NAME) number)``."""

    storage: IntStorage
    value: Number


@dataclass(frozen=True, slots=True)
class ChangeInt(Action):
    """``inc`` (`sign` 1) and ``dec`` (`sign` -1)."""

    storage: IntStorage
    amount: Number
    sign: Literal[1, -1]


@dataclass(frozen=True, slots=True)
class SetString(Action):
    """``(set (owner str NAME) string)``."""

    storage: StringStorage
    value: String


@dataclass(frozen=True, slots=True)
class SetPoints(Action):
    """``(set points awards)``; `update` adds to what is there instead."""

    points: PointMap
    awards: tuple[Award, ...]
    update: bool = False


@dataclass(frozen=True, slots=True)
class Cycle(Action):
    """``cycle next`` queues `player`, ``cycle current`` gives them the turn at once."""

    when: Literal["next", "current"]
    player: Player


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """``(turn pass)``: an option that does nothing."""


@dataclass(frozen=True, slots=True)
class Repeat(Action):
    """``(repeat N action)``."""

    times: Number
    body: Body


@dataclass(frozen=True, slots=True)
class RepeatAll(Action):
    """As often as the list that `action` takes cards from is long."""

    action: Move | Forget
