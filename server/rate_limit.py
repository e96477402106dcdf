"""A limit on a rate: a burst, then a number per second."""

from dataclasses import dataclass


@dataclass(slots=True)
class TokenBucket:
    """A bucket of `burst` tokens and `rate` new ones a second; `level` were left at `filled_at`."""

    rate: float
    burst: float
    level: float
    filled_at: float

    @classmethod
    def full(cls, rate: float, burst: float, now: float) -> "TokenBucket":
        """Return a bucket that holds `burst` tokens at `now`."""
        return cls(rate, burst, burst, now)

    def take(self, now: float, tokens: float = 1.0) -> bool:
        """Use `tokens`; return False, using none, if fewer are left."""
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
        """Use `tokens` even if fewer are left, which makes a debt that is refilled first."""
        if not self.take(now, tokens):
            self.level -= tokens

    def spent(self, now: float) -> float:
        """Return how many tokens are missing from a full bucket, with its debt."""
        return max(0.0, self.burst - self.level - (now - self.filled_at) * self.rate)

    def is_full(self, now: float) -> bool:
        """Whether the bucket is as full as a new one."""
        return self.level + (now - self.filled_at) * self.rate >= self.burst

    def seconds_until(self, now: float, tokens: float = 1.0) -> float:
        """Return the seconds until `tokens` can be used; `inf` if they never can."""
        missing = min(tokens, self.burst) - self.level - (now - self.filled_at) * self.rate
        if missing <= 0:
            return 0.0
        return missing / self.rate if self.rate else float("inf")


class Allowances:
    """Rate limits by name: `burst` at once, then `rate` a second for each.

    A name whose bucket is full again is forgotten, except for some `kept` names.
    """

    __slots__ = ("_buckets", "_burst", "_forget_at", "_kept", "rate")

    def __init__(self, rate: float, burst: float, kept: int = 0) -> None:
        self.rate, self._burst = rate, burst
        self._buckets: dict[str, TokenBucket] = {}
        self._kept = self._forget_at = kept

    def take(self, who: str, now: float, price: float = 1.0) -> float:
        """Use `price`, at most a full bucket; return the seconds to wait, or 0 if it was used."""
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
