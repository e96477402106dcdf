"""The published statistics against their definitions, on cases worked out by hand."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.lab.measures import (
    Floats,
    behind,
    convergence,
    drama,
    fairness,
    game_convergence,
    order,
    security,
    spread,
    threshold,
)

HEARTS_LEADER = (9.74, 8.79, 7.92, 7.17, 6.55, 6.05, 5.65, 5.28, 4.78, 3.98, 3, 2, 1)
HEARTS_OTHERS = (3.28, 3.34, 3.39, 3.43, 3.52, 3.59, 3.51, 3.35, 3.10, 2.73, 2.30, 1.74, 1)
"""Mean options by trick of Hearts for four, as published for 5,000 random games."""


def numbers(*values: float) -> Floats:
    return np.array(values, float)


@pytest.mark.parametrize(
    ("share", "players", "worth"),
    [(0.25, 4, 1.0), (0.0, 4, 0.0), (1.0, 4, 0.0), (0.125, 4, 0.5), (0.625, 4, 0.5), (0.6, 2, 0.8)],
)
def test_fairness(share: float, players: int, worth: float) -> None:
    """Fairness is 1 at an even share, and falls linearly to 0 at never and at always."""
    assert float(fairness(numbers(share), players)[0]) == pytest.approx(worth)


@pytest.mark.parametrize(
    ("share", "players", "worth"), [(0.25, 4, 0.0), (1.0, 4, 1.0), (0.625, 4, 0.5), (0.0, 2, -1.0)]
)
def test_order(share: float, players: int, worth: float) -> None:
    """Order is 0 for a player who wins their share, and 1 for one who always wins."""
    assert float(order(numbers(share), players)[0]) == pytest.approx(worth)


def convergence_of(*games: list[float]) -> Floats:
    """The convergence of games with these numbers of options, one list each."""
    lengths = np.array([len(game) for game in games])
    options = np.array([game + [0.0] * (max(lengths) - len(game)) for game in games])
    return game_convergence(options, lengths)


def test_convergence_of_hearts() -> None:
    """The published table of Hearts gives its published convergence of .54."""
    options = [
        value
        for leader, other in zip(HEARTS_LEADER, HEARTS_OTHERS, strict=True)
        for value in (leader, other, other, other)
    ]
    assert round(float(convergence_of(options)[0]), 2) == 0.54


def test_convergence_is_made_of_the_slope() -> None:
    """Constant options give convergence ½; one option fewer at each move 1, one more 0."""
    found = convergence_of([5, 4, 3, 2, 1], [1, 2, 3, 4, 5], [3, 3, 3, 3, 3])
    assert found.tolist() == pytest.approx([1.0, 0.0, 0.5])


def test_a_game_of_one_move_has_no_slope() -> None:
    """A game of one move has no slope and does not count in the mean."""
    found = convergence_of([4], [4, 3])
    assert np.isnan(found[0])
    assert found[1] == pytest.approx(1.0)
    assert float(convergence(numbers(1.5), numbers(2.0))[0]) == 0.75
    assert np.isnan(convergence(numbers(0.0), numbers(0.0))).all()


@given(st.lists(st.lists(st.floats(1, 50), min_size=2, max_size=30), min_size=1, max_size=4))
def test_convergence_agrees_with_a_fitted_line(games: list[list[float]]) -> None:
    """The slope of each game equals that of NumPy's least-squares fit."""
    slopes = [np.polyfit(range(len(game)), game, 1)[0] for game in games]
    found = convergence_of(*games)
    assert found == pytest.approx([1 - (slope / 2 + 0.5) for slope in slopes], abs=1e-9)


def test_drama_and_security() -> None:
    """Drama and security are right for a winner with two of four estimates below ½."""
    short, root = behind(numbers(0.41, 0.9, 0.25, 0.5), players=2)
    assert short.tolist() == [1, 0, 1, 0]
    assert root.tolist() == pytest.approx([0.3, 0, 0.5, 0])
    below, moves = short.sum(), numbers(4)
    assert float(drama(root.sum(), below)) == pytest.approx((0.3 + 0.5) / 2)
    assert float(security(below, moves)[0]) == 0.5


def test_the_threshold_lies_between_first_and_second() -> None:
    """The threshold with four players is ⅚, between the second's ⅔ and 1."""
    assert threshold(4) == pytest.approx(5 / 6)
    assert float(behind(numbers(5 / 6 - 0.04), 4)[1][0]) == pytest.approx(sqrt(0.04))


def test_what_nobody_did_has_no_mean() -> None:
    """Without a move below the threshold there is no drama, and without moves no security."""
    assert np.isnan(drama(numbers(0.0), numbers(0.0))).all()
    assert np.isnan(security(numbers(0.0), numbers(0.0))).all()
    assert float(spread(numbers(1.5), numbers(3.0))[0]) == 0.5
