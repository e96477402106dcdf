"""The interface of a bot: one object that chooses from what its seat knows, and nothing else."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal, Protocol, TypeAlias, TypeVar, runtime_checkable

from engine.choices import Action, Choices
from engine.facts import Fact, Seat
from engine.game import Game, Options
from engine.views import View

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Position:
    """All that the seat knows: its number, its view, its choices, and the facts of this deal."""

    game: str
    seat: Seat
    view: View
    choices: Choices
    options: Mapping[str, int | bool | str] = field(default_factory=dict)
    facts: Sequence[Fact] = ()


def position_of(
    game: Game[S], state: S, seat: Seat, options: Options, facts: Sequence[Fact] = ()
) -> Position:
    """What `seat` knows of a state of `game` and may do there, having been told `facts`."""
    view, choices = game.view(state, seat), game.choices(state, seat)
    return Position(game.info.id, seat, view, choices, options, facts)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move that was judged: its value in the bot's own points, and the numbers behind it.

    Where the value was sampled, `why["deviation"]` is its standard deviation, which says how sure
    it is; a hint shows both together.
    """

    action: Action
    value: float
    why: Mapping[str, float] = field(default_factory=dict)


Measure: TypeAlias = Literal[
    "worth",
    "lead",
    "team_lead",
    "team_gain",
    "trick_lead",
    "score",
    "cost",
    "chance",
    "rank",
    "votes",
    "tricks",
    "needed",
    "nil_risk",
    "far_behind",
]
"""What the figure of a candidate measures, so that a hint can say it.

``worth``: something without a unit, which no hint tells. ``lead``, ``team_lead``: points of this
deal by which the player, or the team, is ahead of the others on average. ``team_gain``: points
that the move gains the team. ``trick_lead``: points by which the player is ahead in this trick at
worst. ``score``: points that the player gets, ``cost`` the same where few are good. ``chance``: of
winning, ``rank``: the share of the others whom the player beats, ``votes``: the share of worlds in
which no move is better, each from 0 to 1. ``tricks``: how many the player takes; ``needed``: how
many more their bid wants. ``nil_risk``: the chance that a nil fails. ``far_behind``: by how many
points the team is behind in the match.
"""


@dataclass(frozen=True, slots=True)
class Decision:
    """The move, and every candidate in the order of the choices.

    `by` is what the move was chosen by: the candidates' value, or one of their reasons. `figure`
    is the reason that says how much of the `measure` a candidate has; without it the value does.
    """

    action: Action
    candidates: tuple[Candidate, ...] = ()
    by: str = "value"
    measure: Measure = "worth"
    figure: str = "mean"


def equally_good(actions: Sequence[Action], measure: Measure) -> Decision:
    """The first of moves that differ in nothing, such as touching cards: none is tried."""
    candidates = tuple(Candidate(action, 0.0, {"worlds": 0.0}) for action in actions)
    return Decision(actions[0], candidates, measure=measure)


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a bot may think: so many milliseconds, or so many samples of what it cannot see.

    With both, whichever is used up first ends it; with neither it is left to the bot. Bots that
    do not search take no notice. A budget of samples alone makes a move repeatable.
    """

    milliseconds: float | None = None
    samples: int | None = None


class Bot(Protocol):
    """Keeps nothing from one move to the next: one object may play many seats at many tables."""

    @property
    def in_place(self) -> bool:
        """Whether a move takes well under a millisecond, so that it need not leave the loop."""
        ...

    @property
    def needs_facts(self) -> bool:
        """Whether `Position.facts` must be filled; a view alone is cheaper."""
        ...

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        """The move for `position`, one of its choices.

        All chance is drawn from `rng`. A search keeps to `budget`, or to its own usual one if
        `budget` has no limit.
        """
        ...


@runtime_checkable
class Improves(Protocol):
    """A bot whose search can be stopped at any time: it always knows the best move so far."""

    def improving(
        self, position: Position, budget: Budget, rng: Random
    ) -> Iterator[Callable[[], Decision]]:
        """What gives the decision so far, after each part of the search; at least one.

        The last one is that of `choose`.
        """
        ...


@runtime_checkable
class WarmsUp(Protocol):
    """A bot that can load by itself what its first move would otherwise wait for."""

    def warm_up(self) -> None:
        """Load everything now; the bot's moves are the same with or without it."""
        ...
