"""Deals of Whist written as people write hands of cards.

    deal("AS KH", "2S 3H", "5S 6H", turned="2D").bid(1, 0, 2).play("2S", "5S", "AS").expect_taker(0)

Seat 2 deals unless it is said otherwise, so that seat 0 bids first and leads.
"""

from dataclasses import dataclass, replace

import pytest
from hypothesis import strategies as st

from engine import Setup, Shuffler, seed_from_int
from engine.cards import TOKENS, card_text, deck, parse_card, parse_cards
from engine.errors import EngineError
from engine.facts import AddressedFact
from engine.games.whist import NO_BID, State, Whist
from tests.games.whist.reference import Table

GAME = Whist()


def deal(
    *players: str, turned: str, dealer: int = -1, hook: bool = True, nil_score: int = 10
) -> "Hands":
    """A deal laid as it is written; without `dealer` the last player deals."""
    hands = tuple(tuple(sorted(parse_cards(player))) for player in players)
    (cards,) = {len(hand) for hand in hands}
    trump = parse_card(turned)
    used = {trump}.union(*hands)
    assert len(used) == len(players) * cards + 1, "a card is there twice"
    dealer %= len(players)
    options = {"cards": cards, "hook": hook, "nil_score": nil_score}
    state = State(
        setup=Setup(len(players), options, Shuffler(seed_from_int(0))),
        cards=cards,
        dealer=dealer,
        turned=trump,
        stock=tuple(card for card in deck() if card not in used),
        hands=hands,
        bids=(NO_BID,) * len(players),
        leader=(dealer + 1) % len(players),
        trick=(),
        taken=((),) * len(players),
    )
    return Hands(GAME.begin(state).state)


@st.composite
def tiny_deals(draw: st.DrawFn) -> State:
    """Three to five players with one to three cards each, of few ranks, so that suits meet."""
    seats = draw(st.integers(3, 5))
    cards = draw(st.integers(1, 3))
    pack = draw(st.permutations(TOKENS[::2]))
    players = [" ".join(pack[seat * cards : (seat + 1) * cards]) for seat in range(seats)]
    return deal(
        *players,
        turned=pack[seats * cards],
        dealer=draw(st.integers(0, seats - 1)),
        hook=draw(st.booleans()),
        nil_score=draw(st.integers(0, 20)),
    ).state


def table_of(state: State) -> Table:
    """The same deal, before its first bid, for the reference."""
    hook, nil_score = state.setup.options["hook"], state.setup.options["nil_score"]
    assert isinstance(hook, bool)
    assert isinstance(nil_score, int)
    return Table(
        [[card_text(card) for card in hand] for hand in state.hands],
        card_text(state.turned),
        state.dealer,
        left_over=len(state.stock),
        hook=hook,
        nil_score=nil_score,
    )


@dataclass(frozen=True)
class Hands:
    """A deal in play, and the facts of the last move."""

    state: State
    facts: tuple[AddressedFact, ...] = ()

    def bid(self, *numbers: int) -> "Hands":
        """Bid for the player whose turn it is."""
        return self._act(*(f"bid {number}" for number in numbers))

    def play(self, *cards: str) -> "Hands":
        """Play cards for the player whose turn it is."""
        return self._act(*(f"play {card}" for card in cards))

    def _act(self, *actions: str) -> "Hands":
        hands = self
        for action in actions:
            step = GAME.apply(hands.state, hands.state.turn, action)
            hands = replace(hands, state=step.state, facts=step.facts)
        return hands

    def expect_turn(self, seat: int) -> "Hands":
        assert GAME.to_act(self.state) == (seat,)
        return self

    def expect_choices(self, actions: str) -> "Hands":
        """The player whose turn it is is offered exactly these: ``bid 0 1 3``, ``play QS 2H``."""
        verb, *words = actions.split()
        offered = GAME.choices(self.state, self.state.turn).actions
        assert offered == tuple(f"{verb} {word}" for word in words)
        return self

    def expect_refusal(self, action: str, error: type[EngineError], words: str) -> "Hands":
        with pytest.raises(error, match=words):
            self._act(action)
        return self

    def expect_taker(self, seat: int) -> "Hands":
        """The last card completed a trick, which went to `seat`, who leads next."""
        assert [fact.args["seat"] for fact in self.facts if fact.verb == "trick_won"] == [seat]
        assert self.state.leader == seat
        return self

    def expect_tricks(self, *tricks: int) -> "Hands":
        assert tuple(map(self.state.tricks, range(len(tricks)))) == tricks
        return self

    def expect_scores(self, *scores: int) -> "Hands":
        outcome = GAME.outcome(self.state)
        assert outcome is not None
        assert outcome.scores == scores
        return self
