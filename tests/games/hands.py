"""Deals written as people write hands of cards: what `hands.py` of every game shares."""

import re
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

import pytest

from engine.cards import Card, card_texts
from engine.choices import Action
from engine.errors import EngineError
from engine.facts import AddressedFact, Seat, Value
from engine.game import Game

_CARD = re.compile(r"[0-9A-Z]{2}(@\d+)?")


class DealInPlay(Protocol):
    """What the states of all our games have in common."""

    @property
    def turn(self) -> Seat: ...
    @property
    def leader(self) -> Seat: ...
    @property
    def hands(self) -> tuple[tuple[Card, ...], ...]: ...


S = TypeVar("S", bound=DealInPlay)


@dataclass(frozen=True)
class TrickHands(Generic[S]):
    """A deal in play, the facts of the last move, and the facts before it.

    A method that plays gives the deal after it; one that expects gives the same deal, so that all
    can be chained. Where a move is written, a card alone is played: `QS` is ``play QS``.
    """

    # The states are those of the subclass.
    game: ClassVar[Game[Any]]

    state: S
    facts: tuple[AddressedFact, ...] = ()
    before: tuple[AddressedFact, ...] = ()

    @property
    def all_facts(self) -> tuple[AddressedFact, ...]:
        """The facts of the deal so far."""
        return self.before + self.facts

    def act(self, *moves: str) -> Self:
        """Apply actions, each by the player to move."""
        hands = self
        for move in moves:
            hands = hands.act_as(hands.state.turn, move)
        return hands

    play = act

    def act_as(self, seat: Seat, move: str) -> Self:
        """Apply an action by the player of a seat, whoever is to move."""
        step = self.game.apply(self.state, seat, _action(move))
        return replace(self, state=step.state, facts=step.facts, before=self.all_facts)

    def expect_turn(self, *seats: Seat) -> Self:
        """Exactly these seats are to move."""
        assert self.game.to_act(self.state) == seats
        return self

    def expect_choices(self, *moves: str) -> Self:
        """The player to move has exactly these choices, written as for `act` or
        with one verb for several: ``bid 0 1 3``.
        """
        offered = self.game.choices(self.state, self.state.turn).actions
        assert offered == tuple(move for words in moves for move in _actions(words))
        return self

    def expect_refusal(
        self, move: str, error: type[EngineError], words: str, seat: Seat | None = None
    ) -> Self:
        """The action of the player to move, or of `seat`, is refused in these words."""
        with pytest.raises(error, match=words):
            self.act_as(self.state.turn if seat is None else seat, move)
        return self

    def expect_told(self, *verbs: str) -> Self:
        """The facts of the last move have exactly these verbs."""
        assert [fact.verb for fact in self.facts] == list(verbs)
        return self

    def told(self, verb: str) -> list[dict[str, Value]]:
        """The arguments of every fact of this verb in the deal so far."""
        return [dict(fact.args) for fact in self.all_facts if fact.verb == verb]

    def expect_taker(self, seat: Seat) -> Self:
        """The last card completed a trick, which went to `seat`, who leads next."""
        takers = [f.args["seat"] for f in self.facts if f.verb in ("trick_taken", "trick_won")]
        assert takers == [seat]
        assert self.state.leader == seat
        return self

    def expect_hand(self, seat: Seat, cards: str) -> Self:
        """The seat holds exactly these cards."""
        assert card_texts(self.state.hands[seat]) == tuple(cards.split())
        return self

    def expect_scores(self, *scores: int) -> Self:
        """The deal is over, nobody is to move, and each seat has this score."""
        outcome = self.game.outcome(self.state)
        assert outcome is not None
        assert outcome.scores == scores
        assert self.game.to_act(self.state) == ()
        return self


class DealWithTricks(DealInPlay, Protocol):
    """A deal in which the tricks of each seat are counted."""

    def tricks(self, seat: Seat) -> int: ...


T = TypeVar("T", bound=DealWithTricks)


class BiddingHands(TrickHands[T]):
    """A deal in play in a game with bids for tricks."""

    def bid(self, *numbers: int) -> Self:
        """Bid in turn from the player to move."""
        return self.act(*(f"bid {number}" for number in numbers))

    def expect_tricks(self, *tricks: int) -> Self:
        """Each seat has taken this number of tricks."""
        assert tuple(map(self.state.tricks, range(len(tricks)))) == tricks
        return self


def _action(move: str) -> Action:
    return f"play {move}" if _CARD.fullmatch(move) else move


def _actions(text: str) -> list[Action]:
    """The actions of a text: ``QS 2H`` are two cards, ``bid 0 1`` two bids, ``close`` itself."""
    words = text.split()
    if all(map(_CARD.fullmatch, words)):
        return [f"play {card}" for card in words]
    verb, *rest = words
    return [f"{verb} {word}" for word in rest] or [verb]
