"""A referee of Cribbage: every score computed again in plain Python from the cards.

The referee follows a game by its open view and its moves, knows the rules of the page, and shares
nothing with the description. Sums over all subsets and runs with doubles are where a mistake of
the language would hide longest.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest

from engine import View
from engine.choices import Action
from engine.facts import Seat
from tests.counts import count
from tests.engine.recycle.games.playing import steps

pytestmark = pytest.mark.no_cover

RANKS = "A23456789TJQK"


def order(card: str) -> int:
    return RANKS.index(card[0]) + 1


def pips(card: str) -> int:
    return min(order(card), 10)


def is_run(cards: Sequence[str]) -> bool:
    ranks = sorted(map(order, cards))
    return ranks == list(range(ranks[0], ranks[0] + len(ranks)))


def pegged(row: Sequence[str]) -> int:
    """The points of the last card of a row, a count of 31 included."""
    total = sum(map(pips, row))
    points = 2 * (total in (15, 31))
    alike = next((n for n in (4, 3, 2) if len(row) >= n and len({c[0] for c in row[-n:]}) == 1), 1)
    points += alike * (alike - 1)
    for length in range(len(row), 2, -1):
        if is_run(row[-length:]):
            return points + length
    return points


def shown(hand: Sequence[str], starter: str, crib: bool) -> int:
    """The points of four cards with the starter."""
    cards = [*hand, starter]
    sets = [some for n in range(2, 6) for some in combinations(cards, n)]
    points = 2 * sum(sum(map(pips, some)) == 15 for some in sets)
    points += 2 * sum(len(some) == 2 and some[0][0] == some[1][0] for some in sets)
    runs = [len(some) for some in sets if len(some) > 2 and is_run(some)]
    points += sum(length for length in runs if length == max(runs))
    suits = Counter(card[1] for card in hand)
    if len(suits) == 1:
        points += 5 if starter[1] in suits else 4 * (not crib)
    return points + (f"J{starter[1]}" in hand)


@pytest.mark.parametrize(
    ("hand", "starter", "points"),
    [
        ("5H 5S 5C JD", "5D", 29),
        ("4S 5S 6S 6D", "4H", 24),
        ("2H 4H 8H TH", "QC", 4),
        ("7C 7D 8S 9H", "KC", 12),
    ],
)
def test_the_referee_of_cribbage_knows_the_game(hand: str, starter: str, points: int) -> None:
    """The referee scores well-known Cribbage hands correctly."""
    assert shown(hand.split(), starter, crib=False) == points


class Cribbage:
    """The score of a game as it goes on; `pone` is the player who does not deal."""

    def __init__(self) -> None:
        self.scores = [0, 0]
        self.pone = 0
        self._new_deal()

    def _new_deal(self) -> None:
        self.crib: list[str] = []
        self.row: list[str] = []
        self.last = self.passes = 0
        self.starter = ""

    @property
    def over(self) -> bool:
        return max(self.scores) >= 61

    def move(self, before: View, seat: Seat, action: Action) -> None:
        cards = action.split()[1:] if action.startswith("play ") else []
        if len(self.crib) < 4:
            self._lay_aside(before, cards)
        else:
            self._peg(seat, cards)
            tables = {
                each: [*before.zones[f"table/{each}"].cards, *(cards if each == seat else [])]
                for each in (0, 1)
            }
            if not self.over and all(len(table) == 4 for table in tables.values()):
                self._show(tables)

    def _lay_aside(self, before: View, cards: list[str]) -> None:
        self.crib += cards
        if len(self.crib) == 4:
            self.starter = before.zones["stock"].cards[-1]
            self.scores[1 - self.pone] += 2 * (self.starter[0] == "J")

    def _peg(self, seat: Seat, cards: list[str]) -> None:
        if not cards:
            self.passes += 1
            if self.passes == 2:
                self._end_row()
            return
        self.row += cards
        self.scores[seat] += pegged(self.row)
        self.last, self.passes = seat, 0
        if sum(map(pips, self.row)) == 31:
            self.row = []

    def _end_row(self) -> None:
        self.scores[self.last] += bool(self.row)
        self.row, self.passes = [], 0

    def _show(self, tables: dict[Seat, list[str]]) -> None:
        self._end_row()
        dealer = 1 - self.pone
        for seat, hand in (
            *((seat, tables[seat]) for seat in (self.pone, dealer)),
            (dealer, self.crib),
        ):
            if not self.over:
                self.scores[seat] += shown(hand, self.starter, hand is self.crib)
        self.pone = dealer
        self._new_deal()


def test_cribbage_scores_what_its_referee_counts() -> None:
    """The description's scores match the referee's after every move, in play and in the show."""
    for seed in range(count(6)):
        referee = Cribbage()
        for before, seat, action, after in steps("Cribbage2", seed):
            assert not referee.over
            referee.move(before, seat, action)
            assert [after.number(f"score/{each}") for each in (0, 1)] == referee.scores
        assert referee.over
