"""What a bot's numbers may be, said in the signature that declares them; the roster checks it."""

from dataclasses import dataclass
from math import inf
from typing import Annotated, TypeAlias


@dataclass(frozen=True, slots=True)
class Range:
    """From `low` to `high`, both allowed."""

    low: float
    high: float = inf

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __str__(self) -> str:
        if self.high == inf:
            return f"at least {self.low:g}"
        return f"from {self.low:g} to {self.high:g}"


Share: TypeAlias = Annotated[float, Range(0, 1)]
"""Of a whole, or a chance."""
Amount: TypeAlias = Annotated[float, Range(0)]
"""How much of something; a thing cannot count less than nothing."""
