"""Strengths 2 and 3 of Whist: bids and cards weighed over dealt-out worlds."""

from dataclasses import dataclass
from random import Random

import numpy as np

from bots.bot import Budget, Candidate, Decision, Position
from bots.search.budget import Purse
from bots.search.draws import draws_from
from bots.search.racing import Race
from bots.search.worlds import plan_worlds
from bots.whist.beliefs import deal_worlds, pick_worlds, weigh_bids_made, weigh_plays_made
from bots.whist.classes import Weights
from bots.whist.kernel import MOST_CARDS, Deal, Floats, Ints, new_deal
from bots.whist.knowledge import Knowledge, read_position
from bots.whist.maxn import BY_CLASSES, BY_PLAYOUT, Search, distinct
from bots.whist.policy import TASTE, Taste
from bots.whist.weighing import weigh_bids, weigh_cards
from engine.cards import card_text
from engine.games.whist import NO_BID
from engine.tricks import trick_winner

USUAL = Budget(milliseconds=40)
BATCH = 16


@dataclass(frozen=True, slots=True)
class Settings:
    """The switches of the search, one for each idea, so that the arena can price them.

    `leaf` is ``classes`` or ``playouts``; `choose` is ``votes`` (the move most worlds prefer) or
    ``mean`` (the best on average). `depth` counts moves with a choice after the own one; None
    leaves it to the cards left.
    """

    leaf: str = "playouts"
    choose: str = "mean"
    depth: int | None = None
    spoil: float = 0.5
    winner: float = Weights().winner
    loser: float = Weights().loser
    neutral: float = Weights().neutral
    slope: float = Weights().slope
    ranked: bool = True
    protected: float = 0.0
    believe_bids: bool = True
    believe_plays: bool = True
    pool: int = 8
    blur: float = 0.8
    slips: float = 0.05
    trust: float = 0.6
    paranoia: float = 0.0
    bid_by_search: bool = True


class Searcher:
    """Deals the unseen cards again and again, and plays what does best over these worlds."""

    in_place = False
    needs_facts = True

    def __init__(self, settings: Settings = Settings(), taste: Taste = TASTE) -> None:
        self._settings = settings
        self._taste = taste

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        actions = position.choices.actions
        if len(actions) == 1:
            return Decision(actions[0], (Candidate(actions[0], 0.0),))
        thought = _Thought(read_position(position), self._settings, self._taste, rng)
        bidding = thought.known.bids[position.seat] == NO_BID
        return thought.bid(actions, budget) if bidding else thought.play(actions, budget)


class _Thought:
    """One decision: what is known as arrays, and the loop over batches of worlds."""

    def __init__(self, known: Knowledge, settings: Settings, taste: Taste, rng: Random) -> None:
        self.known = known
        self._settings = settings
        self._taste = taste
        self._draws = draws_from(rng)
        self._deal = lay_out(known)
        self._played = np.array(known.played, dtype=np.int64)
        self._order = np.array(known.bidders, dtype=np.int64)
        self._plan = plan_worlds(_members(known.unseen), known.places())
        self._sizes = np.array([place.size for place in known.places()[:-1]], dtype=np.int64)
        self._work = new_deal(known.seats, known.trump, known.nil_score, 0, 0)
        self._search = Search(
            leaf=BY_PLAYOUT if settings.leaf == "playouts" else BY_CLASSES,
            weights=Weights(
                settings.winner,
                settings.loser,
                settings.neutral,
                settings.slope,
                settings.ranked,
                settings.protected,
            ),
            taste=taste,
            spoil=settings.spoil,
            paranoia=np.full(known.seats, settings.paranoia),
            me=known.seat,
            values=np.zeros((MOST_CARDS + 2, known.seats)),
            work=new_deal(known.seats, known.trump, known.nil_score, 0, 0),
        )

    def play(self, actions: tuple[str, ...], budget: Budget) -> Decision:
        """Weigh the cards that differ; equal ones share the value of the highest."""
        cards = _members(int(distinct(self._deal)))
        texts = [f"play {card_text(card)}" for card in cards]
        if len(cards) == 1:
            return Decision(texts[0], (Candidate(texts[0], 0.0),))
        depth = self._depth()
        race, purse = self._race(len(cards)), Purse(budget, USUAL, first=BATCH)
        while not race.settled and (batch := purse.take()):
            running = np.array([cards[at] for at in race.running], dtype=np.int64)
            values = np.empty((batch, running.size))
            worlds = self._worlds(batch)
            weigh_cards(self._deal, worlds, running, depth, self._search, self._work, values)
            race.add(self._counted(values))
        return _decision(texts, race)

    def bid(self, actions: tuple[str, ...], budget: Budget) -> Decision:
        bids = [int(action.split(" ")[1]) for action in actions]
        race, purse = self._race(len(bids)), Purse(budget, USUAL, first=BATCH)
        depth = 0
        while not race.settled and (batch := purse.take()):
            running = np.array([bids[at] for at in race.running], dtype=np.int64)
            values = np.empty((batch, running.size))
            weigh_bids(
                self._deal,
                self._worlds(batch),
                running,
                self._order,
                self.known.hook,
                self.known.turned,
                depth,
                self._search,
                self._work,
                values,
            )
            race.add(self._counted(values))
        return _decision(list(actions), race)

    def _race(self, candidates: int) -> Race:
        # A vote is among all candidates, so none may leave.
        return Race(candidates, least=1 << 30 if self._settings.choose == "votes" else BATCH)

    def _counted(self, values: Floats) -> Floats:
        """Rows for the race: values, or each world's vote for the best in it, shared by equals."""
        if self._settings.choose == "votes":
            best = values == values.max(axis=1, keepdims=True)
            values = best / best.sum(axis=1, keepdims=True)
        return values.T

    def _depth(self) -> int:
        if self._settings.depth is not None:
            return self._settings.depth
        if self._settings.leaf == "playouts":
            return 0
        left = self.known.sizes[self.known.seat]
        return {1: 99, 2: 99, 3: 99, 4: 5, 5: 4, 6: 2, 7: 1}.get(left, 0)

    def _worlds(self, number: int) -> Ints:
        """So many worlds; with beliefs, picked from more of them by how likely they are."""
        settings = self._settings
        bids_made = any(
            bid != NO_BID for seat, bid in enumerate(self.known.bids) if seat != self.known.seat
        )
        believing = (settings.believe_bids and bids_made) or (
            settings.believe_plays and len(self.known.line) > 0
        )
        pool = number * (settings.pool if believing else 1)
        hands = np.empty((pool, self.known.seats), dtype=np.int64)
        hands[:, self.known.seat] = self.known.hand
        deal_worlds(self._plan, self._sizes, self._draws, hands)
        if not believing:
            return hands
        logs = np.zeros(pool)
        if settings.believe_bids:
            weigh_bids_made(
                self._deal,
                hands,
                self._played,
                self._order,
                self.known.seat,
                self.known.turned,
                settings.blur,
                settings.slips,
                self._taste,
                logs,
            )
        if settings.believe_plays:
            weigh_plays_made(
                self._deal,
                hands,
                self._played,
                self.known.seat,
                self.known.bidders[0],
                settings.trust,
                self._work,
                self._taste,
                logs,
            )
        picked = np.empty(number, dtype=np.int64)
        pick_worlds(logs, self._draws, picked)
        return hands[picked]


def lay_out(known: Knowledge) -> Deal:
    """The deal as this seat knows it: the others' hands are empty."""
    deal = new_deal(known.seats, known.trump, known.nil_score, known.leader, known.seen)
    deal.hands[known.seat] = known.hand
    deal.bids[:] = known.bids
    deal.taken[:] = known.taken
    deal.line[: len(known.line)] = known.line
    start = len(known.line) - known.trick
    best = known.leader
    if known.trick:
        trick = known.line[start:]
        place = trick_winner(trick, trump=known.trump)
        best = (known.leader + place) % known.seats
    deal.at[:] = (known.leader, start, len(known.line), best, known.seen)
    return deal


def _decision(texts: list[str], race: Race) -> Decision:
    candidates = tuple(
        Candidate(text, standing.worth, standing.why())
        for text, standing in zip(texts, race.standings(), strict=True)
    )
    return Decision(texts[race.best], candidates)


def _members(cards: int) -> list[int]:
    return [card for card in range(52) if cards >> card & 1]
