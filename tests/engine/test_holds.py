"""Facts that clear cards away have a hold time, so that people see them first."""

from random import Random

import pytest

from engine import GAMES, Setup, Shuffler, complete_options, seed_from_int
from engine.choices import random_action
from engine.facts import Fact, Move, private, seen_by


@pytest.mark.parametrize("game", [info.id for info in GAMES])
def test_tricks_and_ends_of_deals_are_held(game: str) -> None:
    """Only a taken trick and a deal that follows another are held."""
    match, rng = GAMES.game(game), Random(5)
    seats = match.info.usual_seats
    step = match.start(Setup(seats, complete_options(match, seats, {}), Shuffler(seed_from_int(5))))
    assert not any(fact.holds for fact in seen_by(step.facts, 0))
    held = 0
    for _ in range(150):
        asked = match.to_act(step.state)
        if not asked:
            break
        action = random_action(match.choices(step.state, asked[0]), rng)
        step = match.apply(step.state, asked[0], action)
        for fact in seen_by(step.facts, asked[0]):
            assert fact.holds == (fact.verb == "deal_started" or takes_a_trick(fact)), fact
            held += fact.holds
    assert held


def takes_a_trick(fact: Fact) -> bool:
    """Whether cards leave the trick."""
    return any(isinstance(each, Move) and each.source == "trick" for each in fact.changes)


def test_a_held_fact_is_for_the_same_people() -> None:
    """Holding a fact changes neither its audience nor anything else of it."""
    told = private(2, "hand_dealt", {"seat": 2})
    held = told.held()
    assert held.audience == told.audience
    assert (held.verb, held.args, held.fact.holds) == (told.verb, told.args, True)
