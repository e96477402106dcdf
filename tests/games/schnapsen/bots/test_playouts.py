"""Playouts against the engine: equal moves lead to equal ends, with every option."""

from random import Random
from statistics import fmean, pstdev

import numpy as np

from bots import Position
from bots.schnapsen.bits import card_at, mask_of, place_of
from bots.schnapsen.knowledge import read_open_state, read_position
from bots.schnapsen.plans import Plan, plans_of
from bots.schnapsen.playout_mix import MAX_TEMPERATURE, PlayoutMix
from bots.schnapsen.policy import FEATURES, answer_by_policy, lead_by_policy
from bots.schnapsen.solver import Solver
from bots.schnapsen.solver_memory import TALON
from bots.schnapsen.worlds import Worlds, open_world, sampled_worlds
from bots.search.draws import draws_from
from engine.cards import Card, card_text
from engine.games.schnapsen import ENOUGH, State, values
from tests.counts import count
from tests.games.schnapsen.bots.positions import GAME, asked_at, played_at_random

FLAWLESS = PlayoutMix(playout_share=1.0, own_temperature=0.0, others_temperature=0.0)


def with_a_talon(rng: Random) -> State:
    """A state of random play in which cards can still be drawn."""
    while True:
        state, _ = played_at_random(rng)
        if not state.strict:
            return state


def lacking(state: State, seat: int) -> int:
    """The card points that the seat still needs, if all its marriages count."""
    return ENOUGH - values(state.taken[seat]) - state.marriages[seat]


def lead_of(state: State) -> Card:
    """The policy's lead without randomness."""
    seat, trump = state.turn, state.trump
    found = lead_by_policy(
        mask_of(state.hands[seat], trump),
        mask_of((*state.hands[1 - seat], *state.talon), trump),
        mask_of((state.turned,), trump),
        TALON - state.stock,
        lacking(state, seat),
        lacking(state, 1 - seat),
        0.0,
        0,
        np.empty(FEATURES),
    )
    return card_at(one(found), trump)


def answer_of(state: State) -> Card:
    """The policy's answer without randomness."""
    seat, trump = state.turn, state.trump
    found = answer_by_policy(
        place_of(state.trick[0], trump),
        mask_of(state.hands[seat], trump),
        mask_of((*state.hands[1 - seat], *state.talon), trump),
        mask_of((state.turned,), trump),
        TALON - state.stock,
        lacking(state, seat),
        lacking(state, 1 - seat),
        bool(state.taken[seat]),
        0.0,
        0,
        np.empty(FEATURES),
    )
    return card_at(one(found), trump)


def one(card: int) -> int:
    """The index of the only card of a set."""
    assert card & (card - 1) == 0
    return int(card).bit_length() - 1


def played(state: State, card: Card) -> State:
    """The state after the engine plays `card`, announcing its marriage if possible."""
    actions = GAME.choices(state, state.turn).actions
    action = f"marry {card_text(card)}"
    if action not in actions:
        action = f"play {card_text(card)}"
    return GAME.apply(state, state.turn, action).state


def exchanged(state: State) -> State:
    if "exchange" in GAME.choices(state, state.turn).actions:
        return GAME.apply(state, state.turn, "exchange").state
    return state


def begun(state: State, plan: Plan) -> State:
    if plan.exchange:
        state = exchanged(state)
    return played(state, card_at(plan.card, state.trump))


def played_on(state: State) -> State:
    """The engine's deal after the policy has played to the end of the talon."""
    while not (state.result or (state.strict and not state.trick)):
        if state.trick:
            state = played(state, answer_of(state))
        else:
            state = exchanged(state)
            state = played(state, lead_of(state))
    return state


def worth(state: State, seat: int) -> int:
    """The game points of `seat` in a finished deal, or solved at the end of the talon."""
    if state.result:
        return state.result.score if state.result.winner == seat else -state.result.score
    value = Solver(state.setup.options).value(state, GAME.choices(state, state.turn).actions)
    return value if state.turn == seat else -value


def open_plans(position: Position) -> tuple[Plan, ...]:
    """The plans that do not close the talon."""
    plans = plans_of(read_position(position), position.choices.actions)
    return tuple(plan for plan in plans if not plan.close)


def test_a_playout_ends_as_the_engine_says() -> None:
    """A playout's value is that of the policy's moves, made by the engine and then solved."""
    rng = Random(count(31))
    decided = solved = 0
    for _ in range(count(60)):
        state = with_a_talon(rng)
        plans = open_plans(asked_at(state, ()))
        solver = Solver(state.setup.options, mix=FLAWLESS)
        known, world = read_open_state(state), open_world(state)
        scores = solver.scores(known, plans, world)[:, 0]
        wins = solver.wins(known, plans, world)[:, 0]
        for plan, score, won in zip(plans, scores, wins, strict=True):
            end = played_on(begun(state, plan))
            decided, solved = decided + bool(end.result), solved + (not end.result)
            assert score == worth(end, state.turn), (state, plan)
            assert (score > 0) == won
    assert decided
    assert solved


def random_play(state: State, rng: Random) -> State:
    while not (state.result or (state.strict and not state.trick)):
        if not state.trick:
            state = exchanged(state)
        state = played(state, rng.choice(state.hands[state.turn]))
    return state


def repeated(world: Worlds, rng: Random, times: int) -> Worlds:
    """Copies of one world, each with other random numbers."""
    luck = np.array([rng.getrandbits(63) for _ in range(times)])
    return Worlds(world.hands.repeat(times), world.talons.repeat(times, axis=0), luck)


def test_at_a_high_temperature_any_card_is_played() -> None:
    """At a very high temperature playouts have the value of random play in the engine."""
    rng = Random(count(33))
    times = 300
    for _ in range(count(4)):
        state = with_a_talon(rng)
        solver = Solver(state.setup.options, mix=PlayoutMix(1.0, MAX_TEMPERATURE, MAX_TEMPERATURE))
        plan = open_plans(asked_at(state, ()))[0]
        worlds = repeated(open_world(state), rng, times)
        found = solver.scores(read_open_state(state), [plan], worlds)[0]
        expected = [worth(random_play(begun(state, plan), rng), state.turn) for _ in range(times)]
        errors = (float(found.var()) + pstdev(expected) ** 2) / times
        assert abs(float(found.mean()) - fmean(expected)) <= 4.5 * errors**0.5


def test_luck_alone_makes_playouts_differ() -> None:
    """One world with equal random numbers gives one result, with others sometimes another."""
    rng = Random(count(34))
    differing = 0
    for _ in range(count(20)):
        state = with_a_talon(rng)
        known, plans = read_open_state(state), open_plans(asked_at(state, ()))
        worlds = repeated(open_world(state), rng, 20)
        found, again = (
            Solver(state.setup.options, mix=PlayoutMix(1.0, 1.0, 1.0)).scores(known, plans, worlds)
            for _ in range(2)
        )
        assert np.array_equal(found, again)
        differing += int(np.ptp(found, axis=1).max() > 0)
    assert differing


def test_each_world_is_judged_in_one_of_two_ways() -> None:
    """If half of the worlds are played on, each column is that of a playout or of the solver."""
    rng = Random(count(35))
    played_on_in = solved_in = 0
    for _ in range(count(10)):
        state = with_a_talon(rng)
        asked = asked_at(state, ())
        known, plans = read_position(asked), open_plans(asked)
        worlds = sampled_worlds(known, 40, draws_from(rng))
        found, ruled, exact = (
            Solver(asked.options, mix=PlayoutMix(share, 0.5, 1.5)).scores(known, plans, worlds)
            for share in (0.5, 1.0, 0.0)
        )
        as_ruled = (found == ruled).all(axis=0)
        as_solved = (found == exact).all(axis=0)
        assert (as_ruled | as_solved).all()
        played_on_in += int((~as_solved).sum())
        solved_in += int((~as_ruled).sum())
    assert played_on_in
    assert solved_in
