"""What parts of a description can stand for: the base classes that the tree's fields are typed by.

Every expression is of one category or several: wherever a `Number` may stand, a variable may, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.recycle.syntax.node import Kind, Node

End: TypeAlias = Literal["top", "bottom"]
Operator: TypeAlias = Literal["+", "-", "*", "//", "%", "^"]
Comparison: TypeAlias = Literal["<", ">", "<=", ">=", "==", "!="]
Place: TypeAlias = Literal["vloc", "iloc", "hloc", "oloc", "mem"]
"""Who sees the cards: all, the owner, nobody, all but the owner; `mem` holds marks, no cards."""


class Owner(Node):
    """An owner of piles and values: the table, a player or a team."""

    __slots__ = ()


class Expression(Node):
    """What `let` and `declare` can name. `kind` says what it gives."""

    __slots__ = ()
    kind: Kind


class Number(Expression):
    """An expression that gives an integer."""

    __slots__ = ()
    kind = Kind.INTEGER


class String(Expression):
    """An expression that gives a string."""

    __slots__ = ()
    kind = Kind.STRING


class Condition(Expression):
    """An expression that is true or false."""

    __slots__ = ()
    kind = Kind.BOOLEAN


class Card(Expression):
    """An expression that gives one card, or none."""

    __slots__ = ()
    kind = Kind.CARD


class Player(Expression, Owner):
    """An expression that gives a seat."""

    __slots__ = ()
    kind = Kind.PLAYER


class Team(Expression, Owner):
    """An expression that gives a team."""

    __slots__ = ()
    kind = Kind.TEAM


class Collection(Expression):
    """An expression over which `any`, `all`, `filter` and `size` go."""

    __slots__ = ()


class Cards(Collection):
    """An expression that gives a list of cards (a `Filter` does if its `kind` is CARDS)."""

    __slots__ = ()
    kind = Kind.CARDS


class Piles(Collection):
    """An expression that gives a list of card lists (a `Filter` does if its `kind` is PILES)."""

    __slots__ = ()
    kind = Kind.PILES


@dataclass(frozen=True, slots=True)
class Variable(Number, String, Condition, Card, Player, Team, Cards, Piles):
    """``'NAME``; `kind` is what it is bound to (UNKNOWN only in a tree with errors)."""

    name: str
    kind: Kind = Kind.UNKNOWN


class Body(Node):
    """A body: what can be done; the checker finds a `Choice` in the wrong place."""

    __slots__ = ()


class Action(Body):
    """An action, which changes the state of a game."""

    __slots__ = ()
