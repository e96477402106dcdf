"""The six statistics of games made by hand, with ties split and counted full."""

import numpy as np
import pytest

from bots.lab.plan import Plan
from bots.lab.runs import Run
from bots.lab.sample import samples
from bots.lab.statistics import NAMES, Statistic, statistics
from tests.bots.lab.made import game, plan


def measured(of: Plan, runs: list[Run]) -> dict[str, Statistic]:
    found = statistics(samples(of, runs), of.seats, "schnapsen", np.random.default_rng(1))
    assert tuple(each.name for each in found) == NAMES
    return {each.name: each for each in found}


def both(statistic: Statistic) -> tuple[object, object]:
    """A statistic's values with ties split and counted full, comparable with anything."""
    return statistic.split.value, statistic.full.value if statistic.full else None


def test_fairness_of_random_games() -> None:
    """Seat 0 wins one game in four alone and shares another: 3/8 if split, 1/2 if both count."""
    runs = [
        game(0, (1, 2)),
        game(1, (2, 1)),
        game(2, (1, 1)),
        game(3, (2, 1)),
    ]
    found = measured(plan(("r", 4)), runs)
    assert both(found["fairness"]) == (pytest.approx(0.75), pytest.approx(1.0))
    assert found["fairness"].games == 4


def test_order_follows_the_one_who_searches() -> None:
    """Order counts the searching player's wins in every seat: three of four and one shared."""
    runs = [
        game(0, (1, 2), bots="s,r"),
        game(1, (2, 1), bots="r,s"),
        game(2, (1, 1), bots="s,r"),
        game(3, (1, 2), bots="s,r"),
    ]
    found = measured(plan(("s,r", 4)), runs)
    assert both(found["order"]) == (pytest.approx(0.75), pytest.approx(1.0))
    assert found["fairness"].part is None
    assert found["fairness"].split.value is None


def test_convergence_is_the_mean_of_a_line_for_each_game() -> None:
    """Convergence is the mean over games, however long; a game of one move has none.

    The games have options 5, 3 and 3, 3, 1. One line through the means 4, 3, 1 would be steeper
    than either game.
    """
    runs = [game(0, (1, 2), (5, 3)), game(1, (1, 2), (3, 3, 1)), game(2, (1, 2), (4,))]
    found = measured(plan(("r", 3)), runs)
    slopes = (-2.0, -1.0)
    assert both(found["convergence"]) == (
        pytest.approx(sum(1 - (slope / 2 + 0.5) for slope in slopes) / 2),
        None,
    )


def test_long_games_do_not_make_a_shrinking_game_grow() -> None:
    """Half of the games shrink and end early, the others are long and steady: both count equally.

    One line through the means would rise, since only steady games are left at the end.
    """
    runs = [game(n, (1, 2), (3, 2, 1)) for n in range(5)]
    runs += [game(n, (1, 2), (3,) * 9) for n in range(5, 10)]
    found = measured(plan(("r", 10)), runs)
    assert both(found["convergence"]) == (pytest.approx((1.0 + 0.5) / 2), None)
    assert found["convergence"].split.low == pytest.approx(0.6, abs=0.05)


def test_what_searching_players_thought() -> None:
    """Drama and security use the estimates for the final winner at all moves."""
    runs = [
        game(
            0,
            (1, 2),
            (2, 2, 1),
            "s",
            [
                (0, 0.2, 0.25, (0.25, 0.75)),
                (1, 0.1, 0.7, (0.3, 0.7)),
                (0, 0.9, 0.9, (0.9, 0.1)),
            ],
        ),
        game(1, (1, 1), (2, 2), "s", [(0, 0.0, 0.41, (0.41, 0.59)), (1, 0.5, 0.5, (0.5, 0.5))]),
    ]
    found = measured(plan(("s", 2)), runs)
    assert found["spread"].split.value == pytest.approx((0.05 + 0.6 + 0.0 + 0.41 + 0.0) / 5)
    # Game 0: seat 0 at .25, .3 and .9. Game 1, shared: seat 0 at .41 and .5, seat 1 at .59 and .5.
    first = 0.5 + 0.2**0.5
    split, full = (first + 0.5 * 0.3) / 2.5, (first + 0.3) / 3
    assert both(found["drama"]) == (pytest.approx(split), pytest.approx(full))
    assert both(found["security"]) == (pytest.approx(1 - 2.5 / 5), pytest.approx(1 - 3 / 7))


def test_the_part_with_most_searching_players_tells_most() -> None:
    """Opinions come from the part with the most searching players."""
    told = [(0, 0.0, 1.0, (1.0, 0.0))]
    runs = [game(0, (1, 2), bots="s,r", told=told), game(1, (1, 2), bots="s", told=told * 2)]
    found = measured(plan(("s,r", 1), ("s", 1)), runs)
    assert found["spread"].part == plan(("s", 1)).parts[0]
    assert found["order"].part == plan(("s,r", 1)).parts[0]


def test_games_without_an_end_do_not_count() -> None:
    """Stopped games are left out of all statistics."""
    stopped = Run(0, ("r", "r"), (), (), game(0, (1, 2), (9, 9)).choices, (), "stopped")
    (sample,) = samples(plan(("r", 3)), [stopped, game(1, (1, 2))])
    assert (sample.games, sample.stopped) == (1, 1)
    assert measured(plan(("r", 3)), [stopped])["fairness"].split.value is None
