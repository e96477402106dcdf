"""The state of a game between two moves, as a frozen value, and its conversion to a `World`."""

from dataclasses import dataclass
from typing import TypeAlias

from engine.facts import Seat
from engine.game import Outcome, Setup
from engine.recycle.errors import Stop
from engine.recycle.limits import PlayLimits
from engine.recycle.running.operations import Stored
from engine.recycle.running.points import Awards, PointTable
from engine.recycle.running.program import Program
from engine.recycle.running.storage import PileKey, Teams, ValueKey
from engine.recycle.running.turns import Frame
from engine.recycle.running.undoable_state import NOWHERE
from engine.recycle.running.world import World

Frozen: TypeAlias = int | str | Awards


# Weak references tell which states still exist (`kept_worlds`).
@dataclass(frozen=True, slots=True, weakref_slot=True)
class State:
    """One state of a described game.

    `piles` and `values` are by slot; `added` are the keys and owners of the piles, and `more` the
    values, that had no slot from the start. `turn` is the current player, the queued player and
    the current team; `frames` are the stages entered; `pc` is the block at which the game waits.
    `draws` and `choices` count so far. `asked` are the seats that are asked, in their order;
    `chosen` are the seats that have chosen unseen, with their options' numbers.
    """

    setup: Setup
    piles: tuple[tuple[int, ...], ...]
    added: tuple[tuple[PileKey, int], ...]
    values: tuple[Frozen, ...]
    more: tuple[tuple[tuple[ValueKey, int], Frozen], ...]
    teams: Teams
    turn: tuple[int, int, int]
    frames: tuple[Frame, ...]
    pc: int
    draws: int
    choices: int
    asked: tuple[Seat, ...]
    chosen: tuple[tuple[Seat, int], ...]
    stop: Stop | None
    outcome: Outcome | None


def limits_of(setup: Setup) -> PlayLimits:
    """The limits that stop a game, from the options of its match."""
    return PlayLimits(int(setup.options["choices"]), int(setup.options["steps"]))


def freeze(world: World, setup: Setup) -> State:
    """The state of a game that waits for a choice or is over; `world` is not changed."""
    state, turns = world.state, world.turns
    return State(
        setup=setup,
        piles=tuple(map(tuple, state.piles)),
        added=tuple(state.slots),
        values=tuple(map(_freeze_value, state.values)),
        more=tuple((key, _freeze_value(value)) for key, value in state.more.items()),
        teams=state.teams,
        turn=(turns.current, turns.queued, turns.team),
        frames=tuple(turns.frames),
        pc=world.pc,
        draws=world.evaluator.draws,
        choices=world.choices,
        asked=tuple(sorted(world.asked)),
        chosen=world.chosen,
        stop=world.stop,
        outcome=world.outcome() if world.over else None,
    )


def thaw(program: Program, state: State) -> World:
    """A world in the given state, in which moves may be made."""
    world = World(program, state.setup.shuffler, limits_of(state.setup))
    running, turns = world.state, world.turns
    for key, owner in state.added:
        running.add_pile(key, owner)
    running.piles = [*map(list, state.piles)]
    lying = [
        (card, slot)
        for slot, (place, pile) in enumerate(zip(running.places, state.piles, strict=True))
        if not place.marks
        for card in pile
    ]
    running.where = [NOWHERE] * (max(lying, default=(-1, -1))[0] + 1)
    for card, slot in lying:
        running.where[card] = slot
    running.values = [_thaw_value(program, value) for value in state.values]
    running.more = {key: _thaw_value(program, value) for key, value in state.more}
    running.set_teams(state.teams)
    turns.current, turns.queued, turns.team = state.turn
    turns.frames = list(state.frames)
    world.pc, world.choices, world.evaluator.draws = state.pc, state.choices, state.draws
    world.chosen, world.stop = state.chosen, state.stop
    world.over = state.outcome is not None
    running.log.clear()
    world.wait_for(state.asked)
    return world


def _freeze_value(value: Stored) -> Frozen:
    return value.awards if isinstance(value, PointTable) else value


def _thaw_value(program: Program, value: Frozen) -> Stored:
    return program.components.points(value) if isinstance(value, tuple) else value
