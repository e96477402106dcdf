"""Dealing the cards nobody has shown into the places they can be in."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from engine.cards import Card, Suit, suit_of
from engine.errors import EngineError

_TRIES = 50


class NoDeal(EngineError):
    """The cards cannot lie as the places demand: what was seen contradicts itself."""

    code = "no_deal"


@dataclass(frozen=True, slots=True)
class Place:
    """Room for `size` hidden cards, none of them of a suit in `without`."""

    size: int
    without: frozenset[Suit] = frozenset()


def deal_unseen(
    cards: Sequence[Card], places: Sequence[Place], rng: Random
) -> list[tuple[Card, ...]]:
    """A random way of putting all `cards` into `places`.

    A shuffle that happens to fit is taken as it is, which is unbiased. Where none of the first
    tries fits, the last is mended by swaps and then stirred: every way stays possible, though
    not equally likely.
    """
    owner = [place for place in places for _ in range(place.size)]
    if len(owner) != len(cards):
        raise NoDeal(f"{len(cards)} cards for {len(owner)} places")
    pile = list(cards)
    for _ in range(_TRIES):
        rng.shuffle(pile)
        if all(_fits(card, place) for card, place in zip(pile, owner, strict=True)):
            break
    else:
        _mend(pile, owner, rng)
    dealt, at = [], 0
    for place in places:
        dealt.append(tuple(pile[at : at + place.size]))
        at += place.size
    return dealt


def _fits(card: Card, place: Place) -> bool:
    return suit_of(card) not in place.without


def _mend(pile: list[Card], owner: Sequence[Place], rng: Random) -> None:
    """Swap misplaced cards with cards that may lie there until all fit, then stir."""
    size = len(pile)
    for _ in range(1000 * size):
        wrong = [at for at in range(size) if not _fits(pile[at], owner[at])]
        if not wrong:
            break
        at = rng.choice(wrong)
        others = [b for b in range(size) if _fits(pile[b], owner[at])]
        good = [b for b in others if _fits(pile[at], owner[b])]
        if not others:
            raise NoDeal("no card is left that may lie in one of the places")
        swap = rng.choice(good or others)
        pile[at], pile[swap] = pile[swap], pile[at]
    else:
        raise NoDeal("no deal found that agrees with what was seen")
    for _ in range(10 * size):
        a, b = rng.randrange(size), rng.randrange(size)
        if _fits(pile[a], owner[b]) and _fits(pile[b], owner[a]):
            pile[a], pile[b] = pile[b], pile[a]
