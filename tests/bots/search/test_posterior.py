"""Posteriors of chances and scores, against sums written out in full."""

from fractions import Fraction
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.search.posterior import SCORES, Chance, Score

COUNTS = st.lists(st.integers(0, 1000), min_size=7, max_size=7)


@given(hits=st.integers(0, 1000), misses=st.integers(0, 1000))
def test_a_chance_is_a_beta_distribution(hits: int, misses: int) -> None:
    """Mean and deviation of a chance are those of Beta(1 + S, 1 + N − S)."""
    a, b = Fraction(1 + hits), Fraction(1 + misses)
    chance = Chance(hits, hits + misses)
    assert chance.mean == pytest.approx(float(a / (a + b)))
    assert chance.deviation**2 == pytest.approx(float(a * b / ((a + b) ** 2 * (a + b + 1))))


def test_2500_samples_are_good_for_one_per_cent() -> None:
    """2,500 samples give a chance to one per cent, even where that is hardest."""
    assert Chance(1250, 2500).deviation == pytest.approx(0.01, rel=0.001)


@given(counts=COUNTS)
def test_a_score_is_a_dirichlet_distribution(counts: list[int]) -> None:
    """The variance of a score is the double sum over the covariances of Dirichlet(1 + counts)."""
    weights = [Fraction(1 + count) for count in counts]
    total = sum(weights)
    shares = [weight / total for weight in weights]
    mean = sum(share * s for share, s in zip(shares, SCORES, strict=True))
    variance = sum(
        SCORES[i] * SCORES[j] * ((shares[i] if i == j else 0) - shares[i] * shares[j]) / (total + 1)
        for i in range(7)
        for j in range(7)
    )
    score = Score(counts)
    assert score.mean == pytest.approx(float(mean), abs=1e-12)
    assert score.deviation == pytest.approx(sqrt(variance))


@given(counts=COUNTS)
def test_the_deviation_of_a_score_stays_within_its_bound(counts: list[int]) -> None:
    """The variance never exceeds 3² · 7² / N."""
    if sum(counts):
        assert Score(counts).deviation ** 2 <= 441 / sum(counts)
