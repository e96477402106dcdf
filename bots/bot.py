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
    """All that the seat knows: its number, view and choices, and the facts of this deal."""

    game: str
    seat: Seat
    view: View
    choices: Choices
    options: Mapping[str, int | bool | str] = field(default_factory=dict)
    facts: Sequence[Fact] = ()


def position_of(
    game: Game[S], state: S, seat: Seat, options: Options, facts: Sequence[Fact] = ()
) -> Position:
    """What `seat`, having been told `facts`, knows of a state of `game` and may do there."""
    view, choices = game.view(state, seat), game.choices(state, seat)
    return Position(game.info.id, seat, view, choices, options, facts)


BEST = "best"
"""In `Candidate.why` after a thorough search: the share of worlds in which no move was better."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A judged move: its value in the bot's own points, and the numbers behind it.

    If the value was sampled, `why["deviation"]` is its standard deviation, which says how sure the
    value is; a hint shows both together.
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
    """The chosen move, and every candidate in the order of the choices.

    `by` is what decided: the candidates' value, or one of their reasons. `figure` is the reason
    that says how much of the `measure` a candidate has; without it the value does.
    """

    action: Action
    candidates: tuple[Candidate, ...] = ()
    by: str = "value"
    measure: Measure = "worth"
    figure: str = "mean"


def equally_good(actions: Sequence[Action], measure: Measure) -> Decision:
    """The first of several equivalent moves, such as touching cards, without trying any."""
    candidates = tuple(Candidate(action, 0.0, {"worlds": 0.0}) for action in actions)
    return Decision(actions[0], candidates, measure=measure)


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a bot may think: a number of milliseconds, or of samples of the unknown.

    With both, the one used up first ends the search; with neither the bot decides. Bots that do not
    search ignore it. A budget of samples alone makes a move repeatable. If it is `thorough`, a bot
    whose candidates race on common worlds drops none, and says by `BEST` how often each was best.
    """

    milliseconds: float | None = None
    samples: int | None = None
    thorough: bool = False

    @property
    def is_limited(self) -> bool:
        """Whether this says how much; else that is left to the bot."""
        return self.milliseconds is not None or self.samples is not None


class Bot(Protocol):
    """A bot, which has no memory between moves: one object may play many seats at many tables."""

    @property
    def in_place(self) -> bool:
        """Whether a move takes well under a millisecond, so that it may run in the event loop."""
        ...

    @property
    def needs_facts(self) -> bool:
        """Whether the bot reads `Position.facts`; a view alone is cheaper."""
        ...

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        """The move for `position`, one of its choices.

        All randomness is drawn from `rng`. A search keeps to `budget`, or to its own usual one if
        `budget` has no limit.
        """
        ...


@runtime_checkable
class Improves(Protocol):
    """A bot whose search can be stopped at any time, with the best move so far."""

    def improving(
        self, position: Position, budget: Budget, rng: Random
    ) -> Iterator[Callable[[], Decision]]:
        """The decisions so far, at least one, after each part of the search.

        The last decision is that of `choose`.
        """
        ...


@runtime_checkable
class WarmsUp(Protocol):
    """A bot that can load in advance everything that its first move would wait for."""

    def warm_up(self) -> None:
        """Load everything now; it does not change the bot's moves."""
        ...
