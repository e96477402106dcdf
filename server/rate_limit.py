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
