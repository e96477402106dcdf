"""Playing a world on with an open talon by two who cannot see, until nothing is left to be drawn.

With open hands (`open_talon`) both know every card to come, and what looks lost, or won, often is
neither to players who do not. Here each goes by a learnt policy that looks at what he sees alone,
and errs now and then. From the end of the talon on both could know everything, so from there the
deal is solved (`strict`); a playout answers the same question as the solver.
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
from bots.schnapsen.manner import OTHERS_HEAT, OWN_HEAT, WHOLE
from bots.schnapsen.memory import MIN_TALON, TALON, drawn, left
from bots.schnapsen.open_talon import last_at, slack
from bots.schnapsen.policy import FEATURES, answer_by_policy, lead_by_policy, next_luck
from bots.schnapsen.strict import ANY, OTHERS_TRICK, OWN_TRICK, plays_out, swapped
from bots.search.compiled import kernel


@kernel
def plays_by_rules(
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
    """Whether the player to lead reaches his aim, as `plays_on` asks, if both go by the policy.

    `seat_leads` says whose heat is whose. The same luck brings the same cards to whatever
    question of the deal, so that its answers fit together.
    """
    asks = True
    found = np.empty(FEATURES)
    while stage < TALON:
        heat, others_heat = manner[OTHERS_HEAT] / WHOLE, manner[OWN_HEAT] / WHOLE
        if seat_leads:
            heat, others_heat = others_heat, heat
        # Players think of 66, whatever is asked of the deal.
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
                heat,
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
            others_heat,
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
