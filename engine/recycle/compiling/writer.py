"""Python text, line by line, with the place in the description that each line stands for.

What goes into the text are names made here, numbers, and strings of a description by `repr`; so
no text of a description is ever run as it stands.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import CodeType

from engine.recycle import limits
from engine.recycle.errors import cannot
from engine.recycle.problems import Code
from engine.recycle.source_text import Span

_DEEPEST = 90
"""Python allows 100 levels of indentation."""
_PARTS = {
    "P": "w.state.piles",
    "V": "w.state.values",
    "state": "w.state",
    "turns": "w.turns",
    "work": "w.work",
    "actions": "w.actions",
    "evaluator": "w.evaluator",
}
"""What compiled code calls the parts of a game; a function looks up only those that it uses."""
_WORD = re.compile(r"\w+")


class Function:
    """One function being written. Its first argument is `w`, the running game (`Running`)."""

    def __init__(self, name: str, arguments: tuple[str, ...]) -> None:
        self.name = name
        self.arguments = arguments
        self.lines: list[tuple[str, Span | None]] = []
        self._depth = 1
        self._loops = 0

    def line(self, text: str, at: Span | None = None) -> None:
        """Write a line for the place `at` of the description."""
        self.lines.append(("    " * self._depth + text, at))

    @contextmanager
    def block(self, head: str, at: Span) -> Iterator[None]:
        """Write `head`, which ends with a colon, and the lines of the ``with`` block below it."""
        loop = head.startswith("for ")
        if self._loops + loop > limits.NESTING or self._depth >= _DEEPEST:
            message = "too much lies within one another here"
            raise cannot(Code.TOO_DEEP, at, message, f"at most {limits.NESTING} loops")
        self.line(head, at)
        self._depth += 1
        self._loops += loop
        yield
        self._depth -= 1
        self._loops -= loop


class Writer:
    """All functions of a description, and the names of their variables."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.functions: list[Function] = []
        self._names = 0

    def name(self, prefix: str) -> str:
        """A name that is not in use yet."""
        self._names += 1
        return f"{prefix}{self._names}"

    def function(self, prefix: str, arguments: tuple[str, ...] = ()) -> Function:
        """Begin a function with a new name and these arguments after `w`."""
        function = Function(self.name(prefix), arguments)
        self.functions.append(function)
        return function

    def compiled(self) -> tuple[CodeType, Mapping[int, Span]]:
        """The code, and the place of each of its lines in the description."""
        text: list[str] = []
        places: dict[int, Span] = {}
        for function in self.functions:
            text.append(f"def {function.name}({', '.join(('w', *function.arguments))}):")
            used = set(_WORD.findall("\n".join(line for line, _ in function.lines)))
            text += [f"    {name} = {what}" for name, what in _PARTS.items() if name in used]
            for line, at in function.lines:
                text.append(line)
                if at is not None:
                    places[len(text)] = at
        return compile("\n".join(text), self.file, "exec"), places
