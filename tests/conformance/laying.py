"""Shared parts of the games' subjects: matches whose deals are laid out, not shuffled."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from random import Random
from re import Pattern
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar, runtime_checkable

from hypothesis import strategies as st

from engine import Choices, Match, MatchState, Setup, Shuffler, Step, View, Viewer, seed_from_int
from engine.cards import TOKENS, Card, suit_of
from engine.choices import Action
from engine.facts import Fact, Seat
from engine.game import Dealt, Game, GameInfo, MatchGame, Option, Options, Outcome
from engine.phrases import Phrase
from engine.questions import prompt_of
from tests.conformance.playing import Played
from tests.conformance.subject import Subject, World


class InTricks(Dealt, Protocol):
    """The state of a deal in which a trick lies on the table."""

    @property
    def trick(self) -> tuple[Card, ...]: ...


S = TypeVar("S", bound=Dealt)
T = TypeVar("T", bound=InTricks)


@runtime_checkable
class Layable(MatchGame[S], Protocol[S]):
    """A game whose deals can begin with cards laid out instead of shuffled."""

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

    def prompt(self, state: S, seat: Seat) -> Phrase | None:
        return prompt_of(self._game, state, seat)

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
    """The state of `deal` as if it had been dealt after `setup`."""
    if isinstance(deal, tuple):
        return deal._replace(setup=setup)  # type: ignore[attr-defined]  # see above
    return replace(deal, setup=setup)


Scramble: TypeAlias = Callable[[Played[MatchState[S]], int, Viewer, Random], MatchState[S]]
Rebuild: TypeAlias = Callable[
    [Game[MatchState[S]], Played[MatchState[S]], int, MatchState[S]], World[MatchState[S]]
]


def subject_builder(
    make: Callable[[], MatchGame[S]],
    *,
    grammar: Pattern[str],
    scramble: Scramble[S],
    rebuild: Rebuild[S],
    pack: Callable[[Setup], Counter[str]] = lambda setup: Counter(TOKENS),
    # The fields of a subject that it takes as they are.
    **fields: Any,
) -> Callable[[MatchGame[S] | None], Subject[MatchState[S]]]:
    """A function that gives the subject of a game, or of a variant of the game.

    `scramble` changes what a viewer cannot know in the state of a step, `grammar` is what
    well-formed actions match, and `fields` are further fields of the subject.
    """

    def subject(game: MatchGame[S] | None = None) -> Subject[MatchState[S]]:
        match = Match(game or make())
        return Subject(
            name=make().info.id,
            game=match,
            pack=pack,
            grammar=lambda action: grammar.fullmatch(action) is not None,
            scramble=lambda played, at, viewer, rng: rebuild(
                match, played, at, scramble(played, at, viewer, rng)
            ),
            rebuild=rebuild,
            **fields,
        )

    return subject


def rebuilt_with(
    redeal: Callable[[S, S, S], S],
    known: Callable[[Setup], object] = lambda setup: None,
) -> Rebuild[S]:
    """A `rebuild` by which equal moves lead to another state; later deals differ.

    `redeal` computes the deal at its beginning from three deals: the played one at its beginning
    and at the step in question, and the wanted one at that step. `known` is what everybody knows
    of a match from its setup, and is kept.
    """

    def rebuild(
        game: Game[MatchState[S]], played: Played[MatchState[S]], at: int, state: MatchState[S]
    ) -> World[MatchState[S]]:
        assert isinstance(game, Match)
        assert isinstance(game.game, Layable)
        deals = begun(played, at)
        now = played.steps[at].state.deal
        deals[state.number] = redeal(deals[state.number], now, state.deal)
        return World(Match(Stacked(game.game, deals)), another_seed(played.setup, known))

    return rebuild


Hand: TypeAlias = tuple[Card, ...]


def redealt_hands(
    dealt: Sequence[Hand], now: Sequence[Hand], wanted: Sequence[Hand]
) -> tuple[Hand, ...]:
    """The hands of `dealt`, with the cards still held in `now` replaced by those of `wanted`."""
    return tuple(
        tuple(sorted((Counter(first) - Counter(left) + Counter(other)).elements()))
        for first, left, other in zip(dealt, now, wanted, strict=True)
    )


class Spot(NamedTuple):
    """A hidden card: the pile it lies in, where, and the `place` that says what may lie there."""

    pile: list[Card]
    at: int
    place: int


def exchange(spots: Sequence[Spot], may_lie: Callable[[int, Card], bool], rng: Random) -> None:
    """Exchange random pairs of cards, wherever each may lie in the other's place."""
    for _ in range(5 * len(spots)):
        one, two = rng.choice(spots), rng.choice(spots)
        x, y = one.pile[one.at], two.pile[two.at]
        if may_lie(one.place, y) and may_lie(two.place, x):
            one.pile[one.at], two.pile[two.at] = y, x


def shufflers() -> st.SearchStrategy[Shuffler]:
    return st.integers(0, 2**64).map(lambda number: Shuffler(seed_from_int(number)))


def another_seed(setup: Setup, known: Callable[[Setup], object] = lambda _: None) -> Setup:
    """A copy of `setup` with another seed, for which `known` gives an equal result."""
    numbers = count(int.from_bytes(setup.shuffler.seed) + 1)
    others = (replace(setup, shuffler=Shuffler(seed_from_int(number))) for number in numbers)
    same = known(setup)
    return next(other for other in others if known(other) == same)


def begun(played: Played[MatchState[S]], at: int) -> dict[int, S]:
    """The state at the beginning of each deal up to step `at`, by deal number."""
    states = [step.state for step in played.steps[: at + 1]]
    return {state.number: state.deal for state in reversed(states)}


def voids(played: Played[MatchState[T]], at: int) -> Mapping[Seat, set[int]]:
    """The suits that each seat has failed to follow in the deal in play at step `at`."""
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
