"""Described games, driven by the engine's own fast worlds instead of frozen states.

Moves have numbers there; their texts are made only on request, and at the root of a search only
once: nearly every determinization offers the choices of the first one.
"""

from collections.abc import Callable, Sequence
from random import Random

from engine.choices import Action, Choices
from engine.errors import IllegalAction
from engine.facts import Fact, Seat
from engine.game import Outcome
from engine.recycle import Description, World
from engine.recycle.running.program import Option
from engine.recycle.views.action_texts import action_texts
from engine.views import View


class RootTexts:
    """The texts at the searched position, computed once for worlds with equal options.

    The text of an option can depend on cards that come into it later, so this is for the searched
    position alone, whose player sees everything that the choices name.
    """

    def __init__(self) -> None:
        self._offered: list[Option] = []
        self._texts: tuple[Action, ...] = ()

    def of(self, world: World) -> tuple[Action, ...]:
        """The texts of the options that `world` offers at the root, in order."""
        if world.offered != self._offered:
            self._offered, self._texts = world.offered, action_texts(world)
        return self._texts


class DescribedWorld:
    """A `bots.generic.worlds.World` around the engine's own."""

    def __init__(self, world: World, root: RootTexts | None = None) -> None:
        self._world = world
        self._root = root

    def to_act(self) -> tuple[Seat, ...]:
        """The seats that may act now; none at the end."""
        return self._world.asked

    def choices(self, seat: Seat) -> Choices:
        """The single actions of `seat`; a described game has no picks."""
        return Choices(self._actions(seat))

    def play(self, seat: Seat, action: Action) -> None:
        """Make a move, or raise `IllegalAction`."""
        try:
            index = self._actions(seat).index(action)
        except ValueError:
            raise IllegalAction(f"{action!r} is not on offer") from None
        self._world.play(index)
        self._root = None

    def finish(self, rng: Random) -> Outcome:
        """The outcome after random play to the end."""
        world = self._world
        while world.count:
            world.play(rng.randrange(world.count))
        return world.outcome()

    def outcome_after(self, rng: Random, goes_on: Callable[[], bool]) -> Outcome:
        """The outcome so far, after random play for as long as `goes_on()`."""
        world = self._world
        while world.count and goes_on():
            world.play(rng.randrange(world.count))
        return world.outcome()

    def _actions(self, seat: Seat) -> tuple[Action, ...]:
        if seat != self._world.seat:
            self._world.ask_first(seat)
        return action_texts(self._world) if self._root is None else self._root.of(self._world)


class DescribedDeterminizer:
    """Deals worlds that agree with what a seat knows, which is read once."""

    def __init__(self, game: Description, view: View, facts: Sequence[Fact]) -> None:
        self._sampler = game.sampler(view, facts)
        self._root = RootTexts()

    def __call__(self, rng: Random) -> DescribedWorld:
        """A random deal of what the seat cannot see."""
        return DescribedWorld(self._sampler.world(rng), self._root)
