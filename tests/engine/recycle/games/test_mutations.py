"""Whatever is done to a description, the program neither crashes nor hangs nor tells secrets.

Our games are changed at random and what comes out is checked, loaded and played. Most changes make
a mistake that is reported; the others make games that nobody has thought of. A run with raised
counts goes on for ten minutes and more.
"""

from random import Random
from time import process_time

from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from engine import Setup, Shuffler, seed_from_int
from engine.choices import random_action
from engine.facts import Fact
from engine.recycle import BadDescription, Description, load
from engine.recycle.checker import check
from engine.recycle.games import names
from engine.recycle.parser import parse
from engine.recycle.problems import Code
from tests.counts import FACTOR, count
from tests.engine.recycle.games.mutating import mutated
from tests.engine.recycle.games.secrets import keeps_secrets

LOOKS = count(60 if FACTOR == 1 else 600)
MOVES = 40
PATIENCE = 30.0
"""Seconds of work that a short game may take at the very most, on a machine under load."""


@settings(max_examples=LOOKS, suppress_health_check=list(HealthCheck))
@given(
    name=st.sampled_from(names()),
    other=st.sampled_from(names()),
    times=st.integers(1, 3),
    seed=st.integers(0, 2**32),
)
def test_a_changed_game_does_no_harm(name: str, other: str, times: int, seed: int) -> None:
    """It is refused with reasons, or played for a while or to its end, and keeps its secrets."""
    begun = process_time()
    text = mutated(name, Random(seed), times, other)
    problems = check(parse(text))
    try:
        game = load(text, name)
    except BadDescription:
        event("refused")
        return
    assert all(problem.warning for problem in problems), "an error that does not keep it from play"
    event("played")
    hides = not any(problem.code is Code.HIDDEN_READ for problem in problems)
    play(game, Random(seed), hides)
    assert process_time() - begun < PATIENCE


def play(game: Description, rng: Random, hides: bool) -> None:
    """Play a while; look at what every viewer is told and could know."""
    seats = game.info.usual_seats
    setup = Setup(
        seats, {"choices": 200, "steps": 100}, Shuffler(seed_from_int(rng.getrandbits(60)))
    )
    step = game.start(setup)
    facts: list[Fact] = [*step.facts]
    for _ in range(MOVES):
        asked = game.to_act(step.state)
        if not asked:
            break
        if rng.random() < 0.2:
            keeps_secrets(game, step.state, facts, rng, hides)
        seat = rng.choice(asked)
        step = game.apply(step.state, seat, random_action(game.choices(step.state, seat), rng))
        facts += step.facts
    keeps_secrets(game, step.state, facts, rng, hides)
