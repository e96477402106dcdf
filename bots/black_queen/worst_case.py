"""The worst case of playing a card to the current trick.

There are two possible ends: our card takes the trick with the most that the followers may throw on
it, or somebody else takes it with the least they can give. The first is never the better one, so
followers who can all stay below our card will; if that is a matter of chance, the value lies
between the two ends, moved to the worse by the square root of the chance.

Source: Black Queen document, "Strength 1" and "Strength 2".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bots.black_queen.chances import pulled
from bots.black_queen.replies import Replies
from bots.black_queen.trick_view import COST, TrickView
from engine.cards import Card

UNTOUCHED = 0.50
"""For having kept no card: the deal's +10, weighted down because it rarely lasts to the end."""
CLEAN = 0.25
"""For having kept cards but no points: the deal's +5, weighted likewise."""


@dataclass(frozen=True, slots=True)
class WorstCase:
    """A card's worst case in points, and the numbers behind it."""

    value: float
    why: Mapping[str, float]


def worst_case(trick_view: TrickView, replies: Sequence[Replies], card: Card) -> WorstCase:
    """The worst case of `card`, when `replies` are those of each follower to the suit led."""
    on_table = COST[card] + sum(COST[other] for other in trick_view.trick)
    given = on_table + sum(reply.gives() for reply in replies) + _standing(trick_view)
    why = {f"void/{reply.seat}": reply.void for reply in replies} | {"others_take": given}
    if not _is_highest(card, trick_view.trick):
        return WorstCase(given, why)
    rank = card % 13
    chance, lost, clean = 1.0, float(on_table), 0.0 if trick_view.cost or on_table else CLEAN
    marked = 0.0
    for reply in replies:
        below, throw = reply.stays_below(rank), reply.throws(rank)
        chance *= below
        lost += throw.cost
        marked = max(marked, throw.chance)
        why[f"below/{reply.seat}"] = below
        why[f"queen/{reply.seat}"] = throw.queen
        why[f"heart/{reply.seat}"] = throw.heart
        why[f"cost/{reply.seat}"] = throw.cost
    taken = pulled(clean, 0, marked) - lost
    why["we_take"] = taken
    why["we_take_chance"] = chance
    return WorstCase(pulled(given, taken, chance), why)


def _standing(trick_view: TrickView) -> float:
    """The weight of the bonus that this seat may still get, before the trick."""
    if not trick_view.kept:
        return UNTOUCHED
    return 0.0 if trick_view.cost else CLEAN


def _is_highest(card: Card, trick: Sequence[Card]) -> bool:
    """Whether `card` would take the trick so far; the last of equal cards does."""
    led = (trick[0] if trick else card) // 13
    return card // 13 == led and all(other // 13 != led or other <= card for other in trick)
