"""The rules player's choice of a card: each is judged by who takes the trick with it.

A trick has a value for the team, in points: it helps the contract, or it is a bag; it may cost the
other team its contract. Nils are worth far more: a player's own, the partner's, the others'. A
card's value is the trick's by the chances of who takes it, less what the card may still do later.
Every function here is plain Python on ints and floats; playouts run its compiled twin.
"""

from typing import NamedTuple

from bots.spades.bidding import power
from bots.spades.bits import above, beats, below, count, lowest, of_suit
from engine.cards import SPADES

THIRDS = tuple((2 / 3) ** cards for cards in range(40))
"""The chance that one of three hands has none of so many cards."""


class Sight(NamedTuple):
    """What a player knows at their turn, as ints. Seats count from the player: 2 is the partner.

    `led` is the suit led and `best` the card that takes the trick as it lies, by the player at
    `winner`; all are −1 for the leader. `laid` cards lie in the trick. `voids` has a bit for each
    seat and suit (4 × seat + suit) that was shown to be void, `nils` one for each seat with a nil
    that has not failed. `need` and `their_need` are the tricks that the contracts still want.
    `spoilt`: the player's own tricks do not count for the contract, as after a nil that failed.
    """

    hand: int
    unseen: int
    led: int
    best: int
    winner: int
    laid: int
    voids: int
    nils: int
    need: int
    their_need: int
    spoilt: bool


class PolicyWeights(NamedTuple):
    """The weights of the rules player, in points; bots/spades/README.md says how to find them."""

    trick: float = 12.0
    """A trick that the contract wants, if it wants none of the others."""
    pressure: float = 12.0
    """What is added if it wants all of them."""
    bag: float = 6.0
    """What a trick costs that the contract does not want."""
    set: float = 22.0
    """A trick taken from a team that cannot spare one more."""
    spare: float = 0.6
    """The share of that which is left for each trick it can spare."""
    dump: float = 2.0
    """A bag for the other team."""
    nil: float = 200.0
    """A nil made and not failed."""
    will: float = 1.0
    """How likely an opponent who can take the trick does."""
    shy: float = 0.3
    """The same for one who has a nil."""
    cover: float = 0.9
    """How likely a partner who can beat the card of a nil does."""
    guard: float = 0.3
    """How much each lower card of the suit takes from the danger of a card to a nil."""
    black: float = 1.6
    """How much more dangerous a spade is."""
    rid: float = 30.0
    """What it is worth to be rid of a card that is all danger."""
    exposed: float = 0.45
    """How likely a partner's nil fails that cannot stay below the best card."""
    attack: float = 0.35
    """What is lost of an opponent's nil, if it can stay below the best card."""
    trap: float = 0.8
    """What is lost if a trick is taken from an opponent's nil."""
    partner: float = 0.4
    """The chance that a partner who follows takes the trick if the player does not."""
    ruff: float = 0.2
    """The later worth of a spade whose rank makes no trick, in tricks."""
    spade_fear: float = 0.27
    """How likely each higher spade that is out beats a spade."""
    side_fear: float = 0.4
    """The same for a card of another suit."""
    bare: float = 0.65
    """What is left of a card with fewer lower cards beside it than higher ones are out."""
    spend: float = 0.52
    """How much of a card's later worth counts against playing it."""


POLICY_WEIGHTS = PolicyWeights()
FREE_BAGS = POLICY_WEIGHTS._replace(bag=-1.0, dump=-1.0)
"""Where a bag costs nothing it is a point, for whoever takes it."""


def legacy(card: int, hand: int, unseen: int, weights: PolicyWeights) -> float:
    """The chance that a card takes a trick if it is kept for later."""
    suit = card // 13
    higher = above(unseen, card)
    if suit == SPADES:
        by_rank = power(1.0 - weights.spade_fear, higher)
        return weights.ruff + (1.0 - weights.ruff) * by_rank
    by_rank = power(1.0 - weights.side_fear, higher)
    if higher > below(hand, card):
        by_rank *= weights.bare
    # Of a suit of which few cards are out somebody is void soon.
    out = count(of_suit(unseen, suit))
    return by_rank * out / (out + 1.5)


def chance_to_top(seat: int, card: int, sight: Sight) -> float:
    """The chance that the player at `seat`, who follows, can beat `card`, the best so far."""
    led = sight.led if sight.led >= 0 else card // 13
    void_led = sight.voids >> (4 * seat + led) & 1
    void_spades = sight.voids >> (4 * seat + SPADES) & 1
    void = 1.0 if void_led else THIRDS[count(of_suit(sight.unseen, led))]
    if card // 13 == SPADES:
        over = 0.0 if void_spades else 1.0 - THIRDS[above(sight.unseen, card)]
        chance = over if led == SPADES else void * over
    else:
        over = 0.0 if void_led else 1.0 - THIRDS[above(sight.unseen, card)]
        armed = 0.0 if void_spades else 1.0 - THIRDS[count(of_suit(sight.unseen, SPADES))]
        chance = over + void * armed
    return min(chance, 1.0)


def chance_to_beat(seat: int, card: int, sight: Sight, weights: PolicyWeights) -> float:
    """The chance that the player at `seat` can beat the best card and does."""
    will = weights.shy if sight.nils >> seat & 1 else weights.will
    return will * chance_to_top(seat, card, sight)


def chance_to_hold(card: int, sight: Sight, weights: PolicyWeights) -> float:
    """The chance that no opponent who follows beats `card`, the best so far."""
    chance = 1.0
    for seat in range(1, 4 - sight.laid):
        if seat != 2:
            chance *= 1.0 - chance_to_beat(seat, card, sight, weights)
    return chance


def chance_to_duck(seat: int, best: int, sight: Sight) -> float:
    """The chance that the player at `seat`, who follows, can stay below `best`."""
    led = sight.led if sight.led >= 0 else best // 13
    if sight.voids >> (4 * seat + led) & 1 or best // 13 != led:
        return 1.0
    out = count(of_suit(sight.unseen, led))
    lower = 1.0 - THIRDS[below(sight.unseen, best)]
    return min(1.0, lower + THIRDS[out])


def trick_worth(sight: Sight, weights: PolicyWeights) -> float:
    """The value of the next trick for the team, in points, if a player without nil takes it."""
    left = count(sight.hand)
    worth = 0.0
    if 0 < sight.need <= left:
        worth = weights.trick + weights.pressure * sight.need / left
    elif sight.need <= 0:
        worth = -weights.bag
    if 0 < sight.their_need <= left:
        worth += weights.set * power(weights.spare, left - sight.their_need)
    elif sight.their_need <= 0:
        worth -= weights.dump
    return worth


def nil_worth(card: int, sight: Sight, weights: PolicyWeights) -> float:
    """The value of playing `card` for a player whose nil has not failed, in points.

    Opponents stay below it if they can, the partner beats it.
    """
    suit = card // 13
    takes = 0.0
    if beats(card, sight.best):
        takes = 1.0
        for seat in range(1, 4 - sight.laid):
            if seat == 2:
                takes *= 1.0 - weights.cover * chance_to_top(2, card, sight)
            else:
                takes *= chance_to_duck(seat, card, sight)
    # What it is good to be rid of: cards with few lower ones of one's own beside them.
    lower, out = below(sight.unseen, card), count(of_suit(sight.unseen, suit))
    danger = lower / (out + 1.0) / (1.0 + weights.guard * below(sight.hand, card))
    if suit == SPADES:
        danger *= weights.black
    return weights.rid * danger - weights.nil * takes


def card_worth(card: int, sight: Sight, trick: float, weights: PolicyWeights) -> float:
    """The value of playing `card`, in points; `trick` is that of the trick."""
    if sight.nils & 1:
        return nil_worth(card, sight, weights)
    takes = beats(card, sight.best)
    best = card if takes else sight.best
    partner_follows = sight.laid < 2
    partner_nil = sight.nils >> 2 & 1
    later = legacy(card, sight.hand, sight.unseen, weights)
    hold = chance_to_hold(best, sight, weights)
    own = -weights.bag if sight.spoilt else trick
    mine = hold if takes else 0.0
    partners = 0.0
    if partner_nil:
        if partner_follows:
            partners = weights.exposed * (1.0 - chance_to_duck(2, best, sight))
        elif not takes and sight.winner == 2:
            partners = hold
        worth = own * mine - weights.nil * partners
    else:
        if partner_follows:
            partners = (1.0 - mine) * weights.partner
        elif not takes and sight.winner == 2:
            partners = hold
        worth = own * mine + trick * partners
    for seat in (1, 3):
        if sight.nils >> seat & 1:
            if seat < 4 - sight.laid:
                worth -= weights.attack * weights.nil * chance_to_duck(seat, best, sight)
            elif sight.winner == seat and takes:
                worth -= weights.trap * weights.nil
    return worth - weights.spend * later * own


def policy_card(sight: Sight, legal: int, weights: PolicyWeights) -> int:
    """The card that the rules player plays; of equal ones the lowest."""
    trick = trick_worth(sight, weights)
    chosen = -1
    highest = -1e9
    while legal:
        card = lowest(legal)
        legal &= legal - 1
        worth = card_worth(card, sight, trick, weights)
        if worth > highest:
            chosen, highest = card, worth
    return chosen
