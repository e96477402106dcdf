"""Possible worlds of a seat of Black Queen, and the values of its moves in them."""

from collections.abc import Sequence
from random import Random
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bots.black_queen.careful import WEIGHTS, Weights, play_out
from bots.black_queen.knowledge import Knowledge
from bots.black_queen.lay_out import Layout, lay_out, lay_world
from bots.black_queen.open_deal import TURN, Deal, Numbers, copy_deal, empty_deal, play, score
from bots.search.compiled import kernel
from bots.search.draws import Draws, draws_from
from bots.search.worlds import Plan, deal_world, plan_worlds
from engine.facts import Seat
from engine.games.black_queen import BLACK_QUEEN
from engine.unseen import NoDeal, Place

Values: TypeAlias = NDArray[np.float64]
"""A row for each move, a column for each world."""


class Worlds:
    """Random worlds of one decision, and the values of moves in them."""

    def __init__(self, known: Knowledge, rng: Random, *, beliefs: bool = True) -> None:
        self.layout: Layout = lay_out(known)
        self._plan = plan_of(known, beliefs=beliefs)
        self._draws = draws_from(rng)
        self._laid, self._played = empty_deal(known.seats), empty_deal(known.seats)

    def values(self, copies: Sequence[int], worlds: int) -> Values:
        """The values of `copies`, a row each, in so many new worlds, a column each."""
        values = np.empty((len(copies), worlds))
        values_of_moves(
            self.layout.deal,
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

    def deal(self) -> Deal:
        """A further world, as a new deal."""
        world = np.empty(len(self.layout.places), dtype=np.int64)
        deal_world(self._plan, self._draws, world)
        deal = empty_deal(len(self.layout.deal.seats))
        copy_deal(self.layout.deal, deal)
        lay_world(deal, world, self.layout.first, self.layout.places)
        return deal


def plan_of(known: Knowledge, *, beliefs: bool = True) -> Plan:
    """The plan for dealing the unseen cards; its places are in the layout's order.

    With `beliefs` nobody holds a queen that they would have thrown. Beliefs are dropped if no deal
    respects them, and voids too at deals so large that their ways are too many to count.
    """
    places = _places(known, queenless=known.spared if beliefs else frozenset())
    without_beliefs = _places(known, queenless=frozenset())
    certain = [Place(place.size, holds=place.holds) for place in places]
    for attempt in (places, without_beliefs):
        try:
            return plan_worlds(known.unseen, attempt)
        except NoDeal:
            continue
    return plan_worlds(known.unseen, certain)


def _places(known: Knowledge, *, queenless: frozenset[Seat]) -> list[Place]:
    queen = frozenset({BLACK_QUEEN})
    shown = known.shown or ((),) * known.seats
    hands = [
        Place(size, known.lacks[seat], queen if seat in queenless else frozenset(), shown[seat])
        for seat, size in enumerate(known.hands)
        if seat != known.seat
    ]
    covered = sum(column.covers for row in known.columns for column in row)
    return [*hands, Place(covered)]


@kernel
def values_of_moves(
    known: Deal,
    first: Numbers,
    places: Numbers,
    plan: Plan,
    candidates: Numbers,
    weights: Weights,
    draws: Draws,
    laid: Deal,
    played: Deal,
    values: Values,
) -> None:
    """Fill `values`: a row for each of `candidates`, a column for each of so many worlds.

    A value is the score of the seat to play less the mean of the others'. `laid` and `played` are
    scratch deals of the deal's size.
    """
    seat, seats = known.now[TURN], len(known.seats)
    world = np.empty(len(places), np.int64)
    for column in range(values.shape[1]):
        deal_world(plan, draws, world)
        copy_deal(known, laid)
        lay_world(laid, world, first, places)
        for row in range(len(candidates)):
            copy_deal(laid, played)
            play(played, candidates[row])
            play_out(played, weights)
            own = score(played, seat)
            others = -own
            for other in range(seats):
                others += score(played, other)
            values[row, column] = own - others / (seats - 1)
