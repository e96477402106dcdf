"""Variables: what they are bound to, where they are known, and what may have a name."""

import pytest

from engine.recycle.syntax import (
    Do,
    ForEach,
    Integer,
    IntStorage,
    Kind,
    Let,
    Location,
    Members,
    Name,
    Node,
    Partition,
    Table,
    Variable,
)
from tests.engine.recycle.reading.wording import (
    body,
    card,
    cards,
    collection,
    game,
    kind_of,
    number,
    player,
    string,
    whole,
)

A = "(game vloc A)"
ONES = "(== (game sto X) 1)"
PILE = Location(Table(), "vloc", Name("A"), Integer(0))
P = Variable("P", Kind.PLAYER)
C = Variable("C", Kind.CARD)
T = Variable("T", Kind.TEAM)


@pytest.mark.parametrize(
    ("text", "within", "expected"),
    [
        ("'P", "all player 'P", P),
        ("'P", "all (other player) 'P", P),
        ("'P", "all (current team) 'P", P),
        ("'P", f"all (filter player 'Q {ONES}) 'P", P),
    ],
)
def test_variables_are_what_they_go_through(text: str, within: str, expected: Node) -> None:
    """A variable over players can stand wherever a player is expected."""
    assert player(text, within) == expected


def test_variables_of_every_collection() -> None:
    """Cards, lists, teams, numbers and names have variables of their own kind."""
    assert card("'C", f"all {A} 'C") == C
    assert cards("'S", f"all (subsets {A}) 'S") == Variable("S", Kind.CARDS)
    assert number("'N", "all (range 1 .. 2) 'N") == Variable("N", Kind.INTEGER)
    assert string("'S", "all (A, B) 'S") == Variable("S", Kind.STRING)
    assert number("('T sto X)", "all team 'T") == IntStorage(T, Name("X"))
    assert collection("'T", "all team 'T") == Members(T)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("3", Kind.INTEGER),
        ("HEARTS", Kind.STRING),
        ("(== 1 1)", Kind.BOOLEAN),
        ("(any player 'Q (== 1 1))", Kind.BOOLEAN),
        (A, Kind.CARDS),
        (f"(top {A})", Kind.CARD),
        (f"(top (subsets {A}))", Kind.CARDS),
        (f"(subsets {A})", Kind.PILES),
        ("player", Kind.PLAYERS),
        ("(current player)", Kind.PLAYER),
        ("(current team)", Kind.TEAM),
        ("(range 1 .. 3)", Kind.INTEGERS),
        ("(A, B)", Kind.STRINGS),
        ("(all player 'Q ('Q vloc A))", Kind.PILES),
        ("(all player 'Q ('Q sto X))", Kind.INTEGER),
    ],
)
def test_anything_can_have_a_name(value: str, kind: Kind) -> None:
    """`let` and `declare` bind what they are given, of whatever kind."""
    found = body(f"(let {value} 'V (turn pass))")
    assert isinstance(found, Let)
    assert kind_of(found.value) is kind
    (declared,) = game(whole("(do ((turn pass)))", declare=f"(declare {value} 'V)")).declarations
    assert (declared.value, declared.variable) == (found.value, "V")


def test_an_inner_name_hides_an_outer_one() -> None:
    """An inner variable hides an outer one of its name until the inner form ends."""
    text = "(do ((let 1 'V (do ((all player 'V (cycle next 'V)) (set (game sto X) 'V))))))"
    (child,) = game(whole(text)).children
    assert isinstance(child, Do)
    (let,) = child.body
    assert isinstance(let, Let)
    assert isinstance(let.body, Do)
    inner, outer = let.body.body
    assert isinstance(inner, ForEach)
    assert str(inner.body) == f"Cycle(when='next', player={Variable('V', Kind.PLAYER)})"
    assert str(outer).endswith(f"value={Variable('V', Kind.INTEGER)})")


def test_a_partitions_key_may_be_a_variable() -> None:
    """The key of a partition may be a variable; its position says whether the key comes first."""
    expected = Partition(Variable("K", Kind.STRING), (PILE,))
    assert collection(f"(partition 'K {A})", "all (A, B) 'K") == expected
    assert collection(f"(partition {A} 'K)", "all (A, B) 'K") == expected
