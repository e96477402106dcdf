"""docs/writing-a-game.md: its example runs as printed and passes every check of the suite."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Match, Setup, Shuffler, seed_from_int
from engine.cards import TOKENS, card_text
from tests.conformance.checks import CHECKS, Check
from tests.conformance.playing import Played
from tests.conformance.subject import Lying, Sight, Subject, World
from tests.counts import count

DOC = Path(__file__).parents[2] / "docs" / "writing-a-game.md"

SIGHTS = {"deck": Sight.NOBODY, "hand": Sight.OWNER, "before": Sight.EVERYBODY}


@cache
def example() -> dict[str, Any]:
    """The names that the page's Python code defines, untyped as on the page."""
    names: dict[str, Any] = {"__name__": "example"}
    for block in re.findall(r"```python\n(.*?)```", DOC.read_text(encoding="utf-8"), re.DOTALL):
        exec(compile(block, str(DOC), "exec"), names)
    return names


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    options = {"deals": draw(st.integers(1, 3)), "cards": draw(st.integers(1, 10))}
    seed = seed_from_int(draw(st.integers(0, 2**64)))
    return Setup(draw(st.integers(2, 5)), options, Shuffler(seed))


def lying(state: Any) -> dict[str, list[Lying]]:
    zones = {"deck": [Lying(card_text(card), False) for card in state.deal.stock]}
    for kind, piles in (("hand", state.deal.hands), ("before", state.deal.before)):
        for seat, pile in enumerate(piles):
            zones[f"{kind}/{seat}"] = [Lying(card_text(card), True) for card in pile]
    return zones


def scramble(played: Played[Any], at: int, viewer: int, rng: Random) -> Any:
    """Shuffle the others' hands and the stock together."""
    state = played.steps[at].state
    piles = [*state.deal.hands, state.deal.stock]
    unseen = [card for seat, pile in enumerate(piles) if seat != viewer for card in pile]
    rng.shuffle(unseen)
    dealt = [
        pile if seat == viewer else tuple(unseen.pop() for _ in pile)
        for seat, pile in enumerate(piles)
    ]
    *hands, stock = dealt
    deal = replace(state.deal, hands=tuple(tuple(sorted(hand)) for hand in hands), stock=stock)
    return state._replace(deal=deal)


def rebuild(game: Any, played: Played[Any], at: int, state: Any) -> World[Any]:
    """Replay the moves from hands that lead to `state`; later deals come from another seed."""
    steps = [step.state for step in played.steps[: at + 1]]
    deals = {step.number: step.deal for step in reversed(steps)}
    begun, now = deals[state.number], played.steps[at].state.deal
    hands = tuple(
        tuple(sorted(set(first) - set(left) | set(other)))
        for first, left, other in zip(begun.hands, now.hands, state.deal.hands, strict=True)
    )
    deals[state.number] = replace(begun, hands=hands, stock=state.deal.stock)
    setup = replace(played.setup, shuffler=Shuffler(b"another seed for the later deals"))
    return World(Match(stacked(game.game, deals)), setup)


def stacked(game: Any, deals: Mapping[int, Any]) -> Any:
    """The game with some of its deals laid by hand."""

    class Stacked(type(game)):  # type: ignore[misc]
        def start(self, setup: Setup) -> Any:
            deal = deals.get(setup.shuffler.deal)
            return self.begin(replace(deal, setup=setup)) if deal else super().start(setup)

    return Stacked()


def hot_potato() -> Subject[Any]:
    match = Match(example()["HotPotato"]())
    return Subject(
        name="hot_potato",
        game=match,
        setups=setups(),
        sights=SIGHTS,
        lying=lying,
        pack=lambda setup: Counter(TOKENS),
        books=lambda view: (sum(map(len, view.zones.values())), 52),
        plausible=lambda state: [f"play {token}" for token in (*TOKENS * 4, "1S", "", "Q")],
        grammar=lambda action: action[5:] in TOKENS and action.startswith("play "),
        scramble=lambda played, at, viewer, rng: rebuild(
            match, played, at, scramble(played, at, viewer, rng)
        ),
        rebuild=rebuild,
    )


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@settings(max_examples=count(10))
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_the_example_passes_the_suite(check: Check, data: st.DataObject, seed: int) -> None:
    """The page's game passes every check that the page names."""
    subject = hot_potato()
    check(subject, data.draw(subject.setups), Random(seed))


def test_the_example_of_a_match_comes_to_an_end() -> None:
    """Running the page's example plays a match to its end."""
    names = example()
    assert names["match"].outcome(names["state"]) is not None
