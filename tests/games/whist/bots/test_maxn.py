"""Max^n against exhaustive search in plain Python on the engine."""

from collections.abc import Sequence
from random import Random

import pytest

from bots.whist.maxn import BY_CLASSES, BY_PLAYOUT, distinct, maxn, new_search
from bots.whist.open_deal import play, take_back
from engine.cards import card_text, parse_card, parse_cards
from engine.choices import random_action
from engine.games.whist import State
from tests.counts import count
from tests.games.whist.bots.positions import GAME, laid_out, open_deal, started


def exhaustive(state: State, spoil: float, paranoia: Sequence[float], me: int) -> Sequence[int]:
    """The scores when everybody maximises by exhaustive search; ties go to the first card."""
    outcome = GAME.outcome(state)
    if outcome is not None:
        return outcome.scores
    seat = state.turn

    def worth(scores: Sequence[int]) -> float:
        others = [score for other, score in enumerate(scores) if other != seat]
        less = 0.0 if seat == me else paranoia[seat] * scores[me]
        return scores[seat] - spoil * sum(others) / len(others) - less

    lines = [
        exhaustive(GAME.apply(state, seat, action).state, spoil, paranoia, me)
        for action in GAME.choices(state, seat).actions
    ]
    return max(lines, key=worth)


@pytest.mark.parametrize("seats", [3, 4, 5, 6, 7])
def test_two_card_deals_are_played_as_an_exhaustive_search_plays_them(seats: int) -> None:
    """In two-card deals max^n equals exhaustive search, for every weighting of others' scores."""
    rng = Random(seats)
    for _ in range(count(40 if seats < 6 else 10)):
        state, _facts = started(rng, seats, 2)
        while state.bidding:
            action = random_action(GAME.choices(state, state.turn), rng)
            state = GAME.apply(state, state.turn, action).state
        spoil = rng.choice((0.0, 0.5, 1.0))
        paranoia = [rng.choice((0.0, 0.25, 1.0)) for _ in range(seats)]
        deal = open_deal(state)
        search = new_search(
            deal, BY_CLASSES, me=rng.randrange(seats), spoil=spoil, paranoia=paranoia
        )
        maxn(deal, 99, search)
        expected = exhaustive(state, spoil, paranoia, search.me)
        assert search.values[0].tolist() == list(expected)
        assert deal.at.tolist() == open_deal(state).at.tolist()


def test_depth_counts_only_moves_with_a_choice() -> None:
    """Depth counts only moves with a choice, so at any depth the last trick is played out."""
    deal = laid_out("AS", "2C", "KS", bids=(1, 0, 0))
    for leaf in (BY_CLASSES, BY_PLAYOUT):
        search = new_search(deal, leaf, me=0)
        maxn(deal, 0, search)
        assert search.values[0].tolist() == [11, 10, 10]


def test_a_player_who_wants_the_trick_takes_it_and_one_who_does_not_ducks() -> None:
    """A seat that needs one of two tricks takes exactly one, whatever the others want."""
    deal = laid_out("AC 2D", "KC 3D", "QC 4D", trump="H", bids=(1, 1, 0))
    search = new_search(deal, BY_CLASSES, me=0)
    maxn(deal, 99, search)
    assert search.values[0][0] == 11


def test_a_paranoid_search_expects_the_others_to_spoil_our_bid() -> None:
    """A paranoid search gives up a point if it assumes the others will spoil its bid."""
    deal = laid_out("QC", "JC KC", "2C 2D", trump="H", bids=(1, 5, 5), leader=0)
    deal.hands[0] |= 1 << parse_card("2H")
    scored = []
    for paranoia in (0.0, 1.0):
        search = new_search(deal, BY_CLASSES, me=0, paranoia=(0.0, paranoia, 0.0))
        play(deal, parse_card("QC"))
        maxn(deal, 99, search)
        take_back(deal, 0, 0, 0)
        scored.append(search.values[0].tolist())
    assert scored == [[11, 1, 0], [2, 0, 0]]


@pytest.mark.parametrize(
    ("hands", "kept"),
    [
        (("5C 6C 8C", "7C 2D 3D", "4D 5D 6D"), "6C 8C"),
        (("5C 6C 8C", "2D 3D 7D", "4D 5D 6D"), "8C"),
        (("5C 7C 5D", "6C 2D 3D", "4D 6D 7D"), "5C 7C 5D"),
    ],
)
def test_of_cards_that_are_as_good_as_each_other_one_is_tried(
    hands: tuple[str, str, str], kept: str
) -> None:
    """Cards without another player's card between them are tried once."""
    deal = laid_out(*hands, trump="S", bids=(1, 1, 1))
    cards = [card_text(card) for card in range(52) if distinct(deal) >> card & 1]
    assert cards == [card_text(card) for card in sorted(parse_cards(kept))]
