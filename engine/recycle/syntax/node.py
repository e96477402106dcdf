"""The common base of all nodes of a tree, and how to walk through one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from enum import Enum

from engine.recycle.source_text import NOWHERE, Span


class Kind(Enum):
    """The kind of value that an expression gives; the value is its name for people."""

    INTEGER = "a number"
    STRING = "a string"
    BOOLEAN = "a condition"
    CARD = "a card"
    PLAYER = "a player"
    TEAM = "a team"
    CARDS = "a list of cards"
    PILES = "a list of card lists"
    PLAYERS = "the players"
    TEAMS = "the teams"
    INTEGERS = "a range"
    STRINGS = "a list of names"
    UNKNOWN = "unknown"


ITEM_OF = {
    Kind.CARDS: Kind.CARD,
    Kind.PILES: Kind.CARDS,
    Kind.PLAYERS: Kind.PLAYER,
    Kind.TEAMS: Kind.TEAM,
    Kind.INTEGERS: Kind.INTEGER,
    Kind.STRINGS: Kind.STRING,
    Kind.UNKNOWN: Kind.UNKNOWN,
}
"""The kind of the items of a list; an item of a list of card lists is such a list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Any node of the tree."""

    at: Span = field(default=NOWHERE, compare=False, repr=False)


_FIELDS: dict[type[Node], tuple[str, ...]] = {}
"""The fields of each class of nodes, which are asked for at every step of every walk."""


def parts(node: Node) -> Iterator[Node]:
    """The nodes directly inside `node`, in order of their fields."""
    kind = type(node)
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(each.name for each in fields(kind))
    for name in _FIELDS[kind]:
        yield from _nodes(getattr(node, name))


def walk(node: Node) -> Iterator[Node]:
    """`node` and every node below it, outermost first."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        yield here
        waiting.extend(reversed(list(parts(here))))


def _nodes(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _nodes(item)
