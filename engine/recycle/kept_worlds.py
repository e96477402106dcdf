"""Worlds that are kept beside the states they are in, so that the next move is made in one.

A state says everything by itself: a world that is not kept is thawed again, and is the same.
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
    """A world in a state, and what has been worked out of it for whoever asks.

    `before` is the state before, if since then one of several seats has chosen unseen: the others
    may do what they might.
    """

    def __init__(self, world: World, before: "KeptWorld | None" = None) -> None:
        self.world = world
        self._offers: dict[Seat, Offer] = {} if before is None else before._offers

    @cached_property
    def values(self) -> Mapping[str, Value]:
        """All values that everybody sees."""
        return public_values(self.world)

    def offer(self, seat: Seat) -> Offer:
        """The options of a seat that is asked."""
        offer = self._offers.get(seat)
        if offer is None:
            self.world.ask_first(seat)
            offer = self._offers[seat] = Offer(telling_of(self.world))
        return offer


class KeptWorlds:
    """The worlds of the last `most` states of one game that were reached or thawed.

    A state that nobody holds any more is forgotten with its world.
    """

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        # By the identity of the state: comparing states by value takes longer than a move.
        self._kept: dict[int, tuple[ref[State], KeptWorld]] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, state: State) -> KeptWorld | None:
        """The world in that state, if there is one."""
        found = self._kept.get(id(state))
        return None if found is None else found[1]

    def forget(self, state: State) -> None:
        """Let the world go that is kept for a state, as when somebody plays on in it."""
        self._kept.pop(id(state), None)

    def keep(self, state: State, kept: KeptWorld) -> None:
        """Keep a world that is in that state, for as long as there is the state."""
        key = id(state)
        self._kept[key] = ref(state, lambda _: self._kept.pop(key, None)), kept
        if len(self._kept) > self._most:
            del self._kept[next(iter(self._kept))]
