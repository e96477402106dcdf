"""Strength 2 of Spades: bids and cards tried in worlds that agree with all that was seen.

Each candidate is played to the end of the deal in common worlds, by the rules player in all four
seats, and they race each other by the own team's lead at the end. Worlds are dealt as the cards
played allow, and picked by how likely they make the bids.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from bots.bot import Budget, Candidate, Decision, Position, equally_good
from bots.search.budget import Batches
from bots.search.draws import draws_from
from bots.search.racing import Race
from bots.search.worlds import Ints, plan_worlds
from bots.spades.bidding import BID_WEIGHTS, certain_tricks
from bots.spades.bits import beats, legal_cards, members
from bots.spades.knowledge import Knowledge, read_position
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
    VOIDS,
    Deal,
    new_deal,
)
from bots.spades.playouts import values_of_bids, values_of_cards
from bots.spades.rules_player import bid_of, decide_blind, weights_for
from bots.spec import Amount
from engine.cards import card_text
from engine.choices import Action
from engine.games.spades import LOOK, NIL, NO_BID
from engine.games.trick_games import bid_or_play, bid_text

BATCH = 16
AROUND = 2
"""How far from the bid of the rules player others are tried."""
FEW_BIDS = 2
"""So few bids are tried whatever they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Searcher:
    """Searches with `milliseconds` or `worlds` a move, unless the budget says otherwise.

    `pool` is the number of worlds from which each is picked by the bids (1: the bids are ignored),
    `blur` how far a bid lies from a hand's value, in tricks, `bag` the points that a bag costs in
    the long run. Without `searched_bids` it bids as the rules player does.
    """

    in_place: ClassVar[bool] = False
    needs_facts: ClassVar[bool] = True

    milliseconds: float = 20.0
    worlds: int | None = None
    pool: int = 4
    blur: Amount = 1.2
    bag: Amount = 6.0
    searched_bids: bool = True

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        """The move with the best mean in the worlds that the budget allows."""
        actions = position.choices.actions
        if LOOK in actions:
            return decide_blind(position)
        if len(actions) == 1:
            return Decision(actions[0])
        known = read_position(position)
        bidding = known.bids[known.seat] == NO_BID
        tried = self._bids(known, actions) if bidding else _cards(known, actions)
        moves = list(dict.fromkeys(tried.values()))
        if len(moves) == 1:
            return equally_good([each for each in actions if each in tried], "team_lead")
        race = self._race(known, moves, bidding, budget, rng)
        standings = dict(zip(moves, race.standings(), strict=True))
        candidates = tuple(
            Candidate(action, standings[move].worth, standings[move].why())
            for action, move in tried.items()
        )
        best = next(action for action, move in tried.items() if move == moves[race.best])
        return Decision(best, candidates, measure="team_lead")

    def _bids(self, known: Knowledge, actions: Sequence[Action]) -> dict[Action, int]:
        """The bids to try; all of them if there are few."""
        if not self.searched_bids:
            bids = [bid_of(known)]
        elif len(actions) <= FEW_BIDS:
            bids = [bid_or_play(action)[1] for action in actions]
        else:
            bids = bids_to_try(known)
        return {bid_text(bid): bid for bid in bids}

    def _race(
        self, known: Knowledge, moves: list[int], bidding: bool, budget: Budget, rng: Random
    ) -> Race:
        """The result of trying the moves in as many worlds as the budget allows."""
        deal, draws = lay_out(known), draws_from(rng)
        plan = plan_worlds(list(members(known.unseen)), known.places())
        sizes = _ints([place.size for place in known.places()])
        played = _ints(known.played)
        usual = Budget(self.milliseconds) if self.worlds is None else Budget(samples=self.worlds)
        batches = Batches(budget, usual, first=BATCH)
        race = Race(len(moves), least=BATCH, thorough=batches.thorough)
        values_of = values_of_bids if bidding else values_of_cards
        while not race.settled and (number := batches.take()):
            values: NDArray[np.float64] = np.empty((race.running.size, number))
            values_of(
                deal,
                known.seat,
                plan,
                sizes,
                played,
                _ints([moves[at] for at in race.running]),
                self.pool,
                self.blur,
                -self.bag if known.rules.bags else 1.0,
                BID_WEIGHTS,
                weights_for(known),
                draws,
                values,
            )
            race.add(values)
        return race


def different_cards(known: Knowledge) -> list[int]:
    """The legal cards, without those that are equivalent to a lower one.

    Two cards of a suit are equivalent if no card between them is out or lies in the trick.
    """
    sight = known.sight()
    legal = legal_cards(known.hand, sight.led, known.spades_free)
    between = known.unseen
    for card in known.trick:
        between |= 1 << card
    different: list[int] = []
    for card in members(legal):
        same = different and _are_alike(different[-1], card, between)
        if not same:
            different.append(card)
    return different


def _are_alike(low: int, high: int, between: int) -> bool:
    """Whether no card of `between` lies between two cards of one suit."""
    inside = (1 << high) - (1 << (low + 1))
    return low // 13 == high // 13 and not between & inside


def _cards(known: Knowledge, actions: Sequence[Action]) -> dict[Action, int]:
    """Each legal card, with the lowest of the own cards that are equivalent to it."""
    different = different_cards(known)
    cards = sorted(bid_or_play(action)[1] for action in actions)
    return {
        f"play {card_text(card)}": max(each for each in different if each <= card) for card in cards
    }


def bids_to_try(known: Knowledge) -> list[int]:
    """Nil, and the bids around the one that the rules player makes of the hand without it.

    None is lower than what the hand takes for certain.
    """
    usual, least = bid_of(known, nil=False), certain_tricks(known.hand)
    around = range(max(usual - AROUND, least, 1), min(usual + AROUND, 13) + 1)
    return [NIL, *around] if known.rules.nil and least == 0 else list(around)


def lay_out(known: Knowledge) -> Deal:
    """The deal as this seat knows it: the others' hands are empty."""
    rules = known.rules
    options = BREAKING if rules.breaking else 0
    options |= NIL_TRICKS if rules.nil_tricks else 0
    options |= BAGS_COST if rules.bags else 0
    deal = new_deal(rules.nil, options, (known.leader + len(known.trick)) % 4)
    deal[HAND + known.seat] = known.hand
    deal[TRICKS : TRICKS + 4] = known.tricks
    deal[BIDS : BIDS + 4] = known.bids
    deal[BAGS : BAGS + 2] = known.bags[:2]
    deal[PLAYED] = known.seen
    deal[LAID] = len(known.trick)
    for place, card in enumerate(known.trick):
        if beats(card, int(deal[BEST])):
            deal[BEST], deal[TAKER] = card, (known.leader + place) % 4
    if known.trick:
        deal[LED] = known.trick[0] // 13
    for seat, suits in enumerate(known.voids):
        for suit in suits:
            deal[VOIDS] |= 1 << (4 * seat + suit)
    for seat, blind in enumerate(known.blind):
        deal[BLIND] |= int(blind) << seat
    return deal


def _ints(numbers: tuple[int, ...] | list[int]) -> Ints:
    return np.array(numbers, dtype=np.int64)
