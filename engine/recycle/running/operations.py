"""The operations of a running game on its state, as small tuples.

Everything that an option can change is changed by an operation. The list of them serves three
ends: it is undone after an option was tried, done again when the option is chosen, and turned into
the facts of the step.
"""

from enum import Enum
from typing import Any, TypeAlias

from engine.recycle.running.points import PointTable


class OpKind(Enum):
    """The kind of an operation, its first item; the comments list the other items."""

    MOVE = "move"  # card, source pile, place in it, target pile, place in it
    MARK = "mark"  # card, mem, place in it
    UNMARK = "unmark"  # card, mem, place in it
    ORDER = "order"  # pile, its cards before, its cards after
    VALUE = "value"  # key (a slot, or a name with its owner), value before, value after
    CYCLE = "cycle"  # current and queued player before, the same after
    PASS = "pass"  # nothing else
    PILE = "pile"  # key and owner of a pile that had no slot yet
    CARDS = "cards"  # new cards, the pile they are put on
    TEAMS = "teams"  # teams before, teams after
    WHY = "why"  # what the change of a number that follows is for, in words


# Each under a name of its own: Python looks up a member of an enum five times as slowly.
MOVE, MARK, UNMARK, ORDER, VALUE, CYCLE, PASS, PILE, CARDS, TEAMS, WHY = OpKind

# Tuples of different lengths and types: a class for each kind would make every move slower.
Op: TypeAlias = tuple[Any, ...]
"""An operation: its `OpKind`, then the items that the kind has. Piles are given by slot."""
Ops: TypeAlias = tuple[Op, ...]
"""Operations in the order in which they were done."""
Stored: TypeAlias = int | str | PointTable
"""A value in storage: ``sto``, ``str`` or ``points``."""
