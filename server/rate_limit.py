"""A limit on a rate: so many at once, then so many a second."""

from collections.abc import Callable
from dataclasses import dataclass

MOST_OWED = 16
"""So many times as much as may be used at once is owed at most for what was used elsewhere."""


@dataclass(slots=True)
class TokenBucket:
    """`burst` tokens at once, then `rate` a second; `level` tokens are left at `filled_at`."""

    rate: float
    burst: float
    level: float
    filled_at: float

    @classmethod
    def full(cls, rate: float, burst: float, now: float) -> "TokenBucket":
        """A bucket that holds `burst` tokens at `now`."""
        return cls(rate, burst, burst, now)

    def take(self, now: float, tokens: float = 1.0) -> bool:
        """Use `tokens`; False, and none is used, if fewer are left."""
        level = self.level + (now - self.filled_at) * self.rate
        if level > self.burst:
            level = self.burst
        self.filled_at = now
        if level < tokens:
            self.level = level
            return False
        self.level = level - tokens
        return True

    def charge(self, now: float, tokens: float) -> None:
        """Use `tokens` even if fewer are left: what is missing is owed, and filled up first."""
        if not self.take(now, tokens):
            self.level -= tokens

    def spent(self, now: float) -> float:
        """How many tokens a full bucket would have more; what is owed counts."""
        return max(0.0, self.burst - self.level - (now - self.filled_at) * self.rate)

    def is_full(self, now: float) -> bool:
        """Whether the bucket is as full as a new one."""
        return self.level + (now - self.filled_at) * self.rate >= self.burst

    def seconds_until(self, now: float, tokens: float = 1.0) -> float:
        """Seconds until `tokens` can be used; `inf` if they never can."""
        missing = min(tokens, self.burst) - self.level - (now - self.filled_at) * self.rate
        if missing <= 0:
            return 0.0
        return missing / self.rate if self.rate else float("inf")


class Allowances:
    """What each of many may do, by name: `burst` at once, then `rate` a second.

    Others may count the same names elsewhere. `on_take` is told what is used here. Whoever may use
    everything again is forgotten, but for some `kept` names.
    """

    __slots__ = ("_buckets", "_burst", "_forget_at", "_kept", "on_take", "rate")

    def __init__(self, rate: float, burst: float, kept: int = 0) -> None:
        self.on_take: Callable[[str, float], None] | None = None
        self.rate, self._burst = rate, burst
        self._buckets: dict[str, TokenBucket] = {}
        self._kept = self._forget_at = kept

    def take(self, who: str, now: float, price: float = 1.0) -> float:
        """Use `price`, or all that there can be; seconds to wait if less is left, else 0."""
        bucket, price = self._of(who, now), min(price, self._burst)
        if not bucket.take(now, price):
            return bucket.seconds_until(now, price)
        if self.on_take is not None:
            self.on_take(who, price)
        return 0.0

    def charge(self, who: str, amount: float, now: float) -> None:
        """So much more was used elsewhere; what was too much is owed, up to `MOST_OWED` bursts."""
        if amount and self.rate:
            bucket = self._of(who, now)
            bucket.charge(now, amount)
            bucket.level = max(bucket.level, -MOST_OWED * self._burst)

    def know(self, who: str, spent: float, now: float) -> None:
        """As much as that was used in all, as another one counts: `spent` there."""
        bucket = self._of(who, now)
        bucket.charge(now, max(0.0, spent - bucket.spent(now)))

    def spent(self, now: float) -> dict[str, float]:
        """What is missing in the buckets that are not full, what is owed included."""
        spent = {who: bucket.spent(now) for who, bucket in self._buckets.items()}
        return {who: amount for who, amount in spent.items() if amount}

    def _of(self, who: str, now: float) -> TokenBucket:
        bucket = self._buckets.get(who)
        if bucket is None:
            if len(self._buckets) > self._forget_at:
                self._buckets = {w: b for w, b in self._buckets.items() if not b.is_full(now)}
                self._forget_at = self._kept + 2 * len(self._buckets)
            bucket = self._buckets[who] = TokenBucket.full(self.rate, self._burst, now)
        return bucket
