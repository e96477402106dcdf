"""The policy of Whist's playouts: its bid and its card, by plain arithmetic on sets of cards.

A card is judged by two chances: that it takes a trick when its holder wants one, and that it
takes one although they do not. Between the sums of the two over a hand lie the bids it can make.
Every function here is plain Python on ints and floats; playouts run it as a kernel.
"""

from typing import NamedTuple

from bots.whist.bits import above, beats, count, legal_cards, lowest, of_suit
from bots.whist.plain import nearest_bid


class PolicyWeights(NamedTuple):
    """The weights of the policy; bots/whist/README.md says how they were found."""

    fear: float = 0.58
    """The chance that a higher card in a given hand beats ours."""
    guard: float = 0.05
    """By how much less, if a lower card of the suit protects ours."""
    trump_fear: float = 0.38
    """The same for trumps."""
    ruff: float = 0.25
    """The chance that a trump takes a trick that its rank does not give it."""
    ruffed: float = 1.3
    """How likely somebody without the suit and with a trump uses it on our card."""
    force: float = 1.2
    """The chance that a sure taker is forced to take; weaker cards much less (squared)."""
    miss: float = 1.1
    """How fast the chance of the bid falls with the distance from what the hand can make."""
    spread: float = 1.5
    """How fast it falls with the cards that may go either way."""
    middle: float = 0.13
    """Where between forced and wanted tricks the bid lies."""
    short: float = 0.0
    """Tricks that a plain suit of at most one card adds to the bid of a hand with a trump."""
    long: float = 0.0
    """Tricks for each card of a plain suit beyond the third: a leader may run the suit."""
    lead: float = 0.0
    """Tricks that the first lead adds to the bid."""
    crowd: float = 0.067
    """How far the bid gives way to each trick the others have bid beyond their share."""


POLICY_WEIGHTS = PolicyWeights()


def none_of(chance: float, n: int) -> float:
    """The chance that none of `n` independent things happens: (1 − chance)^n, 0 at the least."""
    left = max(1.0 - chance, 0.0)
    product = 1.0
    while n > 0:
        if n & 1:
            product *= left
        left *= left
        n >>= 1
    return product


def wanted_chance(
    card: int, hand: int, unseen: int, trump: int, others: int, share: float, weights: PolicyWeights
) -> float:
    """The chance that `card` takes a trick when its holder tries for it.

    Each unseen card lies in the hand of a given one of the `others` with chance `share`.
    """
    safe = unruffed(card // 13, unseen, trump, others, share, weights)
    return chance_in_suit(card, hand, unseen, trump, others, share, safe, weights)


def unruffed(
    suit: int, unseen: int, trump: int, others: int, share: float, weights: PolicyWeights
) -> float:
    """The chance that nobody trumps a card of `suit`, if that is not trumps."""
    void = none_of(share, count(of_suit(unseen, suit)))
    armed = 1.0 - none_of(share, count(of_suit(unseen, trump)))
    return none_of(weights.ruffed * void * armed, others)


def chance_in_suit(
    card: int,
    hand: int,
    unseen: int,
    trump: int,
    others: int,
    share: float,
    safe: float,
    weights: PolicyWeights,
) -> float:
    """`wanted_chance`, given the chance `safe` that nobody trumps the suit (`unruffed`).

    `safe` is the same for all cards of a suit, so callers compute it once.
    """
    suit = card // 13
    higher = above(unseen, card)
    somewhere = share * others
    if suit == trump:
        by_rank = none_of(weights.trump_fear * somewhere, higher)
        return by_rank + (1.0 - by_rank) * weights.ruff
    guards = of_suit(hand, suit) & ((1 << card) - 1)
    fear = weights.fear - weights.guard if guards else weights.fear
    return none_of(fear * somewhere, higher) * safe


def chance_to_hold(card: int, unseen: int, trump: int, eager: int, shy: int, share: float) -> float:
    """The chance that `card`, now the best of the trick, is not beaten by those who follow.

    The `eager` still need tricks and beat it if they can; the `shy` only if they must.
    """
    suit = card // 13
    following = count(of_suit(unseen, suit))
    higher = above(unseen, card)
    none_higher = none_of(share, higher)
    can = 1.0 - none_higher
    must = can * none_of(share, following - higher)
    if suit != trump:
        can += none_of(share, following) * (1.0 - none_of(share, count(of_suit(unseen, trump))))
        can = min(can, 1.0)
    return none_of(can, eager) * none_of(must, shy)


def hopes(
    need: int, left: int, forced: float, wanted: float, spread: float, weights: PolicyWeights
) -> float:
    """The estimated chance of taking exactly `need` tricks with `left` cards."""
    if need < 0 or need > left:
        return 0.0
    off = max(forced - need, need - wanted, 0.0)
    return 1.0 / ((1.0 + weights.miss * off * off) * (1.0 + weights.spread * spread))


def choose_card(
    hand: int,
    unseen: int,
    led: int,
    best: int,
    trump: int,
    need: int,
    others: int,
    eager: int,
    shy: int,
    weights: PolicyWeights,
) -> int:
    """The card that the policy plays.

    `led` is the suit led and `best` the best card of the trick so far, both −1 on the lead;
    `eager` and `shy` count the players to follow who do and do not need tricks.
    """
    legal = legal_cards(hand, led)
    if legal & (legal - 1) == 0:
        return lowest(legal)
    left = count(hand)
    share = left / max(count(unseen), 1)
    forced = wanted = spread = 0.0
    rest = hand
    suit, safe = -1, 1.0
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if card // 13 != suit:
            suit = card // 13
            safe = unruffed(suit, unseen, trump, others, share, weights)
        chance = chance_in_suit(card, hand, unseen, trump, others, share, safe, weights)
        wanted += chance
        forced += weights.force * chance * chance
        spread += chance * (1.0 - chance)
    chosen = suit = -1
    highest = -1.0
    while legal:
        card = lowest(legal)
        legal &= legal - 1
        if card // 13 != suit:
            suit = card // 13
            safe = unruffed(suit, unseen, trump, others, share, weights)
        hold = 0.0
        if best < 0 or beats(card, best, trump):
            hold = chance_to_hold(card, unseen, trump, eager, shy, share)
        chance = chance_in_suit(card, hand, unseen, trump, others, share, safe, weights)
        low = forced - weights.force * chance * chance
        high = wanted - chance
        either = spread - chance * (1.0 - chance)
        value = 0.0
        if hold > 0.0:
            value += hold * (1.0 + 10.0 * hopes(need - 1, left - 1, low, high, either, weights))
        if hold < 1.0:
            value += (1.0 - hold) * 10.0 * hopes(need, left - 1, low, high, either, weights)
        if value > highest:
            chosen, highest = card, value
    return chosen


def estimate(hand: int, unseen: int, trump: int, others: int, weights: PolicyWeights) -> float:
    """How many tricks the policy expects of `hand` before anybody has bid."""
    left = count(hand)
    share = left / max(count(unseen), 1)
    total = 0.0
    rest = hand
    suit, safe = -1, 1.0
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if card // 13 != suit:
            suit = card // 13
            safe = unruffed(suit, unseen, trump, others, share, weights)
        chance = chance_in_suit(card, hand, unseen, trump, others, share, safe, weights)
        total += weights.middle * chance + (1.0 - weights.middle) * weights.force * chance * chance
    for suit in range(4):
        length = count(of_suit(hand, suit))
        if suit != trump and length <= 1 and of_suit(hand, trump):
            total += weights.short
        if suit != trump and length > 3:
            total += weights.long * (length - 3)
    return total


def choose_bid(
    expected: float,
    cards: int,
    seats: int,
    before: int,
    their_sum: int,
    barred: int,
    nil_score: int,
    certain: int,
    weights: PolicyWeights,
) -> int:
    """The bid nearest to the tricks that the hand is expected to take, except `barred`.

    It is no bid below the `certain` tricks if another one is allowed.

    `before` players have bid `their_sum` tricks in all; `barred` is −1 if every bid is allowed.
    """
    if before == 0:
        expected += weights.lead
    expected -= weights.crowd * (their_sum - before * cards / seats)
    return nearest_bid(expected, cards, barred, nil_score, certain)
