"""Parsing every expression of the language, in the words of every version that has it."""

import pytest

from engine.recycle.syntax import (
    Arithmetic,
    CardAt,
    CardAttribute,
    Compare,
    CycleTeam,
    Each,
    ExtremeCard,
    ExtremeScore,
    Fibonacci,
    Filter,
    Indexed,
    Integer,
    IntStorage,
    Kind,
    Location,
    Logic,
    Members,
    Name,
    Names,
    Node,
    Not,
    NumberedPlayer,
    NumberedTeam,
    Others,
    OwnerOf,
    Partition,
    PileAt,
    PlayerNumber,
    Players,
    PointMap,
    Quantified,
    Random,
    Range,
    Runs,
    RunSlice,
    Same,
    Score,
    SetOperation,
    Size,
    Slice,
    Sorted,
    StringStorage,
    Subsets,
    Sum,
    Table,
    TeamNumber,
    TeamOf,
    Teams,
    Total,
    Triangular,
    Tuples,
    Variable,
)
from engine.recycle.syntax import CyclePlayer as Turn
from tests.engine.recycle.reading.wording import (
    card,
    cards,
    collection,
    condition,
    kind_of,
    number,
    player,
    string,
)

ZERO, ONE, TWO = Integer(0), Integer(1), Integer(2)
PILE = Location(Table(), "vloc", Name("A"), ZERO)
HAND = Location(Turn("current"), "iloc", Name("HAND"), ZERO)
TOP = CardAt("top", PILE)
P = Variable("P", Kind.PLAYER)
C = Variable("C", Kind.CARD)
POINTS = PointMap(Table(), Name("P"))
A = "(game vloc A)"
USING = "using (game points P)"
SUITS = Partition(Name("SUIT"), (PILE,))
X = IntStorage(Table(), Name("X"))
IS_ONE = Compare("==", X, ONE)
ONES = "(== (game sto X) 1)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12", Integer(12)),
        ("(game sto X)", X),
        ("((current player) sto X)", IntStorage(Turn("current"), Name("X"))),
        ("((current team) sto X)", IntStorage(CycleTeam("current"), Name("X"))),
        ("((team (next player)) sto X)", IntStorage(TeamOf(Turn("next")), Name("X"))),
        ("(game sto (game str S))", IntStorage(Table(), StringStorage(Table(), Name("S")))),
        (f"(size {A})", Size(PILE)),
        (f"(sum {A} {USING})", Sum(PILE, POINTS)),
        (f"(sum {A} using 'P)", Sum(PILE, POINTS)),
        (f"(score (top {A}) {USING})", Score(TOP, POINTS)),
        (f"(scoremax {A} {USING})", ExtremeScore("max", PILE, POINTS)),
        (f"(scoremin {A} {USING})", ExtremeScore("min", PILE, POINTS)),
        ("(+ 1 2)", Arithmetic("+", (ONE, TWO))),
        ("(+ 1 2 0)", Arithmetic("+", (ONE, TWO, ZERO))),
        ("(* 1 2 0)", Arithmetic("*", (ONE, TWO, ZERO))),
        ("(- 1 2)", Arithmetic("-", (ONE, TWO))),
        ("(// 1 2)", Arithmetic("//", (ONE, TWO))),
        ("(% 1 2)", Arithmetic("%", (ONE, TWO))),
        ("(^ 1 2)", Arithmetic("^", (ONE, TWO))),
        ("(tri 2)", Triangular(TWO)),
        ("(fib 2)", Fibonacci(TWO)),
        ("(random 2)", Random(ZERO, TWO)),
        ("(random 1 .. 2)", Random(ONE, TWO)),
        ("(all player 'P ('P sto X))", Total(Players(), "P", IntStorage(P, Name("X")))),
        ("(pid (current player))", PlayerNumber(Turn("current"))),
        ("(tid (current team))", TeamNumber(CycleTeam("current"))),
    ],
)
def test_numbers(text: str, expected: Node) -> None:
    """Each way to write a number is parsed."""
    assert number(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HEARTS", Name("HEARTS")),
        ("(game str S)", StringStorage(Table(), Name("S"))),
        ("((previous player) str S)", StringStorage(Turn("previous"), Name("S"))),
        ("((1 team) str S)", StringStorage(NumberedTeam(ONE), Name("S"))),
        (f"(cardatt SUIT (top {A}))", CardAttribute(Name("SUIT"), TOP)),
        (
            f"(cardatt (game str S) (top {A}))",
            CardAttribute(StringStorage(Table(), Name("S")), TOP),
        ),
    ],
)
def test_strings(text: str, expected: Node) -> None:
    """Each way to write a string is parsed."""
    assert string(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"(and {ONES} {ONES})", Logic("and", (IS_ONE, IS_ONE))),
        (f"(or {ONES})", Logic("or", (IS_ONE,))),
        (f"(not {ONES})", Not(IS_ONE)),
        ("(< 1 2)", Compare("<", ONE, TWO)),
        ("(> 1 2)", Compare(">", ONE, TWO)),
        ("(<= 1 2)", Compare("<=", ONE, TWO)),
        ("(>= 1 2)", Compare(">=", ONE, TWO)),
        ("(== 1 2)", Compare("==", ONE, TWO)),
        ("(!= 1 2)", Compare("!=", ONE, TWO)),
        ("(== A B)", Same(Name("A"), Name("B"))),
        ("(!= A B)", Same(Name("A"), Name("B"), negated=True)),
        (f"(== (top {A}) (top {A}))", Same(TOP, TOP)),
        ("(== (current player) (next player))", Same(Turn("current"), Turn("next"))),
        ("(!= (current team) (1 team))", Same(CycleTeam("current"), NumberedTeam(ONE), True)),
        (f"(any player 'P {ONES})", Quantified(False, Players(), "P", IS_ONE)),
        (f"(all player 'P {ONES})", Quantified(True, Players(), "P", IS_ONE)),
    ],
)
def test_conditions(text: str, expected: Node) -> None:
    """Each way to write a condition is parsed."""
    assert condition(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"(top {A})", TOP),
        (f"(bottom {A})", CardAt("bottom", PILE)),
        (f"(0 {A})", CardAt(ZERO, PILE)),
        (f"((game sto X) {A})", CardAt(X, PILE)),
        (f"(max {A} {USING})", ExtremeCard("max", PILE, POINTS)),
        (f"(min {A} using 'P)", ExtremeCard("min", PILE, POINTS)),
        (f"(actual (top {A}))", TOP),
        (f"(top (top (partition SUIT {A})))", CardAt("top", PileAt("top", SUITS))),
    ],
)
def test_single_cards(text: str, expected: Node) -> None:
    """Each way to name a card is parsed; `actual` gives the card itself."""
    assert card(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("((current player) iloc HAND)", HAND),
        ("(game hloc A)", Location(Table(), "hloc", Name("A"), ZERO)),
        ("((next player) oloc A)", Location(Turn("next"), "oloc", Name("A"), ZERO)),
        ("(game mem A)", Location(Table(), "mem", Name("A"), ZERO)),
        ("(game vloc A 2)", Location(Table(), "vloc", Name("A"), TWO)),
        (
            "(game vloc (game str S))",
            Location(Table(), "vloc", StringStorage(Table(), Name("S")), ZERO),
        ),
        ("((0 player) vloc A)", Location(NumberedPlayer(ZERO), "vloc", Name("A"), ZERO)),
        (f"((owner (top {A})) vloc A)", Location(OwnerOf(TOP), "vloc", Name("A"), ZERO)),
        (
            f"(filter {A} 'C (== (cardatt SUIT 'C) H))",
            Filter(PILE, "C", Same(CardAttribute(Name("SUIT"), C), Name("H"))),
        ),
        (f"(union {A} {A})", SetOperation("union", (PILE, PILE))),
        (f"(intersect {A} {A})", SetOperation("intersect", (PILE, PILE))),
        (f"(disjunction {A})", SetOperation("disjunction", (PILE,))),
        (
            "(union (all player 'P ('P vloc A)))",
            SetOperation("union", (Each(Players(), "P", Location(P, "vloc", Name("A"), ZERO)),)),
        ),
        (f"(sort {A} {USING})", Sorted(PILE, POINTS)),
        (f"(top 2 {A})", Slice("top", TWO, PILE)),
        (f"(bottom 2 {A})", Slice("bottom", TWO, PILE)),
        (f"(run top 2 {A} {USING})", RunSlice("top", TWO, PILE, POINTS)),
        (f"(run bottom 2 {A} {USING})", RunSlice("bottom", TWO, PILE, POINTS)),
        (f"(top (partition SUIT {A}))", PileAt("top", SUITS)),
        (f"(1 (partition SUIT {A}))", PileAt(ONE, SUITS)),
    ],
)
def test_lists_of_cards(text: str, expected: Node) -> None:
    """Each way to name a list of cards is parsed."""
    assert cards(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (A, PILE),
        (f"(partition SUIT {A})", SUITS),
        (f"(partition {A} {A} SUIT)", Partition(Name("SUIT"), (PILE, PILE))),
        (f"(partition (game str S) {A})", Partition(StringStorage(Table(), Name("S")), (PILE,))),
        (
            f"(partition {A} (cardatt SUIT (top {A})))",
            Partition(CardAttribute(Name("SUIT"), TOP), (PILE,)),
        ),
        (
            "(partition SUIT (all player 'P ('P vloc A)))",
            Partition(Name("SUIT"), (Each(Players(), "P", Location(P, "vloc", Name("A"), ZERO)),)),
        ),
        (f"(subsets {A})", Subsets(PILE)),
        (f"(subsets {A} >= 2)", Subsets(PILE, ">=", TWO)),
        (f"(runs largest 2 {A} {USING})", Runs("largest", TWO, PILE, POINTS)),
        (f"(runs all 2 {A} {USING})", Runs("all", TWO, PILE, POINTS)),
        (f"(tuples 2 {A} {USING})", Tuples(TWO, PILE, POINTS)),
        ("(indexed game vloc A)", Indexed(Table(), "vloc", Name("A"))),
        ("(indexed (current player) iloc A)", Indexed(Turn("current"), "iloc", Name("A"))),
        ("(all player 'P ('P vloc A))", Each(Players(), "P", Location(P, "vloc", Name("A"), ZERO))),
        (
            f"(filter (subsets {A}) 'S (> (size 'S) 1))",
            Filter(
                Subsets(PILE), "S", Compare(">", Size(Variable("S", Kind.CARDS)), ONE), Kind.PILES
            ),
        ),
        ("player", Players()),
        ("team", Teams()),
        ("(other player)", Others(Kind.PLAYERS)),
        ("(other team)", Others(Kind.TEAMS)),
        ("(current team)", Members(CycleTeam("current"))),
        ("(team (current player))", Members(TeamOf(Turn("current")))),
        ("(range 1 .. 2)", Range(ONE, TWO)),
        ("(A, B, C)", Names(("A", "B", "C"))),
        ("(A)", Names(("A",))),
        (f"(filter player 'P {ONES})", Filter(Players(), "P", IS_ONE, Kind.PLAYERS)),
    ],
)
def test_what_can_be_gone_through(text: str, expected: Node) -> None:
    """Each collection is parsed; a filter has the kind of the collection that it filters."""
    found = collection(text)
    assert found == expected
    assert kind_of(found) is kind_of(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(current player)", Turn("current")),
        ("(next player)", Turn("next")),
        ("(previous player)", Turn("previous")),
        ("(2 player)", NumberedPlayer(TWO)),
        (f"((size {A}) player)", NumberedPlayer(Size(PILE))),
        (f"(owner (top {A}))", OwnerOf(TOP)),
        ("current", Turn("current")),
        ("next", Turn("next")),
        ("previous", Turn("previous")),
    ],
)
def test_players(text: str, expected: Node) -> None:
    """Each way to name a player is parsed; bare words are those of versions before 0.6."""
    assert player(text) == expected
