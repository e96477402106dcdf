"""Certain tricks: no bot bids fewer, and none wastes them."""

from collections.abc import Iterator
from random import Random

import pytest

from bots import Budget, Position
from bots.bot import Candidate, Decision
from bots.search.compiled import kernel_of
from bots.whist.choosing import never_too_low
from bots.whist.knowledge import Knowledge, read_position
from bots.whist.plain import certain_tricks, nearest_bid
from engine.cards import parse_cards
from engine.choices import random_action
from engine.games.whist import NO_BID
from tests.counts import count
from tests.games.whist.bots.positions import GAME, laid, position, random_walk, started
from tests.games.whist.bots.test_players import ALL_BOTS, bot

FEW = Budget(samples=16)
SPADES = 2


def cards(text: str) -> int:
    """The bit set of some cards."""
    return sum(1 << card for card in parse_cards(text))


@pytest.mark.parametrize(
    ("hand", "others", "certain"),
    [
        ("AS KS 2S AH", "QS JS", 2),
        ("KS QS", "AS 2S", 1),
        ("KS QS JS", "AS TS", 2),
        ("KS QS", "AS", 1),
        ("QS JS TS", "AS KS 9S", 1),
        ("KS JS 9S", "AS QS TS", 0),
        ("AH KH", "2S", 0),
        ("2S", "", 1),
    ],
)
def test_trumps_that_cannot_all_be_beaten_are_certain(hand: str, others: str, certain: int) -> None:
    """A higher unseen trump beats at most one of ours, and aces of other suits can be ruffed."""
    for tricks in (certain_tricks, kernel_of(certain_tricks)):
        assert tricks(cards(hand), cards(others), SPADES) == certain


def test_nobody_ever_took_fewer() -> None:
    """No seat ever takes fewer than its certain tricks, counted at its bid and at each lead."""
    rng = Random(14)
    for _ in range(count(60)):
        promised: dict[int, int] = {}
        for state, facts in random_walk(rng):
            if state.over:
                assert all(state.tricks(seat) >= least for seat, least in promised.items())
                continue
            known = read_position(position(state, facts))
            if known.trick:
                # The next card may fall under one that lies there.
                continue
            least = known.taken[known.seat] + known.certain
            promised[known.seat] = max(promised.get(known.seat, 0), least)


def bids_asked(rng: Random, deals: int) -> Iterator[tuple[Position, Knowledge]]:
    """Positions at a turn to bid in which the hand has a certain trick, at any number of seats."""
    while deals:
        seats = rng.randint(3, 7)
        state, facts = started(rng, seats, rng.randint(1, min(10, 51 // seats)))
        while state.bidding:
            asked = position(state, facts)
            known = read_position(asked)
            if known.certain and deals:
                deals -= 1
                yield asked, known
            choices = GAME.choices(state, state.turn)
            step = GAME.apply(state, state.turn, random_action(choices, rng))
            state, facts = step.state, facts + step.facts


@pytest.mark.parametrize("text", ALL_BOTS)
def test_no_bot_bids_below_its_certain_tricks(text: str) -> None:
    """No bot bids below its certain tricks, unless every other bid is barred."""
    player, rng = bot(text), Random(20)
    for asked, known in bids_asked(rng, count(300 if text in ("1", "judge") else 25)):
        bids = [int(action.split()[1]) for action in asked.choices.actions]
        least = known.certain if any(bid >= known.certain for bid in bids) else 0
        chosen = int(player.choose(asked, FEW, rng).action.split()[1])
        assert chosen >= least, (asked.view, known)


@pytest.mark.parametrize("text", ALL_BOTS)
def test_with_the_ace_of_trumps_the_dealer_does_not_bid_none(text: str) -> None:
    """A dealer with the ace of trumps does not bid none, even if a bid of one is barred."""
    state, facts = laid("AS 2C", "5C 9D", "TC 8D", turned="3S", dealer=0, moves="0 1")
    asked = position(state, facts)
    assert asked.choices.actions == ("bid 0", "bid 2")
    assert bot(text).choose(asked, Budget(samples=200), Random(1)).action == "bid 2"


@pytest.mark.parametrize("text", ["1", "2", "3"])
def test_a_boss_trump_is_kept_where_its_trick_is_all_that_is_needed(text: str) -> None:
    """A boss trump is kept if one trick is all that is needed; the risky king goes now."""
    state, facts = laid(
        "AS KC 2H", "5D QH 9C", "TD 8H 4C", turned="3S", dealer=0, moves="1 0 1 5D TD"
    )
    decision = bot(text).choose(position(state, facts), Budget(samples=400), Random(1))
    assert decision.action == "play KC"


def test_a_boss_trump_that_must_be_played_is() -> None:
    """A boss trump is played if it must be: to follow, or as the last card."""
    state, facts = laid("AS KC", "5S QH", "TC 8H", turned="3S", dealer=0, moves="1 1 1 5S TC")
    assert bot("1").choose(position(state, facts), FEW, Random(1)).action == "play AS"
    state, facts = laid("AS KS", "5D QH", "TC 8H", turned="3S", dealer=0, moves="1 1 2 5D TC")
    assert bot("1").choose(position(state, facts), FEW, Random(1)).action == "play KS"


def test_the_nearest_bid_is_possible_if_any_is() -> None:
    """The certain tricks are the least bid, unless it is barred and no higher one exists."""
    assert nearest_bid(1.0, 5, 1, 10, 1) == 2
    assert nearest_bid(0.2, 5, -1, 20, 2) == 2
    assert nearest_bid(1.0, 1, 1, 10, 1) == 0


def test_of_bids_that_are_equally_bad_the_possible_one_is_made() -> None:
    """Of equally bad bids the possible one is made, even by a search that sees them all fail."""
    state, facts = laid("AS 2C", "5C 9D", "TC 8D", turned="3S", dealer=0, moves="0 1")
    known = read_position(position(state, facts))
    assert known.bids[known.seat] == NO_BID
    bids = (Candidate("bid 0", 1.0, {"visits": 9.0}), Candidate("bid 2", 1.0, {"visits": 3.0}))
    for by in ("value", "visits"):
        assert never_too_low(Decision("bid 0", bids, by=by), known).action == "bid 2"
    assert never_too_low(Decision("bid 2", bids), known).action == "bid 2"
    assert never_too_low(Decision("bid 0", bids[:1]), known).action == "bid 0"
