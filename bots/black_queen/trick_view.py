"""The trick as a seat of Black Queen sees it, read once for each decision into ints."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import accumulate

from bots.bot import Position
from engine.cards import TOKENS, Card, Rank, Suit
from engine.facts import Seat, ZoneId
from engine.games.black_queen import pack, penalty
from engine.views import View, Zone

CARD_OF = {token: card for card, token in enumerate(TOKENS)}
COST = tuple(-penalty(card) for card in range(52))
"""The cost of each card for its taker: 12, 1 or 0."""


@dataclass(frozen=True, slots=True)
class Follower:
    """A player who has yet to play to this trick, with their face-up cards and hand size."""

    seat: Seat
    up: tuple[Card, ...]
    hand: int


@dataclass(frozen=True, slots=True)
class TrickView:
    """The trick so far, the followers, and the state of this seat.

    `left` is the share of the deal's tricks that are not over; `kept` counts the cards this seat
    has taken and `cost` what they cost it.
    """

    trick: tuple[Card, ...]
    followers: tuple[Follower, ...]
    left: float
    kept: int
    cost: int


def read_trick(position: Position) -> TrickView:
    """The trick in `position`, and the players who follow."""
    zones, me = position.view.zones, position.seat
    seats = seats_of(position.view)
    trick = tuple(CARD_OF[token] for token in zones["trick"].cards)
    following = [(me + step) % seats for step in range(1, seats - len(trick))]
    taken = [zones[f"taken/{seat}"].cards for seat in range(seats)]
    return TrickView(
        trick=trick,
        followers=tuple(
            Follower(seat, _tops(zones, seat), len(zones[f"hand/{seat}"])) for seat in following
        ),
        left=1 - sum(map(len, taken)) / sum(_copies(seats)),
        kept=len(taken[me]),
        cost=sum(COST[CARD_OF[token]] for token in taken[me]),
    )


@dataclass(frozen=True, slots=True)
class Unseen:
    """The number of copies of each card that this seat cannot see, and sums of these.

    `below[card]` counts the unseen cards of its suit that are lower.
    """

    copies: tuple[int, ...]
    below: tuple[int, ...]
    suits: tuple[int, ...]
    total: int

    def lower(self, suit: Suit, rank: Rank) -> int:
        """The number of unseen cards of `suit` below `rank`."""
        return self.below[suit * 13 + rank]


def unseen_of(copies: tuple[int, ...]) -> Unseen:
    """The sums over `copies`, the number of unseen copies of each of the 52 cards."""
    runs = [tuple(accumulate(copies[at : at + 13], initial=0)) for at in range(0, 52, 13)]
    suits = tuple(run[13] for run in runs)
    below = tuple(count for run in runs for count in run[:13])
    return Unseen(copies, below, suits, sum(suits))


NOTHING_UNSEEN = unseen_of((0,) * 52)
"""The belief of strength 1: the cards it can see are the only ones."""


def count_unseen(view: View) -> Unseen:
    """The cards of the pack that the owner of `view` neither sees nor has seen played."""
    copies = list(_copies(seats_of(view)))
    for zone in view.zones.values():
        for token in zone.cards:
            copies[CARD_OF[token]] -= 1
    return unseen_of(tuple(copies))


def seats_of(view: View) -> int:
    """The number of players, by the zones of `view`."""
    seats = 0
    while f"taken/{seats}" in view.zones:
        seats += 1
    return seats


@cache
def _copies(seats: int) -> tuple[int, ...]:
    """The number of copies of each card in the pack for so many players."""
    whole = pack(seats)
    return tuple(whole.count(card) for card in range(52))


def _tops(zones: Mapping[ZoneId, Zone], seat: Seat) -> tuple[Card, ...]:
    """The face-up cards of `seat`'s columns."""
    tops, column = [], 1
    while (zone := zones.get(f"column/{seat}/{column}")) is not None:
        if zone.cards:
            tops.append(CARD_OF[zone.cards[-1]])
        column += 1
    return tuple(tops)
