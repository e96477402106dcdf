"""The policy of playouts with an open talon, for players who see only their own cards.

Each card has a worth, the sum of its features (`lead_features`, `answer_features`) times learned
weights. Gumbel noise is added and the card with the highest sum is played, which is a softmax: at
temperature t card c is played with a chance proportional to exp(worth(c) / t). At 0 the best card
is always played, at a high temperature any card.
"""

import numpy as np

from bots.schnapsen.answer_features import ANSWER_FEATURES, describe_answer
from bots.schnapsen.bits import Floats, lowest
from bots.schnapsen.lead_features import LEAD_FEATURES, describe_lead
from bots.schnapsen.solver_memory import TALON, scrambled
from bots.schnapsen.weights import ANSWERS, LEADS
from bots.search.compiled import kernel

FEATURES = max(LEAD_FEATURES, ANSWER_FEATURES)
"""Room for the features of any card."""

_LEADS = np.array(LEADS).T.copy()
_ANSWERS = np.array(ANSWERS).T.copy()
_STEPS = 4096
_NOISE = -np.log(-np.log((np.arange(_STEPS) + 0.5) / _STEPS))
"""Gumbel's distribution: the largest of sums with it is distributed as a softmax."""

_MIX = -7046029254386353131
_STEP = 1442695040888963407


@kernel
def next_luck(luck: int) -> int:
    """The next number of a pseudo-random stream after `luck`."""
    return scrambled(luck * _MIX + _STEP)


@kernel
def share_of(luck: int, n: int) -> int:
    """A number from 0 to n − 1, derived from `luck`."""
    return ((luck >> 8) & 0xFFFFFF) * n >> 24


@kernel
def lead_by_policy(
    hand: int,
    out: int,
    turned: int,
    stage: int,
    need: int,
    bar: int,
    temperature: float,
    luck: int,
    found: Floats,
) -> int:
    """The card (one bit) led by a player who needs `need` points; the other player needs `bar`.

    `out` are the cards the leader has not seen, `turned` is the upturned one; `stage` cards were
    drawn. `found` is room for `FEATURES` numbers.
    """
    weights = _LEADS[_row(stage)]
    best, most = 0, -np.inf
    rest = hand
    while rest:
        card = rest & -rest
        rest ^= card
        describe_lead(card, hand, out, turned, need, bar, found)
        worth = _dot(found, weights) + temperature * _noise(luck, card)
        if worth > most:
            best, most = card, worth
    return best


@kernel
def answer_by_policy(
    led: int,
    hand: int,
    out: int,
    turned: int,
    stage: int,
    need: int,
    bar: int,
    has_trick: bool,
    temperature: float,
    luck: int,
    found: Floats,
) -> int:
    """The card (one bit) that answers `led`, by a player who needs `need`; the leader `bar`."""
    weights = _ANSWERS[_row(stage)]
    best, most = 0, -np.inf
    rest = hand
    while rest:
        card = rest & -rest
        rest ^= card
        describe_answer(card, led, hand, out, turned, need, bar, has_trick, found)
        worth = _dot(found, weights) + temperature * _noise(luck, card)
        if worth > most:
            best, most = card, worth
    return best


@kernel
def _row(stage: int) -> int:
    """The row of weights: 1 in the last trick of the talon, whose taker leads with hands known."""
    return 1 if stage == TALON - 2 else 0


@kernel
def _dot(found: Floats, weights: Floats) -> float:
    total = 0.0
    for at in range(weights.size):
        total += found[at] * weights[at]
    return total


@kernel
def _noise(luck: int, card: int) -> float:
    """The noise added to the worth of `card`; one luck gives one noise, whatever the target."""
    noise: float = _NOISE[share_of(next_luck(next_luck(luck + lowest(card))), _STEPS)]
    return noise
