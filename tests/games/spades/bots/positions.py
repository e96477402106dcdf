"""Positions of Spades for tests of bots: laid out card by card, or reached by random play."""

from collections.abc import Iterator, Sequence
from random import Random

from bots import Position, position_of
from bots.spades.bits import beats, set_of
from bots.spades.open_deal import (
    BAGS,
    BAGS_COST,
    BEST,
    BIDS,
    BLIND,
    BREAKING,
    HAND,
    LAID,
    LED,
    NIL_TRICKS,
    PLAYED,
    TAKER,
    TRICKS,
    Deal,
    new_deal,
)
from engine import Match, MatchState, Setup, Shuffler, complete_options
from engine.choices import Choices, random_action
from engine.facts import AddressedFact, seen_by
from engine.games.spades import GAME, State

MATCH = Match(GAME)


def any_options(rng: Random) -> dict[str, int | bool | str]:
    """Random options that change bids, play and scores."""
    return {
        "bags": rng.random() < 0.7,
        "nil": rng.choice(("100", "50", "off")),
        "blind": rng.choice(("always", "behind", "never")),
        "nil_tricks": rng.random() < 0.5,
        "breaking": rng.random() < 0.7,
    }


def started(rng: Random, **options: object) -> tuple[State, tuple[AddressedFact, ...]]:
    """A fresh deal after any totals, and the facts of dealing it."""
    chosen = complete_options(GAME, 4, options)
    totals = (rng.randint(-150, 400), rng.randint(-150, 400)) * 2
    step = GAME.start(Setup(4, chosen, Shuffler(rng.randbytes(32)), totals))
    return step.state, step.facts


def random_walk(
    rng: Random, **options: object
) -> Iterator[tuple[State, tuple[AddressedFact, ...]]]:
    """The positions of a randomly played deal, its end included, each with the facts before it."""
    state, facts = started(rng, **options)
    while not state.over:
        yield state, facts
        choices = GAME.choices(state, state.turn)
        if state.bidding and state.looked[state.turn]:
            # Contracts and nils that can be made.
            choices = Choices(choices.actions[:6])
        step = GAME.apply(state, state.turn, random_action(choices, rng))
        state, facts = step.state, facts + step.facts
    yield state, facts


def position(state: State, facts: Sequence[AddressedFact]) -> Position:
    """What the seat to move knows and may do."""
    seat = state.turn
    return position_of(GAME, state, seat, state.setup.options, seen_by(tuple(facts), seat))


def first_positions(rng: Random, **options: object) -> tuple[MatchState[State], Position]:
    """The first state of a match, and what the seat to move knows."""
    chosen = complete_options(MATCH, 4, options)
    step = MATCH.start(Setup(4, chosen, Shuffler(rng.randbytes(32))))
    (seat,) = MATCH.to_act(step.state)
    view, choices = MATCH.view(step.state, seat), MATCH.choices(step.state, seat)
    told = seen_by(step.facts, seat)
    return step.state, Position(GAME.info.id, seat, view, choices, chosen, told)


def open_deal(state: State) -> Deal:
    """The state as a kernel deal, without voids, which the state does not record."""
    options = state.setup.options
    bits = BREAKING if options["breaking"] else 0
    bits |= NIL_TRICKS if options["nil_tricks"] else 0
    bits |= BAGS_COST if options["bags"] else 0
    nil = 0 if options["nil"] == "off" else int(options["nil"])
    deal = new_deal(nil, bits, state.turn)
    deal[HAND : HAND + 4] = [set_of(hand) for hand in state.hands]
    deal[TRICKS : TRICKS + 4] = [state.tricks(seat) for seat in range(4)]
    deal[BIDS : BIDS + 4] = state.bids
    deal[BAGS : BAGS + 2] = state.bags
    deal[PLAYED] = set_of([*state.trick, *(card for pile in state.taken for card in pile)])
    deal[BLIND] = sum(1 << seat for seat in range(4) if state.blind[seat])
    deal[LAID] = len(state.trick)
    for place, card in enumerate(state.trick):
        if beats(card, int(deal[BEST])):
            deal[BEST], deal[TAKER] = card, (state.leader + place) % 4
    if state.trick:
        deal[LED] = state.trick[0] // 13
    return deal
