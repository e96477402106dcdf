"""The layout of a described game: hints for the zones and values that its text names."""

from collections.abc import Mapping

from engine.layout import (
    A_FLAG,
    A_SEAT,
    BY_SEAT,
    BY_TEAM,
    CARDS,
    NOBODY,
    ON_TABLE,
    Layout,
    ValueHint,
    ZoneHint,
    laid_out,
)
from engine.recycle.checking.placed import Id
from engine.recycle.naming import Naming
from engine.recycle.placing import Placing
from engine.recycle.running.program import Program
from engine.recycle.running.storage import Holder, Pile, Teams, ValueKey
from engine.recycle.views.view import STOPPED

_SHOWN: dict[Holder, str] = {"game": ON_TABLE, "player": BY_SEAT, "team": BY_TEAM}
_OF_EVERY_GAME = (
    ValueHint("play", "state", NOBODY),
    ValueHint("now", "question", NOBODY),
    ValueHint(STOPPED, "stopped", ON_TABLE),
)


def layout_of(program: Program) -> Layout:
    """A hint for every kind of zone and value that the description names."""
    storage, naming, placing = program.components.storage, program.naming, program.placing
    kinds = {Id(pile.key.place, pile.key.name): _kind(pile.name) for pile in storage.named_piles()}
    zones: dict[str, ZoneHint] = {}
    values: dict[str, ValueHint] = {}
    for pile in storage.named_piles():
        kind = _kind(pile.name)
        if pile.marks:
            values.setdefault(kind, _marks(kind, pile, naming))
        else:
            zones.setdefault(kind, _zone(kind, pile, kinds, naming, placing))
    for key in storage.values:
        if key.store != "points" and not key.name.startswith("'"):
            kind = _kind(storage.value_name(key, 0))
            values.setdefault(kind, _value(kind, key, naming, placing))
    shown = (*values.values(), *_OF_EVERY_GAME)
    return laid_out(zones.values(), shown, _partners(storage.teams))


def _zone(
    kind: str, pile: Pile, kinds: Mapping[Id, str], naming: Naming, placing: Placing
) -> ZoneHint:
    placed = placing.pile(pile.key.place, pile.key.name)
    title = naming.pile(pile.key.place, pile.key.name).title
    over = "" if placed.over is None else kinds.get(placed.over, "")
    return ZoneHint(kind, placed.place, title, placed.rows, over)


def _marks(kind: str, pile: Pile, naming: Naming) -> ValueHint:
    title = naming.pile(pile.key.place, pile.key.name).title
    shown = NOBODY if pile.key.name in naming.hidden else _SHOWN[pile.key.holder]
    return ValueHint(kind, title, shown, holds=CARDS)


def _value(kind: str, key: ValueKey, naming: Naming, placing: Placing) -> ValueHint:
    title, zero = naming.value(key.name).title, key.name in placing.counted
    if key.name in naming.hidden:
        return ValueHint(kind, title, NOBODY)
    if key.store == "str":
        return ValueHint(kind, title, _SHOWN[key.holder])
    if key.name in naming.players:
        return ValueHint(kind, title, BY_SEAT, zero, A_SEAT, naming.numbering)
    holds = A_FLAG if key.name in placing.flags else ""
    return ValueHint(kind, title, _SHOWN[key.holder], zero, holds)


def _partners(teams: Teams) -> Teams:
    """The teams; none if nobody has a partner."""
    return teams if any(len(seats) > 1 for seats in teams) else ()


def _kind(name: str) -> str:
    return name.partition("/")[0]
