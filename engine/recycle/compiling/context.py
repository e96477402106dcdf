"""What all parts of the compiler share: the code written so far, and the variables in scope."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass

from engine.recycle import syntax
from engine.recycle.compiling.writer import Function, Writer
from engine.recycle.running.decks import Decks
from engine.recycle.running.storage import Storage
from engine.recycle.source_text import Span
from engine.recycle.syntax import Kind


@dataclass(frozen=True, slots=True)
class Bound:
    """A binding: `code` gives the value: a pile's slot if `slot`, and the list itself for others.

    For a list of lists it gives slots or lists. `local` is the Python variable in the code,
    or empty.
    """

    code: str
    slot: bool = False
    local: str = ""


class Scope:
    """The variables of the description that are bound around the current place."""

    def __init__(self) -> None:
        self._bound: list[tuple[str, Bound]] = []

    def __getitem__(self, name: str) -> Bound:
        """The innermost binding of `name`, which exists in a checked tree."""
        return next(bound for known, bound in reversed(self._bound) if known == name)

    def declare(self, name: str, bound: Bound) -> None:
        """Bind `name` for the rest of the description."""
        self._bound.append((name, bound))

    @contextmanager
    def binding(self, name: str, bound: Bound) -> Iterator[None]:
        """Bind `name` inside the ``with`` block."""
        self._bound.append((name, bound))
        yield
        self._bound.pop()

    def locals(self, names: set[str]) -> tuple[str, ...]:
        """The Python variables to which `names` are bound, in the order of the bindings."""
        found = (self[name].local for name, _ in self._bound if name in names)
        return tuple(dict.fromkeys(local for local in found if local))


class CompileContext:
    """What the compilers of one description share.

    `function` is the Python function that is being written. `reasons` are what numbers change for,
    by the places of forms, and `why` is that of the form that is being compiled. `keys` are the
    names of the cards' value tables in compiled code, by attribute. `kinds` are those of the Python
    variables that stand for the description's, `chosen` the variables that an ``any`` of a choice
    binds, and `worked_out` those that a ``let`` binds; `acts` are the functions of options, with
    the variables that they get.
    """

    def __init__(
        self,
        game: syntax.Game,
        storage: Storage,
        decks: Decks,
        writer: Writer,
        reasons: Mapping[Span, str],
    ) -> None:
        self.game = game
        self.reasons = reasons
        self.why = ""
        self.storage = storage
        self.decks = decks
        self.writer = writer
        self.scope = Scope()
        self.keys: dict[str, str] = {}
        self.kinds: dict[str, Kind] = {}
        self.chosen: set[str] = set()
        self.worked_out: set[str] = set()
        self.acts: dict[str, tuple[str, ...]] = {}
        self.function = Function("", ())

    def name(self) -> str:
        """A new name for a Python variable."""
        return self.writer.name("v")

    def line(self, text: str, at: Span | None = None) -> None:
        """Write a line for the place `at` of the description."""
        self.function.line(text, at)

    def block(self, head: str, at: Span) -> AbstractContextManager[None]:
        """Write a line that ends with a colon, and the lines of the ``with`` block below it."""
        return self.function.block(head, at)

    @contextmanager
    def compiling(self, node: syntax.Node) -> Iterator[None]:
        """Know within the ``with`` block what numbers that change in `node` change for."""
        before, self.why = self.why, self.reasons.get(node.at, self.why)
        yield
        self.why = before

    @contextmanager
    def writing(self, prefix: str, arguments: tuple[str, ...] = ()) -> Iterator[Function]:
        """Begin a function, and write to it inside the ``with`` block."""
        before, self.function = self.function, self.writer.function(prefix, arguments)
        yield self.function
        self.function = before
