"""Invariant 1: two worlds that are equal in what a viewer may know send him the same bytes.

A match is played at random up to some step. What one viewer cannot know at that step (others'
hands, face-down cards, all that the shuffle still holds) is dealt anew, which gives a second
world with the same past for him. Both worlds are then played side by side, at first by the moves
that were made, afterwards by any move that both allow, until the rules themselves show him a
difference. Moves that others make unseen may be different ones. Up to there every byte he is sent
must be the same, error texts included.
"""

from random import Random
from typing import Generic, TypeVar

from engine.choices import Action, random_action
from engine.facts import Seat, Viewer
from engine.game import Setup
from tests.conformance.playing import answer, frame, play
from tests.conformance.subject import Subject, World

S = TypeVar("S")


class Leak(AssertionError):
    """A viewer was sent something that he could not know."""


def check_secrets(subject: Subject[S], setup: Setup, rng: Random) -> None:
    """Nothing that is sent to a viewer depends on what he may not know."""
    played = play(subject.game, setup, rng)
    for _ in range(2):
        at = rng.randrange(len(played.moves))
        viewer = rng.choice(played.viewers)
        scrambled = subject.scramble(played, at, viewer, rng)
        twin = subject.rebuild(subject.game, played, at, scrambled)
        pair = _Pair(subject, World(subject.game, setup), twin, viewer, rng)
        past = played.moves[:at]
        for (seat, action), (_, other) in zip(past, twin.moves_or(past), strict=True):
            pair.apply(seat, action, other)
            pair.expect_same_bytes()
        assert pair.look_alike(), "the second world was not built well"
        while pair.apply_any() and pair.look_alike():
            pair.expect_same_bytes()


class _Pair(Generic[S]):
    """Two worlds before the eyes of one viewer, equal so far in all that he may know."""

    def __init__(
        self, subject: Subject[S], one: World[S], two: World[S], viewer: Viewer, rng: Random
    ) -> None:
        self.subject = subject
        self.viewer = viewer
        self.rng = rng
        self.games = one.game, two.game
        self.steps = one.game.start(one.setup), two.game.start(two.setup)
        self.expect_same_bytes()

    def look_alike(self) -> bool:
        """Whether the rules still hide every difference from the viewer."""
        one, two = (
            (self.subject.permitted(step.state, self.viewer), self.subject.announced(step.state))
            for step in self.steps
        )
        return one == two

    def expect_same_bytes(self) -> None:
        self._expect_same(
            [
                frame(game, step, self.viewer)
                for game, step in zip(self.games, self.steps, strict=True)
            ]
        )
        if self.viewer >= 0:
            attempt = self.rng.choice(list(self.subject.plausible(self.steps[0].state)))
            self._expect_same(
                [
                    answer(game, step.state, self.viewer, attempt)
                    for game, step in zip(self.games, self.steps, strict=True)
                ]
            )

    def apply(self, seat: Seat, *actions: Action) -> None:
        """Make a move in each world."""
        one, two = (
            game.apply(step.state, seat, action)
            for game, step, action in zip(self.games, self.steps, actions, strict=True)
        )
        self.steps = one, two

    def apply_any(self) -> bool:
        """Make a move that both worlds allow; False if none is found."""
        one, two = (step.state for step in self.steps)
        asked = self.games[0].to_act(one)
        if not asked:
            return False
        seat = self.rng.choice(asked)
        here, there = self.games[0].choices(one, seat), self.games[1].choices(two, seat)
        for _ in range(10):
            action = other = random_action(here, self.rng)
            if seat != self.viewer and self.subject.unseen(action):
                other = random_action(there, self.rng)
            if there.allows(other):
                self.apply(seat, action, other)
                return True
        return False

    def _expect_same(self, sent: list[bytes] | list[str]) -> None:
        one, two = sent
        if one != two:
            raise Leak(f"viewer {self.viewer} can tell two worlds apart: {one!r} and {two!r}")
