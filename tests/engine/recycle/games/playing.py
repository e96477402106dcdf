"""Our games played at random: fast, without texts and facts, or step by step as a table does."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random

from engine import Setup, Shuffler, View, seed_from_int
from engine.choices import Action
from engine.facts import OPEN, Seat
from engine.recycle import Description, World, load
from engine.recycle.games import description

Step = tuple[View, Seat, Action, View]
"""Everything before a move, the move and its player, everything after it."""


@cache
def game(name: str) -> Description:
    """One of our games, compiled once."""
    return load(description(name), name)


def world_of(described: Description, seed: int) -> World:
    """Any described game at its first choice."""
    seats = described.info.usual_seats
    setup = Setup(seats, {}, Shuffler(seed_from_int(seed)))
    return described.world(described.start(setup).state)


@dataclass(frozen=True, slots=True)
class Record:
    """A game that was played: how many options each choice had, and what everybody scored."""

    options: tuple[int, ...]
    scores: tuple[int, ...]

    @property
    def branching(self) -> float:
        """The mean number of options."""
        return sum(self.options) / len(self.options)


def played(name: str, seed: int) -> Record:
    """A random game; an equal seed gives an equal game."""
    return random_game(game(name), seed)


def random_game(described: Description, seed: int) -> Record:
    """A random game of the given description."""
    world, rng = world_of(described, seed), Random(seed)
    options = []
    while world.count:
        options.append(world.count)
        world.play(rng.randrange(world.count))
    assert world.stop is None, f"{described.info.title}, seed {seed}: {world.stop}"
    return Record(tuple(options), world.outcome().scores)


def steps(name: str, seed: int) -> Iterator[Step]:
    """A random game, step by step."""
    described, rng = game(name), Random(seed)
    setup = Setup(described.info.usual_seats, {}, Shuffler(seed_from_int(seed)))
    state = described.start(setup).state
    while asked := described.to_act(state):
        action = rng.choice(described.choices(state, asked[0]).actions)
        after = described.apply(state, asked[0], action).state
        yield described.view(state, OPEN), asked[0], action, described.view(after, OPEN)
        state = after
