"""The bots of Spades: legal, repeatable, blind to hidden cards, and sensible."""

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from bots import Bot, Budget, make_bot, parse_spec
from bots.spades.bits import members
from bots.spades.knowledge import read_position
from bots.spades.search import bids_to_try, different_cards
from engine.cards import card_text, deck
from engine.games.spades import GAME
from tests.counts import count
from tests.games.spades.bots.positions import (
    any_options,
    first_positions,
    position,
    random_walk,
)

ALL_BOTS = ("1", "2", "2:pool=1:bag=0.0", "2:searched_bids=false")
FEW = Budget(samples=16)


def bot(text: str) -> Bot:
    return make_bot("spades", parse_spec(text))


@pytest.mark.parametrize("text", ALL_BOTS)
def test_every_decision_is_legal_and_explained(text: str) -> None:
    """Every decision is a choice that was offered, bids included, and explains each candidate."""
    player, rng = bot(text), Random(31)
    for _ in range(count(4)):
        for state, facts in random_walk(rng, **any_options(rng)):
            if state.over:
                continue
            asked = position(state, facts)
            offered = asked.choices.actions
            decision = player.choose(asked, FEW, rng)
            assert decision.action in offered
            assert {candidate.action for candidate in decision.candidates} <= {*offered}
            assert decision.candidates or len(offered) == 1 or text != "1"
            assert decision.measure != "worth" or not decision.candidates
            assert all(candidate.why for candidate in decision.candidates)


@pytest.mark.parametrize("text", ALL_BOTS)
def test_the_same_seed_and_samples_give_the_same_move(text: str) -> None:
    """One seed and number of samples give one move, whatever the time taken."""
    for state, facts in random_walk(Random(2)):
        if not state.over:
            asked = position(state, facts)
            first, second = (bot(text).choose(asked, FEW, Random(7)) for _ in range(2))
            assert first == second


@pytest.mark.parametrize("text", ALL_BOTS)
def test_hidden_cards_change_nothing(text: str) -> None:
    """Exchanging the other players' cards changes neither a bot's move nor its explanation."""
    for seed in range(count(5)):
        rng = Random(seed)
        for state, facts in random_walk(rng, blind="never"):
            if state.over or state.trick or len(state.hands[state.turn]) < 11:
                continue
            seen = position(state, facts)
            others = [seat for seat in range(4) if seat != state.turn]
            hands = list(state.hands)
            a, b = others[:2]
            hands[a], hands[b] = hands[b], hands[a]
            other = position(state._replace(hands=tuple(hands)), facts)
            assert bot(text).choose(seen, FEW, Random(1)) == bot(text).choose(
                replace(other, facts=seen.facts), FEW, Random(1)
            )


@pytest.mark.parametrize("text", ["1", "2"])
@pytest.mark.parametrize(("behind", "action"), [(120, "look"), (400, "blind nil")])
def test_nil_is_bid_blind_by_who_has_little_to_lose(text: str, behind: int, action: str) -> None:
    """A blind nil is bid only by a team far behind, and the decision says how far."""
    _, asked = first_positions(Random(1), blind="always")
    totals = {f"total/{seat}": behind * ((seat + asked.seat) % 2) for seat in range(4)}
    asked = replace(asked, view=replace(asked.view, values={**asked.view.values, **totals}))
    decision = bot(text).choose(asked, FEW, Random(1))
    assert decision.action == action
    assert [candidate.why for candidate in decision.candidates] == [{"behind": behind}]


def test_nobody_bids_blind_beside_a_nil() -> None:
    """No bot bids nil blind if its partner has bid nil, since the partner could not cover it."""
    _, asked = first_positions(Random(1), blind="always")
    values = {f"total/{seat}": 400 * ((seat + asked.seat) % 2) for seat in range(4)}
    values[f"bid/{(asked.seat + 2) % 4}"] = 0
    asked = replace(asked, view=replace(asked.view, values={**asked.view.values, **values}))
    assert bot("2").choose(asked, FEW, Random(1)).action == "look"


def test_a_forced_move_is_played_without_search() -> None:
    """A single legal card is played without a search and without an explanation."""
    for state, facts in random_walk(Random(4)):
        if not state.over and len(state.hands[state.turn]) == 1:
            asked = position(state, facts)
            decision = bot("2").choose(asked, Budget(), Random(1))
            assert (decision.action, decision.candidates) == (asked.choices.actions[0], ())


def test_of_equal_cards_one_is_tried() -> None:
    """Of cards with no unseen card between them one is tried, and every other card is."""
    for seed in range(count(5)):
        for state, facts in random_walk(Random(seed)):
            if state.bidding or state.over:
                continue
            known = read_position(position(state, facts))
            out = {*members(known.unseen), *known.trick}
            tried = different_cards(known)
            legal = [
                card
                for card in deck()
                if f"play {card_text(card)}" in GAME.choices(state, state.turn).actions
            ]
            for low, high in pairwise(legal):
                between = [card for card in out if low < card < high]
                twins = low // 13 == high // 13 and not between
                assert (high in tried) == (not twins)
            assert legal[0] in tried


def test_nil_is_tried_where_it_may_be_bid() -> None:
    """The search tries nil where allowed, and bids of at least one around the usual one."""
    for options, nil in (({}, True), ({"nil": "off"}, False)):
        state, facts = next(random_walk(Random(3), blind="never", **options))
        tried = bids_to_try(read_position(position(state, facts)))
        assert (tried[0] == 0) == nil
        bids = tried[1:] if nil else tried
        assert bids == list(range(bids[0], bids[-1] + 1))
        assert bids[0] >= 1
