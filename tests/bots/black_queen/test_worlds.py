"""What a seat knows, and the worlds it imagines."""

from collections import Counter
from random import Random

import numpy as np
import pytest

from bots.black_queen.knowledge import Knowledge, known_to
from bots.black_queen.lay_out import lay_out, lay_world
from bots.black_queen.worlds import Worlds
from engine.games.black_queen import EMPTY
from tests.bots.black_queen.played import Deal, listed, new_deal, random_moment, told, told_by
from tests.counts import count

SEEDS = pytest.mark.parametrize("seed", range(count(40)))


def knowledge(deal: Deal) -> Knowledge:
    position = deal.position()
    return known_to(position.seat, position.view, position.facts)


@SEEDS
def test_the_real_world_laid_out_is_the_state(seed: int) -> None:
    """The hidden cards put where they really lie, the table says what the state does."""
    deal = random_moment(Random(seed))
    state, known = deal.state, knowledge(deal)
    hands = [hand for seat, hand in enumerate(state.hands) if seat != known.seat]
    down = [card for row in state.down for card in row if card != EMPTY]
    hidden = [card for hand in hands for card in hand] + down
    assert Counter(hidden) == Counter(known.unseen)
    layout = lay_out(known)
    lay_world(layout.table, np.array(hidden, dtype=np.int64), layout.first, layout.places)
    assert told(layout.table) == told_by(state)


@SEEDS
def test_worlds_agree_with_all_that_was_seen(seed: int) -> None:
    """Sizes, open cards and the pack are right, own cards are kept, no hand has what it lacks."""
    deal = random_moment(Random(seed))
    known, truth = knowledge(deal), told_by(deal.state)
    worlds = Worlds(known, Random(seed))
    for _ in range(10):
        table = worlds.deal()
        world = told(table)
        for certain in ("up", "unplayed", "taken", "now", "best"):
            assert world[certain] == truth[certain]
        in_play = [copy for row in table.held for copy in listed(row)]
        below = [int(table.under[copy]) for row in table.up for copy in listed(row)]
        bare = [int(card) for card in table.seats[:, 3]]
        everywhere = in_play + [card for card in below + bare if card >= 0]
        assert sorted(everywhere) == listed(table.unplayed)
        for seat, lacks in enumerate(known.lacks):
            hand = listed(table.held[seat] & ~table.up[seat])
            assert len(hand) == known.hands[seat]
            assert not {copy // 52 for copy in hand} & lacks
        assert (
            sorted(copy // 4 for copy in listed(table.held[known.seat]))
            == (truth["held"][known.seat])
        )


def test_own_face_down_cards_are_as_unknown_as_others() -> None:
    """Over many worlds every unseen card lies below our own face-up cards now and then."""
    deal = new_deal(2, 8, 1)
    known = knowledge(deal)
    worlds = Worlds(known, Random(1))
    below = set()
    for _ in range(400):
        table = worlds.deal()
        below |= {int(table.under[copy]) // 4 for copy in listed(table.up[known.seat])}
    assert below == set(known.unseen)
