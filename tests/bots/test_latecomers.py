"""Every bot can play for a latecomer who was told only what spectators saw before.

A hint is made from what its player was told, and a program that joins a running match knows no
more.
"""

from importlib.resources import files
from random import Random

import pytest

from bots import Budget, Position, make_bot, parse_spec, position_of, strengths
from engine import GAMES, SPECTATOR, Catalogue, Setup, Shuffler, complete_options, seed_from_int
from engine.catalogue import AnyGame
from engine.choices import random_action
from engine.facts import Fact, seen_by
from engine.match import Match
from engine.recycle import load
from tests.counts import count

OWN = [(info.id, strength) for info in GAMES for strength in strengths(info.id)]


def late(game: AnyGame, rng: Random) -> Position:
    """The position of a latecomer, who has been at the table for a few moves or one."""
    seats = game.info.usual_seats
    options = complete_options(game, seats, {})
    step = game.start(Setup(seats, options, Shuffler(seed_from_int(rng.getrandbits(64)))))
    steps, moves = [step], rng.randrange(1, 40)
    while len(steps) <= moves and (asked := game.to_act(step.state)):
        seat = rng.choice(asked)
        step = game.apply(step.state, seat, random_action(game.choices(step.state, seat), rng))
        steps.append(step)
    if not game.to_act(step.state):
        return late(game, rng)
    seat = rng.choice(game.to_act(step.state))
    since = rng.randint(0, len(steps))
    facts: list[Fact] = []
    for number, each in enumerate(steps):
        for fact in seen_by(each.facts, SPECTATOR if number < since else seat):
            facts = [fact] if fact.verb == "deal_started" else [*facts, fact]
    return position_of(game, step.state, seat, options, tuple(facts))


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("game", "strength"), OWN)
def test_a_games_own_bots_play_for_a_latecomer(game: str, strength: int) -> None:
    """The games' own bots choose legal moves for a latecomer."""
    bot, rng = make_bot(game, strength), Random(strength)
    for _ in range(count(12)):
        asked = late(GAMES.game(game), rng)
        assert asked.choices.allows(bot.choose(asked, Budget(samples=4), rng).action)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("bot", ["search", "tree"])
@pytest.mark.parametrize("name", ["Rummy2", "GoFish3", "Cribbage2", "CrazyEights4"])
def test_bots_of_any_game_play_for_a_latecomer(name: str, bot: str) -> None:
    """The generic bots' worlds agree with what a latecomer sees and was told."""
    text = files("engine.recycle.games").joinpath(f"{name}.rcy").read_text(encoding="utf-8")
    game, rng = Match(load(text, name)), Random(1)
    catalogue = Catalogue((game,))
    player = make_bot(game.info.id, parse_spec(bot), catalogue)
    for _ in range(count(3)):
        asked = late(game, rng)
        assert asked.choices.allows(player.choose(asked, Budget(samples=4), rng).action)
