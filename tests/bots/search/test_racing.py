"""Candidates racing on common worlds."""

import numpy as np
import pytest

from bots.search.racing import TWINS, Floats, Race
from tests.counts import count


def noise(rng: np.random.Generator, worlds: int, spread: float = 1.0) -> Floats:
    return rng.normal(0.0, spread, worlds)


def test_common_luck_is_no_reason_to_hesitate() -> None:
    """A small constant lead is settled at once, however much the worlds differ."""
    luck = noise(np.random.default_rng(1), 32, spread=100.0)
    race = Race(3)
    race.add(np.stack([luck, luck + 0.1, luck - 0.1]))
    assert race.settled
    assert race.best == 1


def test_without_a_difference_nobody_is_dropped_early() -> None:
    """Candidates of equal worth are rarely dropped by mistake."""
    rng = np.random.default_rng(2)
    races = count(100)
    settled = 0
    for _ in range(races):
        race = Race(2)
        for worlds in (16, 32, 64, 128, 256):
            race.add(rng.normal(size=(race.running.size, worlds)))
        settled += race.settled
    assert settled < 0.05 * races


def test_the_better_candidate_wins() -> None:
    """A lead of a quarter of the spread is found within 2,000 worlds, and is the right one."""
    rng = np.random.default_rng(3)
    for _ in range(count(20)):
        race = Race(4)
        ahead = np.array([0.0, 0.0, 0.25, 0.0])
        while not race.settled:
            race.add(rng.normal(size=(race.running.size, 100)) + ahead[race.running, None])
        standings = race.standings()
        assert race.best == 2
        assert standings[2].worlds <= 2000


def test_the_first_of_equals_wins() -> None:
    """Of two candidates that never differ the first is kept."""
    luck = noise(np.random.default_rng(4), TWINS)
    race = Race(3)
    race.add(np.stack([luck - 1.0, luck, luck])[:, : TWINS - 1])
    assert list(race.running) == [1, 2]
    race.add(np.stack([luck, luck])[:, -1:])
    assert race.settled
    assert race.best == 1


def test_what_has_only_met_good_luck_is_nobodys_twin_yet() -> None:
    """A certain win is preferred to 98.5 %, though many worlds in a row do not separate them."""
    races, wrong = count(2000), 0
    for seed in range(races):
        rng = np.random.default_rng((7, seed))
        race, worlds = Race(2, least=64), 16
        while not race.settled and worlds <= 4096:
            values = np.ones((race.running.size, worlds))
            values[race.running == 0] = rng.random(worlds) < 0.985
            race.add(values)
            worlds *= 2
        wrong += race.best == 0
    assert wrong < 0.01 * races


@pytest.mark.parametrize("exact", [0, 1])
def test_what_is_known_exactly_is_nobodys_twin_and_wins_ties(exact: int) -> None:
    """An exact value is never equal to a sampled one, and wins ties."""
    race = Race(2, exact=[exact])
    for _ in range(8):
        race.add(np.ones((2, TWINS)))
    assert list(race.running) == [0, 1]
    assert race.best == exact
    # Good luck shared by both does not make them the same either.
    luck = noise(np.random.default_rng(8), TWINS)
    race.add(np.stack([luck, luck]))
    assert list(race.running) == [0, 1]
    assert race.best == exact


def test_a_sample_that_is_better_beats_what_is_known_exactly() -> None:
    """A sampled value that is better beats an exact one."""
    race = Race(2, exact=[0])
    race.add(np.array([[0.5] * 64, [1.0] * 64]))
    assert race.settled
    assert race.best == 1


def test_nothing_is_decided_on_few_worlds() -> None:
    """Before `least` worlds no candidate is dropped."""
    race = Race(2, least=8)
    race.add(np.array([[1.0] * 7, [0.0] * 7]))
    assert not race.settled
    race.add(np.array([[1.0], [0.0]]))
    assert race.settled


def test_standings_tell_how_sure_each_value_is() -> None:
    """Standings have mean, standard error and spread, also for dropped candidates."""
    values = np.array([[1.0, 3.0] * 8, [-1.0, -3.0] * 8])
    race = Race(2)
    race.add(values)
    winner, loser = race.standings()
    assert (winner.mean, winner.spread, winner.worlds) == (2.0, 1.0, 16)
    assert winner.error == pytest.approx(values[0].std(ddof=1) / 4)
    assert (loser.mean, loser.worth) == (-2.0, -2.0)
    assert winner.why() == {
        "mean": 2.0,
        "deviation": pytest.approx(winner.error),
        "spread": 1.0,
        "worlds": 16.0,
    }


def test_risk_prefers_the_steady_candidate() -> None:
    """With risk the spread counts against a candidate; without risk only the mean counts."""
    rng = np.random.default_rng(5)
    wild, steady = 0.5 + noise(rng, 400, spread=4.0), noise(rng, 400, spread=0.5)
    for risk, best in ((0.0, 0), (0.5, 1)):
        race = Race(2, risk=risk, certain=1.0)
        race.add(np.stack([wild, steady]))
        assert race.best == best
    assert race.standings()[1].worth == pytest.approx(steady.mean() - 0.5 * steady.std())


def test_a_race_under_risk_is_settled_by_the_worth_not_the_mean() -> None:
    """The error of mean − λ · deviation equals that of resampling the worlds."""
    rng = np.random.default_rng(6)
    worlds, risk = 400, 1.0
    leads = []
    for _ in range(200):
        a, b = rng.normal(size=(2, worlds)) * np.array([[3.0], [1.0]])
        leads.append((b.mean() - risk * b.std()) - (a.mean() - risk * a.std()))
    error = float(np.std(leads))
    # As many standard errors ahead as were asked for is where a candidate is dropped.
    sample = rng.normal(size=(2, worlds)) * np.array([[3.0], [1.0]])
    worth = sample.mean(axis=1) - risk * sample.std(axis=1)
    ahead = float(worth[1] - worth[0])
    for certain, settled in ((0.8 * ahead / error, True), (1.25 * ahead / error, False)):
        race = Race(2, risk=risk, certain=certain)
        race.add(sample)
        assert race.settled is settled


def test_a_candidate_without_spread_can_race_under_risk() -> None:
    """A candidate without spread has its mean as worth under risk."""
    race = Race(2, risk=1.0)
    race.add(np.array([[0.0] * 16, [4.0, -4.0] * 8]))
    assert race.best == 0
    assert race.standings()[0].worth == 0.0


def test_a_race_that_has_not_begun_is_led_by_the_first() -> None:
    """Before any world the first candidate leads."""
    race = Race(2)
    assert race.best == 0
    assert race.standings()[0].worlds == 0
