"""A cache of worlds by the states they are in, so that the next move needs no new world.

A state is complete by itself: a world that is not cached is rebuilt from it.
"""

from collections.abc import Mapping
from functools import cached_property
from weakref import ref

from engine.facts import Seat, Value
from engine.recycle.running.world import World
from engine.recycle.state import State
from engine.recycle.views.offer import Offer
from engine.recycle.views.telling import telling_of
from engine.recycle.views.view import public_values

MOST_KEPT = 256
"""Worlds of one game that are kept; with what is told of its options, one takes 10 to 50 KiB."""


class KeptWorld:
    """A world in a state, and what has been computed from it.

    `before` is the state before, if one of several seats has chosen simultaneously since: the
    others keep their options.
    """

    def __init__(self, world: World, before: "KeptWorld | None" = None) -> None:
        self.world = world
        self._offers: dict[Seat, Offer] = {} if before is None else before._offers

    @cached_property
    def values(self) -> Mapping[str, Value]:
        """All public values."""
        return public_values(self.world)

    def offer(self, seat: Seat) -> Offer:
        """The options of a seat that may act."""
        offer = self._offers.get(seat)
        if offer is None:
            self.world.ask_first(seat)
            offer = self._offers[seat] = Offer(telling_of(self.world))
        return offer


class KeptWorlds:
    """A cache of worlds for the `most` last states of one game.

    A state that is garbage-collected is dropped with its world.
    """

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        # By the identity of the state: comparing states by value takes longer than a move.
        self._kept: dict[int, tuple[ref[State], KeptWorld]] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, state: State) -> KeptWorld | None:
        """The cached world in the given state, if there is one."""
        found = self._kept.get(id(state))
        return None if found is None else found[1]

    def forget(self, state: State) -> None:
        """Drop the cached world of a state, as when a move is made in that world."""
        self._kept.pop(id(state), None)

    def keep(self, state: State, kept: KeptWorld) -> None:
        """Cache a world that is in the given state, as long as the state exists."""
        key = id(state)
        self._kept[key] = ref(state, lambda _: self._kept.pop(key, None)), kept
        if len(self._kept) > self._most:
            del self._kept[next(iter(self._kept))]
