"""Cards that a viewer knows to lie in piles that they cannot see, from the facts of the deal.

A card that was seen to go into a hidden pile is there until cards leave the pile unseen; then it
may be among them, and is known no more. If all of a pile moves on, what is known of it moves too.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from engine.cards import Token
from engine.facts import Fact, Lay, Move, ZoneId


def known_cards(facts: Iterable[Fact]) -> Mapping[ZoneId, Counter[Token]]:
    """The cards, by zone, that are certainly among its backs."""
    knowledge = _Knowledge()
    for fact in facts:
        for change in fact.changes:
            if isinstance(change, Move):
                knowledge.move(change)
            elif isinstance(change, Lay):
                knowledge = _Knowledge(change.zones)
    return {zone: cards for zone, cards in knowledge.known.items() if cards}


class _Knowledge:
    def __init__(self, sizes: Mapping[ZoneId, int] | None = None) -> None:
        self.sizes = Counter(sizes or {})
        self.known: dict[ZoneId, Counter[Token]] = {}

    def move(self, change: Move) -> None:
        source, target = change.source, change.target
        if source == target:
            return
        here = self.known.setdefault(source, Counter())
        there = self.known.setdefault(target, Counter())
        count = change.cards if isinstance(change.cards, int) else len(change.cards)
        if isinstance(change.cards, int):
            if count == self.sizes[source]:
                there += here
                self.known[target] = there
            self.known[source] = Counter()
        else:
            faces = Counter(change.cards)
            self.known[source] = here - faces
            if change.hidden:
                self.known[target] = there + faces
        self.sizes[source] -= count
        self.sizes[target] += count
