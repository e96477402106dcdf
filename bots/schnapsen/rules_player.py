"""Strength 1: plays by a few simple rules, without looking ahead.

It exchanges when it may, announces marriages, leads what it can spare and takes what is valuable.
It closes only if its own hand brings 66 with nothing taken from it.
"""

from collections.abc import Iterable, Sequence
from random import Random

from bots.bot import Budget, Decision, Position
from engine.cards import SYMBOLS, Card, Suit, card_text, parse_card, parse_cards, suit_of
from engine.choices import Action
from engine.games.schnapsen import ENOUGH, PACK, partner_of, value_of, values

_WORTH_A_TRUMP = 10
"""A lead that counts so much is taken with a trump."""
_LEAST = 2
"""No card counts less."""


class RulesPlayer:
    """Plays the first rule that fits the position."""

    in_place = True
    needs_facts = False

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        """The move of the first rule that fits: a function of the position alone."""
        actions = position.choices.actions
        hand = _Hand(position)
        if "claim" in actions and hand.points >= ENOUGH:
            return Decision("claim")
        for action in ("pass", "exchange"):
            if action in actions:
                return Decision(action)
        plays = [parse_card(action[5:]) for action in actions if action.startswith("play")]
        if position.view.cards("trick"):
            return Decision(_play(hand.answer(plays)))
        if "close" in actions and hand.closes():
            return Decision("close")
        pairs = [parse_card(action[6:]) for action in actions if action.startswith("marry")]
        if pairs:
            # The queen goes, the king is kept; trumps first, for they bring most.
            best = max(pairs, key=lambda card: (suit_of(card) == hand.trump, -value_of(card)))
            return Decision(f"marry {card_text(best)}")
        return Decision(_play(hand.lead(plays)))


class _Hand:
    """The cards that the seat sees, and the rules' moves for them."""

    def __init__(self, position: Position) -> None:
        view, seat = position.view, position.seat
        self.trump: Suit = SYMBOLS.index(str(view.values["trump"]))
        self._cards = parse_cards(" ".join(view.cards("hand", seat)))
        self._led = parse_cards(" ".join(view.cards("trick")))
        taken = parse_cards(" ".join(view.cards("taken", seat)))
        self._told = view.number(f"marriages/{seat}")
        self._taken = values(taken)
        self.points = self._taken + self._told if taken else 0
        gone = {
            card for each in (0, 1) for card in parse_cards(" ".join(view.cards("taken", each)))
        }
        self._out = [card for card in PACK if card not in gone and card not in self._cards]
        closed = any(view.values.get(f"closed/{each}") for each in (0, 1))
        self._strict = closed or not view.cards("turned")

    def closes(self) -> bool:
        """Whether the highest cards alone bring 66, with nothing but a jack thrown on each."""
        high = [card for card in self._cards if self._highest(card)]
        trumps = sum(suit_of(card) == self.trump for card in high)
        return trumps >= 2 and self.points + sum(value_of(card) + 2 for card in high) >= ENOUGH

    def lead(self, plays: Sequence[Card]) -> Card:
        """The lead: a deal-winning card, without a talon an unbeatable one, else the cheapest.

        A high trump takes whatever is thrown on it, which counts two at least.
        """
        high = [card for card in plays if self._highest(card)]
        for card in high:
            if suit_of(card) == self.trump and self._reaches(value_of(card) + _LEAST):
                return card
        if self._strict and high:
            return max(high, key=lambda card: (suit_of(card) == self.trump, value_of(card)))
        return self._cheapest(plays)

    def answer(self, plays: Sequence[Card]) -> Card:
        """The answer: win the deal, take much in suit, ruff what is valuable, or give the least."""
        led = self._led[0]
        wins = [
            card
            for card in plays
            if self._takes(card, led) and self._reaches(value_of(led) + value_of(card))
        ]
        if wins:
            return max(wins, key=value_of)
        in_suit = [
            card
            for card in plays
            if suit_of(card) == suit_of(led) and value_of(card) > value_of(led)
        ]
        if in_suit and suit_of(led) != self.trump:
            return max(in_suit, key=value_of)
        trumps = [card for card in plays if suit_of(card) == self.trump != suit_of(led)]
        if trumps and value_of(led) >= _WORTH_A_TRUMP:
            return min(trumps, key=value_of)
        return self._cheapest(plays)

    def _takes(self, card: Card, led: Card) -> bool:
        if suit_of(card) == suit_of(led):
            return value_of(card) > value_of(led)
        return suit_of(card) == self.trump

    def _reaches(self, more: int) -> bool:
        """Whether a trick that brings so much makes 66; marriages count from the first trick on."""
        return self._taken + self._told + more >= ENOUGH

    def _highest(self, card: Card) -> bool:
        """Whether no higher card of its suit may still come."""
        return not any(
            suit_of(other) == suit_of(card) and value_of(other) > value_of(card)
            for other in self._out
        )

    def _cheapest(self, plays: Iterable[Card]) -> Card:
        """The most expendable card: no trump, no half of a marriage, few points."""
        return min(
            plays,
            key=lambda card: (
                suit_of(card) == self.trump,
                partner_of(card) in self._cards,
                value_of(card),
                card,
            ),
        )


def _play(card: Card) -> Action:
    return f"play {card_text(card)}"
