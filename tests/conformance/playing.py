"""Playing at random, replaying, and the bytes that a viewer is sent."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from random import Random
from typing import Any, Generic, TypeAlias, TypeVar

from engine.choices import Action, random_action
from engine.errors import EngineError
from engine.facts import SPECTATOR, Fact, Seat, Viewer, seen_by
from engine.game import Game, Setup, Step
from engine.parts import in_parts
from engine.questions import prompt_of

S = TypeVar("S")
Moves: TypeAlias = Sequence[tuple[Seat, Action]]

TOO_LONG = 100_000
"""No match of any game takes so many moves."""


@dataclass(frozen=True)
class Played(Generic[S]):
    """A played match: `steps[0]` is the start, and `moves[i]` led to `steps[i + 1]`."""

    setup: Setup
    steps: tuple[Step[S], ...]
    moves: tuple[tuple[Seat, Action], ...]

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        return (SPECTATOR, *range(self.setup.seats))


def play(game: Game[S], setup: Setup, rng: Random) -> Played[S]:
    """A whole match of random moves."""
    steps = [game.start(setup)]
    moves: list[tuple[Seat, Action]] = []
    while asked := game.to_act(steps[-1].state):
        assert len(moves) < TOO_LONG, f"{game.info.id} does not end"
        state, seat = steps[-1].state, rng.choice(asked)
        action = random_action(game.choices(state, seat), rng)
        moves.append((seat, action))
        steps.append(game.apply(state, seat, action))
    return Played(setup, tuple(steps), tuple(moves))


def replay(
    game: Game[S], setup: Setup, moves: Iterable[tuple[Seat, Action]]
) -> tuple[Step[S], ...]:
    """The steps to which the given moves lead."""
    steps = [game.start(setup)]
    for seat, action in moves:
        steps.append(game.apply(steps[-1].state, seat, action))
    return tuple(steps)


def frame(game: Game[S], step: Step[S], viewer: Viewer) -> bytes:
    """All that `viewer` is sent at a step: facts, view, seats to move and the viewer's choices.

    Nothing is sorted, because the order can reveal something too.
    """
    facts = [_as_sent(fact) for fact in seen_by(step.facts, viewer)]
    asked = game.to_act(step.state)
    choices = game.choices(step.state, viewer) if viewer >= 0 else None
    if choices:
        choices = in_parts(game, step.state, viewer, choices)
        choices = replace(choices, prompt=prompt_of(game, step.state, viewer))
    return _bytes([facts, game.view(step.state, viewer), asked, choices])


def answer(game: Game[S], state: S, seat: Seat, action: Action) -> str:
    """The answer to an attempt of `seat`: that it was made, or the error with its phrase."""
    try:
        game.apply(state, seat, action)
    except EngineError as error:
        return f"{error.code}: {error} {error.phrase}"
    return "ok"


def _as_sent(fact: Fact) -> Sequence[object]:
    return fact.verb, fact.args, fact.changes


def _bytes(thing: object) -> bytes:
    return json.dumps(thing, default=_plain).encode()


# json.dumps hands over whatever it does not know.
def _plain(thing: Any) -> dict[str, object]:
    assert is_dataclass(thing), f"{thing!r} cannot be sent"
    return {field.name: getattr(thing, field.name) for field in fields(thing)}
