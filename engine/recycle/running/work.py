"""The work that a description may cause between two choices, counted in units.

Everything that takes more time than a single step counts its work here, so that no description
can keep the machine busy.
"""

from collections.abc import Sequence, Sized
from typing import NoReturn, TypeVar

from engine.recycle import limits
from engine.recycle.errors import Fault

C = TypeVar("C", bound=Sized)
T = TypeVar("T")


class WorkMeter:
    """The work counter; `left` is the number of units that may be spent before the next choice."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left

    def spend(self, units: int) -> None:
        """Spend `units`; a `Fault` if that is more than is left."""
        self.left -= units
        if self.left < 0:
            raise Fault("too much is worked out between two choices")

    def charge(self, items: C) -> C:
        """Spend a unit for each of `items` and one more, and return them."""
        self.left -= len(items) + 1
        if self.left < 0:
            raise Fault("too much is worked out between two choices")
        return items

    def charge_each(self, items: C, units: int) -> C:
        """Spend `units` for each of `items`, with which something long is done; return them."""
        self.spend(len(items) * units)
        return items

    def copied(self, items: Sequence[T]) -> tuple[T, ...]:
        """A charged copy of `items`, since the loop over them may change the list."""
        return tuple(self.charge(items))

    def lists(self, lists: list[list[int]]) -> list[list[int]]:
        """Spend a unit for each card of `lists` and return them.

        A `Fault` if they have more than `limits.LISTS` cards together.
        """
        size = sum(map(len, lists))
        if size > limits.LISTS:
            raise Fault("the lists have too many cards")
        self.spend(size)
        return lists

    def times(self, number: int) -> range:
        """The range of a ``repeat``, charged; a `Fault` above `limits.LISTS` times."""
        if number > limits.LISTS:
            raise Fault(f"{number} times is too often")
        return self.charge(range(number))


def numbers(low: int, high: int) -> range:
    """The numbers from `low` to `high`, both included; a `Fault` above `limits.LISTS` of them.

    Source: RECYCLE, "Semantics" 11: ``range`` is inclusive.
    """
    if high - low > limits.LISTS:
        raise Fault(f"from {low} to {high} is too far")
    return range(low, high + 1)


def too_many_options() -> NoReturn:
    """A `Fault` above `limits.OPTIONS` options, before they fill the memory."""
    raise Fault(f"more than {limits.OPTIONS} options")
