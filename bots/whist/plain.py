"""The plain rules of strength 1, as arithmetic on sets of cards.

Simulations run these functions as kernels too, for opponents who may be such players.
"""

from bots.whist.bits import above, beats, count, legal_cards, lowest, of_suit, ranks

ACE_RANK = 12
STEP, LOW_TRUMP = 0.1, 0.45
"""The ace of trumps is worth a trick, each lower trump so much less, and none less than that."""
EXACT = 10
NIL_POINT = 0.1
"""The score of a bid made exactly, and the distance of a point more or less for a bid of none."""
ALONE = (0.1, 0.3, 0.85)
GUARDED = (0.2, 0.5, 0.85)
"""Tricks for queen, king and ace of a plain suit, alone and with a lower card beside them."""


def worth_of(hand: int, trump: int) -> float:
    """The number of tricks that the hand is good for: its trumps, aces, kings and queens."""
    worth = 0.0
    rest = hand
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        below_ace = ACE_RANK - card % 13
        if card // 13 == trump:
            worth += max(1.0 - STEP * below_ace, LOW_TRUMP)
        elif below_ace < len(ALONE):
            guards = of_suit(hand, card // 13) & ((1 << card) - 1)
            worth += GUARDED[2 - below_ace] if guards else ALONE[2 - below_ace]
    return worth


def certain_tricks(hand: int, unseen: int, trump: int) -> int:
    """The number of tricks that the hand takes whatever the others hold and play.

    A trump loses its trick only to a higher one, and each of these is played once: so they beat as
    many of the hand's as can be paired with a higher one each.
    """
    own, others = ranks(hand, trump), ranks(unseen, trump)
    certain = higher = 0
    for rank in range(ACE_RANK, -1, -1):
        if others >> rank & 1:
            higher += 1
        elif own >> rank & 1:
            if higher:
                higher -= 1
            else:
                certain += 1
    return certain


def sure_cards(hand: int, unseen: int, trump: int) -> int:
    """The trumps that no unseen one beats: each takes a trick whenever it is played."""
    sure = 0
    rest = of_suit(hand, trump)
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if above(unseen, card) == 0:
            sure |= 1 << card
    return sure


def nearest_bid(worth: float, cards: int, barred: int, nil_score: int, certain: int) -> int:
    """The bid nearest to `worth`, of two the lower; `barred` is −1 if every bid is allowed.

    A bid below the `certain` tricks cannot be made: it is chosen only if nothing else is allowed.
    A bid of none is nearer the more it scores: each point beside the ten of other bids counts as
    a tenth of a trick. So if it scores nothing, a player who expects any trick never bids it.
    """
    chosen = -1
    nearest = 100.0
    for bid in range(certain, cards + 1):
        off = abs(worth - bid)
        if bid == 0:
            off += NIL_POINT * (EXACT - nil_score)
        if bid != barred and off < nearest:
            chosen, nearest = bid, off
    return chosen if chosen >= 0 else cards - 1


def plain_card(
    hand: int, unseen: int, led: int, best: int, trump: int, need: int, following: int
) -> int:
    """The card of the plain rules; `led` and `best` as in `bots.whist.policy`.

    A player who needs tricks leads a card that few can beat, and takes with the cheapest card that
    does, or, with others to follow, with the one likeliest to hold. A player who needs none leads a
    card that many can beat, and plays the most dangerous card that cannot take; if all can, a high
    one only as the last player. Trumps that nobody can beat take tricks whenever they are played: a
    player who has as many as they need keeps them, and needs no other trick.
    """
    legal = legal_cards(hand, led)
    sure = sure_cards(hand, unseen, trump)
    if 0 < need <= count(sure) and legal & ~sure:
        legal &= ~sure
        need = 0
    if best < 0:
        return extreme(legal, unseen, trump, 1 if need > 0 else -1)
    winning = 0
    rest = legal
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if beats(card, best, trump):
            winning |= 1 << card
    losing = legal & ~winning
    if need > 0:
        if winning == 0:
            return extreme(losing, unseen, trump, -1)
        cheap = following == 0 or of_suit(winning, trump) == winning
        return extreme(winning, unseen, trump, -1 if cheap else 1)
    if losing:
        return extreme(losing, unseen, trump, 1)
    return extreme(winning, unseen, trump, 1 if following == 0 else -1)


def extreme(cards: int, unseen: int, trump: int, sign: int) -> int:
    """The strongest of `cards` if `sign` is 1, the weakest if it is −1; of equals the first.

    Trumps are stronger than others; then the fewer unseen cards are higher, then the rank.
    """
    chosen = -1
    highest = -10000
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        strength = 13 * (13 - above(unseen, card)) + card % 13
        if card // 13 == trump:
            strength += 1000
        if sign * strength > highest:
            chosen, highest = card, sign * strength
    return chosen
