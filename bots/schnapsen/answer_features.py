"""The features of a card as an answer to a lead, for the weights of `bots.schnapsen.policy`.

As for leads (`lead_features`) they look at the own hand and at what everybody can see.
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
    lowest,
    marriages,
    partner,
    size,
    tops,
)
from bots.search.compiled import kernel

# First come the ranks of plain cards, then those of trumps; both again for cards that take.
(
    COUPLE_BROKEN,
    PARTNER_OUT,
    HIGHER_OUT,
    LOWER_OUT,
    TEN_BARED,
    TRUMP_AND_TRUMPS_OUT,
    LOSING,
    NEARLY_LOSING,
    WINNING,
    TAKES_VALUE,
    TAKES_IN_SUIT,
    TAKES_FIRST,
    TAKES_AND_COUPLE,
    TAKES_AND_TURNED,
    TAKES_AND_ROYALS,
    TAKES_AND_NEED,
    TAKES_AND_BAR,
    TAKES_AND_TOPS,
    TAKES_AND_TRUMPS,
    TAKES_AND_TRUMPS_OUT,
) = range(4 * SUIT, 40)
ANSWER_FEATURES = 40

_TEN = 3
_A_MARRIAGE = 20


@kernel
def describe_answer(
    card: int,
    led: int,
    hand: int,
    out: int,
    turned: int,
    need: int,
    bar: int,
    has_trick: bool,
    found: Floats,
) -> None:
    """Fill `found` with the features of `card`, one of `hand`, as an answer to the lead `led`."""
    found[:] = 0.0
    answer = lowest(card)
    rank = answer % SUIT
    worth = VALUE[led] + VALUE[answer]
    kept = hand ^ card
    trump = card & TRUMPS != 0
    takes = card & BEATS[led] != 0
    kind = rank + (SUIT if trump else 0)
    found[kind] = 1.0
    if card & marriages(hand):
        found[COUPLE_BROKEN] = 1.0
    if partner(card) & (out | turned):
        found[PARTNER_OUT] = 1.0
    higher = size(out & HIGHER[answer])
    found[HIGHER_OUT] = higher
    found[LOWER_OUT] = size(out & FOLLOWS[answer]) - higher
    ten = 1 << (answer - rank + _TEN)
    if kept & ten and out & (ten << 1):
        found[TEN_BARED] = 1.0
    trumps_out = size(out & TRUMPS)
    if trump:
        found[TRUMP_AND_TRUMPS_OUT] = trumps_out
    if not takes:
        found[LOSING] = 1.0 if bar <= worth else 0.0
        found[NEARLY_LOSING] = 1.0 if bar <= worth + _A_MARRIAGE else 0.0
        return
    found[2 * SUIT + kind] = 1.0
    found[WINNING] = 1.0 if need <= worth else 0.0
    found[TAKES_VALUE] = VALUE[led] * PER_POINT
    if card & HIGHER[led]:
        found[TAKES_IN_SUIT] = 1.0
    if not has_trick:
        found[TAKES_FIRST] = 1.0
    if marriages(kept):
        found[TAKES_AND_COUPLE] = 1.0
    found[TAKES_AND_TURNED] = VALUE[lowest(turned)] * PER_POINT
    if partner(turned) & kept:
        found[TAKES_AND_ROYALS] = 1.0
    found[TAKES_AND_NEED] = need * PER_POINT_MISSING
    found[TAKES_AND_BAR] = bar * PER_POINT_MISSING
    found[TAKES_AND_TOPS] = tops(kept, out)
    found[TAKES_AND_TRUMPS] = size(kept & TRUMPS)
    found[TAKES_AND_TRUMPS_OUT] = trumps_out
