"""Facts can be pickled, because bots think in other processes and get them with each request."""

import pickle
from random import Random

import pytest

from engine import GAMES, AnyGame, Setup, Shuffler, complete_options, seed_from_int
from engine.choices import random_action
from engine.facts import Fact, Move, Set
from engine.recycle import load
from engine.recycle.games import description

DESCRIBED = load(description("GoFish3"), "GoFish3")


@pytest.mark.parametrize("game", [*(GAMES.game(info.id) for info in GAMES), DESCRIBED])
def test_facts_are_the_same_in_another_process(game: AnyGame) -> None:
    """A pickled fact is equal to the original."""
    seats, rng = game.info.usual_seats, Random(1)
    step = game.start(Setup(seats, complete_options(game, seats, {}), Shuffler(seed_from_int(1))))
    facts = [*step.facts]
    while (asked := game.to_act(step.state)) and len(facts) < 100:
        action = random_action(game.choices(step.state, asked[0]), rng)
        step = game.apply(step.state, asked[0], action)
        facts += step.facts
    assert pickle.loads(pickle.dumps(facts)) == facts


@pytest.mark.parametrize(
    "fact",
    [
        Fact("a", {"b": 1}, (Set("c", 2), Move("d", "e", ("f",), hidden=True)), "g", holds=True),
        Fact("a"),
    ],
)
def test_every_field_of_a_fact_is_pickled(fact: Fact) -> None:
    """Every field of a fact class is pickled."""
    assert pickle.loads(pickle.dumps(fact)) == fact
