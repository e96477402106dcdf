"""The two formulas of strength 2, and its weighting by the square root (docs/bots.md).

Both treat the cards of a hand as drawn one by one *with* replacement from the cards that cannot
be seen; docs/bots.md derives them and says how far they are from the exact values.
"""

from math import sqrt


def p_void(*, shows_suit: bool, of_suit: int, unseen: int, hand: int) -> float:
    """The chance, in [0, 1], that a player has no card of a suit: (1 - S/N)^n.

    `of_suit` (S) and `unseen` (N) count cards that cannot be seen, `hand` (n) the player's cards
    in hand. A player who shows a card of the suit is never void; a player with an empty hand is,
    and so is everybody when nothing is unseen. Source: Black Queen document, "Strength 2", p(A).
    """
    if shows_suit:
        return 0.0
    if hand == 0 or unseen == 0:
        return 1.0
    return float((1 - of_suit / unseen) ** hand)


def p_holds(*, copies: int, unseen: int, hand: int) -> float:
    """The chance, in [0, 1], that a player holds one of `copies` unseen cards: 1 - (1 - c/N)^n.

    `unseen` (N) and `hand` (n) as in `p_void`. Source: Black Queen document, "Strength 2", p(C).
    """
    if copies == 0 or unseen == 0:
        return 0.0
    return float(1 - (1 - copies / unseen) ** hand)


def pulled(certain: float, possible: float, chance: float) -> float:
    """`certain`, moved towards `possible` by the square root of its chance.

    A possible loss weighs more than its expectation because of its spread: 12 points at a chance
    of 0.3 count as 6.57 and not as 3.6. Source: Black Queen document, "Strength 2", last part.

    >>> round(pulled(0, -12, 0.3), 2)
    -6.57
    """
    return certain + sqrt(chance) * (possible - certain)
