"""Invariant 1: two worlds that are equal in what a viewer may know send the viewer equal bytes.

As long as the rules show the viewer no difference, every byte sent to them must be equal in
both, error texts included.
"""

from random import Random
from typing import TypeVar

from engine.game import Setup
from tests.conformance.playing import answer, frame, play
from tests.conformance.subject import Subject
from tests.conformance.two_worlds import WorldPair

S = TypeVar("S")


class Leak(AssertionError):
    """The error for a viewer that was sent something they could not know."""


def check_secrets(subject: Subject[S], setup: Setup, rng: Random) -> None:
    """Nothing that is sent to a viewer depends on what they may not know."""
    played = play(subject.game, setup, rng)
    for _ in range(2):
        at = rng.randrange(len(played.moves))
        both = WorldPair(subject, played, at, rng.choice(played.viewers), rng)
        _expect_same_bytes(both, rng)
        for _ in both.turns():
            _expect_same_bytes(both, rng)


def _expect_same_bytes(both: WorldPair[S], rng: Random) -> None:
    viewer = both.viewer
    _expect_same(viewer, [frame(world.game, step, viewer) for world, step in both.pairs])
    if viewer >= 0:
        attempt = rng.choice(list(both.subject.plausible(both.steps[0].state)))
        answers = [answer(world.game, step.state, viewer, attempt) for world, step in both.pairs]
        _expect_same(viewer, answers)


def _expect_same(viewer: int, sent: list[bytes] | list[str]) -> None:
    one, two = sent
    if one != two:
        raise Leak(f"viewer {viewer} can tell two worlds apart: {one!r} and {two!r}")
