"""The kernels' deals follow the engine's rules."""

from random import Random

import pytest

from bots.black_queen.open_deal import LACKS, NONE, must_follow, score
from engine.cards import card_text, parse_card
from engine.games.black_queen import State
from tests.counts import count
from tests.games.black_queen.bots.played import (
    GAME,
    Twin,
    listed,
    new_deal,
    random_deal,
    told,
    told_by,
)

POSITIONS = 1000
"""At a factor of ten the kernel and the engine meet in ten thousand positions."""


def moves(twin: Twin) -> set[tuple[str, bool]]:
    """The moves of a kernel deal, each with whether it comes from a column."""
    deal, seat = twin.deal, twin.state.turn
    suit = must_follow(deal.held, deal.now)
    face_up = listed(deal.up[seat])
    return {
        (card_text(copy // 4), copy in face_up)
        for copy in listed(deal.held[seat])
        if suit in (NONE, copy // 52)
    }


def offered(state: State) -> set[tuple[str, bool]]:
    return {(action[5:7], "@" in action) for action in GAME.choices(state, state.turn).actions}


def test_it_plays_by_the_rules_of_the_engine() -> None:
    """Random deals of all sizes have equal choices, cards and scores in kernel and engine."""
    rng = Random(5)
    met = 0
    while met < count(POSITIONS):
        twin = Twin(random_deal(rng).state)
        assert told(twin.deal) == told_by(twin.state)
        while not twin.state.over:
            assert moves(twin) == offered(twin.state)
            twin.play(rng.choice(GAME.choices(twin.state, twin.state.turn).actions))
            if not twin.state.over:
                assert told(twin.deal) == told_by(twin.state)
            met += 1
        outcome = GAME.outcome(twin.state)
        assert outcome is not None
        assert tuple(score(twin.deal, seat) for seat in range(len(outcome.scores))) == (
            outcome.scores
        )


@pytest.mark.parametrize(("seats", "wanted"), [(2, (10, 25)), (4, (10, 10, 50, 10))])
def test_scores_of_taking_all_and_nothing(seats: int, wanted: tuple[int, ...]) -> None:
    """A player who takes all points scores them as a plus, and one who takes no card scores ten."""
    twin = Twin(new_deal(seats, 0, 1).state)
    shooter = wanted.index(max(wanted))
    twin.deal.seats[shooter, :2] = 25 * (seats // 2), 52
    assert tuple(score(twin.deal, seat) for seat in range(seats)) == wanted


def test_who_does_not_follow_is_known_to_lack_the_suit() -> None:
    """Playing off suit marks the seat as void in the suit led, and no other seat or suit."""
    rng = Random(2)
    twin = Twin(new_deal(4, 8, 3).state)
    wanted = [0] * 4
    for _ in range(80):
        state = twin.state
        action = rng.choice(GAME.choices(state, state.turn).actions)
        led = (state.trick or (parse_card(action[5:7]),))[0] // 13
        if parse_card(action[5:7]) // 13 != led:
            wanted[state.turn] |= 1 << led
        twin.play(action)
    assert any(wanted)
    assert twin.deal.seats[:, LACKS].tolist() == wanted
