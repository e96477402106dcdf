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

    def take(self, now: float) -> bool:
        """Use one token; False if there is none."""
        level = min(self.burst, self.level + (now - self.filled_at) * self.rate)
        self.filled_at = now
        self.level = level - 1 if level >= 1 else level
        return level >= 1

    def is_full(self, now: float) -> bool:
        """Whether nothing is left of what has been said: a new bucket would be the same."""
        return self.level + (now - self.filled_at) * self.rate >= self.burst
