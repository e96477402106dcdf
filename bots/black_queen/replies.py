"""The worst reply of one follower: its face-up cards, and the chances of its hidden ones.

Everything here is about one follower and one suit led. With nothing unseen, as for strength 1,
every chance is 0 or 1: a player is void unless they show the suit, and plays the cards they show.

Source: Black Queen document, "Strength 1" and "Strength 2".
"""

from typing import NamedTuple

from bots.black_queen.chances import p_holds, p_void, pulled
from bots.black_queen.trick_view import COST, Follower, Unseen
from engine.cards import HEARTS, SPADES, Rank, Suit, rank_of
from engine.games.black_queen import BLACK_QUEEN

_QUEEN_RANK = rank_of(BLACK_QUEEN)
_QUEEN_COST = COST[BLACK_QUEEN]


class Throw(NamedTuple):
    """The cost of what a follower may throw on a trick we take, and the chances behind it.

    `chance` is that of the likeliest card with points, `queen` and `heart` are those of the
    unseen cards.
    """

    cost: float
    chance: float
    queen: float
    heart: float


class Replies:
    """The possible answers of `follower` when suit `led` was led."""

    __slots__ = ("_hand", "_least_shown", "_most_shown", "_shown", "_unseen", "led", "seat", "void")

    def __init__(self, follower: Follower, led: Suit, unseen: Unseen) -> None:
        costs = [COST[card] for card in follower.up]
        self.seat = follower.seat
        self.led = led
        self._unseen = unseen
        self._hand = follower.hand
        self._shown = sorted(card % 13 for card in follower.up if card // 13 == led)
        self._most_shown = max(costs, default=0)
        self._least_shown = min(costs, default=0)
        self.void = p_void(
            shows_suit=bool(self._shown),
            of_suit=unseen.suits[led],
            unseen=unseen.total,
            hand=follower.hand,
        )

    def stays_below(self, rank: Rank) -> float:
        """The chance that the follower can stay below a card of `rank` in the suit led.

        They can if they are void or have a lower card of the suit; the two exclude each other.
        """
        if self._shown and self._shown[0] < rank:
            return 1.0
        return min(1.0, self.void + self._holds(self._unseen.lower(self.led, rank)))

    def throws(self, rank: Rank) -> Throw:
        """The most the follower may cost us below a card of `rank` that takes the trick."""
        certain = self._must_cost(rank)
        queen, heart = self._queen_below(rank), self._heart_below(rank)
        cost, chance = float(certain), 1.0 if certain else 0.0
        for possible, likely in (
            (_QUEEN_COST, queen),
            (1, heart),
            (self._most_shown, self.void),
        ):
            if possible > certain and likely:
                cost = max(cost, pulled(certain, possible, likely))
                chance = max(chance, likely)
        return Throw(cost, chance, queen, heart)

    def gives(self) -> float:
        """The least that the follower adds to a trick that another player takes."""
        unseen, led = self._unseen, self.led
        queens = unseen.copies[BLACK_QUEEN]
        if self._shown:
            least = COST[led * 13 + self._shown[0]]
            if len(self._shown) > 1:
                least = min(COST[led * 13 + rank] for rank in self._shown)
            other_spades = unseen.suits[SPADES] - queens
            return pulled(least, 0, self._holds(other_spades)) if led == SPADES else least
        harmless = unseen.total - unseen.suits[HEARTS] - queens
        if led != HEARTS:
            harmless -= unseen.suits[led] - (queens if led == SPADES else 0)
        if_void = pulled(self._least_shown, 0, self._holds(harmless))
        if_not = 1.0 if led == HEARTS else 0.0
        if if_void < if_not:
            return pulled(if_not, if_void, self.void)
        return pulled(if_void, if_not, 1 - self.void)

    def _holds(self, copies: int) -> float:
        return p_holds(copies=copies, unseen=self._unseen.total, hand=self._hand)

    def _must_cost(self, rank: Rank) -> int:
        """The certain cost by the follower: of a face-up card, or of any card if hearts are led."""
        if not self._shown:
            return 0
        if self.led == SPADES and rank > _QUEEN_RANK and _QUEEN_RANK in self._shown:
            return _QUEEN_COST
        return 1 if self.led == HEARTS else 0

    def _queen_below(self, rank: Rank) -> float:
        """The chance of an unseen queen of spades that does not take the trick from `rank`."""
        if self.led == SPADES and rank <= _QUEEN_RANK:
            return 0.0
        held = self._holds(self._unseen.copies[BLACK_QUEEN])
        return held if self.led == SPADES else held * self.void

    def _heart_below(self, rank: Rank) -> float:
        """The chance of the likeliest unseen heart that does not take the trick from `rank`."""
        hearts = HEARTS * 13
        if self.led == HEARTS:
            return self._holds(max(self._unseen.copies[hearts : hearts + rank], default=0))
        return self._holds(max(self._unseen.copies[hearts:])) * self.void
