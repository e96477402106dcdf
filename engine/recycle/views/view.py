"""What a viewer sees of a game: its piles as zones, its values and marks, and where it stands.

``vloc`` is for everyone, ``iloc`` for its owner, ``hloc`` for nobody, ``oloc`` for all but the
owner (`Pile.seen`). A ``mem`` holds no cards but marks, and is a value of the view. Values whose
names begin with ``play/`` are for nobody to read: they are what `sampling` needs to play on.
"""

from collections.abc import Iterator, Mapping
from typing import cast

from engine.cards import Token
from engine.facts import OPEN, Value, Viewer
from engine.recycle.errors import Stop
from engine.recycle.running.operations import Stored
from engine.recycle.running.points import PointTable, awards_text
from engine.recycle.running.storage import Holder, Pile, PileKey, Place, Store, ValueKey
from engine.recycle.running.world import World
from engine.views import View, Zone

STATE = "play/state"
TEAMS = "play/teams"
CARDS = "play/cards"
BACKS = "play/backs/"
PILES = "play/piles"
NAMES = "play/names"
CHOSEN = "play/chosen"
STOPPED = "stopped"


def sees(pile: Pile, viewer: Viewer) -> bool:
    return viewer == OPEN or bool(pile.seen >> (viewer + 1) & 1)


def view_of(world: World, viewer: Viewer) -> View:
    zones = {
        place.name: Zone(tokens(world, pile)) if sees(place, viewer) else Zone(backs=len(pile))
        for place, pile in zip(world.places, world.piles, strict=True)
        if not place.marks
    }
    values = dict(public_values(world))
    for seat, index in world.chosen:
        if viewer == seat:
            values[CHOSEN] = (seat, index)
    return View(zones, values)


def tokens(world: World, pile: list[int] | tuple[int, ...]) -> tuple[Token, ...]:
    return tuple(map(world.program.decks.token, pile))


def public_values(world: World) -> Iterator[tuple[str, Value]]:
    """All values that everybody sees."""
    program = world.program
    for name, value in zip(program.value_names, world.values, strict=True):
        yield name, _told(value)
    for (key, owner), value in world.more.items():
        yield program.storage.value_name(key, owner), _told(value)
    for place, pile in zip(world.places, world.piles, strict=True):
        if place.marks:
            yield place.name, " ".join(tokens(world, pile))
    yield "turn", tuple(sorted(world.asked))
    frames = (number for frame in world.frames for number in frame)
    yield STATE, (world.pc, world.cur, world.queue, world.team, world.choices, *frames)
    if world.slots:
        yield PILES, " ".join(f"{','.join(map(str, key))},{owner}" for key, owner in world.slots)
    if world.more:
        yield NAMES, " ".join(f"{','.join(key)},{owner}" for key, owner in world.more)
    if world.teams != program.storage.teams:
        yield TEAMS, " ".join(",".join(map(str, team)) for team in world.teams)
    if program.grows:
        yield CARDS, world.counts()
    if program.families > 1:
        yield from _backs(world).items()
    if world.stop is not None:
        yield STOPPED, str(world.stop)


def _told(value: Stored) -> Value:
    return awards_text(value.awards) if isinstance(value, PointTable) else value


def _backs(world: World) -> Mapping[str, Value]:
    """The families of the backs in each pile, as a row of cards on a table shows them."""
    family = world.program.decks.family
    return {
        BACKS + place.name: " ".join(map(family, pile))
        for place, pile in zip(world.places, world.piles, strict=True)
        if not place.marks
    }


def parse_piles(text: str) -> Iterator[tuple[PileKey, int]]:
    """The piles that had no slot from the start, as `PILES` tells them."""
    for pile in text.split():
        holder, place, name, index, owner = pile.split(",")
        yield PileKey(cast(Holder, holder), cast(Place, place), name, int(index)), int(owner)


def parse_names(text: str) -> Iterator[tuple[ValueKey, int]]:
    """The values that had no slot from the start, as `NAMES` tells them."""
    for value in text.split():
        store, holder, name, owner = value.split(",")
        yield ValueKey(cast(Store, store), cast(Holder, holder), name), int(owner)


def parse_stop(text: str) -> Stop:
    """The stop whose text this is."""
    place, _, reason = text.partition(": ")
    line, column = (int(word.rpartition(" ")[2]) for word in place.split(", "))
    return Stop(reason, line, column)
