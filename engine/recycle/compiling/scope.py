"""What a variable of the description is in the compiled code."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bound:
    """`code` gives the value: of a pile its slot if `slot`, of other lists the list.

    Of a list of lists it gives the slots or the lists. `local` is the Python variable in the code,
    empty where there is none.
    """

    code: str
    slot: bool = False
    local: str = ""


class Scope:
    def __init__(self) -> None:
        self._bound: list[tuple[str, Bound]] = []

    def __getitem__(self, name: str) -> Bound:
        return next(bound for known, bound in reversed(self._bound) if known == name)

    def declare(self, name: str, bound: Bound) -> None:
        """From now on, for good."""
        self._bound.append((name, bound))

    @contextmanager
    def binding(self, name: str, bound: Bound) -> Iterator[None]:
        self._bound.append((name, bound))
        yield
        self._bound.pop()

    def locals(self, names: set[str]) -> tuple[str, ...]:
        """The Python variables behind `names`, in the order they were bound."""
        found = (self[name].local for name, _ in self._bound if name in names)
        return tuple(dict.fromkeys(local for local in found if local))
