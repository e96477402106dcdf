"""Deals of Spades written as people write hands of cards.

    deal("AS KH", "2S 3H", "5S 6H", "7D 8C").bid(1, 0, 1, 0).play("KH", "3H", "6H", "7D")

Seat 3 deals unless it is said otherwise, so that seat 0 bids first and leads.
"""

from collections.abc import Sequence
from itertools import islice
from typing import Any

from hypothesis import strategies as st

from engine import Setup, Shuffler, complete_options, seed_from_int
from engine.cards import TOKENS, card_text, deck, parse_cards
from engine.games.spades import NO_BID, Spades, State
from tests.games.hands import BiddingHands
from tests.games.spades.reference import Table

GAME = Spades()


def deal(
    *players: str,
    dealer: int = 3,
    before: Sequence[int] = (0, 0),
    unseen: Sequence[int] = (),
    **options: Any,  # option values of any kind
) -> "Hands":
    """A deal of the written cards; `before` are the bags that each team had before.

    Seats in `unseen` may bid blind.
    """
    hands = tuple(tuple(sorted(parse_cards(player))) for player in players)
    cards = [card for hand in hands for card in hand]
    assert len(set(cards)) == 4 * len(hands[0]) == len(cards), "a card is there twice, or missing"
    state = State(
        setup=Setup(4, complete_options(GAME, 4, options), Shuffler(seed_from_int(0))),
        dealer=dealer,
        bags=tuple(before),
        hands=hands,
        looked=tuple(seat not in unseen for seat in range(4)),
        bids=(NO_BID,) * 4,
        blind=(False,) * 4,
        leader=(dealer + 1) % 4,
        trick=(),
        taken=((),) * 4,
        broken=False,
    )
    return Hands(GAME.begin(state).state)


def finished(
    bids: Sequence[int],
    tricks: Sequence[int],
    *,
    before: Sequence[int] = (0, 0),
    blind: Sequence[int] = (),
    **options: Any,  # option values of any kind
) -> "Hands":
    """A finished deal with each seat's bid and number of tricks."""
    assert sum(tricks) == 13, "there are 13 tricks"
    pack = iter(deck())
    state = deal("", "", "", "", before=before, **options).state
    taken = tuple(tuple(islice(pack, 4 * number)) for number in tricks)
    blinds = tuple(seat in blind for seat in range(4))
    return Hands(state._replace(bids=tuple(bids), blind=blinds, taken=taken))


@st.composite
def tiny_deals(draw: st.DrawFn) -> State:
    """Four players with one to three cards each, of few ranks, so that suits meet."""
    cards = draw(st.integers(1, 3))
    pack = draw(st.permutations(TOKENS[::3]))
    players = [" ".join(pack[seat * cards : (seat + 1) * cards]) for seat in range(4)]
    options: dict[str, Any] = {
        "bags": draw(st.booleans()),
        "nil": draw(st.sampled_from(("100", "50", "off"))),
        "nil_tricks": draw(st.booleans()),
        "breaking": draw(st.booleans()),
    }
    unseen = draw(st.sets(st.integers(0, 3))) if options["nil"] != "off" else set()
    return deal(
        *players,
        dealer=draw(st.integers(0, 3)),
        before=(draw(st.integers(0, 9)), draw(st.integers(0, 9))),
        unseen=sorted(unseen),
        **options,
    ).state


def table_of(state: State) -> Table:
    """The reference's table for a deal before its first bid."""
    options = state.setup.options
    return Table(
        [[card_text(card) for card in hand] for hand in state.hands],
        state.dealer,
        unseen=[seat for seat in range(4) if not state.looked[seat]],
        bags=[state.bags[seat % 2] for seat in range(4)],
        nil={"100": 100, "50": 50, "off": None}[str(options["nil"])],
        bags_cost=bool(options["bags"]),
        nil_tricks=bool(options["nil_tricks"]),
        breaking=bool(options["breaking"]),
    )


class Hands(BiddingHands[State]):
    """A deal of Spades in play."""

    game = GAME

    def expect_team_scores(self, first: int, second: int) -> "Hands":
        """The deal is over, with these scores for the team of seats 0 and 2 and for the other."""
        return self.expect_scores(first, second, first, second)
