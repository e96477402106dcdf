"""The check that a viewer's facts, views and options do not depend on hidden cards."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random

from engine import Setup, Shuffler, seed_from_int
from engine.choices import Action, random_action
from engine.facts import SPECTATOR, AddressedFact, Move, Seat, Show, Viewer, seen_by
from engine.recycle import Description, World
from engine.recycle.errors import Fault
from engine.recycle.running.operations import Op, OpKind
from engine.recycle.running.points import PointTable
from engine.recycle.running.storage import Pile
from engine.recycle.state import State, freeze
from engine.recycle.views.action_texts import action_texts, public_text
from engine.recycle.views.option_words import choice_words, deeds_of
from engine.recycle.views.telling import telling_of
from engine.views import fold

MOVES = 40


def play_watched(game: Description, rng: Random, hides: bool, lots: bool = False) -> None:
    """Play for a while and check at each step what every viewer is told and could know."""
    seats = game.info.usual_seats
    setup = Setup(
        seats, {"choices": 200, "steps": 100}, Shuffler(seed_from_int(rng.getrandbits(60)))
    )
    step = game.start(setup)
    facts: list[AddressedFact] = [*step.facts]
    names_what_is_seen(game, step.state, step.facts)
    for _ in range(MOVES):
        asked = game.to_act(step.state)
        if not asked:
            break
        if rng.random() < 0.2:
            keeps_secrets(game, step.state, facts, rng, hides, lots)
        seat = rng.choice(asked)
        step = game.apply(step.state, seat, random_action(game.choices(step.state, seat), rng))
        names_what_is_seen(game, step.state, step.facts)
        facts += step.facts
    keeps_secrets(game, step.state, facts, rng, hides, lots)


def keeps_secrets(
    game: Description,
    state: State,
    facts: list[AddressedFact],
    rng: Random,
    hides: bool = True,
    lots: bool = False,
) -> None:
    """Facts fold to views; a state that a viewer cannot tell from this one shows them the same.

    If conditions read hidden cards, and so `hides` is false, options may reveal them. If `lots` are
    drawn to find options, then the player knows these.
    """
    for viewer in viewers(game):
        seen = seen_by(tuple(facts), viewer)
        view = game.view(state, viewer)
        assert fold(seen) == view
        twin = game.sample(view, seen, rng)
        assert game.view(twin, viewer) == view
        assert game.to_act(twin) == game.to_act(state)
        if hides and not lots and viewer >= 0:
            assert offered(game, twin, viewer) == offered(game, state, viewer)
        try:
            twin = with_lots_of(game, twin, state)
        except Fault:
            # With such lots the game would have been stopped, if others held these cards.
            assert not hides or state.asked != (viewer,)
            continue
        if hides and viewer >= 0:
            assert offered(game, twin, viewer) == offered(game, state, viewer)
        if len(state.asked) == 1 and not state.chosen:
            goes_on_alike(game, (state, twin), viewer, rng)


def with_lots_of(game: Description, twin: State, state: State) -> State:
    """A copy of `twin` that draws equal lots while options are found: these are no secret."""
    setup = replace(twin.setup, shuffler=state.setup.shuffler)
    return freeze(game.world(replace(twin, setup=setup, draws=state.draws)), setup)


def viewers(game: Description) -> tuple[Viewer, ...]:
    return (SPECTATOR, *range(game.info.usual_seats))


def offered(game: Description, state: State, seat: Seat) -> tuple[Action, ...]:
    """The actions that `seat` may take, computed anew."""
    world = game.world(state)
    if seat not in world.asked:
        return ()
    world.ask_first(seat)
    # The words are no secret either: they must be the same in both worlds.
    return action_texts(world) + choice_words(deeds_of(telling_of(world)))


def names_what_is_seen(game: Description, state: State, facts: Iterable[AddressedFact]) -> None:
    """Check that changes name cards only to viewers of the pile they leave or reach."""
    places = {place.name: place for place in game.world(state).state.places}
    for viewer in viewers(game):
        for change in named(facts, viewer):
            zones = (change.source, change.target) if isinstance(change, Move) else (change.zone,)
            assert any(sees(places[zone], viewer) for zone in zones), change


def named(facts: Iterable[AddressedFact], viewer: Viewer) -> Iterator[Move | Show]:
    """The changes that name cards to a viewer."""
    for fact in seen_by(tuple(facts), viewer):
        for change in fact.changes:
            if isinstance(change, Show) or (
                isinstance(change, Move) and isinstance(change.cards, tuple)
            ):
                yield change


def sees(pile: Pile, viewer: Viewer) -> bool:
    """Whether a viewer may see a kind of pile, written independently of the engine."""
    whose = pile.key.holder == "player"
    match pile.key.place:
        case "vloc":
            return True
        case "iloc":
            return whose and pile.owner == viewer
        case "oloc":
            return viewer != SPECTATOR and not (whose and pile.owner == viewer)
        case _:
            return False


def goes_on_alike(game: Description, states: Sequence[State], viewer: Viewer, rng: Random) -> None:
    """Apply one action in two worlds: a viewer that sees equal cards is told equal facts.

    What a description does may depend on hidden cards; then different things are done.
    """
    seat, worlds = states[0].asked[0], [game.world(state) for state in states]
    told = [[public_text(world, option, seat) for option in world.offered] for world in worlds]
    text = rng.choice(told[0])
    if text not in told[1]:
        return
    actions = [
        game.choices(state, seat).actions[at.index(text)]
        for state, at in zip(states, told, strict=True)
    ]
    if viewer == seat and actions[0] != actions[1]:
        return
    one, two = (game.apply(state, seat, act) for state, act in zip(states, actions, strict=True))
    for world, at in zip(worlds, told, strict=True):
        world.play(at.index(text))
    alike = shapes(worlds[0]) == shapes(worlds[1])
    if alike and [*named(one.facts, viewer)] == [*named(two.facts, viewer)]:
        assert [*sent(one.facts, viewer)] == [*sent(two.facts, viewer)]


def sent(facts: Iterable[AddressedFact], viewer: Viewer) -> Iterator[tuple[object, ...]]:
    """The facts that a viewer is sent, without the audience of each."""
    for fact in seen_by(tuple(facts), viewer):
        yield fact.verb, fact.args, fact.changes


def shapes(world: World) -> tuple[object, ...]:
    """What a move did to piles, values and turns, without the cards' faces."""
    turns = world.turns
    turn = world.pc, turns.current, turns.queued, turns.team, *turns.frames, world.stop
    return *(shape(world, op) for op in world.state.log), *turn


def shape(world: World, op: Op) -> tuple[object, ...]:
    """An operation without the cards that it moves."""
    kind = op[0]
    if kind in (OpKind.MARK, OpKind.UNMARK):
        return kind, world.program.components.decks.token(op[1]), *op[2:]
    if kind is OpKind.VALUE:
        value = op[3]
        return kind, op[1], value.awards if isinstance(value, PointTable) else value
    if kind is OpKind.ORDER:
        return op[:2]
    return (kind, *op[2:]) if kind in (OpKind.MOVE, OpKind.CARDS) else op
