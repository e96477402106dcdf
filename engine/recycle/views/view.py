"""What a viewer sees of a game: its piles as zones, its values and marks, and where it stands.

``vloc`` is for everyone, ``iloc`` for its owner, ``hloc`` for nobody, ``oloc`` for all but the
owner (`Pile.seen`). A ``mem`` holds no cards but marks, and is a value of the view. Values whose
names begin with ``play/`` are not shown to people: `sampling` needs them to play on.
Source: RECYCLE, "Decisions": visibility.
"""

from collections.abc import Iterator, Mapping
from typing import cast

from engine.cards import Token
from engine.facts import OPEN, Value, Viewer
from engine.recycle.errors import Stop
from engine.recycle.running.operations import Stored
from engine.recycle.running.points import PointTable, awards_text
from engine.recycle.running.storage import Holder, Pile, PileKey, Place, Store, ValueKey
from engine.recycle.running.undoable_state import UndoableState
from engine.recycle.running.world import World
from engine.teams import team_values
from engine.views import View, Zone

STATE = "play/state"
TEAMS = "play/teams"
CARDS = "play/cards"
BACKS = "play/backs/"
PILES = "play/piles"
NAMES = "play/names"
CHOSEN = "play/chosen"
STOPPED = "stopped"
STAGE, STAGE_TEXT = "now/stage", "now/stage_text"
CHOICE, CHOICE_TEXT = "now/choice", "now/choice_text"
"""What is being chosen, in the words of the description, if it has any."""


def sees(pile: Pile, viewer: Viewer) -> bool:
    """Whether `viewer` sees the faces of the cards in `pile`; `OPEN` sees all."""
    return viewer == OPEN or bool(pile.seen >> (viewer + 1) & 1)


def view_of(world: World, viewer: Viewer, values: Mapping[str, Value]) -> View:
    """What `viewer` sees of a game: zones, and values with the names that clients know.

    `values` are the `public_values`.
    """
    state = world.state
    zones = {
        place.name: Zone(tokens(world, pile)) if sees(place, viewer) else Zone(backs=len(pile))
        for place, pile in zip(state.places, state.piles, strict=True)
        if not place.marks
    }
    known = dict(values)
    for seat, index in world.chosen:
        if viewer == seat:
            known[CHOSEN] = (seat, index)
    return View(zones, known)


def tokens(world: World, pile: list[int] | tuple[int, ...]) -> tuple[Token, ...]:
    """The tokens of cards."""
    return tuple(map(world.state.components.decks.token, pile))


def public_values(world: World) -> dict[str, Value]:
    """All values that everybody sees."""
    state, turns = world.state, world.turns
    components = state.components
    values: dict[str, Value] = dict(
        zip(components.value_names, map(_told, state.values), strict=True)
    )
    for (key, owner), value in state.more.items():
        values[components.storage.value_name(key, owner)] = _told(value)
    for place, pile in zip(state.places, state.piles, strict=True):
        if place.marks:
            values[place.name] = " ".join(tokens(world, pile))
    values["turn"] = tuple(sorted(world.asked))
    values |= team_values(state.teams)
    frames = (number for frame in turns.frames for number in frame)
    standing = world.pc, turns.current, turns.queued, turns.team, world.choices
    values[STATE] = (*standing, *frames)
    if state.slots:
        piles = (f"{','.join(map(str, key))},{owner}" for key, owner in state.slots)
        values[PILES] = " ".join(piles)
    if state.more:
        values[NAMES] = " ".join(f"{','.join(key)},{owner}" for key, owner in state.more)
    if state.teams != components.storage.teams:
        values[TEAMS] = " ".join(",".join(map(str, team)) for team in state.teams)
    if world.program.grows:
        values[CARDS] = state.counts()
    if components.families > 1:
        values |= _backs(state)
    if world.asked:
        values.update(_question(world))
    if world.stop is not None:
        values[STOPPED] = str(world.stop)
    return values


def _question(world: World) -> Iterator[tuple[str, Value]]:
    question = world.program.naming.question(world.program.spans[world.pc])
    if question.stage is not None:
        yield STAGE, question.stage.title
        if question.stage.text:
            yield STAGE_TEXT, question.stage.text
    if question.choice is not None:
        yield CHOICE, question.choice.title
        if question.choice.text:
            yield CHOICE_TEXT, question.choice.text


def _told(value: Stored) -> Value:
    return awards_text(value.awards) if isinstance(value, PointTable) else value


def _backs(state: UndoableState) -> dict[str, Value]:
    """The families of the backs in each pile, as a row of cards on a table shows them."""
    family = state.components.decks.family
    return {
        BACKS + place.name: " ".join(map(family, pile))
        for place, pile in zip(state.places, state.piles, strict=True)
        if not place.marks
    }


def parse_piles(text: str) -> Iterator[tuple[PileKey, int]]:
    """The piles without a slot from the start, as `PILES` has them."""
    for pile in text.split():
        holder, place, name, index, owner = pile.split(",")
        yield PileKey(cast(Holder, holder), cast(Place, place), name, int(index)), int(owner)


def parse_names(text: str) -> Iterator[tuple[ValueKey, int]]:
    """The values without a slot from the start, as `NAMES` has them."""
    for value in text.split():
        store, holder, name, owner = value.split(",")
        yield ValueKey(cast(Store, store), cast(Holder, holder), name), int(owner)


def parse_stop(text: str) -> Stop:
    """The stop that a text describes."""
    place, _, reason = text.partition(": ")
    line, column = (int(word.rpartition(" ")[2]) for word in place.split(", "))
    return Stop(reason, line, column)
