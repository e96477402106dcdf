"""Who deals how many cards in each deal of Whist, and what a player scores for it."""

from engine.facts import Seat
from engine.shuffle import Shuffler

_MOST = 10
_EXACT = 10
"""What a bid made exactly adds to the tricks, nil apart."""


def largest_hand(seats: int) -> int:
    """The most cards a player can get: ten, or fewer where one must be left to turn up.

    >>> [largest_hand(seats) for seats in range(3, 8)]
    [10, 10, 10, 8, 7]
    """
    return min(_MOST, 51 // seats)


def ladder(largest: int) -> tuple[int, ...]:
    """The cards a player gets in each deal of a match.

    >>> ladder(3)
    (3, 2, 1, 1, 2, 3)
    """
    up = tuple(range(1, largest + 1))
    return (*reversed(up), *up)


def dealer_of(shuffler: Shuffler, seats: int) -> Seat:
    """The dealer: a seat drawn once for the match, then the seat to its left, and so on."""
    return (shuffler.of_match().below("dealer", seats) + shuffler.deal) % seats


def score(bid: int, tricks: int, nil_score: int) -> int:
    """One point a trick, and ten more (`nil_score` for a bid of none) if the bid is met exactly.

    >>> score(3, 3, 10), score(3, 4, 10), score(0, 0, 5)
    (13, 4, 5)
    """
    if tricks != bid:
        return tricks
    return tricks + (_EXACT if bid else nil_score)
