"""Tiny deals of Schnapsen for Hypothesis."""

from hypothesis import strategies as st

from engine.games.schnapsen import State
from tests.games.schnapsen.hands import deal
from tests.games.schnapsen.subject import PACK


@st.composite
def tiny_deals(draw: st.DrawFn) -> State:
    """Up to three cards each, a talon of none, two or four, and tricks taken before."""
    cards = draw(st.permutations(PACK))
    held = draw(st.integers(1, 3))
    below = draw(st.sampled_from((0, 1, 3)))
    before = [2 * draw(st.integers(0, 2)) for _ in range(2)]
    sizes = (held, held, below, 1, *before)
    piles = [" ".join(cards[sum(sizes[:at]) :][:size]) for at, size in enumerate(sizes)]
    first, second, talon, turned, *taken = piles
    return deal(
        first,
        second,
        talon=f"{talon} | {turned}" if below else "",
        trump=turned[1],
        taken=(taken[0], taken[1]),
        leader=draw(st.integers(0, 1)),
        min_talon=draw(st.sampled_from((2, 4))),
        freeze=draw(st.booleans()),
        claim=draw(st.sampled_from(("auto", "manual"))),
    ).state
