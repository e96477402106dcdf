"""The checks: each plays matches of a subject from a setup and asserts one promise.

A check is called with the subject, a setup and the randomness for the moves. It raises
`AssertionError`, or lets an error of the engine through, where the promise is broken.
"""

import copy
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any, TypeAlias, TypeVar

from engine.cards import Token
from engine.choices import Action, random_action
from engine.errors import BadAction, EngineError, IllegalAction, NotYourTurn
from engine.facts import OPEN, SPECTATOR, Fact, Lay, Move, Seat, Set, Show, Viewer, seen_by
from engine.game import Game, Setup
from engine.layout import A_SEAT, BY_SEAT, BY_TEAM, HOLDS, NOBODY, PLACES, SHOWN
from engine.teams import teams_in
from engine.views import fold, zone_parts
from tests.conformance.narrowing import check_parts
from tests.conformance.playing import Played, frame, play, replay
from tests.conformance.secrets import check_secrets
from tests.conformance.subject import Subject

S = TypeVar("S")

# A list of games holds subjects with different states.
Check: TypeAlias = Callable[[Subject[Any], Setup, Random], None]


def check_play_ends(subject: Subject[S], setup: Setup, rng: Random) -> None:
    """Random play ends, with an outcome whose ranks follow from its scores."""
    game = subject.game
    played = play(game, setup, rng)
    for step in played.steps[:-1]:
        assert game.outcome(step.state) is None
    outcome = game.outcome(played.steps[-1].state)
    assert outcome is not None
    assert len(outcome.scores) == setup.seats
    order = sorted(outcome.scores, reverse=game.info.aim == "high")
    assert outcome.ranks == tuple(order.index(score) + 1 for score in outcome.scores)


def check_conserved(subject: Subject[S], setup: Setup, rng: Random) -> None:
    """No card appears or is lost, and what the values say was won agrees with the cards."""
    pack = subject.pack(setup)
    for step in play(subject.game, setup, rng).steps:
        view = subject.game.view(step.state, OPEN)
        assert Counter(card for zone in view.zones.values() for card in zone.cards) == pack
        said, counted = subject.books(view)
        assert said == counted


def check_replay(subject: Subject[S], setup: Setup, rng: Random) -> None:
    """Replaying a setup and its moves gives equal states and equal facts."""
    played = play(subject.game, setup, rng)
    assert replay(subject.game, setup, played.moves) == played.steps


def check_offered(subject: Subject[S], setup: Setup, rng: Random) -> None:
    """Offered actions are accepted; all others are refused with the right error, without effect."""
    game = subject.game
    steps = play(game, setup, rng).steps
    for step in rng.sample(steps, min(6, len(steps))):
        state, before = step.state, copy.deepcopy(step.state)
        asked = game.to_act(state)
        plausible = rng.sample(list(subject.plausible(state)), 150)
        for seat in range(setup.seats):
            choices = game.choices(state, seat)
            assert bool(choices) == (seat in asked)
            for action in (*choices.actions, *(random_action(choices, rng) for _ in choices.picks)):
                assert choices.allows(action)
                game.apply(state, seat, action)
            for action in plausible:
                if not choices.allows(action):
                    fault = _fault(subject, action) if seat in asked else NotYourTurn
                    assert _refusal(game, state, seat, action) is fault
        assert state == before


def check_folds(subject: Subject[S], setup: Setup, rng: Random) -> None:
    """After every step the fold of a viewer's facts is their view."""
    game = subject.game
    played = play(game, setup, rng)
    for viewer in played.viewers:
        view = fold(())
        for step in played.steps:
            view = fold(seen_by(step.facts, viewer), view)
            assert view == game.view(step.state, viewer)


def check_sights(subject: Subject[S], setup: Setup, rng: Random) -> None:
    """Views show exactly the cards that the table of sights permits."""
    played = play(subject.game, setup, rng)
    for step in played.steps:
        for viewer in (OPEN, rng.choice(played.viewers)):
            view = subject.game.view(step.state, viewer)
            assert view.zones == subject.permitted(step.state, viewer)


def check_spectator(subject: Subject[S], setup: Setup, rng: Random) -> None:
    """A spectator sees and is told of no card that is hidden from any seat."""
    game = subject.game
    played = play(game, setup, rng)
    for step in played.steps:
        public = game.view(step.state, SPECTATOR)
        told = _named(seen_by(step.facts, SPECTATOR))
        for seat in range(setup.seats):
            own = game.view(step.state, seat)
            for name, zone in public.zones.items():
                seen = own.zones[name].cards
                assert zone.cards == seen or Counter(zone.cards) <= Counter(seen)
            assert told <= _named(seen_by(step.facts, seat))


def check_sample(subject: Subject[S], setup: Setup, rng: Random) -> None:
    """A sampled state looks alike to the viewer, can come about by these moves, and plays on."""
    for played, at, viewer, sample in _samples(subject, setup, rng):
        _check_history(subject, played, at, viewer, sample)
        _check_plays_on(subject.game, sample, rng)


def check_sample_as_it_is(subject: Subject[S], setup: Setup, rng: Random) -> None:
    """A sampled state looks alike to the viewer and plays on, however it may have come about."""
    for _, _, _, sample in _samples(subject, setup, rng):
        _check_plays_on(subject.game, sample, rng)


def _samples(
    subject: Subject[S], setup: Setup, rng: Random
) -> Iterator[tuple[Played[S], int, Viewer, S]]:
    """States sampled for viewers at some steps of a match, which look alike to these viewers.

    Samples for a player who took the seat later know the past only as spectators do.
    """
    game = subject.game
    played = play(game, setup, rng)
    for at in rng.sample(range(len(played.steps)), min(3, len(played.steps))):
        viewer = rng.choice(played.viewers)
        view = game.view(played.steps[at].state, viewer)
        sample = game.sample(view, _facts_of_deal(played, at, viewer), rng)
        assert game.view(sample, viewer) == view
        yield played, at, viewer, sample
        late = game.sample(view, _facts_of_deal(played, at, viewer, rng.randint(0, at + 1)), rng)
        assert game.view(late, viewer) == view
        _check_plays_on(game, late, rng)


def _check_history(
    subject: Subject[S], played: Played[S], at: int, viewer: Viewer, sample: S
) -> None:
    """Check that the moves so far would have been legal in the sample, and have looked alike."""
    twin = subject.rebuild(subject.game, played, at, sample)
    steps = replay(twin.game, twin.setup, twin.moves_or(played.moves[:at]))
    for mine, other in zip(played.steps, steps, strict=False):
        assert frame(subject.game, mine, viewer) == frame(twin.game, other, viewer)


def _check_plays_on(game: Game[S], state: S, rng: Random) -> None:
    while asked := game.to_act(state):
        seat = rng.choice(asked)
        action = random_action(game.choices(state, seat), rng)
        try:
            state = game.apply(state, seat, action).state
        except Exception as error:
            # A hand that cannot be may fail anywhere in the rules.
            raise AssertionError(f"{action!r} is offered and cannot be played") from error
    assert game.outcome(state) is not None


def _refusal(game: Game[S], state: S, seat: Seat, action: Action) -> type[EngineError] | None:
    try:
        game.apply(state, seat, action)
    except EngineError as error:
        return type(error)
    return None


def _fault(subject: Subject[S], action: Action) -> type[EngineError]:
    return IllegalAction if subject.grammar(action) else BadAction


def _facts_of_deal(played: Played[S], at: int, viewer: Viewer, seated: int = 0) -> tuple[Fact, ...]:
    """The facts that `viewer` was told of the deal in play at step `at`, since it began.

    Before step `seated` the viewer was a spectator.
    """
    facts = [
        fact
        for number, step in enumerate(played.steps[: at + 1])
        for fact in seen_by(step.facts, SPECTATOR if number < seated else viewer)
    ]
    begun = max(place for place, fact in enumerate(facts) if fact.verb == "deal_started")
    return tuple(facts[begun:])


def _named(facts: Iterable[Fact]) -> Counter[Token]:
    """Every card that a change names."""
    named: Counter[Token] = Counter()
    for fact in facts:
        for change in fact.changes:
            if isinstance(change, Move | Show) and isinstance(change.cards, tuple):
                named.update(change.cards)
    return named


def check_layout(subject: Subject[S], setup: Setup, rng: Random) -> None:
    """The layout has a hint for every zone, and for every value that a fact tells."""
    game, layout = subject.game, subject.game.info.layout
    zones, values = layout.zones, layout.values
    kinds = [[hint.kind for hint in hints] for hints in (zones, values)]
    assert all(len(names) == len(set(names)) for names in kinds)
    assert all(zone.place in PLACES and zone.title and zone.rows > 0 for zone in zones)
    assert all(not zone.over or zone.over in kinds[0] for zone in zones)
    assert all(value.shown in SHOWN and value.title for value in values)
    assert all(value.holds in HOLDS for value in values)
    for step in play(game, setup, rng).steps:
        view = game.view(step.state, OPEN)
        changes = [change for fact in step.facts for change in fact.changes]
        laid = (name for change in changes if isinstance(change, Lay) for name in change.zones)
        told = (change.key for change in changes if isinstance(change, Set))
        assert {zone_parts(name)[0] for name in (*view.zones, *laid)} <= set(kinds[0])
        for key in {*view.values, *told}:
            kind, _, owner = key.partition("/")
            hint = layout.value(kind)
            assert hint is not None, key
            # A seat that a value of the whole table names is marked.
            own = hint.shown in (BY_SEAT, BY_TEAM) and hint.holds != A_SEAT
            assert hint.shown == NOBODY or bool(owner) or not own, key
        assert layout.teams in ((), teams_in(view.values))


CHECKS: tuple[Check, ...] = (
    check_play_ends,
    check_conserved,
    check_replay,
    check_offered,
    check_folds,
    check_layout,
    check_sights,
    check_spectator,
    check_sample,
    check_secrets,
    check_parts,
)
