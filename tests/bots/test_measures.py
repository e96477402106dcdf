"""The figures of bots that need no compiling."""

from random import Random

import pytest

from bots import Budget, make_bot, position_of
from bots.roster import STRENGTHS
from engine import Setup, Shuffler, complete_options
from engine.catalogue import GAMES
from engine.choices import random_action
from engine.facts import seen_by

PLAIN = [
    (game, strength)
    for game, recipes in STRENGTHS.items()
    for strength, recipe in enumerate(recipes)
    if not recipe.compiled
]


@pytest.mark.parametrize(("game", "strength"), PLAIN)
def test_every_figure_has_a_unit(game: str, strength: int) -> None:
    """Every figure of a hint has a unit, in the first deals of a match, bids included."""
    rules, rng = GAMES.game(game), Random(5)
    bot, seats = make_bot(game, strength), rules.info.usual_seats
    options = complete_options(rules, seats, {})
    step = rules.start(Setup(seats, options, Shuffler(bytes(32))))
    state, facts = step.state, step.facts
    for _ in range(40):
        (seat, *_) = rules.to_act(state)
        position = position_of(rules, state, seat, options, seen_by(facts, seat))
        decision = bot.choose(position, Budget(), rng)
        assert decision.measure != "worth" or not decision.candidates
        step = rules.apply(state, seat, random_action(position.choices, rng))
        state, facts = step.state, facts + step.facts
