"""Deals of Black Queen written as people write hands of cards.

    deal("AS KH | QS/2C 3D", "2S 3S | 4D/5H 6C", leader=1).play("2S", "KH@1").expect_taker(0)

A player's text is their hand and, after the bar, their columns: UP/DOWN, or UP alone.
"""

from collections.abc import Sequence

from hypothesis import strategies as st

from engine import Setup, Shuffler, seed_from_int
from engine.cards import TOKENS, Card, card_text, parse_card, parse_cards
from engine.games.black_queen import EMPTY, BlackQueen, State
from tests.games.black_queen.reference import NOTHING, Table
from tests.games.hands import TrickHands

GAME = BlackQueen()


def deal(*players: str, leader: int = 0) -> "Hands":
    """A deal of the written cards; every player must have equally many cards."""
    hands, ups, downs = [], [], []
    for player in players:
        hand, _, columns = player.partition("|")
        pairs = [column.partition("/")[::2] for column in columns.split()]
        hands.append(tuple(sorted(parse_cards(hand))))
        ups.append(tuple(_card(up) for up, _ in pairs))
        downs.append(tuple(_card(down) for _, down in pairs))
    held = [
        sum(card != EMPTY for card in (*hand, *up, *down))
        for hand, up, down in zip(hands, ups, downs, strict=True)
    ]
    assert len(set(held)) == 1, f"players have {held} cards"
    setup = Setup(len(players), {"deals": 1, "columns": len(ups[0])}, Shuffler(seed_from_int(0)))
    state = State(setup, tuple(hands), tuple(ups), tuple(downs), leader, (), ((),) * len(players))
    return Hands(GAME.begin(state).state)


def table_of(state: State) -> Table:
    """The reference's table for a deal before its first card."""
    return Table(
        [[card_text(card) for card in hand] for hand in state.hands],
        [
            [[_text(down), _text(up)] for down, up in zip(*rows, strict=True)]
            for rows in zip(state.down, state.up, strict=True)
        ],
        state.leader,
    )


class Hands(TrickHands[State]):
    """A deal of Black Queen in play."""

    game = GAME

    def expect_columns(self, seat: int, columns: str) -> "Hands":
        """The columns of a seat, written as for `deal`, with `-` for a card that is gone."""
        pairs = zip(self.state.up[seat], self.state.down[seat], strict=True)
        assert [f"{_text(up) or '-'}/{_text(down) or '-'}" for up, down in pairs] == columns.split()
        return self

    def expect_flips(self, flips: Sequence[tuple[int, str]]) -> "Hands":
        """The last card led to exactly these cards being turned up, by seat."""
        told = [(f.args["seat"], f.args["card"]) for f in self.facts if f.verb == "card_flipped"]
        assert told == list(flips)
        return self


def _card(text: str) -> Card:
    return parse_card(text) if text else EMPTY


def _text(card: Card) -> str:
    return NOTHING if card == EMPTY else card_text(card)


@st.composite
def tiny_deals(draw: st.DrawFn) -> State:
    """Two to four players with up to five cards each, in which equal cards are frequent."""
    seats = draw(st.integers(2, 4))
    held = draw(st.integers(1, 5))
    columns = draw(st.integers(0, held // 2))
    cards = draw(st.lists(st.sampled_from(TOKENS[::4]), min_size=5 * seats, max_size=5 * seats))
    players = []
    for seat in range(seats):
        own = cards[5 * seat : 5 * seat + held]
        pairs = zip(own[:columns], own[columns : 2 * columns], strict=True)
        row = " ".join(f"{up}/{down}" for up, down in pairs)
        players.append(f"{' '.join(own[2 * columns :])} | {row}")
    return deal(*players, leader=draw(st.integers(0, seats - 1))).state
