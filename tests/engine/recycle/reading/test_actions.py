"""Parsing every action of the language, in the words of every version."""

import pytest

from engine.recycle.syntax import (
    AttributeValue,
    Award,
    CardAt,
    CardAttribute,
    ChangeInt,
    Choice,
    Compare,
    CreateDeck,
    CreateTeams,
    Cycle,
    CyclePlayer,
    DeckAttribute,
    Do,
    ForEach,
    Forget,
    Integer,
    Interleave,
    IntStorage,
    Kind,
    Let,
    Location,
    Move,
    Name,
    Node,
    NumberedPlayer,
    OwnerOf,
    Pass,
    Players,
    PointMap,
    Quantified,
    Remember,
    Repeat,
    RepeatAll,
    SetInt,
    SetPoints,
    SetString,
    Shuffle,
    StringStorage,
    SwapCards,
    SwapPiles,
    Table,
    Variable,
    When,
)
from tests.engine.recycle.reading.wording import body, game, whole

ZERO, ONE, TWO = Integer(0), Integer(1), Integer(2)
A, B = "(game vloc A)", "(game vloc B)"
PILE = Location(Table(), "vloc", Name("A"), ZERO)
OTHER = Location(Table(), "vloc", Name("B"), ZERO)
MARKS = Location(Table(), "mem", Name("M"), ZERO)
TOP = CardAt("top", PILE)
X = IntStorage(Table(), Name("X"))
POINTS = PointMap(Table(), Name("P"))
PASS = Pass()
HEARTS = Award(((Name("SUIT"), Name("H")),), ONE)
QUEEN = Award(((Name("RANK"), Name("Q")), (Name("SUIT"), Name("S"))), Integer(13))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"(move (top {A}) (top {B}))", Move(TOP, CardAt("top", OTHER))),
        (f"(move (top {A}) (bottom {B}))", Move(TOP, CardAt("bottom", OTHER))),
        (f"(move (top {A}) (2 {B}))", Move(TOP, CardAt(TWO, OTHER))),
        (f"(swap (top {A}) (top {B}))", SwapCards(TOP, CardAt("top", OTHER))),
        (f"(swap {A} {B})", SwapPiles(PILE, OTHER)),
        (f"(remember (top {A}) (top (game mem M)))", Remember(TOP, CardAt("top", MARKS))),
        ("(forget (top (game mem M)))", Forget(CardAt("top", MARKS))),
        (f"(shuffle {A})", Shuffle(PILE)),
        (f"(shuffle faro {A} {B})", Interleave(PILE, OTHER)),
        ("(set (game sto X) 2)", SetInt(X, TWO)),
        ("(inc (game sto X) 2)", ChangeInt(X, TWO, 1)),
        ("(inc (game sto X))", ChangeInt(X, ONE, 1)),
        ("(dec (game sto X) 2)", ChangeInt(X, TWO, -1)),
        ("(dec (game sto X))", ChangeInt(X, ONE, -1)),
        ("(set (game str S) A)", SetString(StringStorage(Table(), Name("S")), Name("A"))),
        ("(cycle next (current player))", Cycle("next", CyclePlayer("current"))),
        ("(cycle current next)", Cycle("current", CyclePlayer("next"))),
        ("(cycle next (2 player))", Cycle("next", NumberedPlayer(TWO))),
        (f"(cycle next (owner (top {A})))", Cycle("next", OwnerOf(TOP))),
        ("(turn pass)", PASS),
        ("(repeat 2 (turn pass))", Repeat(TWO, PASS)),
        (
            f"(repeat all (move (top {A}) (top {B})))",
            RepeatAll(Move(TOP, CardAt("top", OTHER))),
        ),
        (
            "(repeat all (forget (top (game mem M))))",
            RepeatAll(Forget(CardAt("top", MARKS))),
        ),
        ("((== 1 2) (turn pass))", When(Compare("==", ONE, TWO), PASS)),
        ("(do ((turn pass) (turn pass)))", Do((PASS, PASS))),
        ("(any player 'P (turn pass))", ForEach(False, Players(), "P", PASS)),
        ("(all player 'P (turn pass))", ForEach(True, Players(), "P", PASS)),
        ("(let 2 'N (turn pass))", Let(TWO, "N", PASS)),
        ("(choice ((turn pass)))", Choice((PASS,))),
        (
            "((any player 'P (== 1 2)) (any player 'P (turn pass)))",
            When(
                Quantified(False, Players(), "P", Compare("==", ONE, TWO)),
                ForEach(False, Players(), "P", PASS),
            ),
        ),
    ],
)
def test_what_can_be_done(text: str, expected: Node) -> None:
    """Each action, and each way to combine actions, is parsed."""
    assert body(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "(set (game points P) (((SUIT : H) 1) ((RANK : Q) (SUIT : S) 13)))",
        "(set (game points P) (((SUIT (H)) 1) ((RANK (Q)) (SUIT (S)) 13)))",
        "(put points 'P (((SUIT (H)) 1) ((RANK (Q)) (SUIT (S)) 13)))",
        "(put points 'P (((SUIT : H) 1) ((RANK Q) (SUIT : S) 13)))",
    ],
)
def test_a_point_map_in_the_words_of_every_version(text: str) -> None:
    """`put points` of every version sets a point map."""
    assert body(text) == SetPoints(POINTS, (HEARTS, QUEEN))


def test_an_award_may_take_its_value_from_a_card() -> None:
    """An award may take its value from a card; version 0.4 writes it without parentheses."""
    lead = (Name("SUIT"), CardAttribute(Name("SUIT"), TOP))
    expected = SetPoints(POINTS, (Award((lead,), ONE),))
    assert body(f"(put points 'P (((SUIT (cardatt SUIT (top {A}))) 1)))") == expected
    assert body(f"(set (game points P) (((SUIT : (cardatt SUIT (top {A}))) 1)))") == expected


def test_a_point_map_can_be_added_to() -> None:
    """`update` takes the arguments of `set`, and is marked as an addition."""
    assert body("(update (game points P) (((SUIT : H) 1)))") == SetPoints(POINTS, (HEARTS,), True)


def test_a_point_map_can_be_a_players_or_teams() -> None:
    """A point map may belong to the table, a player or a team."""
    mine = PointMap(CyclePlayer("current"), Name("P"))
    assert body("(set ((current player) points P) (((SUIT : H) 1)))") == SetPoints(mine, (HEARTS,))


def test_a_variable_is_a_place_for_cards() -> None:
    """A variable for a list may be the place to which cards go."""
    moved = body("(move (top 'L) (top 'L))", f"all (subsets {A}) 'L")
    pile = Variable("L", Kind.CARDS)
    assert moved == Move(CardAt("top", pile), CardAt("top", pile))


def test_decks_are_attributes_within_attributes() -> None:
    """Values share the attributes that follow them; the family is DEFAULT unless it is named."""
    suits = DeckAttribute("SUIT", (AttributeValue("H"), AttributeValue("D")))
    red = DeckAttribute("COLOR", (AttributeValue("RED", (suits,)),))
    rank = DeckAttribute("RANK", (AttributeValue("A"), AttributeValue("K")))
    deck = "(deck (RANK (A, K)) (COLOR (RED (SUIT (H, D)))))"
    assert body(f"(create deck {A} {deck})") == CreateDeck(PILE, (rank, red), Name("DEFAULT"))
    assert body(f"(create deck BLUE {A} {deck})") == CreateDeck(PILE, (rank, red), Name("BLUE"))
    named = StringStorage(Table(), Name("BACK"))
    assert body(f"(create deck (game str BACK) {A} (deck (RANK (A, K))))") == CreateDeck(
        PILE, (rank,), named
    )


def test_several_values_may_have_further_attributes() -> None:
    """One group of values after the other, each with its own."""
    low = DeckAttribute("VALUE", (AttributeValue("LOW"),))
    high = DeckAttribute("VALUE", (AttributeValue("HIGH"),))
    deck = "(deck (RANK (A, TWO (VALUE (LOW))) (K (VALUE (HIGH)))))"
    assert body(f"(create deck {A} {deck})") == CreateDeck(
        PILE,
        (
            DeckAttribute(
                "RANK",
                (
                    AttributeValue("A", (low,)),
                    AttributeValue("TWO", (low,)),
                    AttributeValue("K", (high,)),
                ),
            ),
        ),
        Name("DEFAULT"),
    )


@pytest.mark.parametrize(
    ("text", "numbering", "teams"),
    [
        ("(create teams (0, 2) (1, 3))", 0, ((0, 2), (1, 3))),
        ("(create teams (1, 3) (2, 4))", 1, ((0, 2), (1, 3))),
        ("(create teams (0))", 0, ((0,),)),
        ("(create teams (2))", 1, ((1,),)),
    ],
)
def test_seats_of_teams_count_from_nought(
    text: str, numbering: int, teams: tuple[tuple[int, ...], ...]
) -> None:
    """Teams count players from 0 if any team mentions player 0, whatever else counts from 1."""
    made = game(whole(f"(do ({text}))"))
    (child,) = made.children
    assert child == Do((CreateTeams(teams),))
    assert made.numbering == numbering


def test_one_mention_of_player_nought_counts_for_all_teams() -> None:
    """One mention of player 0 makes every team count from 0."""
    text = whole("(do ((create teams (2) (1)) (create teams (1) (0))))")
    (child,) = game(text).children
    assert child == Do((CreateTeams(((2,), (1,))), CreateTeams(((1,), (0,)))))
