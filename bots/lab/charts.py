"""Plots as SVG by hand: colours come from the page's style sheet, so they follow light and dark.

A `Chart` is a frame with two axes; marks are added in the units of what is plotted. Everything
that is drawn carries a class and no colour, and what is worth reading off has a tooltip.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Scale:
    """A map from values to places on the page; with `log` equal ratios are equally far apart."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def at(self, value: float) -> float:
        """The place of `value` on the page; within the scale it lies from `start` to `end`."""
        low, high, here = self.low, self.high, value
        if self.log:
            low, high, here = log10(low), log10(high), log10(max(value, self.low))
        return self.start + (self.end - self.start) * (here - low) / (high - low)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers from `low` to `high`, at most about `most`.

    >>> ticks(0, 52), ticks(0, 1, 5), ticks(-26, 30, 4)
    ([0.0, 10.0, 20.0, 30.0, 40.0, 50.0], [0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [-20.0, 0.0, 20.0])
    """
    rough = (high - low) / most
    power = 10.0 ** floor(log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.99)
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [round(number * step, 10) for number in range(first, last + 1)]


def log_ticks(low: float, high: float) -> list[float]:
    """1, 2 and 5 times the powers of ten from `low` to `high`.

    >>> log_ticks(1, 286)
    [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0]
    """
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    every = (float(factor * 10**power) for power in powers for factor in (1, 2, 5))
    return [tick for tick in every if low <= tick <= high]


def number(value: float, places: int = 2) -> str:
    """`value` with at most so many decimal places, thousands apart, with a true minus sign.

    >>> number(3.0), number(0.25), number(12345.0), number(-2.5)
    ('3', '0.25', '12,345', '−2.5')
    """
    text = f"{value:,.{places}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return text.replace("-", "−")


def percent(value: float) -> str:
    """A share, from 0 to 1, in percent.

    >>> percent(0.25), percent(0.3333)
    ('25 %', '33.3 %')
    """
    return f"{number(100 * value, 1)} %"


class Chart:
    """A frame of `width` by `height`, with room for the axes' numbers around what is plotted."""

    def __init__(
        self,
        x: tuple[float, float],
        y: tuple[float, float],
        *,
        width: int = 520,
        height: int = 300,
        left: int = 48,
        right: int = 24,
        top: int = 20,
        bottom: int = 44,
        log: bool = False,
    ) -> None:
        self.width = width
        self.height = height
        self.x = Scale(*x, left, width - right)
        self.y = Scale(*y, height - bottom, top, log)
        self._marks: list[str] = []

    def axes(
        self,
        x_label: str,
        y_label: str,
        *,
        x_ticks: Sequence[float] | None = None,
        y_ticks: Sequence[float] | None = None,
        shares: tuple[bool, bool] = (False, False),
    ) -> None:
        """Lines across at the ticks of y, and the numbers of both; `shares` are in percent."""
        for tick in self._ticks(self.x) if x_ticks is None else x_ticks:
            text = percent(tick) if shares[0] else number(tick)
            self.text(text, self.x.at(tick), self.y.start + 16, "tick middle")
        for tick in self._ticks(self.y) if y_ticks is None else y_ticks:
            text = percent(tick) if shares[1] else number(tick)
            place = self.y.at(tick)
            self.stroke([(self.x.start, place), (self.x.end, place)], "grid")
            self.text(text, self.x.start - 7, place + 4, "tick end")
        middle = (self.x.start + self.x.end) / 2
        self.text(x_label, middle, self.height - 8, "label middle")
        if y_label:
            self.text(y_label, self.x.start, self.y.end - 4, "label")

    def line(self, points: Sequence[Point], kind: str) -> None:
        """A line through points, in the units of the axes."""
        self.stroke([(self.x.at(x), self.y.at(y)) for x, y in points], kind)

    def band(self, lower: Sequence[Point], upper: Sequence[Point], kind: str) -> None:
        """The area between two lines, in the units of the axes."""
        edge = [(self.x.at(x), self.y.at(y)) for x, y in (*upper, *reversed(lower))]
        self._marks.append(f'<path class="{kind}" d="{_path(edge)}Z"/>')

    def bar(self, left: float, right: float, high: float, kind: str, tip: str) -> None:
        """A bar from zero up, between two values of x."""
        start, end = self.x.at(left), self.x.at(right)
        top, base = self.y.at(high), self.y.start
        self._marks.append(
            f'<rect class="{kind}" x="{start:.1f}" y="{top:.1f}" width="{end - start:.1f}" '
            f'height="{max(base - top, 0):.1f}">{_tip(tip)}</rect>'
        )

    def dot(self, x: float, place: float, kind: str, tip: str) -> None:
        """A dot at a value of x and a place on the page."""
        self._marks.append(
            f'<circle class="{kind}" cx="{self.x.at(x):.1f}" cy="{place:.1f}" r="5">{_tip(tip)}'
            "</circle>"
        )

    def stroke(self, places: Sequence[Point], kind: str) -> None:
        """A line between places on the page."""
        self._marks.append(f'<path class="{kind}" d="{_path(places)}"/>')

    def text(self, words: str, x: float, y: float, kind: str) -> None:
        """A text at a place on the page."""
        self._marks.append(f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(words)}</text>')

    def svg(self, told: str) -> str:
        """The whole chart as SVG; `told` describes it in words."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" '
            f'viewBox="0 0 {self.width} {self.height}" aria-label="{escape(told)}">'
            f"{''.join(self._marks)}</svg>"
        )

    @staticmethod
    def _ticks(scale: Scale) -> list[float]:
        return log_ticks(scale.low, scale.high) if scale.log else ticks(scale.low, scale.high)


def _path(places: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)


def _tip(words: str) -> str:
    return f"<title>{escape(words)}</title>"
