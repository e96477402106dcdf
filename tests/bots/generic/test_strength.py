"""The generic players beat the random one at games of every kind.

The small run compares them at three quick games; with a factor (`make nightly`) all are played.
"""

from importlib.resources import files

import numpy as np
import pytest

from bots.lab.games import Source, game_of
from bots.lab.plan import Part, Plan, plan_of
from bots.lab.play import play
from bots.lab.sample import samples
from bots.lab.statistics import statistics
from bots.spec import Spec, parse_spec
from tests.counts import NIGHT

QUICK = (
    ("s", "NinetyEight2", 40),
    ("s", "SixtySix2", 30),
    ("tree:simulations=20", "Pairs2", 40),
)
"""Bot, game, and how many games show the difference."""

ALL = (
    *(("s", f"Agram{players}", 400) for players in (2, 3, 4, 5)),
    ("s", "BlackQueen4", 100),
    ("s", "BlindMan4", 150),
    ("s", "Bouquet3", 150),
    ("s", "Carnival4", 150),
    ("s", "Cribbage2", 100),
    ("s", "GoFish3", 100),
    ("s", "Golf4", 100),
    ("s", "Goofspiel3", 300),
    ("s", "Hearts4", 200),
    ("s", "Klaverjassen4", 150),
    ("s", "NinetyEight2", 150),
    ("s", "Pairs2", 150),
    ("s", "SixtySix2", 150),
    ("s", "Whist4", 150),
    # Ten playouts of a move are too few to see what one move is worth here.
    ("s:playouts=50", "CrazyEights4", 300),
    ("s", "whist", 150),
    ("s", "schnapsen", 100),
    ("s", "hearts", 100),
    ("tree:simulations=100", "Agram2", 200),
    ("tree:simulations=100", "Agram3", 200),
    ("tree:simulations=100", "BlindMan4", 60),
    ("tree:simulations=100", "Bouquet3", 60),
    ("tree:simulations=100", "Carnival4", 60),
    ("tree:simulations=100", "Golf4", 40),
    ("tree:simulations=100", "Goofspiel3", 60),
    ("tree:simulations=100", "Hearts4", 60),
    ("tree:simulations=100", "Klaverjassen4", 60),
    ("tree:simulations=100", "NinetyEight2", 100),
    ("tree:simulations=100", "Pairs2", 60),
    ("tree:simulations=100", "SixtySix2", 60),
)


def source(name: str) -> Source:
    """A native game by its id, or a description of the program by its file's name."""
    if name.islower():
        return Source(name)
    text = files("engine.recycle.games").joinpath(f"{name}.rcy").read_text(encoding="utf-8")
    return Source(name, text)


def one_in_each_seat(bot: str, name: str, games: int) -> Plan:
    """Plans with one such bot among random ones, in each seat in turn."""
    players = game_of(source(name)).info.usual_seats
    bots = (parse_spec(bot), *[Spec("r")] * (players - 1))
    plan = plan_of(source(name), bots=bots, games=games, watched=0)
    part = Part(bots, games, turning=True)
    return Plan(plan.source, plan.version, players, (part,), seed=1, options=plan.options)


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("bot", "name", "games"), ALL if NIGHT else QUICK)
def test_better_than_random(bot: str, name: str, games: int) -> None:
    """A generic player wins more than its share: the interval of order lies above 0."""
    plan = one_in_each_seat(bot, name, games)
    runs = [play(plan, number) for number in range(games)]
    game, rng = game_of(plan.source).info.id, np.random.default_rng(1)
    order = statistics(samples(plan, runs), plan.seats, game, rng)[1]
    assert order.name == "order"
    assert order.split.low is not None
    assert order.split.low > 0, order
