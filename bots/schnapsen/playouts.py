"""Playouts of a world with an open talon, by two players who see only their own cards.

In the solver (`open_talon`) both players know every card to come. A deal that looks lost or won to
it is often neither for players who do not. In a playout each player follows a learned policy that
uses only what that player sees, and errs now and then. After the end of the talon both could know
everything, so there the deal is solved (`strict`). A playout reaches or misses the same target as
the solver.
"""

import numpy as np

from bots.schnapsen.bits import (
    BEATS,
    JACK_OF_TRUMPS,
    VALUE,
    Ints,
    bonus,
    lowest,
    marriages,
)
from bots.schnapsen.open_talon import last_at, slack
from bots.schnapsen.playout_mix import OTHERS_TEMPERATURE, OWN_TEMPERATURE, WHOLE
from bots.schnapsen.policy import FEATURES, answer_by_policy, lead_by_policy, next_luck
from bots.schnapsen.solver_memory import MIN_TALON, TALON, drawn, left
from bots.schnapsen.strict import ANY, OTHERS_TRICK, OWN_TRICK, plays_out, swapped
from bots.search.compiled import kernel


@kernel
def plays_by_policy(
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
    """Whether the player to lead reaches the target of `plays_on` if both go by the policy.

    `seat_leads` says whose temperature is whose. The same luck brings the same cards whatever the
    target, so that the results for all targets of a deal fit together.
    """
    asks = True
    found = np.empty(FEATURES)
    while stage < TALON:
        temperature, others_temperature = (
            mix[OTHERS_TEMPERATURE] / WHOLE,
            mix[OWN_TEMPERATURE] / WHOLE,
        )
        if seat_leads:
            temperature, others_temperature = others_temperature, temperature
        # Players think of 66, whatever the target is.
        more, more_back = (slack(aim), 0) if aim < 0 else (0, slack(aim))
        if not first and hand & JACK_OF_TRUMPS and TALON - stage >= memory[MIN_TALON]:
            hand = (hand ^ JACK_OF_TRUMPS) | drawn(memory, exchanged, TALON - 1)
            exchanged |= 1
        turned = drawn(memory, exchanged, TALON - 1)
        face_down = left(memory, exchanged, stage) & ~turned
        card = first
        if not first:
            luck = next_luck(luck)
            card = lead_by_policy(
                hand,
                other | face_down,
                turned,
                stage,
                need + more,
                bar + more_back,
                temperature,
                luck,
                found,
            )
        if card & marriages(hand):
            need -= bonus(card)
            if need <= 0 and tricks & OWN_TRICK:
                return asks
        hand ^= card
        lead = lowest(card)
        luck = next_luck(luck)
        card_back = answer_by_policy(
            lead,
            other,
            hand | face_down,
            turned,
            stage,
            bar + more_back,
            need + more,
            tricks & OTHERS_TRICK != 0,
            others_temperature,
            luck,
            found,
        )
        worth = VALUE[lead] + VALUE[lowest(card_back)]
        other ^= card_back
        takers_card = drawn(memory, exchanged, stage)
        losers_card = drawn(memory, exchanged, stage + 1)
        stage += 2
        first = ANY
        if card_back & BEATS[lead]:
            if bar <= worth:
                return not asks
            hand, other = other | takers_card, hand | losers_card
            need, bar = bar - worth, need
            tricks = swapped(tricks) | OWN_TRICK
            aim = -aim
            asks, seat_leads = not asks, not seat_leads
        else:
            if need <= worth:
                return asks
            need -= worth
            hand, other = hand | takers_card, other | losers_card
            tricks |= OWN_TRICK
    return plays_out(hand, other, need, bar, tricks, last_at(aim), ANY, memory) == asks
