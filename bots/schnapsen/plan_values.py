"""The values of plans in worlds: hands and talons that agree with what a seat knows.

A world is solved or, with an open talon and for the share in `mix`, played out by a policy. Which
of the two, and its course, follows from the world's `luck`, so that plans differ by nothing else.

A *plan* is all that a player does in one turn: whether they exchange, whether they close, and the
card that they lead (announcing its marriage if there is one) or answer with.
"""

import numpy as np

from bots.schnapsen.bits import BEATS, JACK_OF_TRUMPS, VALUE, Floats, Ints
from bots.schnapsen.open_talon import closes, last_at, plays_on
from bots.schnapsen.playout_mix import PLAYOUT_SHARE, WHOLE
from bots.schnapsen.playouts import plays_by_policy
from bots.schnapsen.policy import share_of
from bots.schnapsen.solver_memory import TALON, drawn, lay_talon
from bots.schnapsen.strict import ANY, LEADER, OTHERS_TRICK, OWN_TRICK, TAKER, plays_out, swapped
from bots.schnapsen.targets import AIMS
from bots.search.compiled import kernel

# Columns of a plan.
EXCHANGE, CLOSE, CARD = 0, 1, 2
# Columns of the situation, what all worlds have in common.
HAND, LED, STAGE, STRICT, TRICKS = 0, 1, 2, 3, 4
NOTHING_LED = -1
# Columns of a target.
_NEED, _BAR, _LAST, _KNOWN = 0, 1, 2, 3
_AIM_OF = np.array(AIMS, np.int64)
# Rows of the targets.
_WIN, _WIN_2, _WIN_3, _NOT_2, _NOT_3 = 0, 1, 2, 3, 4


@kernel
def wins(
    plans: Ints,
    hands: Ints,
    talons: Ints,
    luck: Ints,
    situation: Ints,
    targets: Ints,
    mix: Ints,
    memory: Ints,
) -> Floats:
    """1 where a plan (a row each) wins in a world (a column each), else 0."""
    found = np.empty((plans.shape[0], hands.size))
    for world in range(hands.size):
        if not situation[STRICT]:
            lay_talon(talons[world], situation[STAGE], memory)
        for plan in range(plans.shape[0]):
            won = _reaches(
                _WIN, plans[plan], hands[world], luck[world], situation, targets, mix, memory
            )
            found[plan, world] = 1.0 if won else 0.0
    return found


@kernel
def scores(
    plans: Ints,
    hands: Ints,
    talons: Ints,
    luck: Ints,
    situation: Ints,
    targets: Ints,
    mix: Ints,
    memory: Ints,
) -> Floats:
    """The game points that a plan (a row each) wins or loses in a world (a column each)."""
    found = np.empty((plans.shape[0], hands.size))
    for world in range(hands.size):
        if not situation[STRICT]:
            lay_talon(talons[world], situation[STAGE], memory)
        for plan in range(plans.shape[0]):
            found[plan, world] = _score(
                plans[plan], hands[world], luck[world], situation, targets, mix, memory
            )
    return found


@kernel
def _score(
    plan: Ints, other: int, luck: int, situation: Ints, targets: Ints, mix: Ints, memory: Ints
) -> int:
    if _reaches(_WIN, plan, other, luck, situation, targets, mix, memory):
        if not _reaches(_WIN_2, plan, other, luck, situation, targets, mix, memory):
            return 1
        return 3 if _reaches(_WIN_3, plan, other, luck, situation, targets, mix, memory) else 2
    if _reaches(_NOT_2, plan, other, luck, situation, targets, mix, memory):
        return -1
    return -2 if _reaches(_NOT_3, plan, other, luck, situation, targets, mix, memory) else -3


@kernel
def _reaches(
    target: int,
    plan: Ints,
    other: int,
    luck: int,
    situation: Ints,
    targets: Ints,
    mix: Ints,
    memory: Ints,
) -> bool:
    """Whether the seat reaches a target by a plan."""
    known = targets[target, _KNOWN]
    if known:
        return bool(known > 0)
    need, bar, last = targets[target, _NEED], targets[target, _BAR], targets[target, _LAST]
    aim = _AIM_OF[target]
    hand, tricks, stage = situation[HAND], situation[TRICKS], situation[STAGE]
    if situation[LED] != NOTHING_LED:
        return _answers(hand, other, need, bar, last, aim, plan[CARD], luck, situation, mix, memory)
    lead = (ANY | 1) << plan[CARD]
    if situation[STRICT]:
        return plays_out(hand, other, need, bar, tricks, last, lead, memory)
    if plan[EXCHANGE]:
        hand = (hand ^ JACK_OF_TRUMPS) | drawn(memory, 0, TALON - 1)
    if plan[CLOSE]:
        return closes(hand, other, need, bar, tricks, aim, lead, memory)
    return _goes_on(
        hand,
        other,
        need,
        bar,
        tricks,
        aim,
        stage,
        plan[EXCHANGE],
        lead,
        True,
        luck,
        mix,
        memory,
    )


@kernel
def _answers(
    hand: int,
    other: int,
    need: int,
    bar: int,
    last: int,
    aim: int,
    answer: int,
    luck: int,
    situation: Ints,
    mix: Ints,
    memory: Ints,
) -> bool:
    """Whether the seat reaches its target by this answer; `other` no longer holds the card led."""
    led, stage, tricks = situation[LED], situation[STAGE], situation[TRICKS]
    card = (ANY | 1) << answer
    kept = hand ^ card
    worth = VALUE[led] + VALUE[answer]
    takes = card & BEATS[led] != 0
    if takes and need <= worth:
        return True
    if not takes and bar <= worth:
        return False
    if situation[STRICT] and not kept:
        return bool(last == LEADER or (last == TAKER and takes))
    if takes:
        need, tricks = need - worth, tricks | OWN_TRICK
    else:
        bar, tricks = bar - worth, tricks | OTHERS_TRICK
    strict = situation[STRICT] != 0
    if not strict:
        first, second = drawn(memory, 0, stage), drawn(memory, 0, stage + 1)
        kept |= first if takes else second
        other |= second if takes else first
        strict = stage == TALON - 2
        last = last_at(aim)
    if takes:
        if strict:
            return plays_out(kept, other, need, bar, tricks, last, ANY, memory)
        return _goes_on(
            kept,
            other,
            need,
            bar,
            tricks,
            aim,
            stage + 2,
            ANY,
            ANY,
            True,
            luck,
            mix,
            memory,
        )
    # From here on the other player is to lead; what they do not reach the seat does.
    if strict:
        return not plays_out(other, kept, bar, need, swapped(tricks), -last, ANY, memory)
    return not _goes_on(
        other,
        kept,
        bar,
        need,
        swapped(tricks),
        -aim,
        stage + 2,
        ANY,
        ANY,
        False,
        luck,
        mix,
        memory,
    )


@kernel
def _goes_on(
    hand: int,
    other: int,
    need: int,
    bar: int,
    tricks: int,
    aim: int,
    stage: int,
    exchanged: int,
    first: int,
    seat_leads: bool,
    luck: int,
    mix: Ints,
    memory: Ints,
) -> bool:
    """Whether the player to lead reaches the target, by the solver or by a playout."""
    if share_of(luck, WHOLE) >= mix[PLAYOUT_SHARE]:
        return plays_on(hand, other, need, bar, tricks, aim, stage, exchanged, first, memory)
    return plays_by_policy(
        hand,
        other,
        need,
        bar,
        tricks,
        aim,
        stage,
        exchanged,
        first,
        seat_leads,
        luck,
        mix,
        memory,
    )
