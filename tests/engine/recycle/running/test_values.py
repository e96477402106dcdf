"""Numbers, strings and conditions, as RECYCLE defines them."""

import pytest

from engine.recycle.limits import PLAY_LIMITS
from engine.recycle.running.world import World
from engine.shuffle import Shuffler, seed_from_int
from tests.engine.recycle.running.playing import (
    SETUP,
    WORTH,
    done,
    fails,
    holds,
    number,
    program,
    text,
    value,
)

TEAMS = SETUP.replace("(create players 3)", "(create players 4) (create teams (0, 2) (1, 3))")
TOO_LARGE = "the number is too large"
BILLION = "1000000000"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("7", 7),
        ("(game sto UNSET)", 0),
        ("(size (game vloc STOCK))", 8),
        ("(size player)", 3),
        ("(size (partition SUIT (game vloc STOCK)))", 2),
        ("(sum (game vloc STOCK) using (game points WORTH))", 20),
        ("(sum (game vloc STOCK) using (game points UNSET))", 0),
        ("(score (top (game vloc STOCK)) using (game points WORTH))", 4),
        ("(scoremax (game vloc STOCK) using (game points WORTH))", 4),
        ("(scoremin (game vloc STOCK) using (game points WORTH))", 1),
        ("(+ 1 2 3)", 6),
        ("(- 1 3)", -2),
        ("(* 2 3 4)", 24),
        ("(// 7 2)", 3),
        ("(// (- 0 7) 2)", -4),
        ("(% (- 0 7) 3)", 2),
        ("(^ 2 10)", 1024),
        ("(^ 0 999)", 0),
        ("(tri 4)", 10),
        ("(tri 0)", 0),
        ("(fib 0)", 0),
        ("(fib 1)", 1),
        ("(fib 10)", 55),
        ("(random 0)", 0),
        ("(random 5 .. 5)", 5),
        ("(all player 'P (* 2 (pid 'P)))", 12),
        ("(all (range 1 .. 4) 'N 'N)", 10),
        ("(pid (current player))", 1),
        ("(pid (next player))", 2),
        ("(pid (previous player))", 3),
        ("(pid (2 player))", 2),
        ("(pid ((+ 1 1) player))", 2),
        ("(tid (team (current player)))", 1),
        ("(tid (next team))", 2),
        ("(tid (previous team))", 3),
        ("(tid (3 team))", 3),
    ],
)
def test_numbers(expression: str, expected: int) -> None:
    """Each expression for a number gives the expected number."""
    assert number(expression) == expected


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("(// 1 0)", "nothing can be divided by 0"),
        ("(% 1 0)", "nothing can be divided by 0"),
        ("(^ 2 (- 0 1))", "a negative exponent gives no whole number"),
        (f"(^ 2 {BILLION})", TOO_LARGE),
        ("(^ 99 50)", TOO_LARGE),
        (f"(* {BILLION} {BILLION} {BILLION})", TOO_LARGE),
        (f"(+ (* {BILLION} {BILLION}) 1)", TOO_LARGE),
        (f"(tri (* {BILLION} 9))", TOO_LARGE),
        (f"(fib {BILLION})", TOO_LARGE),
        ("(fib (- 0 1))", "there is no Fibonacci number before the first"),
        ("(random (- 0 1))", "there is no random number from 0 to -1"),
        (f"(random (* {BILLION} 9))", f"there is no random number from 0 to 9{BILLION[1:]}"),
        (
            "(scoremax (game vloc NONE) using (game points WORTH))",
            "there are no cards to take the best of",
        ),
        ("(score (top (game vloc NONE)) using (game points WORTH))", "there is no card to score"),
        ("(pid (9 player))", "there is no player of this number"),
        ("(tid (9 team))", "there is no team of this number"),
        ("(pid (owner (top (game vloc NONE))))", "there is no card whose owner could be asked for"),
        ("(pid (owner (top (game vloc STOCK))))", "the card belongs to no player"),
        (f"(size (range 1 .. {BILLION}))", f"from 1 to {BILLION} is too far"),
    ],
)
def test_impossible_numbers(expression: str, reason: str) -> None:
    """A number that cannot be computed stops the game with a reason."""
    assert fails(f"(set (game sto RESULT) {expression})") == reason


def test_random_numbers_are_all_drawn() -> None:
    """`random` gives every number of its range, both ends included, by the game's own seed."""
    assert {number("(random 2)", seed=seed) for seed in range(40)} == {0, 1, 2}
    assert {number("(random 4 .. 5)", seed=seed) for seed in range(20)} == {4, 5}
    assert number("(random 999999)", seed=7) == number("(random 999999)", seed=7)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("RED", "RED"),
        ("(game str UNSET)", ""),
        ("(cardatt RANK (top (game vloc STOCK)))", "FOUR"),
        ("(cardatt NOSUCH (top (game vloc STOCK)))", ""),
        ("(cardatt RANK (top (game vloc NONE)))", ""),
        ("(cardatt (game str KEY) (bottom (game vloc STOCK)))", "CLUBS"),
    ],
)
def test_strings(expression: str, expected: str) -> None:
    """Each expression for a string gives the expected string."""
    assert text(expression, "(set (game str KEY) SUIT)") == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("(and (== 1 1) (< 1 2) (> 2 1))", True),
        ("(and (== 1 1) (== 1 2))", False),
        ("(or (== 1 2) (<= 2 2))", True),
        ("(not (>= 1 2))", True),
        ("(!= 1 2)", True),
        ("(== RED RED)", True),
        ("(!= (cardatt SUIT (top (game vloc STOCK))) CLUBS)", True),
        ("(== (top (game vloc STOCK)) (7 (game vloc STOCK)))", True),
        ("(!= (top (game vloc STOCK)) (6 (game vloc STOCK)))", True),
        ("(== (current player) (1 player))", True),
        ("(!= (team (current player)) (1 team))", False),
        ("(any player 'P (== (pid 'P) 3))", True),
        ("(all player 'P (== (pid 'P) 3))", False),
        ("(any (game vloc STOCK) 'C (== (cardatt RANK 'C) A))", True),
        ("(all (game vloc STOCK) 'C (== (cardatt RANK 'C) A))", False),
        ("(any (A, B) 'N (== 'N B))", True),
        ("(all team 'T (any 'T 'P (== (team 'P) 'T)))", True),
    ],
)
def test_conditions(condition: str, expected: bool) -> None:
    """Each condition has the expected value; two cards are equal only if they are one card."""
    assert holds(condition) == expected


def test_a_mark_is_the_card_it_marks() -> None:
    """A mark equals the card that it marks, wherever that card lies."""
    remember = "(remember (top (game vloc STOCK)) (top (game mem M)))"
    assert holds("(== (top (game mem M)) (top (game vloc STOCK)))", remember)


def test_players_and_teams_count_from_0_where_teams_do() -> None:
    """A description whose teams name player 0 numbers all players and teams from 0."""
    counted = "(set (game sto A) (pid (0 player)))", "(set (game sto B) (tid (team (3 player))))"
    world = done(*counted, setup=TEAMS)
    assert (value(world, "a"), value(world, "b")) == (0, 1)


def test_a_name_can_be_worked_out() -> None:
    """A value is found by a computed string, also if no literal names it."""
    world = done(
        "(set (game str WHICH) SCORE)",
        "(set ((current player) sto (game str WHICH)) 5)",
        "(set (game sto (cardatt RANK (top (game vloc STOCK)))) 6)",
        "(set (game sto (cardatt RANK (top (game vloc STOCK)))) 7)",
        "(set (game sto SEEN) (+ (game sto (cardatt RANK (top (game vloc STOCK))))"
        " (game sto (cardatt RANK (bottom (game vloc STOCK))))"
        " ((current player) sto (game str WHICH))))",
    )
    assert (value(world, "score/0"), value(world, "seen")) == (5, 12)


def test_too_large_a_number_is_stored_nowhere() -> None:
    """A number out of bounds cannot be stored, not even by a computed name."""
    large = f"(+ (* {BILLION} {BILLION}) 1)"
    assert fails(f"(set (game sto (cardatt RANK (top (game vloc STOCK)))) {large})") == TOO_LARGE


def test_declared_values_are_known_everywhere() -> None:
    """`declare` names numbers, strings, lists and piles; numbers are computed once."""
    world = done(
        "(set (game sto A) (+ 'N 'R))",
        "(set (game sto B) (size 'NAMES))",
        "(move (top 'PILE) (top 'OTHER))",
        "(set (game sto C) (size 'BOTH))",
        "(set (game str D) 'S)",
        declare="""(declare 4 'N) (declare (random 0) 'R) (declare (A, B) 'NAMES) (declare X 'S)
          (declare (game vloc STOCK) 'PILE) (declare (game vloc OTHER) 'OTHER)
          (declare (union 'PILE 'OTHER) 'BOTH)""",
    )
    assert [value(world, name) for name in "abcd"] == [4, 2, 8, "X"]
    assert value(world, "play/declared/r") == 0


def test_the_number_of_players_can_be_declared() -> None:
    """`create players` takes a declared number."""
    world = done(
        "(set (game sto A) (size player))",
        declare="(declare 2 'N)",
        setup=SETUP.replace("players 3", "players 'N"),
    )
    assert value(world, "a") == 2


def test_a_point_map_costs_every_game_the_same() -> None:
    """Point maps are shared by all games of a process, and cost each game an equal share."""
    compiled = program(
        f"(do ({WORTH} (set (game sto S) (sum (game vloc STOCK) using (game points WORTH)))))"
    )
    left = []
    for _ in range(2):
        world = World(compiled, Shuffler(seed_from_int(0)), PLAY_LIMITS)
        world.begin()
        left.append(world.work.left)
    assert left[0] == left[1]
