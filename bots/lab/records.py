"""What is written down of a game."""

from dataclasses import dataclass

from engine.choices import Action
from engine.facts import Seat


@dataclass(frozen=True, slots=True)
class Choice:
    """`options` is how many different moves there were."""

    seat: Seat
    options: int
    chosen: Action


@dataclass(frozen=True, slots=True)
class Lead:
    """How a game stood for each seat at choice number `move` of `seat`, from 0 to 1.

    A searching player says so of the move it makes, and how its `worst` and `best` one stood for
    itself. An onlooker, who sees all cards, says it of the table before the move.
    """

    move: int
    seat: Seat
    leads: tuple[float, ...]
    worst: float | None = None
    best: float | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """A game that was played; without scores it was stopped, for the reason given."""

    number: int
    bots: tuple[str, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    choices: tuple[Choice, ...]
    leads: tuple[Lead, ...] = ()
    stopped: str = ""
