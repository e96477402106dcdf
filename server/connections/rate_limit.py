"""How fast somebody may speak."""

from dataclasses import dataclass


@dataclass(slots=True)
class TokenBucket:
    """`burst` at once, then `rate` a second."""

    rate: float
    burst: float
    level: float
    filled_at: float

    @classmethod
    def full(cls, rate: float, burst: float, now: float) -> "TokenBucket":
        return cls(rate, burst, burst, now)

    def take(self, now: float, tokens: float = 1.0) -> bool:
        """Use `tokens`; False, and none is used, if there are not so many."""
        level = self.level + (now - self.filled_at) * self.rate
        if level > self.burst:
            level = self.burst
        self.filled_at = now
        if level < tokens:
            self.level = level
            return False
        self.level = level - tokens
        return True

    def is_full(self, now: float) -> bool:
        """Whether nothing is left of what has been said: a new bucket would be the same."""
        return self.level + (now - self.filled_at) * self.rate >= self.burst

    def seconds_until(self, now: float, tokens: float = 1.0) -> float:
        """How long it takes until `tokens` can be used; `inf` if they never can."""
        missing = min(tokens, self.burst) - self.level - (now - self.filled_at) * self.rate
        if missing <= 0:
            return 0.0
        return missing / self.rate if self.rate else float("inf")
