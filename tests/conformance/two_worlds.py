"""Two worlds that are equal in what one viewer may know, and the moves that leave them so.

A match is played at random up to some step. What one viewer cannot know at that step (others'
hands, face-down cards, all that the shuffle still holds) is dealt differently, which gives a second
world with the same past for the viewer. Both worlds are then played side by side, at first by the
moves that were made, afterwards by any move that both allow, until the rules themselves show the
viewer a difference. Hidden moves of others may differ.
"""

from collections.abc import Iterator
from random import Random
from typing import Generic, NamedTuple, TypeVar

from engine.choices import Action, random_action
from engine.facts import Seat, Viewer
from engine.game import Step
from tests.conformance.playing import Played
from tests.conformance.subject import Subject, World

S = TypeVar("S")


class Turn(NamedTuple):
    """The actions of a seat in each of the two worlds."""

    seat: Seat
    actions: tuple[Action, Action]


class WorldPair(Generic[S]):
    """Two worlds seen by one viewer; `steps` are their current steps."""

    def __init__(
        self, subject: Subject[S], played: Played[S], at: int, viewer: Viewer, rng: Random
    ) -> None:
        twin = subject.scramble(played, at, viewer, rng)
        one = World(subject.game, played.setup)
        self.subject = subject
        self.viewer = viewer
        self.worlds = one, twin
        self.steps = one.game.start(one.setup), twin.game.start(twin.setup)
        self._past = played.moves[:at]
        self._rng = rng

    @property
    def pairs(self) -> tuple[tuple[World[S], Step[S]], tuple[World[S], Step[S]]]:
        """Each world with its current step."""
        one, two = zip(self.worlds, self.steps, strict=True)
        return one, two

    def turns(self) -> Iterator[Turn]:
        """Make moves; the viewer may notice no difference after each visible one."""
        other = self.worlds[1].moves_or(self._past)
        for (seat, action), (_, twin) in zip(self._past, other, strict=True):
            yield self._make(Turn(seat, (action, twin)))
        assert self._look_alike(), "the second world was not built well"
        while turn := self._any_turn():
            self._make(turn)
            if not self._look_alike():
                return
            yield turn

    def _look_alike(self) -> bool:
        """Whether the rules still hide every difference from the viewer."""
        one, two = (
            (
                self.subject.permitted(step.state, self.viewer),
                self.subject.passed(step.facts),
                self.subject.announced(step.state),
            )
            for step in self.steps
        )
        return one == two

    def _make(self, turn: Turn) -> Turn:
        one, two = (
            world.game.apply(step.state, turn.seat, action)
            for (world, step), action in zip(self.pairs, turn.actions, strict=True)
        )
        self.steps = one, two
        return turn

    def _any_turn(self) -> Turn | None:
        """A move that both worlds allow; None if the match is over or none is found."""
        asked = self.worlds[0].game.to_act(self.steps[0].state)
        if not asked:
            return None
        seat = self._rng.choice(asked)
        here, there = (world.game.choices(step.state, seat) for world, step in self.pairs)
        for _ in range(10):
            action = other = random_action(here, self._rng)
            if seat != self.viewer and self.subject.unseen(action):
                other = random_action(there, self._rng)
            if there.allows(other):
                return Turn(seat, (action, other))
        return None
