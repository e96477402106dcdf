"""Games of one pack, seen by a camera above the table that uses their references.

The references of the conformance suite play a deal straight from the text of the rules, without the
engine, and say what each player sees. This gives where a card went from one moment to the next, and
who has been shown it.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, Protocol, TypeAlias, TypeVar

from engine import SPECTATOR, View, Viewer
from tests.server.camera import Reveal


class Table(Protocol):
    """A deal as a reference plays it."""

    hands: list[list[str]]

    def sees(self, viewer: int) -> dict[str, tuple[list[str], int]]: ...


T = TypeVar("T", bound=Table)
Sights: TypeAlias = Mapping[Viewer, Mapping[str, str]]
"""For each viewer, the zone of each card that they see."""


@dataclass(frozen=True, slots=True)
class Reference(Generic[T]):
    """How a reference is used; `stock` is the zone from which cards are dealt."""

    stock: str
    lay: Callable[[View], T]
    play: Callable[[T, int, str], None]
    moves: Callable[[T, int], set[str]]

    def camera(self, view: View) -> "PackCamera[T]":
        """The camera above a deal as it was laid, from a view in which every card is open."""
        return PackCamera.at_deal(self, view)


@dataclass(frozen=True, slots=True)
class PackCamera(Generic[T]):
    """`before` is what was seen a moment ago, `known` all that a viewer has been shown so far."""

    reference: Reference[T]
    table: T
    before: Sights
    now: Sights
    known: Mapping[Viewer, frozenset[str]]

    @classmethod
    def at_deal(cls, reference: Reference[T], view: View) -> "PackCamera[T]":
        """A deal as it was laid, from a view in which every card is open."""
        table = reference.lay(view)
        now = _sights(table)
        return cls(reference, table, {}, now, {who: frozenset(now[who]) for who in now})

    def played(self, seat: int, action: str) -> "PackCamera[T]":
        table = deepcopy(self.table)
        self.reference.play(table, seat, action)
        now = _sights(table)
        known = {who: self.known[who].union(now[who]) for who in now}
        return PackCamera(self.reference, table, self.now, now, known)

    def moved(self, viewer: Viewer) -> Iterator[Reveal]:
        """Faces that the viewer saw at either end; own cards may be sorted at any time."""
        for source, target, card in self._moves():
            if "trick" in (source, target) or card in {*self.before[viewer], *self.now[viewer]}:
                yield source, target, card
        for card, zone in self.now[viewer].items():
            yield zone, zone, card

    def dealt(self, viewer: Viewer) -> Iterator[Reveal]:
        for card, zone in self.now[viewer].items():
            yield self.reference.stock, zone, card

    def shown(self, viewer: Viewer) -> dict[str, Counter[str]]:
        return {zone: Counter(cards) for zone, (cards, _) in self.table.sees(viewer).items()}

    def tokens(self, viewer: Viewer) -> frozenset[str]:
        """A viewer may be told again what they were shown in this deal."""
        return self.known[viewer]

    def spoken(self, viewer: Viewer) -> frozenset[str]:
        """A marriage names two cards and shows one, say."""
        return self.known[viewer]

    def allowed(self, seat: int) -> set[str]:
        return self.reference.moves(self.table, seat)

    def _moves(self) -> Iterator[Reveal]:
        """Every card that lies elsewhere than before, step by step."""
        before, now = _everywhere(self.before), _everywhere(self.now)
        for card, target in now.items():
            source = before.get(card, self.reference.stock)
            if source != target:
                way = _way(source, target)
                yield from ((a, b, card) for a, b in pairwise(way))


def _sights(table: Table) -> Sights:
    viewers = (SPECTATOR, *range(len(table.hands)))
    return {
        viewer: {card: zone for zone, (cards, _) in table.sees(viewer).items() for card in cards}
        for viewer in viewers
    }


def _everywhere(sights: Sights) -> dict[str, str]:
    """The place of each card that anybody sees."""
    return {card: zone for seen in sights.values() for card, zone in seen.items()}


def _way(source: str, target: str) -> tuple[str, ...]:
    """Into a trick and on, or aside and on, if a card has gone all the way in one moment."""
    kinds = source.partition("/")[0], target.partition("/")[0]
    if kinds == ("hand", "taken"):
        return source, "trick", target
    if kinds == ("hand", "hand"):
        return source, source.replace("hand", "passing"), target
    return source, target


def hands_in(view: View) -> list[tuple[str, ...]]:
    """Everybody's hand, by seat, from a view in which every card is open."""
    return [view.cards("hand", seat) for seat in range(_seats(view))]


def _seats(view: View) -> int:
    return sum(zone.startswith("hand/") for zone in view.zones)
