"""Random play of our games compared with figures of the language's reference interpreter.

The figures are means over random games of its 2023 version. Ours must lie within three standard
errors of the difference; both samples have their part in that, and so has the rounding of a
figure. Seeds are fixed. `make nightly` plays 2,000 games of each and 5,000 of Hearts.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import sqrt
from statistics import fmean, pvariance

import pytest

from tests.counts import count
from tests.engine.recycle.games.playing import Record, played

pytestmark = pytest.mark.no_cover

GAMES = count(100)
HEARTS = count(250)


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean over `games` games, written with the last digit standing for `unit`.

    A `share` is a mean of noughts and ones, or minus ones: its variance follows from it.
    """

    mean: float
    games: int
    unit: float = 0.0
    share: bool = False

    def fits(self, sample: Iterable[float]) -> bool:
        """Whether our sample's mean lies within the limit."""
        values = tuple(sample)
        spread = abs(self.mean) * (1 - abs(self.mean)) if self.share else pvariance(values)
        error = spread * (1 / len(values) + 1 / self.games) + self.unit**2 / 12
        return abs(fmean(values) - self.mean) <= 3 * sqrt(error)


@dataclass(frozen=True, slots=True)
class Line:
    """A game's line of the table: choices a game, options a choice, the most, scores by seat."""

    choices: Figure
    branching: Figure
    most: int
    scores: tuple[Figure, ...]


def line(games: int, choices: float, branching: float, most: int, scores: Iterable[Figure]) -> Line:
    return Line(Figure(choices, games, 0.01), Figure(branching, games, 0.001), most, tuple(scores))


def even(players: int, sign: int = 1) -> tuple[Figure, ...]:
    """Every seat has an equal share of all points."""
    return (Figure(sign / players, 2000, share=True),) * players


def same(players: int, score: float) -> tuple[Figure, ...]:
    """Every seat has the score `mean`."""
    return (Figure(score, 2000, 0.1),) * players


HEARTS_SCORES = (6.42, 6.22, 6.32, 6.53)
LINES = {
    "Hearts4": line(5000, 52, 3.591, 13, (Figure(each, 5000, 0.01) for each in HEARTS_SCORES)),
    "Agram2": line(2000, 12, 2.777, 6, even(2)),
    "Agram3": line(2000, 18, 2.518, 6, even(3)),
    "Agram4": line(2000, 24, 2.395, 6, even(4)),
    "Agram5": line(2000, 30, 2.307, 6, even(5)),
    "Pairs2": line(2000, 16.91, 2, 2, same(2, 25.7)),
    "Pairs3": line(2000, 16.45, 2, 2, same(3, 14.4)),
    "Pairs4": line(2000, 15.82, 2, 2, same(4, 9.3)),
    "Pairs5": line(2000, 15.04, 2, 2, same(5, 6.6)),
    "NinetyEight2": line(2000, 12.28, 4, 4, even(2, -1)),
    "NinetyEight4": line(2000, 12.19, 4, 4, even(4, -1)),
}
LEADER = (9.74, 8.79, 7.92, 7.17, 6.55, 6.05, 5.65, 5.28, 4.78, 3.98, 3, 2, 1)
"""Options of the leader in Hearts4, by trick."""
OTHERS = (3.28, 3.34, 3.39, 3.43, 3.52, 3.59, 3.51, 3.35, 3.10, 2.73, 2.30, 1.74, 1)
"""Options of the three others."""
MOONS = Figure(0.010, 5000, 0.001, share=True)
"""The share of 5,000 games of Hearts in which somebody shot the moon."""


@cache
def sample(name: str) -> tuple[Record, ...]:
    """Random games of one of our descriptions."""
    games = HEARTS if name == "Hearts4" else GAMES
    return tuple(played(name, seed) for seed in range(games))


@pytest.mark.parametrize("name", LINES)
def test_a_game_is_as_long_and_as_wide(name: str) -> None:
    """The mean and the maximum of choices a game and options a choice match the reference."""
    records, expected = sample(name), LINES[name]
    assert expected.choices.fits(len(record.options) for record in records)
    assert expected.branching.fits(record.branching for record in records)
    assert max(max(record.options) for record in records) == expected.most


@pytest.mark.parametrize("name", LINES)
def test_the_seats_score_as_much(name: str) -> None:
    """Every seat's mean score matches the reference."""
    for seat, expected in enumerate(LINES[name].scores):
        assert expected.fits(record.scores[seat] for record in sample(name)), seat


def test_the_moon_is_shot_as_often() -> None:
    """The moon is shot in about one of a hundred random games of Hearts."""
    assert MOONS.fits(float(-26 in record.scores) for record in sample("Hearts4"))


def test_a_trick_is_as_wide() -> None:
    """The number of options in each trick matches the reference: within 0.15 over 5,000 games.

    A smaller sample has a wider limit: what 5,000 games may be off by, and three standard errors.
    """
    records = sample("Hearts4")
    for trick in range(13):
        leading = [float(record.options[4 * trick]) for record in records]
        following = [fmean(record.options[4 * trick + 1 : 4 * trick + 4]) for record in records]
        for values, expected in ((leading, LEADER[trick]), (following, OTHERS[trick])):
            room = 0.15
            if len(records) < 5000:
                room += 3 * sqrt(pvariance(values) / len(values))
            assert abs(fmean(values) - expected) <= room, trick + 1


def test_a_different_game_would_be_noticed() -> None:
    """The figures of the four-player game do not fit a game of five players."""
    records = sample("Agram5")
    assert not LINES["Agram4"].branching.fits(record.branching for record in records)
    assert not LINES["Pairs4"].scores[0].fits(record.scores[0] for record in sample("Pairs5"))
    assert not LINES["Pairs2"].choices.fits(len(record.options) for record in sample("Pairs5"))
