"""Positions of Whist for tests of bots: laid out card by card, or reached by random play."""

from collections.abc import Iterator, Sequence
from random import Random

from bots import Position, position_of
from bots.whist.bits import count, of_suit
from bots.whist.knowledge import Knowledge, cards_set
from bots.whist.open_deal import Deal, new_deal
from engine.cards import SUITS, parse_card, parse_cards
from engine.choices import random_action
from engine.facts import AddressedFact, seen_by
from engine.game import Setup, complete_options
from engine.games.whist import NO_BID, State
from engine.games.whist.game import Whist
from engine.shuffle import Shuffler
from engine.tricks import trick_winner

GAME = Whist()


def started(
    rng: Random, seats: int, cards: int, **options: object
) -> tuple[State, tuple[AddressedFact, ...]]:
    """A fresh deal, and the facts of dealing it."""
    chosen = complete_options(GAME, seats, {"cards": cards, **options})
    step = GAME.start(Setup(seats, chosen, Shuffler(rng.randbytes(32))))
    return step.state, step.facts


def random_walk(rng: Random) -> Iterator[tuple[State, tuple[AddressedFact, ...]]]:
    """The positions of a random deal by 3 to 7 players, each with the facts before it."""
    seats = rng.randint(3, 7)
    state, facts = started(rng, seats, rng.randint(1, min(10, 51 // seats)))
    while not state.over:
        yield state, facts
        step = GAME.apply(state, state.turn, random_action(GAME.choices(state, state.turn), rng))
        state, facts = step.state, facts + step.facts
    yield state, facts


def position(state: State, facts: Sequence[AddressedFact]) -> Position:
    """What the seat to move knows and may do."""
    seat = state.turn
    return position_of(GAME, state, seat, state.setup.options, seen_by(tuple(facts), seat))


def agrees(hands: Sequence[int], known: Knowledge) -> bool:
    """Whether these sets of cards may be the hands, given what is `known`."""
    others = [hand for seat, hand in enumerate(hands) if seat != known.seat]
    return (
        hands[known.seat] == known.hand
        and [count(hand) for hand in hands] == list(known.sizes)
        and sum(others) & ~known.unseen == 0
        and count(sum(others)) == sum(known.hidden)
        and not any(
            of_suit(hands[seat], suit)
            for seat, lacking in enumerate(known.voids)
            for suit in lacking
        )
    )


def open_deal(state: State) -> Deal:
    """The state after the bidding as a kernel deal."""
    seats = state.setup.seats
    line = tuple(card for pile in state.taken for card in pile) + state.trick
    best = state.leader
    if state.trick:
        best = (state.leader + trick_winner(state.trick, trump=state.trump)) % seats
    seen = cards_set(line) | 1 << state.turned
    nil_score = int(state.setup.options["nil_score"])
    deal = new_deal(seats, state.trump, nil_score, state.leader, seen)
    deal.hands[:] = [cards_set(hand) for hand in state.hands]
    deal.bids[:] = state.bids
    deal.taken[:] = [state.tricks(seat) for seat in range(seats)]
    deal.line[: len(line)] = line
    deal.at[:] = (state.leader, len(line) - len(state.trick), len(line), best, seen)
    return deal


def laid_out(
    *hands: str, trump: str = "S", bids: Sequence[int], taken: Sequence[int] = (), leader: int = 0
) -> Deal:
    """An open deal between tricks: ``laid_out("AS 2C", "KS 3C", "4C 5C", bids=(1, 0, 1))``."""
    deal = new_deal(len(hands), SUITS.index(trump), 10, leader, 0)
    deal.hands[:] = [cards_set(parse_cards(hand)) for hand in hands]
    deal.bids[:] = bids
    deal.taken[:] = taken or (0,) * len(hands)
    return deal


def laid(
    *hands: str, turned: str, dealer: int, moves: str = ""
) -> tuple[State, tuple[AddressedFact, ...]]:
    """A deal of these hands after some moves, bids and cards in order: ``"0 1 0 5C TC"``."""
    cards = tuple(tuple(sorted(parse_cards(hand))) for hand in hands)
    top = parse_card(turned)
    gone = {top, *(card for hand in cards for card in hand)}
    options = complete_options(GAME, len(hands), {"cards": len(cards[0])})
    state = State(
        setup=Setup(len(hands), options, Shuffler(bytes(32))),
        cards=len(cards[0]),
        dealer=dealer,
        turned=top,
        stock=tuple(card for card in range(52) if card not in gone),
        hands=cards,
        bids=(NO_BID,) * len(hands),
        leader=(dealer + 1) % len(hands),
        trick=(),
        taken=((),) * len(hands),
    )
    step = GAME.begin(state)
    facts = step.facts
    for word in moves.split():
        action = f"bid {word}" if word.isdecimal() else f"play {word}"
        step = GAME.apply(step.state, step.state.turn, action)
        facts += step.facts
    return step.state, facts
