"""Bootstrap intervals: games are resampled."""

import numpy as np
import pytest

from bots.lab import bootstrap as module
from bots.lab.bootstrap import Estimate, bootstrap, means
from bots.lab.measures import Floats


def mean(sums: Floats) -> Floats:
    return sums[..., 0] / sums[..., 1]


def tallies(values: Floats) -> Floats:
    return np.column_stack((values, np.ones(len(values))))


def test_the_interval_of_a_mean_is_the_usual_one() -> None:
    """The interval of a mean of 400 normal values lies within a tenth of 1.96 standard errors."""
    values = np.random.default_rng(3).normal(5, 2, 400)
    found = bootstrap(tallies(values), mean, np.random.default_rng(1))
    error = values.std() / 20
    assert found.value == pytest.approx(values.mean())
    assert found.low == pytest.approx(values.mean() - 1.96 * error, abs=0.15 * error)
    assert found.high == pytest.approx(values.mean() + 1.96 * error, abs=0.15 * error)


def test_it_repeats_however_much_is_drawn_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bootstrap intervals depend on the seed alone, not on how many draws fit into memory."""
    values = tallies(np.arange(50.0))
    first = bootstrap(values, mean, np.random.default_rng(1))
    monkeypatch.setattr(module, "_AT_ONCE", 150)
    assert bootstrap(values, mean, np.random.default_rng(1)) == first


def test_one_game_has_no_interval_and_none_no_value() -> None:
    """One game gives no interval, and no games give no value."""
    assert bootstrap(tallies(np.array([3.0])), mean, np.random.default_rng(1)) == Estimate(3.0)
    assert bootstrap(np.zeros((0, 2)), mean, np.random.default_rng(1)) == Estimate(None)


def test_draws_in_which_nothing_can_be_said_are_left_out() -> None:
    """Resamples in which a statistic is undefined are left out."""
    values = np.array([[2.0, 1.0], [0.0, 0.0], [0.0, 0.0]])

    def told(sums: Floats) -> Floats:
        with np.errstate(invalid="ignore"):
            return mean(sums)

    assert bootstrap(values, told, np.random.default_rng(1)) == Estimate(2.0, 2.0, 2.0)


def test_means_of_columns() -> None:
    """The mean of each column is computed separately."""
    found = means(np.array([[1.0, 5.0], [1.0, 7.0]]), np.random.default_rng(1))
    assert found[0] == Estimate(1.0, 1.0, 1.0)
    assert (found[1].value, found[1].low, found[1].high) == (6.0, 5.0, 7.0)
