"""How a bot is named, and the bounds of its settings.

A name is a strength or a word, then settings, as in ``3:risk=0.5:worlds=100``. A bot's factory
declares bounds in the types of its keyword arguments; the roster checks them.
"""

from dataclasses import dataclass
from math import inf
from typing import Annotated, TypeAlias

Setting: TypeAlias = int | float | bool | str


class BadBot(Exception):
    """There is no such bot, or it has no such setting; the message says what there is."""


@dataclass(frozen=True, slots=True)
class Spec:
    """The specification of a bot, small enough to send to a process."""

    name: str
    settings: tuple[tuple[str, Setting], ...] = ()

    @property
    def strength(self) -> int | None:
        """The strength, if the bot is named by its number."""
        return int(self.name) if self.name.isdecimal() else None

    def __str__(self) -> str:
        return ":".join((self.name, *(f"{name}={_text(value)}" for name, value in self.settings)))


def parse_spec(text: str) -> Spec:
    """The spec that `text` spells; `BadBot` if it cannot be read.

    >>> parse_spec("3:risk=0.5")
    Spec(name='3', settings=(('risk', 0.5),))
    >>> str(parse_spec("ismcts:simulations=1000:learns=true"))
    'ismcts:simulations=1000:learns=true'
    """
    name, *settings = text.strip().split(":")
    if not name.isidentifier() and not name.isdecimal():
        raise BadBot(f"{text!r} must begin with a strength or a name, such as 2 or 3:risk=0.5")
    return Spec(name, tuple(map(_setting, settings)))


def _setting(text: str) -> tuple[str, Setting]:
    name, _, value = text.partition("=")
    if not (name.isidentifier() and value):
        raise BadBot(f"{text!r} must look like NAME=VALUE")
    return name, _value(value)


def _value(text: str) -> Setting:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _text(value: Setting) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class Range:
    """The bounds of a setting: from `low` to `high`, both allowed."""

    low: float
    high: float = inf

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __str__(self) -> str:
        if self.high == inf:
            return f"at least {self.low:g}"
        return f"from {self.low:g} to {self.high:g}"


Share: TypeAlias = Annotated[float, Range(0, 1)]
"""A share of a whole, or a chance."""
Amount: TypeAlias = Annotated[float, Range(0)]
"""An amount, which is never negative."""
