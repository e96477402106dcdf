"""What each viewer may know of a deal, worked out from the rules alone, without the engine.

A `KnowledgeModel` is told how a deal was dealt and which moves were made. The leak checker compares
it with what a server sends. `ReferenceKnowledge` is the model of a game of one pack: it asks the
game's reference in the conformance suite, which says what each player sees.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from copy import deepcopy
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, Protocol, TypeAlias, TypeVar

from engine import SPECTATOR, View, Viewer

TOKEN = re.compile(r"(?<![0-9A-Za-z])[2-9TJQKA][CDSH](?![0-9A-Za-z])")
"""A card wherever it stands in a text."""

Reveal: TypeAlias = tuple[str, str, str]
"""From where, to where, and which card: one face that goes over the table."""


class KnowledgeModel(Protocol):
    """What each viewer may know at one moment of a deal."""

    def played(self, seat: int, action: str) -> "KnowledgeModel":
        """The next moment."""
        ...

    def moved(self, viewer: Viewer) -> Iterable[Reveal]:
        """The faces that `viewer` saw move since the last moment."""
        ...

    def dealt(self, viewer: Viewer) -> Iterable[Reveal]:
        """The faces that `viewer` sees when the deal begins at this moment."""
        ...

    def shown(self, viewer: Viewer) -> Mapping[str, Counter[str]]:
        """The faces that `viewer` may see now, by zone."""
        ...

    def tokens(self, viewer: Viewer) -> AbstractSet[str]:
        """Every card of which `viewer` may be told."""
        ...

    def spoken(self, viewer: Viewer) -> AbstractSet[str]:
        """The cards that may be named to `viewer` without being moved."""
        ...

    def allowed(self, seat: int) -> set[str]:
        """The moves that `seat` may make now."""
        ...


class Table(Protocol):
    """A deal as a reference plays it."""

    hands: list[list[str]]

    def sees(self, viewer: int) -> dict[str, tuple[list[str], int]]: ...


class TurnTable(Table, Protocol):
    """A deal in which one seat after the other makes a move."""

    turn: int

    def play(self, move: str) -> None: ...

    def moves(self) -> set[str]: ...


T = TypeVar("T", bound=Table)
InTurn = TypeVar("InTurn", bound=TurnTable)
Sights: TypeAlias = Mapping[Viewer, Mapping[str, str]]
"""For each viewer, the zone of each card that they see."""


@dataclass(frozen=True, slots=True)
class Reference(Generic[T]):
    """How a game's reference is used; `stock` is the zone from which cards are dealt."""

    stock: str
    lay: Callable[[View], T]
    play: Callable[[T, int, str], None]
    moves: Callable[[T, int], set[str]]

    def knowledge(self, view: View) -> "ReferenceKnowledge[T]":
        """The knowledge at the start of a deal, from a view in which every card is open."""
        return ReferenceKnowledge.at_deal(self, view)


def in_turn(stock: str, lay: Callable[[View], InTurn]) -> Reference[InTurn]:
    """The reference of a game whose players move one after the other."""
    return Reference(
        stock,
        lay,
        lambda table, seat, move: table.play(move),
        lambda table, seat: table.moves() if seat == table.turn else set(),
    )


@dataclass(frozen=True, slots=True)
class ReferenceKnowledge(Generic[T]):
    """Knowledge by a reference: `before` was seen a moment ago, `known` so far in the deal."""

    reference: Reference[T]
    table: T
    before: Sights
    now: Sights
    known: Mapping[Viewer, frozenset[str]]

    @classmethod
    def at_deal(cls, reference: Reference[T], view: View) -> "ReferenceKnowledge[T]":
        """The knowledge at the start of a deal, from a view in which every card is open."""
        table = reference.lay(view)
        now = _sights(table)
        return cls(reference, table, {}, now, {who: frozenset(now[who]) for who in now})

    def played(self, seat: int, action: str) -> "ReferenceKnowledge[T]":
        table = deepcopy(self.table)
        self.reference.play(table, seat, action)
        now = _sights(table)
        known = {who: self.known[who].union(now[who]) for who in now}
        return ReferenceKnowledge(self.reference, table, self.now, now, known)

    def moved(self, viewer: Viewer) -> Iterator[Reveal]:
        """The faces that the viewer saw at either end; own cards may be sorted at any time."""
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
        """The cards that a viewer was shown in this deal."""
        return self.known[viewer]

    def spoken(self, viewer: Viewer) -> frozenset[str]:
        """The cards that may be named without moving: a marriage names two and shows one."""
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
    """The steps of a card that moved through a trick or aside in one moment."""
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
