"""Tiny deals of Black Queen for Hypothesis."""

from hypothesis import strategies as st

from engine.cards import TOKENS
from engine.games.black_queen import State
from tests.games.black_queen.hands import deal


@st.composite
def tiny_deals(draw: st.DrawFn) -> State:
    """Two to four players with up to five cards each, equal cards as likely as not."""
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
