"""The seat that played each card in the middle: a fold of facts beside the view.

A view says what lies in the trick but not from whom. Every card that moves from a zone with an
owner to one without is remembered with that owner until it leaves again.
"""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from client_cli.names import seat_of
from engine.cards import Token
from engine.facts import Fact, Lay, Move, Seat, ZoneId

Origins: TypeAlias = Mapping[ZoneId, tuple[tuple[Token, Seat], ...]]
"""For each zone in the middle, the cards that came from a seat, in their order."""


def traced(origins: Origins, facts: Iterable[Fact]) -> Origins:
    """The `origins` after `facts`: by card, the seat that played it."""
    after = dict(origins)
    for fact in facts:
        for change in fact.changes:
            match change:
                case Lay():
                    after.clear()
                case Move(source, target, tuple(cards)):
                    after[source] = _without(after.get(source, ()), cards)
                    owner = seat_of(source)
                    if owner is not None and seat_of(target) is None:
                        came = tuple((card, owner) for card in cards)
                        after[target] = after.get(target, ()) + came
                case _:
                    pass
    return {zone: cards for zone, cards in after.items() if cards}


def _without(
    pile: tuple[tuple[Token, Seat], ...], cards: tuple[Token, ...]
) -> tuple[tuple[Token, Seat], ...]:
    kept = list(pile)
    for card in cards:
        at = next((at for at, (other, _) in enumerate(kept) if other == card), None)
        if at is not None:
            del kept[at]
    return tuple(kept)
