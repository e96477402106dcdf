"""What can go wrong when a description is made into a game, and when that game is played.

    EngineError                 (engine.errors)
    └── BadDescription          a description that cannot be played at all; it has all problems
    Fault                       inside a running game: it never leaves this package

A `Fault` in a running game is no error for the player who moved: the game stops there, with a
`Stop` that says why and where in the file.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.errors import EngineError
from engine.recycle.problems import Code, Problem
from engine.recycle.source_text import Span


class BadDescription(EngineError):
    """The text cannot be played; `problems` are those of the whole file in order, with warnings."""

    code = "bad_description"

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


def cannot(code: Code, at: Span, message: str, expected: str) -> BadDescription:
    """The error for a problem that shows only while the game is built, such as too many cards."""
    return BadDescription([Problem(code, at, "", message, expected)])


class Fault(Exception):
    """The description asks for something impossible, or for too much."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Why a game ended before its rules ended it, and where the description stood."""

    reason: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.reason}"
