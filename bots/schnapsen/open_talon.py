"""Open hands with the talon open: whatever is drawn next is known, any card may be answered.

As without a talon (`strict`), the solver says whether the player to lead reaches a target. What
closing does to it depends on the aim, which is therefore passed here: 0 is to win, 2 or 3 to win
at least so many game points, −2 or −3 to keep the other player from doing so.

Source: Schnapsen document, "Basic Idea" (alpha-beta search with all cards open).
"""

from bots.schnapsen.bits import (
    BEATS,
    JACK_OF_TRUMPS,
    VALUE,
    Ints,
    bonus,
    highest_of_equals,
    lowest,
    lowest_of_equals,
    marriages,
)
from bots.schnapsen.solver_memory import (
    FREEZE,
    MIN_TALON,
    TALON,
    answer_history,
    best_lead,
    drawn,
    lead_history,
    left,
    look_up,
    slot_of,
    store,
    talon_key,
)
from bots.schnapsen.strict import ANY, OFFSET, OTHER, OTHERS_TRICK, OWN_TRICK, plays_out, swapped
from bots.search.compiled import kernel

ENOUGH = 66
_HALF = 33

# How much sooner than a good score suggests a lead or an answer is tried.
_KNOWN_BEST = 1 << 50
_MARRIAGE = 64
_TAKES = 2


@kernel
def slack(aim: int) -> int:
    """By how many points below 66 the other is kept from winning 2 or 3 game points.

    33 do so for 2; for 3 any trick does, so any points.
    """
    if aim == 0:
        return 0
    return ENOUGH - _HALF if abs(aim) == 2 else ENOUGH - 1


@kernel
def last_at(aim: int) -> int:
    """`last` for the leader of a deal that was not closed: which side is right at the last trick.

    The last trick wins one game point, which is enough to win and to keep the other from more.
    """
    if aim == 0:
        return 0
    return -1 if aim > 0 else 1


@kernel
def closes(
    hand: int, other: int, need: int, bar: int, tricks: int, aim: int, first: int, memory: Ints
) -> bool:
    """Whether the player to lead reaches the target by closing now."""
    if aim > 0:
        # What a closer wins is settled now, so the bar becomes an ordinary 66.
        bar += slack(aim) if memory[FREEZE] else 0
    elif aim < 0:
        if aim == -3 and tricks & OTHERS_TRICK:
            return True
        need += slack(aim)
    return plays_out(hand, other, need, bar, tricks, OTHER, first, memory)


@kernel
def plays_on(
    hand: int,
    other: int,
    need: int,
    bar: int,
    tricks: int,
    aim: int,
    stage: int,
    exchanged: int,
    first: int,
    memory: Ints,
) -> bool:
    """Whether the player to lead reaches the target with `stage` cards of the talon drawn.

    With `first` they lead one of these cards, and neither exchange nor close before.
    """
    couples = marriages(hand)
    position = (
        hand | (other << 20) | ((need + bar + OFFSET) << 40) | (tricks << 49) | ((aim + 3) << 51)
    ) ^ talon_key(memory, exchanged, stage)
    slot = slot_of(position, memory)
    best = 0
    leads = first
    if not first:
        known = look_up(position, slot, need, memory)
        if known:
            return known > 0
        best = best_lead(position, slot, memory)
        leads = hand
        if couples and tricks & OWN_TRICK and need <= bonus(couples):
            return True
        if TALON - stage >= memory[MIN_TALON]:
            turned = drawn(memory, exchanged, TALON - 1)
            if closes(hand, other, need, bar, tricks, aim, ANY, memory) or (
                hand & JACK_OF_TRUMPS
                and plays_on(
                    (hand ^ JACK_OF_TRUMPS) | turned,
                    other,
                    need,
                    bar,
                    tricks,
                    aim,
                    stage,
                    exchanged | 1,
                    ANY,
                    memory,
                )
            ):
                store(position, slot, need, True, best, memory)
                return True
    rest = left(memory, exchanged, stage)
    takers_card = drawn(memory, exchanged, stage)
    losers_card = drawn(memory, exchanged, stage + 1)
    # Cards that may be worth more than the tricks they take: to be announced or exchanged.
    special = marriages(other | rest) | JACK_OF_TRUMPS
    reached = False
    while leads and not reached:
        lead = _next_lead(leads, best, couples, stage, memory)
        card = 1 << lead
        leads ^= card
        needs = need
        if card & couples:
            needs -= bonus(card)
            if needs <= 0 and tricks & OWN_TRICK:
                best = card
                reached = True
                break
        kept = hand ^ card
        takers = other & BEATS[lead]
        losers = other ^ takers
        meets = kept | rest
        answers = (
            (other & special)
            | highest_of_equals(takers & ~special, meets)
            | lowest_of_equals(losers & ~special, meets)
        )
        reached = True
        while answers and reached:
            answer = _next_answer(answers, takers, lead, memory)
            card_back = 1 << answer
            answers ^= card_back
            worth = VALUE[lead] + VALUE[answer]
            kept_back = other ^ card_back
            if card_back & takers:
                if bar <= worth:
                    reached = False
                elif stage == TALON - 2:
                    reached = not plays_out(
                        kept_back | takers_card,
                        kept | losers_card,
                        bar - worth,
                        needs,
                        swapped(tricks) | OWN_TRICK,
                        -last_at(aim),
                        ANY,
                        memory,
                    )
                else:
                    reached = not plays_on(
                        kept_back | takers_card,
                        kept | losers_card,
                        bar - worth,
                        needs,
                        swapped(tricks) | OWN_TRICK,
                        -aim,
                        stage + 2,
                        exchanged,
                        ANY,
                        memory,
                    )
            elif needs <= worth:
                reached = True
            elif stage == TALON - 2:
                reached = plays_out(
                    kept | takers_card,
                    kept_back | losers_card,
                    needs - worth,
                    bar,
                    tricks | OWN_TRICK,
                    last_at(aim),
                    ANY,
                    memory,
                )
            else:
                reached = plays_on(
                    kept | takers_card,
                    kept_back | losers_card,
                    needs - worth,
                    bar,
                    tricks | OWN_TRICK,
                    aim,
                    stage + 2,
                    exchanged,
                    ANY,
                    memory,
                )
            if not reached:
                memory[answer_history(lead, answer)] += TALON - stage
        if reached:
            memory[lead_history(memory, stage, lead)] += TALON - stage
            best = card
    if not first:
        store(position, slot, need, reached, best, memory)
    return reached


@kernel
def _next_lead(leads: int, best: int, couples: int, stage: int, memory: Ints) -> int:
    """The lead to try next: the best of earlier visits, leads good elsewhere, marriages early."""
    chosen, most = 0, -1
    while leads:
        card = leads & -leads
        leads ^= card
        lead = lowest(card)
        score = memory[lead_history(memory, stage, lead)]
        if card & best:
            score += _KNOWN_BEST
        if card & couples:
            score += _MARRIAGE
        if score > most:
            chosen, most = lead, score
    return chosen


@kernel
def _next_answer(answers: int, takers: int, lead: int, memory: Ints) -> int:
    """The answer to try next: one good elsewhere against this lead."""
    chosen, most = 0, -1
    while answers:
        card = answers & -answers
        answers ^= card
        answer = lowest(card)
        score = memory[answer_history(lead, answer)]
        if card & takers:
            score += _TAKES
        if score > most:
            chosen, most = answer, score
    return chosen
