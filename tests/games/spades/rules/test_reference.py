"""Spades: the engine against the reference, move by move and by perft of tiny deals."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import SPECTATOR, Setup
from engine.choices import Action
from engine.games.spades import State
from tests.conformance.reference import agree_to_the_end, perft, ways
from tests.counts import count
from tests.games.spades.hands import GAME, Hands, deal, table_of, tiny_deals
from tests.games.spades.reference import Table
from tests.games.spades.subject import setups


def agree(state: State, table: Table) -> None:
    """Check that the engine and the reference agree on seats to move, choices and views."""
    moves = table.moves()
    assert set(GAME.choices(state, table.turn).actions) == moves
    assert GAME.to_act(state) == ((table.turn,) if moves else ())
    for viewer in (SPECTATOR, *range(4)):
        view = GAME.view(state, viewer)
        seen = {
            name: (sorted(zone.cards) if name.startswith("hand") else list(zone.cards), zone.backs)
            for name, zone in view.zones.items()
        }
        assert seen == table.sees(viewer)
        values = view.values
        assert {seat: values[f"bid/{seat}"] for seat in range(4) if f"bid/{seat}" in values} == (
            table.bids
        )
        assert [seat for seat in range(4) if f"blind/{seat}" in values] == sorted(table.blind)
        assert [values[f"tricks/{seat}"] for seat in range(4)] == list(map(len, table.won))
        assert values["broken"] == table.spade_seen


@given(state=tiny_deals(), data=st.data())
def test_tiny_deals_go_as_the_reference_says(state: State, data: st.DataObject) -> None:
    """Engine and reference agree on tiny deals at every step, and on the scores."""
    agree_to_the_end(
        GAME, state, table_of(state), agree, lambda moves: data.draw(st.sampled_from(moves))
    )


def low(moves: tuple[Action, ...], rng: Random) -> Action:
    """A random move, with mostly low bids, so that contracts and nils are made."""
    return rng.choice(moves[:5] if moves[0].startswith("bid") else moves)


@settings(max_examples=count(25))
@given(setup=setups(), seed=st.integers(0, 2**32), totals=st.tuples(*[st.integers(-300, 400)] * 2))
def test_whole_deals_go_as_the_reference_says(
    setup: Setup, seed: int, totals: tuple[int, int]
) -> None:
    """Engine and reference agree on random deals with every option and any totals before."""
    rng = Random(seed)
    begun = Setup(4, setup.options, setup.shuffler, totals * 2)
    state = GAME.start(begun).state
    agree_to_the_end(GAME, state, table_of(state), agree, lambda moves: low(moves, rng))


@pytest.mark.parametrize(
    ("unseen", "nil", "counts"),
    [
        ((), "100", [1, 14, 196, 2744]),
        ((), "off", [1, 13, 169, 2197]),
        # To look is a move of its own: 1 blind nil with 14 bids after it, or a look with 14.
        ((0,), "100", [1, 2, 28, 392]),
        # After a blind nil the next player has the same decision to make.
        ((0, 1), "100", [1, 2, 16, 56]),
    ],
)
def test_bids_can_be_made_in_so_many_ways(
    unseen: tuple[int, ...], nil: str, counts: list[int]
) -> None:
    """The number of ways to bid, by depth from 0, is that of brute force over the reference."""
    state = deal("2C", "3C", "4C", "5C", unseen=unseen, nil=nil).state
    assert [perft(GAME, state, depth) for depth in range(len(counts))] == counts
    assert [ways(table_of(state), depth) for depth in range(len(counts))] == counts


@pytest.mark.parametrize(
    ("players", "breaking", "counts"),
    [
        # Nobody can follow anybody; no spade may be led while there is another card.
        (["2C 3S", "2D 3D", "4S 5S", "2H 3H"], True, [1, 1, 2, 4, 8]),
        (["2C 3S", "2D 3D", "4S 5S", "2H 3H"], False, [1, 2, 4, 8, 16]),
        # Everybody follows once, and then nobody has a choice.
        (["2C 3D", "4C 5D", "6C 7D", "8C 9D"], True, [1, 2, 2, 2, 2, 2, 2, 2, 2]),
        # The leader has nothing but spades.
        (["AS KS 2S", "3S 4D 5D", "6S 7D 8D", "9S TD JD"], True, [1, 3, 3, 3, 3, 6, 12, 24, 48]),
        # A spade thrown in the first trick lets spades be led in the second.
        (["AC KC 2S", "3C 4C 5S", "6D 7S 8S", "9C TC JS"], True, [1, 2, 4, 12, 24, 40]),
    ],
)
def test_tiny_deals_can_be_played_in_so_many_ways(
    players: list[str], breaking: bool, counts: list[int]
) -> None:
    """After the bids the engine and brute force count equal numbers of card sequences."""
    begun = deal(*players, breaking=breaking)
    table = table_of(begun.state)
    for _ in range(4):
        table.play("bid 1")
    state = begun.bid(1, 1, 1, 1).state
    assert [perft(GAME, state, depth) for depth in range(len(counts))] == counts
    assert [ways(table, depth) for depth in range(len(counts))] == counts


@settings(max_examples=count(25))
@given(state=tiny_deals())
def test_any_tiny_deal_can_be_played_in_as_many_ways_as_the_reference(state: State) -> None:
    """After blind nils and bids of one, both count equal numbers of six-card sequences."""
    hands, table = Hands(state), table_of(state)
    while hands.state.bidding:
        move = GAME.choices(hands.state, hands.state.turn).actions[-1]
        move = "bid 1" if move.startswith("bid") else move
        hands = hands.act(move)
        table.play(move)
    assert perft(GAME, hands.state, 6) == ways(table, 6)
