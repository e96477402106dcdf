"""Spending a budget in batches: as many samples at a time as suit a kernel."""

from collections.abc import Callable
from time import perf_counter

from bots.bot import Budget


class Batches:
    """A `budget` spent batch by batch; `usual` is used if it leaves the amount to the bot.

        batches = Batches(budget, usual=Budget(milliseconds=20))
        while samples := batches.take():
            ...

    Batches double from `first` to `most`. If a clock limits them as well, they shrink to what the
    time is enough for, judging by the samples so far, and the time is up when not even `first`
    would fit. Without a clock their sizes depend only on the numbers given here. The clock is
    ignored for the first `least` samples, so that a bot on a busy machine still does so many.
    `thorough` is that of the `budget`.
    """

    def __init__(
        self,
        budget: Budget,
        usual: Budget,
        *,
        first: int = 16,
        most: int = 1024,
        least: int = 1,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        limits = budget if budget.is_limited else usual
        if not limits.is_limited:
            raise ValueError("a bot must have a limit of its own for a budget without one")
        self.taken = 0
        self.thorough = budget.thorough
        self._limits = limits
        self._first = first
        self._most = most
        self._least = least
        self._next = first
        self._clock = clock
        self._started = clock()

    def take(self) -> int:
        """The number of samples to draw now, at least one the first time; 0 when none is left."""
        batch = min(self._next, self._in_number(), self._in_time())
        self._next = min(2 * self._next, self._most)
        self.taken += batch
        return batch

    def _in_number(self) -> int:
        samples = self._limits.samples
        return self._most if samples is None else max(samples, 1) - self.taken

    def _in_time(self) -> int:
        milliseconds = self._limits.milliseconds
        if milliseconds is None or self.taken < self._least:
            return self._most
        spent = 1000 * (self._clock() - self._started)
        if spent <= 0:
            return self._most
        fitting = int((milliseconds - spent) * self.taken / spent)
        return fitting if fitting >= self._first else 0
