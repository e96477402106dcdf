"""Strength 1 of Whist: bids its high cards and trumps, and plays to take just so many tricks."""

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

from bots.bot import Budget, Candidate, Decision, Position
from bots.whist.bits import above, beats, count, legal_cards, members, of_suit
from bots.whist.knowledge import Knowledge, read_position
from engine.cards import Card, card_text, parse_card, rank_of, suit_of
from engine.games.whist import NO_BID

ACE_RANK = rank_of(parse_card("AS"))
STEP, LOW_TRUMP = 0.1, 0.45
"""The ace of trumps is worth a trick, each lower trump so much less, and none less than that."""
PLAIN = {ACE_RANK: (0.85, 0.85), ACE_RANK - 1: (0.3, 0.5), ACE_RANK - 2: (0.1, 0.2)}
"""What ace, king and queen of another suit are worth, alone and with a lower card beside them."""


class RulePlayer:
    """A function of the position alone, by the rules a person is told first."""

    in_place = True
    needs_facts = True

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        known = read_position(position)
        if known.bids[known.seat] == NO_BID:
            worth = worth_of(known)
            bids = [int(action.removeprefix("bid ")) for action in position.choices.actions]
            chosen = f"bid {min(bids, key=lambda bid: abs(bid - worth))}"
            return Decision(chosen, (Candidate(chosen, worth, {"expected": worth}),))
        need = known.bids[known.seat] - known.taken[known.seat]
        chosen = f"play {card_text(_Turn(known, need).card())}"
        return Decision(chosen, (Candidate(chosen, 0.0, {"tricks_needed": float(need)}),))


def worth_of(known: Knowledge) -> float:
    """How many tricks the hand is good for: its trumps, its aces, and its kings and queens."""
    worth = 0.0
    for card in members(known.hand):
        if suit_of(card) == known.trump:
            worth += max(1.0 - STEP * (ACE_RANK - rank_of(card)), LOW_TRUMP)
        else:
            guards = count(of_suit(known.hand, suit_of(card)) & ((1 << card) - 1))
            worth += PLAIN.get(rank_of(card), (0.0, 0.0))[guards > 0]
    return worth


@dataclass(frozen=True, slots=True)
class _Turn:
    """A card to be played by a seat that needs so many tricks."""

    known: Knowledge
    need: int

    def card(self) -> Card:
        known = self.known
        trick = known.line[len(known.line) - known.trick :]
        legal = list(members(legal_cards(known.hand, suit_of(trick[0]) if trick else -1)))
        if not trick:
            return self._lead(legal)
        best = trick[0]
        for card in trick:
            if beats(card, best, known.trump):
                best = card
        winning = [card for card in legal if beats(card, best, known.trump)]
        losing = [card for card in legal if card not in winning]
        last = known.trick == known.seats - 1
        return (
            self._take(winning, losing, last)
            if self.need > 0
            else self._duck(winning, losing, last)
        )

    def _lead(self, cards: list[Card]) -> Card:
        """Whoever needs tricks leads what few can beat, whoever does not what many can."""
        return self._strongest(cards) if self.need > 0 else self._weakest(cards)

    def _take(self, winning: list[Card], losing: list[Card], last: bool) -> Card:
        """The cheapest card that takes, or, with others to follow, the one likeliest to hold."""
        if not winning:
            return self._weakest(losing)
        if last or all(suit_of(card) == self.known.trump for card in winning):
            return self._weakest(winning)
        return self._strongest(winning)

    def _duck(self, winning: list[Card], losing: list[Card], last: bool) -> Card:
        """The most dangerous card that cannot take; if all can, a high one only as the last."""
        if losing:
            return self._strongest(losing)
        return self._strongest(winning) if last else self._weakest(winning)

    def _strongest(self, cards: Iterable[Card]) -> Card:
        return max(cards, key=self._strength)

    def _weakest(self, cards: Iterable[Card]) -> Card:
        return min(cards, key=self._strength)

    def _strength(self, card: Card) -> tuple[int, int, int]:
        """Trumps before plain suits, then by how few unseen cards of the suit are higher."""
        trump = suit_of(card) == self.known.trump
        return int(trump), -above(self.known.unseen, card), card % 13
