"""The worlds a seat of Black Queen may be in, and what its moves are worth in them."""

from collections.abc import Sequence
from random import Random

import numpy as np

from bots.black_queen.careful import WEIGHTS
from bots.black_queen.knowledge import Knowledge
from bots.black_queen.lay_out import Layout, lay_out, lay_world
from bots.black_queen.playouts import Values, weigh
from bots.black_queen.table import Table, copy_table, empty_table
from bots.search.draws import draws_from
from bots.search.worlds import Plan, deal_world, plan_worlds
from engine.facts import Seat
from engine.games.black_queen import BLACK_QUEEN
from engine.unseen import NoDeal, Place


class Worlds:
    """Random worlds of one decision, and what moves are worth in them."""

    def __init__(self, known: Knowledge, rng: Random, *, beliefs: bool = True) -> None:
        self.layout: Layout = lay_out(known)
        self._plan = plan_of(known, beliefs=beliefs)
        self._draws = draws_from(rng)
        self._laid, self._played = empty_table(known.seats), empty_table(known.seats)

    def values(self, copies: Sequence[int], worlds: int) -> Values:
        """A row for each of `copies` and a column for each of so many worlds not seen before."""
        values = np.empty((len(copies), worlds))
        weigh(
            self.layout.table,
            self.layout.first,
            self.layout.places,
            self._plan,
            np.array(copies, dtype=np.int64),
            WEIGHTS,
            self._draws,
            self._laid,
            self._played,
            values,
        )
        return values

    def deal(self) -> Table:
        """One more world, as a table of its own."""
        world = np.empty(len(self.layout.places), dtype=np.int64)
        deal_world(self._plan, self._draws, world)
        table = empty_table(len(self.layout.table.seats))
        copy_table(self.layout.table, table)
        lay_world(table, world, self.layout.first, self.layout.places)
        return table


def plan_of(known: Knowledge, *, beliefs: bool = True) -> Plan:
    """Where the unseen cards may lie; the places in the order of the layout's.

    With `beliefs` nobody holds a queen he would have thrown. That is given up where it cannot be,
    and voids too at tables so large that their ways are too many to count.
    """
    places = _places(known, queenless=known.spared if beliefs else frozenset())
    without_beliefs = _places(known, queenless=frozenset())
    certain = [Place(place.size) for place in places]
    for attempt in (places, without_beliefs):
        try:
            return plan_worlds(known.unseen, attempt)
        except NoDeal:
            continue
    return plan_worlds(known.unseen, certain)


def _places(known: Knowledge, *, queenless: frozenset[Seat]) -> list[Place]:
    queen = frozenset({BLACK_QUEEN})
    hands = [
        Place(size, known.lacks[seat], queen if seat in queenless else frozenset())
        for seat, size in enumerate(known.hands)
        if seat != known.seat
    ]
    covered = sum(column.covers for row in known.columns for column in row)
    return [*hands, Place(covered)]
