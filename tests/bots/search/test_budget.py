"""Spending a budget in batches."""

import itertools
from collections.abc import Iterator

import pytest

from bots import Budget
from bots.search.budget import Batches

NO_TIME = Budget(samples=1)


class Watch:
    """A clock that a test sets, in milliseconds."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now / 1000


def sizes_taken(batches: Batches, watch: Watch, each: float) -> Iterator[int]:
    """The sizes of all batches, if a sample takes `each` milliseconds."""
    while batch := batches.take():
        watch.now += batch * each
        yield batch


def test_samples_are_given_out_in_growing_batches() -> None:
    """Batches double up to the most, and end with what is left."""
    watch = Watch()
    batches = Batches(Budget(samples=100), NO_TIME, first=8, most=32, clock=watch)
    assert list(sizes_taken(batches, watch, 1000.0)) == [8, 16, 32, 32, 12]
    assert batches.taken == 100


def test_a_clock_shrinks_batches_to_what_there_is_time_for() -> None:
    """A clock shrinks batches: at 0.1 ms a sample, 10 ms allow 100 samples."""
    watch = Watch()
    batches = Batches(Budget(milliseconds=10), NO_TIME, first=10, most=1024, clock=watch)
    assert list(sizes_taken(batches, watch, 0.1)) == [10, 20, 40, 30]


@pytest.mark.parametrize("each", [0.01, 0.3, 5.0])
def test_a_clock_is_kept(each: float) -> None:
    """The time is never exceeded by more than the first batch."""
    watch = Watch()
    batches = Batches(Budget(milliseconds=10), NO_TIME, first=16, most=256, clock=watch)
    list(sizes_taken(batches, watch, each))
    assert watch.now <= max(10.001, 16 * each)
    assert batches.taken >= 16


def test_whatever_is_used_up_first_ends_it() -> None:
    """With both limits the one used up first ends the search."""
    watch = Watch()
    both = Budget(milliseconds=10, samples=40)
    assert sum(sizes_taken(Batches(both, NO_TIME, first=10, clock=watch), watch, 0.1)) == 40
    assert sum(sizes_taken(Batches(both, NO_TIME, first=10, clock=watch), watch, 1.0)) == 10


def test_a_bot_has_a_limit_of_its_own() -> None:
    """A budget without limits uses the bot's usual one, which must exist."""
    watch = Watch()
    batches = Batches(Budget(), Budget(samples=20), first=16, clock=watch)
    assert list(sizes_taken(batches, watch, 1.0)) == [16, 4]
    with pytest.raises(ValueError, match="a limit of its own"):
        Batches(Budget(), Budget())


def test_one_sample_is_always_drawn() -> None:
    """At least one sample is always drawn."""
    watch = Watch()
    assert list(sizes_taken(Batches(Budget(samples=0), NO_TIME, clock=watch), watch, 1.0)) == [1]


def test_a_busy_machine_does_not_take_the_least_samples() -> None:
    """The first `least` samples ignore the clock; later ones do not."""
    watch = Watch()
    batches = Batches(Budget(milliseconds=1), NO_TIME, first=16, least=48, clock=watch)
    assert list(sizes_taken(batches, watch, 1000.0)) == [16, 32]
    batches = Batches(Budget(milliseconds=1, samples=20), NO_TIME, first=16, least=48, clock=watch)
    assert list(sizes_taken(batches, watch, 1000.0)) == [16, 4]


def test_a_clock_that_stands_still_ends_nothing() -> None:
    """A clock that stands still does not end the search."""
    batches = Batches(Budget(milliseconds=1), NO_TIME, first=8, most=16, clock=lambda: 0.0)
    taken = list(itertools.islice(iter(batches.take, 0), 4))
    assert taken == [8, 16, 16, 16]
