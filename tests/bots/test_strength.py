"""Each strength of a game is better than the weaker ones.

A lead whose 95 % interval lies above zero happens once in forty times for a player who is no
better. So many deals are played that the lead is four to five standard errors or more: by another
seed the interval of a player who is as strong as now would touch zero once in two hundred times or
less.
"""

from dataclasses import dataclass, field

import pytest

from bots import Budget, make_bot, parse_spec
from bots.arena import Contest, arrange, play_deal, summarise
from tests.counts import NIGHT, count


@dataclass(frozen=True)
class Comparison:
    """A comparison: two players of a game, the budget of the second, and the number of deals."""

    game: str
    weak: str
    strong: str
    deals: int
    budget: Budget = field(default_factory=Budget)
    seats: int | None = None
    numbers: tuple[int, ...] | None = None
    seed: int = 7

    def contest(self) -> Contest:
        """The arena's contest of the two."""
        return arrange(
            self.game,
            (parse_spec(self.weak), parse_spec(self.strong)),
            seed=self.seed,
            seats=self.seats,
            budgets=(Budget(), self.budget),
            numbers=self.numbers,
        )

    def sure_lead(self, deals: int) -> float:
        """The lower end of the 95 % interval of the second player's lead."""
        contest = self.contest()
        lead = summarise(contest, [play_deal(contest, deal) for deal in range(deals)]).lead
        assert lead.low is not None
        return lead.low

    def __str__(self) -> str:
        return f"{self.game}-{self.weak}-{self.strong}"


HOLD = 3
"""The deal of a match of Hearts in which nobody passes."""
LARGE = (0, 1, 2)
"""The deals of Whist with most cards, where there is most to think about."""
FEW, SOME = Budget(samples=16), Budget(samples=32)
COMPARISONS = (
    # The first strengths of Black Queen need no search.
    Comparison("black_queen", "0", "1", 20, seed=11),
    Comparison("black_queen", "0", "2", 20, seed=11),
    Comparison("black_queen", "2", "3", 20, SOME, seats=2),
    Comparison("black_queen", "0", "3", 3, SOME, seats=3),
    Comparison("hearts", "0", "1", 10, FEW, numbers=(HOLD,)),
    Comparison("hearts", "ducker", "1", 60, FEW, numbers=(HOLD,)),
    Comparison("hearts", "1", "2", 12, FEW, numbers=(0, 1, 2)),
    Comparison("schnapsen", "0", "1", 20, SOME),
    Comparison("schnapsen", "1", "3", 100, SOME),
    Comparison("spades", "0", "1", 8),
    Comparison("whist", "0", "1", 12, SOME),
)
LONG = (
    Comparison("black_queen", "1", "2", 90, seed=11),
    # A player unlike all our strengths.
    Comparison("schnapsen", "sampling", "3", 40, SOME),
    Comparison("spades", "1", "2", 120, Budget(samples=64)),
    Comparison("whist", "1", "3", 24, SOME, numbers=LARGE),
)
"""They take twice as long as all others together, so they are for the night."""


@pytest.mark.parametrize("comparison", (*COMPARISONS, *LONG) if NIGHT else COMPARISONS, ids=str)
def test_who_thinks_more_is_ahead(comparison: Comparison) -> None:
    """The 95 % interval of the stronger player's lead lies above zero."""
    assert comparison.sure_lead(count(comparison.deals)) > 0


@pytest.mark.timeout(1200)
def test_a_busy_machine_does_not_take_the_strength() -> None:
    """With a millisecond a move the search is no weaker than strength 2."""
    busy = Comparison("black_queen", "2", "3", 6, Budget(milliseconds=1.0))
    assert busy.sure_lead(2000 if NIGHT else busy.deals) > -0.3


@pytest.mark.parametrize("strength", [1, 2])
def test_a_move_takes_less_than_a_millisecond(strength: int) -> None:
    """A bot that may run in the server's loop moves in less than a millisecond."""
    contest = arrange("black_queen", (0, strength), seed=1)
    summary = summarise(contest, [play_deal(contest, deal) for deal in range(count(3))])
    assert make_bot("black_queen", strength).in_place
    assert summary.ms_per_move()[str(strength)] < 1
