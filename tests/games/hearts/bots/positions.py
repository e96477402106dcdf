"""Positions of Hearts to try bots on: reached by random play, or laid out card by card."""

from collections.abc import Iterator, Sequence
from random import Random

from bots import Position, position_of
from bots.hearts.lay_out import set_of
from bots.hearts.open_deal import (
    BEST,
    HAND,
    LAID,
    LED,
    PLAYED,
    SHOOTER,
    STAKE,
    STANDARD,
    TAKEN,
    TAKER,
    Deal,
    new_deal,
)
from engine.cards import Card, deck, parse_cards, suit_of
from engine.choices import random_action
from engine.facts import AddressedFact, Seat, seen_by
from engine.game import Setup, complete_options
from engine.games.hearts import Hearts, State
from engine.games.hearts.cards import points
from engine.shuffle import Shuffler
from engine.tricks import trick_winner

GAME = Hearts()
Walk = Iterator[tuple[State, tuple[AddressedFact, ...]]]


def started(
    rng: Random, deal: int = 0, **options: object
) -> tuple[State, tuple[AddressedFact, ...]]:
    """A fresh deal, number `deal` of its match, and the facts of dealing it."""
    complete = complete_options(GAME, 4, options)
    step = GAME.start(Setup(4, complete, Shuffler(rng.randbytes(32), deal)))
    return step.state, step.facts


def any_deal(rng: Random) -> tuple[State, tuple[AddressedFact, ...]]:
    """A deal under random rules, passing in any direction or not at all."""
    rules = rng.choice(("standard", "recycle"))
    moon = rng.choice(("others", "shooter"))
    return started(rng, rng.randrange(4), rules=rules, moon=moon)


def random_walk(rng: Random, begun: tuple[State, tuple[AddressedFact, ...]]) -> Walk:
    """The positions of a randomly played deal, its end included, each with the facts before it."""
    state, facts = begun
    while asked := GAME.to_act(state):
        yield state, facts
        seat = rng.choice(asked)
        step = GAME.apply(state, seat, random_action(GAME.choices(state, seat), rng))
        state, facts = step.state, facts + step.facts
    yield state, facts


def laid_out(
    hands: Sequence[str], *, trick: str = "", leader: Seat = 0, rules: str = "standard"
) -> State:
    """A state with the given cards in play, after the passing.

    All other cards have been taken by the seat after the leader's.
    """
    state, _ = started(Random(1), 3, rules=rules)
    held = tuple(tuple(sorted(parse_cards(hand))) for hand in hands)
    lying = parse_cards(trick)
    in_play = {*lying, *(card for hand in held for card in hand)}
    rest = tuple(card for card in deck() if card not in in_play)
    return state._replace(
        hands=held,
        leader=leader,
        trick=lying,
        taken=tuple(rest if seat == (leader + 1) % 4 else () for seat in range(4)),
        broken=any(suit_of(card) == 3 for card in (*rest, *lying)),
    )


def position(state: State, facts: Sequence[AddressedFact], seat: Seat | None = None) -> Position:
    """What the seat to move, or another that may act, knows and may do."""
    asked = GAME.to_act(state)[0] if seat is None else seat
    return position_of(GAME, state, asked, state.setup.options, seen_by(tuple(facts), asked))


def open_deal_of(state: State) -> Deal:
    """The state as a kernel deal with every hand filled in, without the shown voids."""
    standard = STANDARD if state.rules.opening else 0
    shooter = SHOOTER if state.rules.moon_of(state.setup.options) == "shooter" else 0
    deal = new_deal(standard | shooter, state.leader if state.over else state.turn)
    deal[PLAYED] = set_of(state.trick)
    for seat in range(4):
        deal[HAND + seat] = set_of(state.hands[seat])
        deal[TAKEN + seat] = points(state.taken[seat])
        deal[PLAYED] |= set_of(state.taken[seat])
    if state.trick:
        place = trick_winner(state.trick)
        deal[LED] = suit_of(state.trick[0])
        deal[BEST], deal[TAKER] = state.trick[place], (state.leader + place) % 4
        deal[STAKE], deal[LAID] = points(state.trick), len(state.trick)
    return deal


def cards_in(cards: int) -> tuple[Card, ...]:
    """The cards of a bit set, sorted."""
    return tuple(card for card in range(52) if cards >> card & 1)
