"""The course of a game: choices, actions between them, stages, and the whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.recycle.syntax.categories import Body, Collection, Condition, Expression, Number
from engine.recycle.syntax.node import Node
from engine.recycle.syntax.setup import Setup


@dataclass(frozen=True, slots=True)
class When(Body):
    """A body under a condition: ``(condition body)``."""

    condition: Condition
    body: Body


@dataclass(frozen=True, slots=True)
class Do(Body):
    """A sequence of bodies: ``(do (body…))``."""

    body: tuple[Body, ...]


@dataclass(frozen=True, slots=True)
class ForEach(Body):
    """``(any collection 'V body)``: one item is chosen; ``all`` (`every`): one after the other."""

    every: bool
    collection: Collection
    variable: str
    body: Body


@dataclass(frozen=True, slots=True)
class Let(Body):
    """``(let value 'V body)``: a name for a value inside the body."""

    value: Expression
    variable: str
    body: Body


@dataclass(frozen=True, slots=True)
class Choice(Body):
    """A choice: the player to move picks one of the options of `options`."""

    options: tuple[Body, ...]


@dataclass(frozen=True, slots=True)
class Stage(Node):
    """A stage, whose children run once each turn, in a cycle, until `end` holds.

    `mode` is `end` with the condition, or `once` or `simultaneous` without.
    """

    cycle: Literal["player", "team"]
    mode: Literal["end", "once", "simultaneous"]
    end: Condition | None
    children: tuple[Stage | Body, ...]


@dataclass(frozen=True, slots=True)
class Declare(Node):
    """A name for a value, everywhere below."""

    value: Expression
    variable: str


@dataclass(frozen=True, slots=True)
class Scoring(Node):
    """The scoring: `best` says whether most or least wins; `value` is taken for each player."""

    best: Literal["max", "min"]
    value: Number


@dataclass(frozen=True, slots=True)
class Game(Node):
    """The whole game; `numbering` is the number of the first player and team, 0 or 1."""

    declarations: tuple[Declare, ...]
    setup: Setup
    children: tuple[Stage | Body, ...]
    scoring: Scoring
    numbering: Literal[0, 1] = 1
