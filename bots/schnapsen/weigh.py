"""What plans lead to in worlds: hands and talons that agree with what a seat knows.

Worlds are solved, or, with an open talon and as `manner` has it, played on by a policy. Which of
the two, and what happens there, follows from a world's `luck`, so plans differ by nothing else.

A *plan* is all that a player does at his turn: whether he exchanges, whether he closes, and the
card he leads (a marriage is announced wherever there is one) or answers with.
"""

import numpy as np

from bots.schnapsen.bits import BEATS, JACK_OF_TRUMPS, VALUE, Floats, Ints
from bots.schnapsen.manner import BY_RULES, WHOLE
from bots.schnapsen.memory import TALON, drawn, lay_talon
from bots.schnapsen.open_talon import closes, last_at, plays_on
from bots.schnapsen.playouts import plays_by_rules
from bots.schnapsen.policy import share_of
from bots.schnapsen.questions import AIMS
from bots.schnapsen.strict import ANY, LEADER, OTHERS_TRICK, OWN_TRICK, TAKER, plays_out, swapped
from bots.search.compiled import kernel

# Columns of a plan.
EXCHANGE, CLOSE, CARD = 0, 1, 2
# Columns of the situation, what all worlds have in common.
HAND, LED, STAGE, STRICT, TRICKS = 0, 1, 2, 3, 4
NOTHING_LED = -1
# Columns of a question.
_NEED, _BAR, _LAST, _KNOWN = 0, 1, 2, 3
_AIM_OF = np.array(AIMS, np.int64)
# Rows of the questions.
_WIN, _WIN_2, _WIN_3, _NOT_2, _NOT_3 = 0, 1, 2, 3, 4


@kernel
def wins(
    plans: Ints,
    hands: Ints,
    talons: Ints,
    luck: Ints,
    situation: Ints,
    asked: Ints,
    manner: Ints,
    memory: Ints,
) -> Floats:
    """1 where a plan (a row each) wins in a world (a column each), else 0."""
    found = np.empty((plans.shape[0], hands.size))
    for world in range(hands.size):
        if not situation[STRICT]:
            lay_talon(talons[world], situation[STAGE], memory)
        for plan in range(plans.shape[0]):
            won = _reaches(
                _WIN, plans[plan], hands[world], luck[world], situation, asked, manner, memory
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
    asked: Ints,
    manner: Ints,
    memory: Ints,
) -> Floats:
    """The game points that a plan (a row each) wins or loses in a world (a column each)."""
    found = np.empty((plans.shape[0], hands.size))
    for world in range(hands.size):
        if not situation[STRICT]:
            lay_talon(talons[world], situation[STAGE], memory)
        for plan in range(plans.shape[0]):
            found[plan, world] = _score(
                plans[plan], hands[world], luck[world], situation, asked, manner, memory
            )
    return found


@kernel
def _score(
    plan: Ints, other: int, luck: int, situation: Ints, asked: Ints, manner: Ints, memory: Ints
) -> int:
    if _reaches(_WIN, plan, other, luck, situation, asked, manner, memory):
        if not _reaches(_WIN_2, plan, other, luck, situation, asked, manner, memory):
            return 1
        return 3 if _reaches(_WIN_3, plan, other, luck, situation, asked, manner, memory) else 2
    if _reaches(_NOT_2, plan, other, luck, situation, asked, manner, memory):
        return -1
    return -2 if _reaches(_NOT_3, plan, other, luck, situation, asked, manner, memory) else -3


@kernel
def _reaches(
    question: int,
    plan: Ints,
    other: int,
    luck: int,
    situation: Ints,
    asked: Ints,
    manner: Ints,
    memory: Ints,
) -> bool:
    """Whether the seat that asks gets what it asks for."""
    known = asked[question, _KNOWN]
    if known:
        return bool(known > 0)
    need, bar, last = asked[question, _NEED], asked[question, _BAR], asked[question, _LAST]
    aim = _AIM_OF[question]
    hand, tricks, stage = situation[HAND], situation[TRICKS], situation[STAGE]
    if situation[LED] != NOTHING_LED:
        return _answers(
            hand, other, need, bar, last, aim, plan[CARD], luck, situation, manner, memory
        )
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
        manner,
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
    manner: Ints,
    memory: Ints,
) -> bool:
    """Whether the seat reaches its aim by this answer; `other` no longer holds what he led."""
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
            manner,
            memory,
        )
    # From here on the other asks, and what he does not reach the seat does.
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
        manner,
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
    manner: Ints,
    memory: Ints,
) -> bool:
    """Whether the player to lead reaches his aim with an open talon, judged as `manner` has it."""
    if share_of(luck, WHOLE) >= manner[BY_RULES]:
        return plays_on(hand, other, need, bar, tricks, aim, stage, exchanged, first, memory)
    return plays_by_rules(
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
        manner,
        memory,
    )
