"""A seat's knowledge of a deal of Black Queen: a pure fold of its view and its facts."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from bots.black_queen.trick_view import CARD_OF, COST, seats_of
from engine.cards import SPADES, Card, Suit, suit_of
from engine.facts import Fact, Seat
from engine.games.black_queen import BLACK_QUEEN, EMPTY, pack
from engine.tricks import shown_voids
from engine.views import View, Zone


@dataclass(frozen=True, slots=True)
class Column:
    """A column's face-up card, or EMPTY, and whether a face-down card lies in it."""

    top: Card
    covers: bool


@dataclass(frozen=True, slots=True)
class Knowledge:
    """All that `seat` knows. Tuples are by seat, except its own `hand`, `trick` and `unseen`.

    `hands` are the sizes of the hands, `cost` and `kept` the points (as a cost) and the number of
    cards each seat has taken. `unseen` are the cards in the other hands and in the face-down
    places. `lacks` are the suits a hand has shown not to have; no hand ever grows. `spared` the
    seats that did not throw a queen of spades where it was free to: who plays with sense had none.
    `shown` are cards among `unseen` that are known to lie in the hands of others.
    """

    seat: Seat
    hand: tuple[Card, ...]
    hands: tuple[int, ...]
    columns: tuple[tuple[Column, ...], ...]
    lacks: tuple[frozenset[Suit], ...]
    cost: tuple[int, ...]
    kept: tuple[int, ...]
    leader: Seat
    trick: tuple[Card, ...]
    unseen: tuple[Card, ...]
    spared: frozenset[Seat] = frozenset()
    shown: tuple[tuple[Card, ...], ...] = ()

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.hands)


def known_to(seat: Seat, view: View, facts: Sequence[Fact]) -> Knowledge:
    """The knowledge of `seat`, from its `view` and the `facts` of the deal that it has seen."""
    zones = view.zones
    seats = range(seats_of(view))
    numbers = range(1, 1 + sum(name.startswith("column/0/") for name in zones))
    taken = [_cards(zones[f"taken/{each}"]) for each in seats]
    shown = tuple(_cards(zones[f"hand/{each}"]) if each != seat else () for each in seats)
    return Knowledge(
        seat=seat,
        hand=_cards(zones[f"hand/{seat}"]),
        hands=tuple(len(zones[f"hand/{each}"]) for each in seats),
        columns=tuple(
            tuple(_column(zones[f"column/{each}/{number}"]) for number in numbers) for each in seats
        ),
        lacks=tuple(map(frozenset, shown_voids(facts, len(seats)))),
        cost=tuple(sum(COST[card] for card in pile) for pile in taken),
        kept=tuple(map(len, taken)),
        leader=view.number("leader"),
        trick=_cards(zones["trick"]),
        unseen=_unseen(view, len(seats), shown),
        spared=_spared(facts, len(seats)),
        shown=shown,
    )


def _cards(zone: Zone) -> tuple[Card, ...]:
    return tuple(CARD_OF[token] for token in zone.cards)


def _column(zone: Zone) -> Column:
    return Column(CARD_OF[zone.cards[0]] if zone.cards else EMPTY, zone.backs > 0)


def _unseen(view: View, seats: int, shown: Sequence[tuple[Card, ...]]) -> tuple[Card, ...]:
    unseen = Counter(pack(seats))
    unseen.subtract(card for zone in view.zones.values() for card in _cards(zone))
    unseen.update(chain.from_iterable(shown))
    return tuple(unseen.elements())


def _spared(facts: Sequence[Fact], seats: int) -> frozenset[Seat]:
    """The seats that played another card where Q♠ could not have taken the trick.

    That holds for players who do not follow suit, and for those who play a spade after a higher
    one.
    """
    spared: set[Seat] = set()
    trick: list[Card] = []
    for fact in facts:
        if fact.verb != "card_played":
            continue
        seat, token = fact.args["seat"], fact.args["card"]
        assert isinstance(seat, int)
        assert isinstance(token, str)
        card = CARD_OF[token]
        if trick and card != BLACK_QUEEN:
            higher = any(suit_of(other) == SPADES and other > BLACK_QUEEN for other in trick)
            follows, spades_led = suit_of(card) == suit_of(trick[0]), suit_of(trick[0]) == SPADES
            if not follows or (spades_led and higher):
                spared.add(seat)
        trick = [*trick, card] if len(trick) + 1 < seats else []
    return frozenset(spared)
