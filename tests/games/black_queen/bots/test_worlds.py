"""What a seat knows, and the worlds sampled from it."""

from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from bots.black_queen.knowledge import Knowledge, known_to
from bots.black_queen.lay_out import lay_out, lay_world
from bots.black_queen.worlds import Worlds
from engine.cards import parse_card
from engine.facts import Fact
from engine.games.black_queen import EMPTY
from tests.counts import count
from tests.games.black_queen.bots.played import (
    PlayedDeal,
    listed,
    new_deal,
    random_moment,
    told,
    told_by,
)

SEEDS = pytest.mark.parametrize("seed", range(count(40)))


def knowledge(deal: PlayedDeal) -> Knowledge:
    position = deal.position()
    return known_to(position.seat, position.view, position.facts)


def spared(*tricks: str) -> set[int]:
    """The seats that, by these tricks led by seat 0, hold no queen."""
    facts = [
        Fact("card_played", {"seat": seat, "card": token})
        for trick in tricks
        for seat, token in enumerate(trick.split())
    ]
    deal = new_deal(4, 8, 1)
    position = deal.position()
    return set(known_to(position.seat, position.view, facts).spared)


@SEEDS
def test_the_real_world_laid_out_is_the_state(seed: int) -> None:
    """The kernel deal filled with the true hidden cards equals the state."""
    deal = random_moment(Random(seed))
    state, known = deal.state, knowledge(deal)
    hands = [hand for seat, hand in enumerate(state.hands) if seat != known.seat]
    down = [card for row in state.down for card in row if card != EMPTY]
    hidden = [card for hand in hands for card in hand] + down
    assert Counter(hidden) == Counter(known.unseen)
    layout = lay_out(known)
    lay_world(layout.deal, np.array(hidden, dtype=np.int64), layout.first, layout.places)
    assert told(layout.deal) == told_by(state)


@SEEDS
def test_worlds_agree_with_all_that_was_seen(seed: int) -> None:
    """Worlds have the right sizes, open cards, pack and own hand, and respect known voids."""
    moment = random_moment(Random(seed))
    known, truth = knowledge(moment), told_by(moment.state)
    worlds = Worlds(known, Random(seed))
    for _ in range(10):
        deal = worlds.deal()
        world = told(deal)
        for certain in ("up", "unplayed", "taken", "now", "best"):
            assert world[certain] == truth[certain]
        in_play = [copy for row in deal.held for copy in listed(row)]
        below = [int(deal.under[copy]) for row in deal.up for copy in listed(row)]
        bare = [int(card) for card in deal.seats[:, 3]]
        everywhere = in_play + [card for card in below + bare if card >= 0]
        assert sorted(everywhere) == listed(deal.unplayed)
        for seat, lacks in enumerate(known.lacks):
            hand = listed(deal.held[seat] & ~deal.up[seat])
            assert len(hand) == known.hands[seat]
            assert not {copy // 52 for copy in hand} & lacks
        assert (
            sorted(copy // 4 for copy in listed(deal.held[known.seat]))
            == (truth["held"][known.seat])
        )


def test_nobody_is_thought_to_hold_a_queen_they_would_have_thrown() -> None:
    """A player who could have thrown ♠Q, off suit or under ♠A or ♠K, does not hold it."""
    ace_led, queen_kept = "AS 3S 4D 2S", "AC 3C 4D KC"
    assert spared(ace_led) == {1, 2, 3}
    assert spared(queen_kept) == {2}
    assert spared("AC 3C QS KC") == set()
    assert spared("3S KS 4S QS") == {2}
    assert spared("3S KS AS 2S", "4D 5D 6C 7D") == {2, 3}


def test_worlds_keep_to_beliefs_only_where_they_can() -> None:
    """Queens are dealt by the beliefs where possible; otherwise, or without beliefs, anywhere."""
    known = replace(knowledge(new_deal(4, 8, 2)), spared=frozenset({0, 1, 2, 3}))
    queen = parse_card("QS")
    assert queen in known.unseen

    def holders(known: Knowledge, *, beliefs: bool) -> int:
        worlds = Worlds(known, Random(1), beliefs=beliefs)
        deals = [worlds.deal() for _ in range(60)]
        others = [seat for seat in range(known.seats) if seat != known.seat]
        hands = [deal.held[seat] & ~deal.up[seat] for deal in deals for seat in others]
        return sum(copy // 4 == queen for hand in hands for copy in listed(hand))

    assert holders(known, beliefs=True) == 0
    assert holders(known, beliefs=False) > 0
    no_columns = replace(knowledge(new_deal(4, 0, 3)), spared=frozenset({0, 1, 2, 3}))
    assert queen in no_columns.unseen
    assert holders(no_columns, beliefs=True) > 0


def test_own_face_down_cards_are_as_unknown_as_others() -> None:
    """Over many worlds every unseen card lies below our own face-up cards at some time."""
    known = knowledge(new_deal(2, 8, 1))
    worlds = Worlds(known, Random(1))
    below = set()
    for _ in range(400):
        deal = worlds.deal()
        below |= {int(deal.under[copy]) // 4 for copy in listed(deal.up[known.seat])}
    assert below == set(known.unseen)
