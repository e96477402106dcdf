"""Strengths 1 and 2: the card with the best worst case, among equals the most burdensome.

Source: Black Queen document, "Strength 1" (maximin over what is seen) and "Strength 2".
"""

from random import Random

from bots.black_queen.replies import Replies
from bots.black_queen.trick_view import (
    CARD_OF,
    NOTHING_UNSEEN,
    TrickView,
    Unseen,
    count_unseen,
    read_trick,
)
from bots.black_queen.worst_case import worst_case
from bots.bot import Budget, Candidate, Decision, Position
from engine.cards import Card, Suit, parse_cards, rank_of, suit_of
from engine.choices import Action

HIGH = 0.16
"""By how much an ace is preferred to a two at the first trick; it shrinks as the deal goes on."""
HIGH_SPADE = 0.08
"""By how much more king and ace of spades are preferred where that is safe.

Both together stay below the least difference between two worst cases that can be seen, 0.25, so
they decide between moves that are equally good otherwise.
"""
HIGH_SPADES = frozenset(parse_cards("KS AS"))


class Maximin:
    """Plays the card with the best worst case, with or without regard to unseen cards."""

    in_place = True
    needs_facts = False

    def __init__(self, *, counts_unseen: bool) -> None:
        self._counts_unseen = counts_unseen

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        """The first of the best candidates: a function of the position alone."""
        trick_view = read_trick(position)
        unseen = count_unseen(position.view) if self._counts_unseen else NOTHING_UNSEEN
        evaluation = _Evaluation(trick_view, unseen)
        candidates = tuple(
            evaluation.candidate(action, CARD_OF[action[5:7]])
            for action in position.choices.actions
        )
        best = max(candidates, key=lambda candidate: candidate.value)
        return Decision(best.action, candidates, measure="trick_lead", figure="worst")


def strength_1() -> Maximin:
    """The bot that plays as if the visible cards were the only ones."""
    return Maximin(counts_unseen=False)


def strength_2() -> Maximin:
    """The bot that considers what the others may hold among the unseen cards."""
    return Maximin(counts_unseen=True)


def preferences(card: Card, left: float, worst: float) -> tuple[float, float]:
    """The preference of `card` for its rank, and for being king or ace of spades.

    `left` is the share of the deal still to be played, `worst` the card's worst case: to get rid
    of a high spade is safe where that cannot cost anything.
    """
    high = HIGH * rank_of(card) / 12 * left
    return high, HIGH_SPADE if card in HIGH_SPADES and worst >= 0 else 0.0


class _Evaluation:
    """One decision; values that several candidates share are computed once."""

    def __init__(self, trick_view: TrickView, unseen: Unseen) -> None:
        self._trick_view = trick_view
        self._unseen = unseen
        self._replies: dict[Suit, tuple[Replies, ...]] = {}
        self._known: dict[Card, Candidate] = {}

    def candidate(self, action: Action, card: Card) -> Candidate:
        """The candidate of `action`; a card is worth as much from the hand as from a column."""
        known = self._known.get(card)
        if known is None:
            known = self._known[card] = self._evaluate(action, card)
        return Candidate(action, known.value, known.why)

    def _evaluate(self, action: Action, card: Card) -> Candidate:
        worst = worst_case(self._trick_view, self._replies_to(card), card)
        high, spade = preferences(card, self._trick_view.left, worst.value)
        why = {"worst": worst.value, "high": high, "high_spade": spade, **worst.why}
        return Candidate(action, worst.value + high + spade, why)

    def _replies_to(self, card: Card) -> tuple[Replies, ...]:
        led = suit_of(self._trick_view.trick[0] if self._trick_view.trick else card)
        if led not in self._replies:
            self._replies[led] = tuple(
                Replies(follower, led, self._unseen) for follower in self._trick_view.followers
            )
        return self._replies[led]
