"""A figure: one measured number, its unit, and the limit it must keep."""

import json
from dataclasses import dataclass
from math import ceil
from typing import Literal


@dataclass(frozen=True, slots=True)
class Limit:
    """A value with its limit: `value` must be `at_most` or `at_least` this."""

    kind: Literal["at most", "at least"]
    value: float

    def allows(self, value: float) -> bool:
        """Whether a figure of this value keeps the limit."""
        return value <= self.value if self.kind == "at most" else value >= self.value


def at_most(value: float) -> Limit:
    """A limit from above."""
    return Limit("at most", value)


def at_least(value: float) -> Limit:
    """A limit from below."""
    return Limit("at least", value)


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number with its unit, and its limit if it has one."""

    name: str
    value: float
    unit: str
    limit: Limit | None = None

    @property
    def kept(self) -> bool:
        """Whether the limit holds; True for a figure without a limit."""
        return self.limit is None or self.limit.allows(self.value)

    def as_json(self) -> str:
        """One JSON object on one line; `kept` says whether the limit holds."""
        limit = None if self.limit is None else round(self.limit.value, 3)
        value = round(self.value, 3)
        return json.dumps(
            {
                "name": self.name,
                "value": value,
                "unit": self.unit,
                "limit": limit,
                "kept": self.kept,
            }
        )

    def as_row(self) -> str:
        """A row for people: name, value and unit, limit."""
        row = f"{self.name:<20} {_number(self.value):>10} {self.unit:<18}"
        if self.limit is None:
            return row.rstrip()
        verdict = "" if self.kept else "  MISSED"
        return f"{row} {self.limit.kind} {_number(self.limit.value)}{verdict}"


@dataclass(frozen=True, slots=True)
class Unmeasured:
    """A figure that could not be measured here, and why; it counts as a missed limit."""

    name: str
    reason: str
    kept: Literal[False] = False

    def as_json(self) -> str:
        """One object on one line, without a value."""
        return json.dumps(
            {"name": self.name, "value": None, "reason": self.reason, "kept": self.kept}
        )

    def as_row(self) -> str:
        """A row that is easy to notice."""
        return f"{self.name:<20} NOT MEASURED: {self.reason}"


def percentile(values: list[float], share: float) -> float:
    """The least of `values` that a `share` of them do not exceed; `ValueError` if it is empty."""
    if not values:
        raise ValueError("no values were measured")
    ordered = sorted(values)
    return ordered[ceil(share * len(ordered)) - 1]


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:,.3g}"
