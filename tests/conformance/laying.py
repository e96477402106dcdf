"""What the games' subjects share: matches whose deals are laid and not shuffled."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from hypothesis import strategies as st

from engine import Choices, MatchState, Setup, Shuffler, Step, View, Viewer, seed_from_int
from engine.cards import TOKENS, Card, suit_of
from engine.choices import Action
from engine.facts import Fact, Seat
from engine.game import Dealt, GameInfo, MatchGame, Option, Options, Outcome
from tests.conformance.playing import Played


class InTricks(Dealt, Protocol):
    """The state of a deal in which a trick lies on the table."""

    @property
    def trick(self) -> tuple[Card, ...]: ...


S = TypeVar("S", bound=Dealt)
T = TypeVar("T", bound=InTricks)


class Layable(MatchGame[S], Protocol[S]):
    """A game whose deals can begin with cards that were not shuffled but laid."""

    def begin(self, state: S) -> Step[S]: ...


class Stacked(Generic[S]):
    """A game in which some deals of the match are not shuffled but laid out as given."""

    def __init__(self, game: Layable[S], deals: Mapping[int, S]) -> None:
        self._game = game
        self._deals = deals

    @property
    def info(self) -> GameInfo:
        return self._game.info

    def options(self, seats: int) -> tuple[Option, ...]:
        return self._game.options(seats)

    def start(self, setup: Setup) -> Step[S]:
        deal = self._deals.get(setup.shuffler.deal)
        if deal is None:
            return self._game.start(setup)
        return self._game.begin(_set_up(deal, setup))

    def to_act(self, state: S) -> tuple[Seat, ...]:
        return self._game.to_act(state)

    def choices(self, state: S, seat: Seat) -> Choices:
        return self._game.choices(state, seat)

    def apply(self, state: S, seat: Seat, action: Action) -> Step[S]:
        return self._game.apply(state, seat, action)

    def view(self, state: S, viewer: Viewer) -> View:
        return self._game.view(state, viewer)

    def sample(self, view: View, facts: Sequence[Fact], rng: Random) -> S:
        return self._game.sample(view, facts, rng)

    def outcome(self, state: S) -> Outcome | None:
        return self._game.outcome(state)

    def match_over(self, options: Options, totals: tuple[int, ...], deals: int) -> bool:
        return self._game.match_over(options, totals, deals)


# A named tuple or a dataclass, as the game likes it: no type says both.
def _set_up(deal: Any, setup: Setup) -> Any:
    """`deal` as if it had been dealt after `setup`."""
    if isinstance(deal, tuple):
        return deal._replace(setup=setup)  # type: ignore[attr-defined]  # see above
    return replace(deal, setup=setup)


def shufflers() -> st.SearchStrategy[Shuffler]:
    return st.integers(0, 2**64).map(lambda number: Shuffler(seed_from_int(number)))


def another_seed(setup: Setup, known: Callable[[Shuffler], object] = lambda _: None) -> Setup:
    """`setup` with another seed, by which all that is `known` of the match is as it was."""
    numbers = count(int.from_bytes(setup.shuffler.seed) + 1)
    others = (Shuffler(seed_from_int(number)) for number in numbers)
    same = known(setup.shuffler)
    return replace(setup, shuffler=next(other for other in others if known(other) == same))


def begun(played: Played[MatchState[S]], at: int) -> dict[int, S]:
    """Each deal up to step `at`, by number, as it was when it began."""
    states = [step.state for step in played.steps[: at + 1]]
    return {state.number: state.deal for state in reversed(states)}


def voids(played: Played[MatchState[T]], at: int) -> Mapping[Seat, set[int]]:
    """Suits that each seat has failed to follow in the deal in play at step `at`."""
    lacking: dict[Seat, set[int]] = defaultdict(set)
    number = played.steps[at].state.number
    for step, (seat, action) in zip(played.steps[:at], played.moves, strict=False):
        if step.state.number == number and step.state.deal.trick:
            led = suit_of(step.state.deal.trick[0])
            if suit_of(played_card(action)) != led:
                lacking[seat].add(led)
    return lacking


def played_card(action: Action) -> Card:
    """The card of ``play QS``, wherever it was played from (``play QS@1``)."""
    return TOKENS.index(action.removeprefix("play ").partition("@")[0])
