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
    tries fits, the cards are laid one by one and then stirred: every way stays possible, though
    not equally likely. `NoDeal` if there is no way at all.
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
        pile = _laid(pile, places, rng)
        _stir(pile, owner, rng)
    dealt, at = [], 0
    for place in places:
        dealt.append(tuple(pile[at : at + place.size]))
        at += place.size
    return dealt


def _fits(card: Card, place: Place) -> bool:
    return suit_of(card) not in place.without


def _laid(cards: Sequence[Card], places: Sequence[Place], rng: Random) -> list[Card]:
    """The cards in the order of the places, each card where it fits."""
    order = list(range(len(places)))
    piles: list[list[Card]] = [[] for _ in places]
    for card in cards:
        rng.shuffle(order)
        if not _lay(card, places, piles, [at for at in order if places[at].size]):
            raise NoDeal("the cards left cannot lie as what was seen demands")
    return [card for pile in piles for card in pile]


def _lay(card: Card, places: Sequence[Place], piles: list[list[Card]], untried: list[int]) -> bool:
    """Lay `card` in some place, if need be by moving other cards on (an augmenting path)."""
    fitting = [at for at in untried if _fits(card, places[at])]
    for at in fitting:
        if len(piles[at]) < places[at].size:
            piles[at].append(card)
            return True
    for at in fitting:
        if at in untried:
            untried.remove(at)
            for spot, other in enumerate(piles[at]):
                if _lay(other, places, piles, untried):
                    piles[at][spot] = card
                    return True
    return False


def _stir(pile: list[Card], owner: Sequence[Place], rng: Random) -> None:
    """Swap pairs at random as long as both cards fit."""
    size = len(pile)
    for _ in range(10 * size):
        a, b = rng.randrange(size), rng.randrange(size)
        if _fits(pile[a], owner[b]) and _fits(pile[b], owner[a]):
            pile[a], pile[b] = pile[b], pile[a]
