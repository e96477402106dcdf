"""Indexed piles: found by their index, and made when they are first used."""

import tracemalloc

import pytest

from engine.recycle.errors import Fault
from engine.recycle.running.lists import runs_within
from engine.recycle.running.work import WorkMeter
from engine.recycle.running.world import World
from tests.engine.recycle.running.playing import begun, cards, done, lists, number, pile, played

TOP = "(top (game vloc STOCK))"


def in_piles(*numbers: int) -> str:
    """A program that moves a card of the stock to each pile, whose index is computed."""
    moves = (f"(move {TOP} (top (game vloc PILE (+ 0 {at}))))" for at in numbers)
    return f"(do ({' '.join(moves)}))"


@pytest.mark.parametrize("place", ["(game vloc PILE 7)", "(game vloc PILE (+ 3 4))"])
def test_one_pile(place: str) -> None:
    """A pile is found alike by a literal and by a computed index."""
    assert cards(place, in_piles(7, 2, 7)) == ["4H", "3H"]


@pytest.mark.parametrize("name", ["PILE", "(game str WHICH)"])
def test_in_order(name: str) -> None:
    """Indexed piles come in order of their index, whether their name is literal or computed."""
    named = "(set (game str WHICH) PILE)"
    assert lists(f"(indexed game vloc {name})", named, in_piles(9, 2, 30)) == [
        ["4C"],
        ["4H"],
        ["3H"],
    ]


def test_worked_out_name() -> None:
    """A pile that was made by a computed name is found by the literal name."""
    made = f"(move {TOP} (top (game vloc (game str WHICH) 5)))"
    named = "(set (game str WHICH) PILE)"
    assert cards("(game vloc PILE (+ 2 3))", named, made) == ["4H"]
    assert lists("(indexed game vloc PILE)", named, made) == [["4H"]]


@pytest.mark.parametrize("known", ["(game vloc PILE)", "(game vloc (game str WHICH))"])
def test_name_without_row(known: str) -> None:
    """A pile without an index is found by its name, literal or computed."""
    made = f"(repeat 2 (move {TOP} (top (game vloc (game str WHICH)))))"
    assert cards(known, "(set (game str WHICH) PILE)", made) == ["4H", "4C"]


def test_owners() -> None:
    """Each owner has piles of their own."""
    world = done(f"(all player 'P (move {TOP} (top ('P vloc PILE (+ 0 1)))))")
    assert [pile(world, f"pile/{seat}/1") for seat in range(3)] == [["4H"], ["4C"], ["3H"]]


def choosing() -> World:
    """A game in which the new pile for a card is found before the choice and after it."""
    way = f"(any (range 2 .. 3) 'N (do ((move {TOP} (top (game vloc PILE 'N))) (turn pass))))"
    return begun(f"(stage player (end (== (size (game vloc PILE 3)) 2)) (choice ({way})))")


def test_undone() -> None:
    """A pile that is made while options are looked for exists again when one is chosen."""
    way = (
        f"(do ((move {TOP} (top (game vloc PILE (+ 0 4))))"
        " (any (range 1 .. 2) 'N (set (game sto X) 'N))))"
    )
    world = begun(f"(stage player (end (== (game sto X) 2)) (choice ({way})))")
    assert world.state.rows == [{}]
    assert pile(played(world, 0, 0), "pile//4") == ["4H", "4C"]


def test_undone_without_row() -> None:
    """A pile with a computed name, made while options are looked for, is undone as well."""
    way = (
        f"(do ((move {TOP} (top (game vloc (cardatt RANK {TOP}))))"
        " (any (range 1 .. 2) 'N (set (game sto X) 'N))))"
    )
    world = begun(f"(stage player (end (== (game sto X) 1)) (choice ({way})))")
    assert world.state.slots == {}
    assert pile(played(world, 0), "four_vloc") == ["4H"]


def test_clone() -> None:
    """A pile that is made in a copy of a game does not exist in the original."""
    world = choosing()
    twin = world.clone()
    played(twin, 0)
    assert [sorted(row) for row in world.state.rows] == [[3]]
    assert pile(played(world, 0), "pile//2") == ["4H"]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("(filter (game vloc STOCK) 'C (== 'C 'ONE))", ["3H"]),
        ("(filter (game vloc PILE 1) 'C (== 'C 'ONE))", []),
        ("(filter (game vloc STOCK) 'C (== 'ONE 'C))", ["3H"]),
        (
            "(union (filter (game vloc STOCK) 'C (== 'C 'ONE)) (game vloc PILE 1))",
            ["3H", "4H", "4C"],
        ),
    ],
)
def test_one_card(wanted: str, found: list[str]) -> None:
    """A list of one card has that card as its only item, if the list contains it."""
    moved = in_piles(1, 1)
    each = f"(all {wanted} 'LISTED (remember 'LISTED (top (game mem RESULT))))"
    world = begun(f"(do ({moved} (let {TOP} 'ONE {each})))")
    assert world.stop is None
    assert pile(world, "result") == found


@pytest.mark.parametrize(
    ("parts", "groups"),
    [
        ("(game vloc STOCK)", 3),
        ("(game vloc PILE 1) (game vloc PILE 2)", 1),
        ("(game vloc NONE)", 0),
        ("(all player 'P ('P iloc HAND))", 0),
    ],
)
def test_number_of_groups(parts: str, groups: int) -> None:
    """The size of a partition is the number of its groups."""
    assert number(f"(size (partition RANK {parts}))", in_piles(1, 2)) == groups


@pytest.mark.parametrize(("least", "found"), [(0, 6), (1, 6), (2, 3), (3, 1), (4, 0)])
def test_work_of_runs(least: int, found: int) -> None:
    """Runs cost a unit of work for each part of a chain, and one for each card of a run."""
    spent: list[int] = []
    runs = runs_within(least, [2, 0, 1], {0: 4, 1: 5, 2: 6}, spent.append)
    assert (len(runs), sum(spent)) == (found, 6 + sum(map(len, runs)))


def test_runs_are_paid_for_before_they_are_made() -> None:
    """A game is stopped before all parts of a long chain fill the memory."""
    cards = range(300)
    work = WorkMeter(1_000)
    tracemalloc.start()
    with pytest.raises(Fault, match="too much is worked out"):
        runs_within(1, cards, {card: card for card in cards}, work.spend)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 10_000_000
