"""Schnapsen: how fast deals are solved with open hands, and the cost of a decision's worlds."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from statistics import fmean
from time import process_time

from bench.figures import Figure, at_most
from bots import Budget, Position, position_of
from bots.schnapsen.knowledge import read_open_state, read_position
from bots.schnapsen.open_talon import ENOUGH, plays_on
from bots.schnapsen.plans import plans_of
from bots.schnapsen.rules_player import RulesPlayer
from bots.schnapsen.solver import Solver
from bots.schnapsen.solver_memory import TALON, lay_talon, new_memory
from bots.schnapsen.strict import ANY
from bots.schnapsen.worlds import every_hand, every_world, open_world, sampled_worlds
from bots.search.draws import draws_from
from engine.choices import Choices
from engine.facts import AddressedFact, seen_by
from engine.game import Setup, Step, complete_options
from engine.games.schnapsen import Schnapsen, State
from engine.shuffle import Shuffler, seed_from_int

SOLVES = 1000
"""Deals solved, each from its first lead."""
SOLVE_LIMIT = 1.5
"""Milliseconds per deal."""

DECISIONS = 5
"""Deals in which the cost of a decision is measured."""
WORLDS = 2500
"""The number of worlds tried at the first two tricks; later, all worlds."""
SAMPLED = 2
DECISION_LIMITS = {1: 8.0, 2: 2.0, 3: 12.0, 4: 1.0}
"""Limits in seconds, by the trick led to, for whether each plan wins in each world."""

_GAME = Schnapsen()


def measure() -> Iterator[Figure]:
    """Milliseconds to solve a deal, and seconds a decision by trick."""
    # Compiled before the clock starts.
    solve_seconds(1)
    milliseconds = 1000 * solve_seconds(SOLVES) / SOLVES
    yield Figure("schnapsen.solve", milliseconds, "ms", at_most(SOLVE_LIMIT))
    for trick, limit in DECISION_LIMITS.items():
        asked = [at_lead(trick, seed) for seed in range(DECISIONS)]
        worlds = WORLDS if trick <= SAMPLED else None
        wins = fmean(decision_seconds(each, worlds, by_score=False) for each in asked)
        yield Figure(f"schnapsen.wins.{trick}", wins, "s", at_most(limit))
        scores = fmean(decision_seconds(each, worlds, by_score=True) for each in asked)
        yield Figure(f"schnapsen.scores.{trick}", scores, "s")


def solve_seconds(deals: int) -> float:
    """Processor time to find the winners of this many open deals; one table serves all."""
    memory = new_memory()
    states = [_dealt(seed).state for seed in range(deals)]
    opened = [(read_open_state(state), open_world(state)) for state in states]
    begun = process_time()
    for known, world in opened:
        lay_talon(world.talons[0], 0, memory)
        plays_on(known.hand, known.shown, ENOUGH, ENOUGH, 0, 0, 0, 0, ANY, memory)
    return process_time() - begun


def decision_seconds(position: Position, worlds: int | None, *, by_score: bool) -> float:
    """Processor time for every plan in this many worlds, or in all; closing plans in every hand."""
    known, solver = read_position(position), Solver(position.options)
    solve = solver.scores if by_score else solver.wins
    plans = plans_of(known, position.choices.actions)
    begun = process_time()
    solve(known, [plan for plan in plans if plan.close], every_hand(known))
    tried = sampled_worlds(known, worlds, draws_from(Random(1))) if worlds else every_world(known)
    solve(known, [plan for plan in plans if not plan.close], tried)
    return process_time() - begun


def at_lead(trick: int, seed: int) -> Position:
    """What the leader knows when both have only played cards so far, by rule.

    So as few cards as possible are known.
    """
    player, step = RulesPlayer(), _dealt(seed)
    facts = step.facts
    while step.state.trick or step.state.stock > TALON - 2 * (trick - 1):
        asked = _asked(step.state, facts)
        plays = [action for action in asked.choices.actions if action.startswith("play")]
        asked = replace(asked, choices=Choices(tuple(plays)))
        action = player.choose(asked, Budget(), Random(0)).action
        step = _GAME.apply(step.state, step.state.turn, action)
        facts += step.facts
    return _asked(step.state, facts)


def _dealt(seed: int) -> Step[State]:
    options = complete_options(_GAME, 2, {})
    return _GAME.start(Setup(2, options, Shuffler(seed_from_int(seed))))


def _asked(state: State, facts: tuple[AddressedFact, ...]) -> Position:
    seat = state.turn
    return position_of(_GAME, state, seat, state.setup.options, seen_by(facts, seat))
