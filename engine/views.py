"""Views: all that one viewer may see of a table, and the fold that keeps one up to date.

A view has no field for a hidden card: a zone holds the cards this viewer sees, bottom to top,
and a count of the backs lying under them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from engine.cards import Token
from engine.errors import EngineError
from engine.facts import Change, Fact, Lay, Move, Seat, Set, Show, Value, ZoneId


class BadFold(EngineError):
    """A change does not fit the view to which it is applied, because facts were missed."""

    code = "bad_fold"


@dataclass(frozen=True, slots=True)
class Zone:
    """What a viewer sees of one place: its visible cards, bottom to top, and a count of backs."""

    cards: tuple[Token, ...] = ()
    backs: int = 0

    def __len__(self) -> int:
        return len(self.cards) + self.backs


@dataclass(frozen=True, slots=True)
class View:
    """What one viewer sees of a table: its zones and its values, both by name."""

    zones: Mapping[ZoneId, Zone] = field(default_factory=dict)
    values: Mapping[str, Value] = field(default_factory=dict)

    def cards(self, kind: str, owner: Seat | None = None) -> tuple[Token, ...]:
        """The visible cards of ``kind`` or ``kind/owner``; empty where there is no such zone."""
        zone = self.zones.get(kind if owner is None else f"{kind}/{owner}")
        return zone.cards if zone else ()

    def number(self, key: str, missing: int | None = None) -> int:
        """The number under `key`, or `missing` if there is nothing.

        `KeyError` if there is neither, `TypeError` for another kind of value.
        """
        value = self.values[key] if missing is None else self.values.get(key, missing)
        if not isinstance(value, int):
            raise TypeError(f"{key} is {value!r} and no number")
        return value

    def for_people(self) -> "View":
        """The view without the values that people do not need."""
        shown = {k: v for k, v in self.values.items() if not k.startswith(INTERNAL)}
        return View(self.zones, shown)


EMPTY_VIEW = View()
INTERNAL = "play/"
"""Values whose names begin so tell a bot how to play on from a view; people do not need them."""


def zone_parts(zone: ZoneId) -> tuple[str, Seat | None, int | None]:
    """Kind, owner and slot of a zone's name; None where it has none.

    >>> zone_parts("column/2/5"), zone_parts("trick")
    (('column', 2, 5), ('trick', None, None))
    """
    kind, _, rest = zone.partition("/")
    owner, _, slot = rest.partition("/")
    return kind, int(owner) if owner else None, int(slot) if slot else None


def fold(facts: Iterable[Fact], view: View = EMPTY_VIEW) -> View:
    """`view` after `facts`; `BadFold` if they do not fit."""
    zones = dict(view.zones)
    values = dict(view.values)
    for fact in facts:
        for change in fact.changes:
            _apply(zones, values, change)
    return View(zones, values)


def for_people(fact: Fact) -> Fact:
    """`fact` without changes of values that people do not need; folding it gives their view."""
    if not any(change.do == "set" and change.key.startswith(INTERNAL) for change in fact.changes):
        return fact
    changes = (c for c in fact.changes if c.do != "set" or not c.key.startswith(INTERNAL))
    return replace(fact, changes=tuple(changes))


def _apply(zones: dict[ZoneId, Zone], values: dict[str, Value], change: Change) -> None:
    match change:
        case Set(key, None):
            values.pop(key, None)
        case Set(key, value):
            values[key] = value
        case Move(source, target, cards, hidden):
            zones[source] = _take(_zone(zones, source), cards, source)
            put = len(cards) if hidden and isinstance(cards, tuple) else cards
            zones[target] = _put(_zone(zones, target), put)
        case Show(zone, cards):
            before = _zone(zones, zone)
            if before.backs < len(cards):
                raise BadFold(f"{zone} has {before.backs} backs, {len(cards)} are turned up")
            zones[zone] = Zone(before.cards + cards, before.backs - len(cards))
        case Lay(laid):
            zones.clear()
            zones.update((name, Zone(backs=backs)) for name, backs in laid.items())
        case _:
            assert_never(change)


def _zone(zones: dict[ZoneId, Zone], name: ZoneId) -> Zone:
    try:
        return zones[name]
    except KeyError:
        raise BadFold(f"there is no zone {name!r}") from None


def _take(zone: Zone, cards: tuple[Token, ...] | int, name: ZoneId) -> Zone:
    faces = list(zone.cards)
    backs = zone.backs
    if isinstance(cards, int):
        backs -= cards
    else:
        for card in cards:
            if card in faces:
                faces.remove(card)
            else:
                backs -= 1
    if backs < 0:
        raise BadFold(f"{cards} cannot leave {name}: {zone}")
    return Zone(tuple(faces), backs)


def _put(zone: Zone, cards: tuple[Token, ...] | int) -> Zone:
    if isinstance(cards, int):
        return Zone(zone.cards, zone.backs + cards)
    return Zone(zone.cards + cards, zone.backs)
