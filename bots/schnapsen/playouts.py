"""Playing a world on with an open talon by two who cannot see, until nothing is left to be drawn.

With open hands (`open_talon`) both know every card to come, and what looks lost, or won, often is
neither to players who do not. Here each goes by rules that look at his own hand alone, and slips
now and then. From the end of the talon on both could know everything, so from there the deal is
solved (`strict`); a playout answers the same question as the solver.
"""

from bots.schnapsen.bits import (
    BEATS,
    JACK_OF_TRUMPS,
    VALUE,
    Ints,
    bonus,
    lowest,
    marriages,
)
from bots.schnapsen.manner import OTHERS_SLIPS, OWN_SLIPS, WHOLE
from bots.schnapsen.memory import MIN_TALON, TALON, drawn
from bots.schnapsen.open_talon import last_at, slack
from bots.schnapsen.rule_moves import answer_by_rule, any_of, lead_by_rule, next_luck, share_of
from bots.schnapsen.strict import ANY, OWN_TRICK, plays_out, swapped
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
    """Whether the player to lead reaches his aim, as `plays_on` asks, if both play by rules.

    `seat_leads` says whose slips are whose. The same luck brings the same cards to whatever
    question of the deal, so that its answers fit together.
    """
    asks = True
    while stage < TALON:
        slips, others_slips = manner[OTHERS_SLIPS], manner[OWN_SLIPS]
        if seat_leads:
            slips, others_slips = others_slips, slips
        card = first
        if not first:
            if hand & JACK_OF_TRUMPS and TALON - stage >= memory[MIN_TALON]:
                hand = (hand ^ JACK_OF_TRUMPS) | drawn(memory, exchanged, TALON - 1)
                exchanged |= 1
            luck = next_luck(luck)
            slipped = share_of(luck, WHOLE) < slips
            luck = next_luck(luck)
            card = any_of(hand, luck) if slipped else lead_by_rule(hand)
        couples = marriages(hand)
        if card & couples:
            need -= bonus(card)
            if need <= 0 and tricks & OWN_TRICK:
                return asks
        lead = lowest(card)
        luck = next_luck(luck)
        slipped = share_of(luck, WHOLE) < others_slips
        luck = next_luck(luck)
        if slipped:
            card_back = any_of(other, luck)
        else:
            # Players think of 66, whatever is asked of the deal.
            more, more_back = (slack(aim), 0) if aim < 0 else (0, slack(aim))
            card_back = answer_by_rule(other, lead, bar + more_back, need + more)
        worth = VALUE[lead] + VALUE[lowest(card_back)]
        hand ^= card
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
