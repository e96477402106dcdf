"""Worlds: their number, each of them once, and fair samples."""

from collections import Counter
from math import comb, factorial
from random import Random

import pytest

from bots.schnapsen.bits import mask_of
from bots.schnapsen.knowledge import Knowledge, read_position
from bots.schnapsen.worlds import Worlds, every_hand, every_world, sampled_worlds
from bots.search.draws import draws_from
from engine.facts import AddressedFact
from engine.game import Setup, complete_options
from engine.games.schnapsen import State
from engine.shuffle import Shuffler, seed_from_int
from tests.chance import chi_square_limit
from tests.counts import count
from tests.games.schnapsen.bots.positions import GAME, asked_at, played_at_random

ASSIGNMENTS = (726_485_760, 259_459_200, 3_991_680, 1_663_200, 30_240)
"""The table of the source, by cards played."""


def plain_play(
    seed: int, cards: int, *, close: bool = False
) -> tuple[State, tuple[AddressedFact, ...]]:
    """A random deal after so many cards, without marriages and exchanges, and then closed."""
    rng = Random(seed)
    setup = Setup(2, complete_options(GAME, 2, {}), Shuffler(seed_from_int(seed)))
    step = GAME.start(setup)
    facts = step.facts
    for number in range(cards + close):
        actions = GAME.choices(step.state, step.state.turn).actions
        plays = [action for action in actions if action.startswith("play")]
        action = rng.choice(plays) if number < cards else "close"
        step = GAME.apply(step.state, step.state.turn, action)
        facts += step.facts
    return step.state, facts


def known_at(state: State, facts: tuple[AddressedFact, ...]) -> Knowledge:
    return read_position(asked_at(state, facts))


def each_of(worlds: Worlds, known: Knowledge) -> list[tuple[int, ...]]:
    """Each world as a tuple: the opponent's hand, then the talon in the order of drawing."""
    return [
        (int(hand), *map(int, talon[known.stage : 9]))
        for hand, talon in zip(worlds.hands, worlds.talons, strict=True)
    ]


@pytest.mark.parametrize(("cards", "number"), [*enumerate(ASSIGNMENTS)])
def test_the_number_of_assignments_is_the_sources(cards: int, number: int) -> None:
    """The number of worlds is that of the source's table for the leads of tricks 1 to 3."""
    assert known_at(*plain_play(1, cards)).assignments() == number


@pytest.mark.parametrize(("cards", "unseen"), [(0, 14), (2, 12), (4, 10), (6, 8)])
def test_closing_leaves_hands_alone_to_tell_worlds_apart(cards: int, unseen: int) -> None:
    """Once the talon is closed there are C(unseen, 5) worlds, each another hand."""
    known = known_at(*plain_play(1, cards, close=True))
    assert known.assignments() == known.hands() == comb(unseen, 5)
    worlds = every_world(known)
    assert len(set(each_of(worlds, known))) == len(worlds) == comb(unseen, 5)


def test_nothing_is_unknown_at_the_end() -> None:
    """When the talon is exhausted, there is one world."""
    assert known_at(*plain_play(1, 10)).assignments() == 1


@pytest.mark.parametrize(("cards", "number"), [(4, 30_240), (6, 336), (7, 210), (8, 6)])
def test_every_world_is_every_world_once(cards: int, number: int) -> None:
    """All worlds differ, are as many as counted, and hold exactly the unseen cards."""
    known = known_at(*plain_play(2, cards))
    worlds = each_of(every_world(known), known)
    assert len(set(worlds)) == len(worlds) == known.assignments() == number
    for hand, *talon in worlds[:: 1 + number // 100]:
        held = [place for place in range(20) if hand >> place & 1]
        assert sorted(held + talon) == sorted(known.unseen)
        assert len(held) == known.missing


def test_the_truth_is_among_the_worlds() -> None:
    """The real hand is among the worlds, whatever was shown, exchanged, announced or refused."""
    rng = Random(count(7))
    for _ in range(count(200)):
        state, facts = played_at_random(rng)
        known = known_at(state, facts)
        other = state.hands[1 - state.turn]
        hands = every_hand(known).hands
        assert mask_of(other, state.trump) in {int(hand) for hand in hands}


def test_samples_are_fair() -> None:
    """Each of the 336 worlds of trick 4 is drawn equally often."""
    known = known_at(*plain_play(3, 6))
    drawn = 20 * known.assignments()
    found = Counter(each_of(sampled_worlds(known, drawn, draws_from(Random(1))), known))
    assert set(found) == set(each_of(every_world(known), known))
    chi_square = sum((times - 20) ** 2 / 20 for times in found.values())
    assert chi_square < chi_square_limit(len(found) - 1)


def test_shuffled_worlds_are_the_same_worlds() -> None:
    """Shuffling the worlds changes only their order."""
    known = known_at(*plain_play(3, 6))
    worlds = every_world(known)
    mixed = worlds.shuffled(draws_from(Random(1)))
    assert each_of(mixed, known) != each_of(worlds, known)
    assert sorted(each_of(mixed, known)) == sorted(each_of(worlds, known))


def test_what_was_shown_is_no_longer_guessed() -> None:
    """An announced marriage fixes the place of its other card: one card less to deal."""
    rng = Random(1)
    while True:
        state, facts = played_at_random(rng)
        if state.shown[1 - state.turn] and state.closing is None and state.stock:
            break
    known = known_at(state, facts)
    shown = len(state.shown[1 - state.turn])
    assert known.missing == len(state.hands[1 - state.turn]) - shown
    assert known.assignments() == comb(len(known.unseen), known.missing) * factorial(
        len(state.talon)
    )
