"""Means and intervals of the arena against separately computed figures."""

from statistics import NormalDist

import pytest

from bots.arena import ArenaResult, Interval, Thinking, arrange, interval, summarise

CONTEST = arrange("black_queen", (0, 1), seed=1)
FIRST, SECOND = Thinking(30, 60_000_000), Thinking(10, 5_000_000)


def result(deal: int, lead: float, share: float) -> ArenaResult:
    return ArenaResult(deal, lead, share, (FIRST, SECOND))


def test_interval() -> None:
    """Mean 4 and variance 10 over 5 values give an interval of 1.96 √(10/5) to each side."""
    found = interval([0.0, 2.0, 4.0, 6.0, 8.0])
    reach = NormalDist().inv_cdf(0.975) * (10 / 5) ** 0.5
    assert found.mean == 4
    assert found.low == pytest.approx(4 - reach, abs=1e-6)
    assert found.high == pytest.approx(4 + reach, abs=1e-6)


def test_one_value_has_no_interval() -> None:
    """A single deal has no interval."""
    assert interval([3.0]) == Interval(3.0, None, None)


def test_summary() -> None:
    """Leads and shares are averaged over deals, thinking times over moves."""
    summary = summarise(CONTEST, [result(0, 2.0, 0.5), result(1, 6.0, 0.25)])
    assert (summary.deals, summary.lead.mean, summary.wins.mean) == (2, 4.0, 0.375)
    assert summary.ms_per_move() == {"0": 2.0, "1": 0.5}


def test_order_of_results_does_not_matter() -> None:
    """The summary does not depend on the order of the results, to the last bit."""
    results = [result(deal, 0.1 * deal, 1 / (deal + 3)) for deal in range(20)]
    assert summarise(CONTEST, results) == summarise(CONTEST, results[::-1])


def test_a_share_stays_between_none_and_all() -> None:
    """The interval of a share of wins is cut at 0 and 1."""
    summary = summarise(CONTEST, [result(0, 1.0, 1.0), result(1, 1.0, 0.9), result(2, 1.0, 1.0)])
    assert summary.wins.high == 1.0
    assert summary.wins.low is not None
    assert 0 < summary.wins.low < summary.wins.mean


def test_one_strength_against_itself_is_timed_once() -> None:
    """If both bots have one strength their moves are counted together."""
    contest = arrange("black_queen", (1, 1), seed=1)
    summary = summarise(contest, [result(0, 0.0, 0.25)])
    assert summary.ms_per_move() == {"1": pytest.approx(65 / 40)}
