"""The features of a card as a lead, for the weights of `bots.schnapsen.policy`.

They use the own hand and what everybody can see. `out` are the cards a player has not seen: the
other's hand and what lies face down, whichever of the two a card is in.
"""

from bots.schnapsen.bits import (
    BEATS,
    FOLLOWS,
    HIGHER,
    PER_POINT,
    PER_POINT_MISSING,
    SUIT,
    TRUMPS,
    VALUE,
    Floats,
    bonus,
    lowest,
    marriages,
    partner,
    size,
    tops,
)
from bots.search.compiled import kernel

# First come the ranks of plain cards, then those of trumps.
(
    MARRIAGE,
    ROYAL_MARRIAGE,
    WINNING_MARRIAGE,
    PARTNER_OUT,
    HIGHER_OUT,
    LOWER_OUT,
    NONE_OUT,
    TOP,
    UNBEATABLE,
    BEATEN,
    BEATEN_VALUE,
    WINNING,
    LOSING,
    UNDER_ACE,
    TRUMP_AND_TRUMPS,
    TRUMP_AND_TRUMPS_OUT,
    TRUMP_AND_TOPS,
    COUPLE_KEPT,
    HOLDS_AND_COUPLE,
    HOLDS_AND_TURNED,
    HOLDS_AND_ROYALS,
    HOLDS_AND_NEED,
    HOLDS_AND_BAR,
    HOLDS_AND_TOPS,
    HOLDS_AND_TRUMPS,
    HOLDS_AND_TRUMPS_OUT,
) = range(2 * SUIT, 36)
LEAD_FEATURES = 36


@kernel
def describe_lead(
    card: int, hand: int, out: int, turned: int, need: int, bar: int, found: Floats
) -> None:
    """Fill `found` with the features of `card`, one of `hand`, as a lead."""
    found[:] = 0.0
    lead = lowest(card)
    value = VALUE[lead]
    kept = hand ^ card
    couples = marriages(hand)
    trump = card & TRUMPS != 0
    found[lead % SUIT + (SUIT if trump else 0)] = 1.0
    if card & couples:
        need -= bonus(card)
        found[MARRIAGE] = 1.0
        found[ROYAL_MARRIAGE] = 1.0 if trump else 0.0
        found[WINNING_MARRIAGE] = 1.0 if need <= 0 else 0.0
    elif couples:
        found[COUPLE_KEPT] = 1.0
    if partner(card) & (out | turned):
        found[PARTNER_OUT] = 1.0
    in_suit = out & FOLLOWS[lead]
    higher = size(out & HIGHER[lead])
    found[HIGHER_OUT] = higher
    found[LOWER_OUT] = size(in_suit) - higher
    if not in_suit:
        found[NONE_OUT] = 1.0
    if not higher and not trump:
        found[TOP] = 1.0
    if kept & HIGHER[lead] & ~(HIGHER[lead] >> 1):
        found[UNDER_ACE] = 1.0
    wins = loses = 0
    rest = out
    while rest:
        answer = rest & -rest
        rest ^= answer
        worth = value + VALUE[lowest(answer)]
        if answer & BEATS[lead]:
            loses += bar <= worth
        else:
            wins += need <= worth
    beaten = size(out & BEATS[lead]) / size(out)
    found[WINNING] = wins / size(out)
    found[LOSING] = loses / size(out)
    if not beaten:
        found[UNBEATABLE] = 1.0
    found[BEATEN] = beaten
    found[BEATEN_VALUE] = beaten * value * PER_POINT
    trumps, trumps_out = size(hand & TRUMPS), size(out & TRUMPS)
    others = tops(kept, out)
    if trump:
        found[TRUMP_AND_TRUMPS] = trumps
        found[TRUMP_AND_TRUMPS_OUT] = trumps_out
        found[TRUMP_AND_TOPS] = others
    # The player who takes the trick leads again, and leaves the next card but one to the other: at
    # the end of the talon that is the upturned trump.
    holds = 1.0 - beaten
    if couples and not card & couples:
        found[HOLDS_AND_COUPLE] = holds
    found[HOLDS_AND_TURNED] = holds * VALUE[lowest(turned)] * PER_POINT
    if partner(turned) & kept:
        found[HOLDS_AND_ROYALS] = holds
    found[HOLDS_AND_NEED] = holds * need * PER_POINT_MISSING
    found[HOLDS_AND_BAR] = holds * bar * PER_POINT_MISSING
    found[HOLDS_AND_TOPS] = holds * others
    found[HOLDS_AND_TRUMPS] = holds * trumps
    found[HOLDS_AND_TRUMPS_OUT] = holds * trumps_out
