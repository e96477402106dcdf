"""The interface of a game: one object with frozen states, to which everything else is passed in.

A game describes one deal; `engine.match.Match` plays deals until the match is over and is a
`Game` itself, so a table, a bot or a test need not know which of the two it holds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Generic, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from engine.cards import FRENCH, LegendCard
from engine.choices import Action, Choices
from engine.errors import BadOption, BadSetup
from engine.facts import AddressedFact, Fact, Seat, Value, Viewer
from engine.labels import Label
from engine.layout import NO_LAYOUT, Layout
from engine.phrases import Phrase
from engine.shuffle import Shuffler
from engine.views import View

OptionValue: TypeAlias = int | bool | str
Options: TypeAlias = Mapping[str, OptionValue]
S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Option:
    """One setting of a game: a number within bounds, a yes or no, or one of some words.

    It has no effect unless each option that it `depends` on has one of the values named there.
    """

    name: str
    title: str
    default: OptionValue
    low: int | None = None
    high: int | None = None
    words: tuple[str, ...] = ()
    depends: Mapping[str, tuple[OptionValue, ...]] = field(default_factory=dict)

    def check(self, value: object) -> OptionValue:
        """The checked `value`; one that the option does not allow is a `BadOption` with a hint."""
        named: dict[str, Value] = {"option": self.name}
        if isinstance(self.default, bool):
            if isinstance(value, bool):
                return value
            raise self._wrong(value, "true or false", Phrase("option_yes_or_no", named))
        if isinstance(self.default, int):
            if isinstance(value, int) and not isinstance(value, bool) and self._within(value):
                return value
            bounds = {**named, "low": self.low, "high": self.high}
            raise self._wrong(value, self._bounds(), Phrase("option_number", bounds))
        if isinstance(value, str) and value in self.words:
            return value
        words = ", ".join(self.words)
        raise self._wrong(
            value, f"one of {words}", Phrase("option_word", {**named, "words": words})
        )

    def _wrong(self, value: object, wanted: str, phrase: Phrase) -> BadOption:
        return BadOption(f"option {self.name}: {value!r} must be {wanted}", phrase)

    def _within(self, value: int) -> bool:
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def _bounds(self) -> str:
        low = "" if self.low is None else f" from {self.low}"
        high = "" if self.high is None else f" to {self.high}"
        return f"a whole number{low}{high}"


@dataclass(frozen=True, slots=True)
class MoveForm:
    """The form of the actions of one verb: a title, and the zones that cards leave and join.

    A card leaves the player's own `source`, or, if the action names a slot (``play QS@5``), that
    slot of `slots`. `own` says that the player's own `target` is meant.
    """

    verb: str
    title: str
    source: str = ""
    target: str = ""
    slots: str = ""
    own: bool = False


# Compared by identity: what is worked out of it is found again without comparing every card.
@dataclass(frozen=True, slots=True, eq=False)
class GameInfo:
    """What a lobby shows of a game. `seats` are the possible numbers of players.

    `sheet` names the values of a deal, such as ``bid`` for ``bid/SEAT``, that a match keeps on
    its score sheet when the deal is over. `cycle` is the number of deals after which one is
    played under the conditions of the first again, such as who passes to whom; None: a match's.
    `labels` are the game's words for zones and values, `layout` says how clients lay it out, and
    `moves` what its actions are made of (`engine.parts`). `words` are texts that its facts and
    choices often hold, beside what these tell.
    """

    id: str
    version: int
    title: str
    seats: tuple[int, ...]
    usual_seats: int
    aim: Literal["high", "low"] = "high"
    legend: tuple[LegendCard, ...] = FRENCH
    rules: str = ""
    sheet: tuple[str, ...] = ()
    cycle: int | None = 1
    labels: tuple[Label, ...] = ()
    layout: Layout = NO_LAYOUT
    moves: tuple[MoveForm, ...] = ()
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything from which a deal starts. `options` are complete and checked (`complete_options`).

    `totals` are the points by seat with which the deal begins; empty if no match told them.
    """

    seats: int
    options: Options
    shuffler: Shuffler
    totals: tuple[int, ...] = ()


class Step(NamedTuple, Generic[S]):
    """The result of a start or an action: the state after it and its facts, in order."""

    state: S
    facts: tuple[AddressedFact, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """Scores by seat, and ranks: 1 is best, equal scores share a rank and use up the next."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...] = field(default=())


class Game(Protocol[S]):
    """The rules of one deal (or of a match of deals) over frozen states of type `S`.

    A game keeps no state of its own: every method is a function of its arguments.
    """

    @property
    def info(self) -> GameInfo:
        """What a lobby shows of the game."""
        ...

    def options(self, seats: int) -> tuple[Option, ...]:
        """The options with their defaults and bounds for `seats` players."""
        ...

    def start(self, setup: Setup) -> Step[S]:
        """The first state of a deal, and the facts of dealing."""
        ...

    def to_act(self, state: S) -> tuple[Seat, ...]:
        """The seats that may act now: several for simultaneous hidden choices, none at the end."""
        ...

    def choices(self, state: S, seat: Seat) -> Choices:
        """The choices of `seat`, which are empty if it may not act now."""
        ...

    def apply(self, state: S, seat: Seat, action: Action) -> Step[S]:
        """The state after `action`; raises `NotYourTurn`, `BadAction` or `IllegalAction`."""
        ...

    def view(self, state: S, viewer: Viewer) -> View:
        """The view of `viewer`, which contains nothing that they may not know."""
        ...

    def sample(self, view: View, facts: Sequence[Fact], rng: Random) -> S:
        """A full state that agrees with a seat's `view` and the `facts` of this deal told to it."""
        ...

    def outcome(self, state: S) -> Outcome | None:
        """The result once the deal is over, and None before."""
        ...


class Dealt(Protocol):
    """A state of a deal that remembers its setup."""

    @property
    def setup(self) -> Setup:
        """The setup that the deal was started from."""
        ...


class MatchGame(Game[S], Protocol[S]):
    """A game that decides when a match of its deals is over."""

    def match_over(self, options: Options, totals: tuple[int, ...], deals: int) -> bool:
        """Whether the match ends after `deals` deals with these `totals`."""
        ...


def check_seats(info: GameInfo, seats: int) -> None:
    """Raise `BadSetup` unless `seats` players can play the game."""
    if seats not in info.seats:
        raise BadSetup(f"{info.title} takes {_span(info.seats)} players, not {seats}")


def complete_options(game: Game[S], seats: int, given: Mapping[str, object]) -> Options:
    """All options of `game`, `given` or default; a wrong one is a `BadOption` that names it."""
    check_seats(game.info, seats)
    known = {option.name: option for option in game.options(seats)}
    for name in given:
        if name not in known:
            there_are = ", ".join(known)
            raise BadOption(
                f"option {name}: unknown; {game.info.title} has {there_are}",
                Phrase("option_unknown", {"option": name, "known": there_are}),
            )
    return {
        name: option.check(given[name]) if name in given else option.default
        for name, option in known.items()
    }


def ranked(scores: Sequence[int], aim: Literal["high", "low"]) -> Outcome:
    """An outcome whose ranks follow from the scores."""
    sign = 1 if aim == "high" else -1
    return Outcome(
        tuple(scores),
        tuple(1 + sum(sign * other > sign * own for other in scores) for own in scores),
    )


def _span(seats: tuple[int, ...]) -> str:
    if len(seats) > 1 and seats == tuple(range(seats[0], seats[-1] + 1)):
        return f"{seats[0]} to {seats[-1]}"
    return " or ".join(map(str, seats))
