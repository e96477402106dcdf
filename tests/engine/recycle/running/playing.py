"""Small descriptions, compiled and run, and the table afterwards."""

from dataclasses import replace
from random import Random

from engine import Setup, fold
from engine.cards import Token
from engine.choices import random_action
from engine.facts import SPECTATOR, Fact, Viewer, seen_by
from engine.game import complete_options
from engine.recycle.compiling import program_of
from engine.recycle.description import Description
from engine.recycle.limits import PLAY_LIMITS, TEXT_LIMITS, PlayLimits
from engine.recycle.reading.parser import parse
from engine.recycle.running.program import Program
from engine.recycle.running.world import World
from engine.recycle.state import State
from engine.recycle.views.view import tokens
from engine.shuffle import Shuffler, seed_from_int

SETUP = """(setup (create players 3)
  (create deck (game vloc STOCK)
          (deck (RANK (A, TWO, THREE, FOUR)) (SUIT (CLUBS, HEARTS)) (COLOR (RED)))))"""
"""STOCK has AC AH 2C 2H 3C 3H 4C 4H, bottom to top."""
WORTH = """(set (game points WORTH)
  (((RANK : A) 1) ((RANK : TWO) 2) ((RANK : THREE) 3) ((RANK : FOUR) 4)))"""
SCORING = "(scoring max ((current player) sto SCORE))"


def program(
    *children: str,
    setup: str = SETUP,
    declare: str = "",
    scoring: str = SCORING,
    depth: int = TEXT_LIMITS.depth,
) -> Program:
    """The program of a description with these stages and blocks."""
    text = "\n".join(("(game", declare, setup, *children, scoring, ")"))
    parsed = parse(text, replace(TEXT_LIMITS, depth=depth))
    assert [str(problem) for problem in parsed.problems] == []
    assert parsed.game is not None
    return program_of(parsed.game, "Small3")


def described(*children: str, setup: str = SETUP) -> Description:
    return Description(program(*children, setup=setup), "Small3", " ".join(children))


def begun(
    *children: str,
    seed: int = 0,
    limits: PlayLimits = PLAY_LIMITS,
    setup: str = SETUP,
    declare: str = "",
    scoring: str = SCORING,
) -> World:
    """The state of the game at its first choice, or at its end."""
    compiled = program(*children, setup=setup, declare=declare, scoring=scoring)
    world = World(compiled, Shuffler(seed_from_int(seed)), limits)
    world.begin()
    return world


def done(*actions: str, seed: int = 0, setup: str = SETUP, declare: str = "") -> World:
    """The table after the given actions, which must be possible."""
    world = begun(f"(do ({WORTH} {' '.join(actions)}))", seed=seed, setup=setup, declare=declare)
    assert world.stop is None, world.stop
    return world


def fails(*actions: str, setup: str = SETUP) -> str:
    """The reason why a game stops at the given actions."""
    world = begun(f"(do ({WORTH} {' '.join(actions)}))", setup=setup)
    assert world.over
    assert world.stop is not None
    return world.stop.reason


def number(expression: str, *before: str, seed: int = 0) -> object:
    """What an expression for a number gives, after some actions."""
    return value(done(*before, f"(set (game sto RESULT) {expression})", seed=seed), "result")


def text(expression: str, *before: str) -> object:
    return value(done(*before, f"(set (game str RESULT) {expression})"), "result")


def holds(condition: str, *before: str) -> bool:
    return number("(game sto X)", *before, f"({condition} (set (game sto X) 1))") == 1


def cards(expression: str, *before: str, seed: int = 0) -> list[Token]:
    """The cards of a list, bottom to top."""
    every = f"(all {expression} 'LISTED (remember 'LISTED (top (game mem RESULT))))"
    return pile(done(*before, every, seed=seed), "result")


def lists(expression: str, *before: str) -> list[list[Token]]:
    """The lists of a list of lists, each bottom to top."""
    mark = "(remember 'LISTED (top (game mem RESULT (game sto N))))"
    world = done(
        *before, f"(all {expression} 'L (do ((all 'L 'LISTED {mark}) (inc (game sto N)))))"
    )
    count = value(world, "n")
    assert isinstance(count, int)
    names = ["result", *(f"result//{at}" for at in range(1, count))]
    known = {place.name for place in world.state.places}
    return [pile(world, name) if name in known else [] for name in names[:count]]


def pile(world: World, name: str) -> list[Token]:
    """The cards of a pile by its name in views."""
    at = [place.name for place in world.state.places].index(name)
    return list(tokens(world, world.state.piles[at]))


def value(world: World, name: str) -> object:
    """A value by its name in views."""
    return world.state.values[world.program.components.value_names.index(name)]


def played(world: World, *options: int) -> World:
    """The game after the given options were chosen, in order."""
    for option in options:
        world.play(option)
    return world


def setup(game: Description, seed: int = 1) -> Setup:
    """A game setup with the default options of a table."""
    return Setup(
        game.program.players,
        complete_options(game, game.program.players, {}),
        Shuffler(seed_from_int(seed)),
    )


def follow(game: Description, seed: int) -> State:
    """Play at random; at each step every view is the fold of its facts, and samples agree."""
    rng = Random(seed)
    step = game.start(setup(game, seed))
    viewers = (SPECTATOR, *range(game.program.players))
    facts: dict[Viewer, tuple[Fact, ...]] = dict.fromkeys(viewers, ())
    while True:
        for viewer in viewers:
            facts[viewer] += seen_by(step.facts, viewer)
            view = game.view(step.state, viewer)
            assert fold(facts[viewer]) == view
            sample = game.sample(view, facts[viewer], rng)
            assert game.view(sample, viewer) == view
            assert game.to_act(sample) == game.to_act(step.state)
        asked = game.to_act(step.state)
        if not asked:
            return step.state
        seat = rng.choice(asked)
        choices = game.choices(step.state, seat)
        step = game.apply(step.state, seat, random_action(choices, rng))
