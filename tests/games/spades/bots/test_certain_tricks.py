"""Certain tricks, and tricks that cost nothing: every bot takes them."""

from random import Random

import pytest

from bots import Budget
from bots.search.compiled import kernel_of
from bots.spades.bidding import certain_tricks
from bots.spades.bits import beats, set_of
from bots.spades.knowledge import read_position
from engine.cards import parse_card, parse_cards
from engine.choices import Choices, random_action
from engine.games.spades import GAME
from tests.counts import count
from tests.games.spades.bots.positions import any_options, position, random_walk, started
from tests.games.spades.bots.test_players import ALL_BOTS, bot

FEW = Budget(samples=16)


@pytest.mark.parametrize(
    ("spades", "certain"),
    [("AS", 1), ("AS KS QS", 3), ("KS QS", 1), ("KS", 0), ("QS JS TS", 1), ("QS JS 9S", 0)],
)
def test_spades_that_cannot_all_be_beaten_are_certain(spades: str, certain: int) -> None:
    """A higher unseen spade beats at most one of ours, and aces of other suits can be ruffed."""
    hand = set_of(parse_cards(f"{spades} AH KH AD"))
    assert certain_tricks(hand) == kernel_of(certain_tricks)(hand) == certain


def test_nobody_ever_took_fewer() -> None:
    """No seat ever takes fewer than its certain tricks in random play."""
    rng = Random(15)
    for _ in range(count(30)):
        promised: dict[int, int] = {}
        for state, facts in random_walk(rng, **any_options(rng)):
            if state.over:
                assert all(state.tricks(seat) >= least for seat, least in promised.items())
            elif state.bidding and state.looked[state.turn]:
                known = read_position(position(state, facts))
                promised[state.turn] = certain_tricks(known.hand)


@pytest.mark.parametrize("text", ALL_BOTS)
def test_no_bot_bids_below_its_certain_tricks(text: str) -> None:
    """No bot of any strength bids below its certain tricks, so none bids nil with the ace."""
    player, rng = bot(text), Random(21)
    asked = 0
    while asked < count(300 if text == "1" else 20):
        options = {**any_options(rng), "blind": "never"}
        state, facts = started(rng, **options)
        while state.bidding:
            seen = position(state, facts)
            certain = certain_tricks(read_position(seen).hand)
            if certain:
                asked += 1
                chosen = player.choose(seen, FEW, rng).action
                assert int(chosen.split()[1]) >= certain, seen.view
            # High bids of the others make a player bid less.
            choices = Choices(GAME.choices(state, state.turn).actions[-9:])
            step = GAME.apply(state, state.turn, random_action(choices, rng))
            state, facts = step.state, facts + step.facts


@pytest.mark.parametrize("bags", [True, False])
def test_a_trick_that_costs_nothing_is_taken(bags: bool) -> None:
    """If bags are free the last player takes a spare trick; else it leaves it."""
    player, rng = bot("1"), Random(22)
    taken = left = 0
    for _ in range(count(120)):
        for state, facts in random_walk(rng, bags=bags, nil="off", blind="never"):
            if state.over or state.bidding or len(state.trick) < 3:
                continue
            seen = position(state, facts)
            known, cards = read_position(seen), [parse_card(a[5:]) for a in seen.choices.actions]
            sight = known.sight()
            winning = [card for card in cards if beats(card, sight.best)]
            done = sight.need <= 0 and sight.winner != 2 and not sight.spoilt
            if done and winning and len(winning) < len(cards):
                chosen = parse_card(player.choose(seen, FEW, rng).action[5:])
                taken += chosen in winning
                left += chosen not in winning
    assert taken + left >= count(10)
    assert left == 0 if not bags else left > 0
