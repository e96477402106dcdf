"""The likelihood of hands given their player's moves, against asking the policy each time."""

from collections.abc import Callable
from math import exp, log
from random import Random
from statistics import median

import numpy as np
import pytest

from bots import Budget, Position, make_bot, parse_spec
from bots.whist.knowledge import cards_set, read_position
from bots.whist.likelihoods import bid_chance
from bots.whist.opponent_model import OpponentModel, hand_likelihood, observations_of
from bots.whist.policy import POLICY_WEIGHTS, estimate
from bots.whist.worlds import NO_BELIEFS, Worlds
from engine.choices import Action, random_action
from engine.games.whist import NO_BID, State
from tests.counts import count
from tests.games.whist.bots.positions import GAME, position, started

Player = Callable[[Position], Action]


def by_rules(asked: Position) -> Action:
    return make_bot("whist", parse_spec("1")).choose(asked, Budget(), Random(0)).action


def at_random(rng: Random) -> Player:
    return lambda asked: random_action(asked.choices, rng)


def reading(
    rng: Random,
    state: State,
    asked: Position,
    seat: int,
    model: OpponentModel,
    *,
    bids: bool,
    plays: bool,
) -> tuple[float, float]:
    """The log-likelihood of the seat's true hand, and of its playing by plain rules."""
    worlds = Worlds(read_position(asked), NO_BELIEFS, rng)
    observed = observations_of(worlds.known, worlds.deal, worlds.work, bids=bids, plays=plays)
    plain = np.zeros(worlds.known.seats)
    hidden = cards_set(state.hands[seat])
    chance = hand_likelihood(worlds.deal, observed, model, seat, hidden, plain)
    return chance, float(plain[seat])


def bell(asked: Position, bid: int, model: OpponentModel) -> float:
    """The likelihood of a bid by a player who is no rule player."""
    known = read_position(asked)
    expected = estimate(known.hand, known.unseen, known.trump, known.seats - 1, POLICY_WEIGHTS)
    made = [each for each in known.bids if each != NO_BID]
    expected -= POLICY_WEIGHTS.crowd * (sum(made) - len(made) * known.dealt / known.seats)
    return bid_chance(expected, bid, known.dealt, model.blur, model.slips)


@pytest.mark.parametrize(("bids", "plays"), [(True, True), (True, False), (False, True)])
def test_moves_are_as_likely_as_either_kind_of_player_makes_them(bids: bool, plays: bool) -> None:
    """A move's likelihood mixes a rule player's habits and slips, even choice, and judged bids."""
    rng = Random(41)
    model = OpponentModel(rustic=0.4, steady=0.8)
    for _ in range(count(6)):
        seats = rng.randint(3, 6)
        state, facts = started(rng, seats, rng.randint(1, 8))
        likely = [(0.0, 0.0)] * seats
        while not state.over:
            asked = position(state, facts)
            for seat in range(seats):
                if seat != state.turn:
                    by, other = likely[seat]
                    total = model.rustic * exp(by) + (1 - model.rustic) * exp(other)
                    chance, plain = reading(rng, state, asked, seat, model, bids=bids, plays=plays)
                    assert chance == pytest.approx(log(total))
                    assert plain == pytest.approx(model.rustic * exp(by) / total)
            options = len(asked.choices.actions)
            usual = by_rules(asked)
            action = usual if rng.random() < 0.5 else random_action(asked.choices, rng)
            by, other = likely[state.turn]
            if state.bidding and bids:
                other += log(bell(asked, int(action.split(" ")[1]), model))
                # A bid that is barred counts as one more that might have been made.
                slip = (1 - model.steady) / state.cards
                by += log(model.steady if action == usual else slip)
            elif not state.bidding and plays and options > 1:
                other -= log(options)
                slip = (1 - model.steady) / (options - 1)
                by += log(model.steady if action == usual else slip)
            likely[state.turn] = by, other
            step = GAME.apply(state, state.turn, action)
            state, facts = step.state, facts + step.facts


@pytest.mark.parametrize("plain", [True, False])
def test_players_are_known_by_what_they_do(plain: bool) -> None:
    """A player who follows the plain rules all deal is recognised, and others hardly ever are."""
    rng = Random(43)
    player = by_rules if plain else at_random(rng)
    chances = []
    for _ in range(count(4)):
        state, facts = started(rng, 4, 8)
        while len(state.hands[state.turn]) > 1:
            step = GAME.apply(state, state.turn, player(position(state, facts)))
            state, facts = step.state, facts + step.facts
        asked = position(state, facts)
        for seat in set(range(4)) - {state.turn}:
            model = OpponentModel(rustic=0.5)
            chances.append(reading(rng, state, asked, seat, model, bids=True, plays=True)[1])
    assert (median(chances) > 0.95) if plain else (median(chances) < 0.05)
