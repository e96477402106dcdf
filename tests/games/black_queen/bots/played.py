"""Positions in the middle of deals of Black Queen: states with their facts, and kernel deals."""

from collections import Counter
from dataclasses import dataclass
from itertools import chain
from random import Random

from bots import Position, position_of
from bots.black_queen.open_deal import (
    BEST,
    BEST_SEAT,
    COST,
    FLIP,
    HAND,
    KEPT,
    LEFT,
    NONE,
    PLAYED,
    POINTS,
    SUIT,
    TURN,
    Deal,
    Words,
    empty_deal,
    play,
)
from engine.cards import Card, card_text
from engine.facts import AddressedFact, Seat, seen_by
from engine.game import Setup, complete_options
from engine.games.black_queen import EMPTY, BlackQueen, State, pack, points
from engine.shuffle import Shuffler, seed_from_int

GAME = BlackQueen()


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """A state and all facts of the deal so far."""

    state: State
    facts: tuple[AddressedFact, ...]

    def position(self) -> Position:
        """What the seat to move knows and may do."""
        seat = self.state.turn
        options = self.state.setup.options
        return position_of(GAME, self.state, seat, options, seen_by(self.facts, seat))

    def then(self, action: str) -> "PlayedDeal":
        step = GAME.apply(self.state, self.state.turn, action)
        return PlayedDeal(step.state, self.facts + step.facts)

    def then_at_random(self, moves: int, rng: Random) -> "PlayedDeal":
        deal = self
        for _ in range(moves):
            choices = GAME.choices(deal.state, deal.state.turn)
            deal = deal.then(rng.choice(choices.actions))
        return deal


def new_deal(seats: int, columns: int, seed: int) -> PlayedDeal:
    options = complete_options(GAME, seats, {"columns": columns})
    step = GAME.start(Setup(seats, options, Shuffler(seed_from_int(seed))))
    return PlayedDeal(step.state, step.facts)


def random_deal(rng: Random) -> PlayedDeal:
    """A fresh deal for any number of players with any number of columns."""
    seats = rng.randint(2, 8)
    most = len(pack(seats)) // seats // 2
    return new_deal(seats, rng.randint(0, most), rng.getrandbits(32))


def random_moment(rng: Random) -> PlayedDeal:
    """A random moment of a random deal, never its end."""
    deal = random_deal(rng)
    return deal.then_at_random(rng.randrange(len(pack(deal.state.setup.seats))), rng)


class Twin:
    """A state and a kernel deal of equal cards, moved together; the state is authoritative."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.deal = empty_deal(state.setup.seats)
        self._used: Counter[Card] = Counter()
        self._columns: dict[tuple[Seat, int], int] = {}
        for seat, row in enumerate(state.up):
            for number, card in enumerate(row, start=1):
                self._lay_column(seat, number, card, state.down[seat][number - 1])
            for card in state.hands[seat]:
                self._put(self.deal.held[seat], self._copy(card))
        self.deal.seats[:, HAND] = [len(hand) for hand in state.hands]
        self.deal.now[TURN] = state.leader
        self.deal.now[LEFT] = len(pack(state.setup.seats)) // state.setup.seats

    def play(self, action: str) -> None:
        seat = self.state.turn
        token, _, column = action.removeprefix("play ").partition("@")
        after = GAME.apply(self.state, seat, action).state
        if column:
            copy = self._columns.pop((seat, int(column)))
            below = int(self.deal.under[copy])
            if below != NONE:
                self._columns[seat, int(column)] = below
        else:
            hand = self.deal.held[seat] & ~self.deal.up[seat]
            copy = next(each for each in listed(hand) if card_text(each // 4) == token)
        play(self.deal, copy)
        self.state = after

    def _lay_column(self, seat: Seat, number: int, card: Card, below: Card) -> None:
        copy = self._columns[seat, number] = self._copy(card)
        self._put(self.deal.held[seat], copy)
        self._put(self.deal.up[seat], copy)
        self.deal.under[copy] = self._copy(below)

    def _copy(self, card: Card) -> int:
        copy = 4 * card + self._used[card]
        self._used[card] += 1
        self._put(self.deal.unplayed, copy)
        return copy

    @staticmethod
    def _put(words: Words, copy: int) -> None:
        words[copy // SUIT] |= words.dtype.type(1 << copy % SUIT)


def listed(words: Words) -> list[int]:
    """The cards of a set of four 64-bit words, copies included."""
    return [copy for copy in range(4 * SUIT) if int(words[copy // SUIT]) >> copy % SUIT & 1]


def told(deal: Deal) -> dict[str, list[object]]:
    """What a kernel deal shows, in cards; equal copies look alike."""
    seats, now = deal.seats, deal.now
    return {
        "held": [sorted(copy // 4 for copy in listed(row)) for row in deal.held],
        "up": [sorted(copy // 4 for copy in listed(row)) for row in deal.up],
        "under": [
            sorted((copy // 4, int(deal.under[copy]) // 4) for copy in listed(row))
            for row in deal.up
        ],
        "unplayed": [*sorted(copy // 4 for copy in listed(deal.unplayed))],
        "flips": [int(card) // 4 for card in seats[:, FLIP]],
        "taken": [tuple(map(int, row)) for row in seats[:, [COST, KEPT, HAND]]],
        "now": [int(now[place]) for place in (TURN, PLAYED, POINTS, LEFT)],
        "best": [int(now[BEST]) // 4, int(now[BEST_SEAT]) if now[PLAYED] else NONE],
    }


def told_by(state: State) -> dict[str, list[object]]:
    """What a state shows, in cards; equal copies look alike."""
    seats = range(state.setup.seats)
    tops = [[card for card in row if card != EMPTY] for row in state.up]
    down = [[card for card in row if card != EMPTY] for row in state.down]
    best, whose = NONE, NONE
    for step, card in enumerate(state.trick):
        if best == NONE or (card // 13 == best // 13 and card >= best):
            best, whose = card, (state.leader + step) % len(seats)
    flips = [NONE for _ in seats]
    for seat in seats:
        for card, below in zip(state.up[seat], state.down[seat], strict=True):
            if card == EMPTY != below:
                flips[seat] = below
    turn = state.turn
    mine = [*state.hands[turn], *tops[turn], *down[turn]]
    rows = [zip(state.up[seat], state.down[seat], strict=True) for seat in seats]
    return {
        "held": [sorted((*state.hands[seat], *tops[seat])) for seat in seats],
        "up": [sorted(row) for row in tops],
        "under": [sorted((up, down) for up, down in row if up != EMPTY) for row in rows],
        "unplayed": [*sorted(chain(*state.hands, *tops, *down))],
        "flips": [*flips],
        "taken": [
            (-points(pile), len(pile), len(hand))
            for pile, hand in zip(state.taken, state.hands, strict=True)
        ],
        "now": [turn, len(state.trick), -points(state.trick), len(mine)],
        "best": [best, whose],
    }
