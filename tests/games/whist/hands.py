"""Deals of Whist written as people write hands of cards.

    deal("AS KH", "2S 3H", "5S 6H", turned="2D").bid(1, 0, 2).play("2S", "5S", "AS").expect_taker(0)

Seat 2 deals unless it is said otherwise, so that seat 0 bids first and leads.
"""

from hypothesis import strategies as st

from engine import Setup, Shuffler, seed_from_int
from engine.cards import TOKENS, card_text, deck, parse_card, parse_cards
from engine.games.whist import NO_BID, State, Whist
from tests.games.hands import BiddingHands
from tests.games.whist.reference import Table

GAME = Whist()


def deal(
    *players: str, turned: str, dealer: int = -1, hook: bool = True, nil_score: int = 10
) -> "Hands":
    """A deal of the written cards; without `dealer` the last player deals."""
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
    """The reference's table for a deal before its first bid."""
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


class Hands(BiddingHands[State]):
    """A deal of Whist in play."""

    game = GAME
