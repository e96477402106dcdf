"""What a running game does to its table, one small tuple each.

Everything that an option can change is one of these. The list of them is at once what is undone
after an option was tried, what is done again when it is chosen, and what facts are made of.
"""

from typing import Any, TypeAlias

from engine.recycle.running.points import PointTable

MOVE, MARK, UNMARK, ORDER, VALUE, CYCLE, PASS, PILE, CARDS, TEAMS = range(10)

# Tuples of different lengths and kinds; `World` takes them apart, and `tell` and `wording`.
Op: TypeAlias = tuple[Any, ...]
"""By its first item:

MOVE    card, source, place in it, target, place in it
MARK    card, mem, place in it
UNMARK  card, mem, place in it
ORDER   pile, its cards before, its cards after
VALUE   key (slot or dynamic), value before, value after
CYCLE   current and queued player before, and after
PASS    -
PILE    key and owner of a pile that had no slot yet
CARDS   cards that were made, their pile
TEAMS   teams before, teams after
"""
Ops: TypeAlias = tuple[Op, ...]
Stored: TypeAlias = int | str | PointTable
