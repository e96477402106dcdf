"""A limit on a rate: so many at once, then so many a second."""

from dataclasses import dataclass


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

    Whoever may use everything again is forgotten, but for some `kept` names.
    """

    __slots__ = ("_buckets", "_burst", "_forget_at", "_kept", "rate")

    def __init__(self, rate: float, burst: float, kept: int = 0) -> None:
        self.rate, self._burst = rate, burst
        self._buckets: dict[str, TokenBucket] = {}
        self._kept = self._forget_at = kept

    def take(self, who: str, now: float, price: float = 1.0) -> float:
        """Use `price`, or all that there can be; seconds to wait if less is left, else 0."""
        bucket, price = self._of(who, now), min(price, self._burst)
        if not bucket.take(now, price):
            return bucket.seconds_until(now, price)
        return 0.0

    def _of(self, who: str, now: float) -> TokenBucket:
        bucket = self._buckets.get(who)
        if bucket is None:
            if len(self._buckets) > self._forget_at:
                self._buckets = {w: b for w, b in self._buckets.items() if not b.is_full(now)}
                self._forget_at = self._kept + 2 * len(self._buckets)
            bucket = self._buckets[who] = TokenBucket.full(self.rate, self._burst, now)
        return bucket
