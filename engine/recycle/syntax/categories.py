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
    """Gives an integer."""

    __slots__ = ()
    kind = Kind.INTEGER


class String(Expression):
    """Gives a string."""

    __slots__ = ()
    kind = Kind.STRING


class Condition(Expression):
    """Holds or does not."""

    __slots__ = ()
    kind = Kind.BOOLEAN


class Card(Expression):
    """Gives one card, or none."""

    __slots__ = ()
    kind = Kind.CARD


class Player(Expression, Owner):
    """Gives a seat."""

    __slots__ = ()
    kind = Kind.PLAYER


class Team(Expression, Owner):
    """Gives a team."""

    __slots__ = ()
    kind = Kind.TEAM


class Collection(Expression):
    """What `any`, `all`, `filter` and `size` go over."""

    __slots__ = ()


class Cards(Collection):
    """Gives a list of cards (a `Filter` may: its `kind` is CARDS then)."""

    __slots__ = ()
    kind = Kind.CARDS


class Piles(Collection):
    """Gives a list of card lists (a `Filter` may: its `kind` is PILES then)."""

    __slots__ = ()
    kind = Kind.PILES


@dataclass(frozen=True, slots=True)
class Variable(Number, String, Condition, Card, Player, Team, Cards, Piles):
    """``'NAME``; `kind` is what it is bound to (UNKNOWN only in a tree with errors)."""

    name: str
    kind: Kind = Kind.UNKNOWN


class Body(Node):
    """What can be done; a `Choice` in the wrong place is for the checker to find."""

    __slots__ = ()


class Action(Body):
    """What changes the state of a game."""

    __slots__ = ()
