"""The warning for options that reveal hidden cards."""

import pytest

from engine.recycle.problems import Code
from tests.engine.recycle.checking.checking import found

MINE = "((current player) iloc HAND)"
THEIRS = "((next player) iloc HAND)"
USING = "using (game points P)"


def told(option: str) -> list[tuple[int, str]]:
    """The column and pile of each warning about one option, which begins in column 10."""
    lines = found(Code.HIDDEN_READ, f"(choice ({option}))")
    marks = ("options depend on cards in ", ", which the chooser cannot see: ")
    found_piles = []
    for line in lines:
        place, _, rest = line.partition(f": warning {marks[0]}")
        pile, _, end = rest.partition(marks[1])
        assert end.endswith("; expected cards that the chooser sees; choose first, look afterwards")
        found_piles.append((int(place.removeprefix("3:")), pile))
    return found_piles


@pytest.mark.parametrize(
    ("pile", "hidden"),
    [
        ("(game vloc A)", False),
        (THEIRS.replace("iloc", "vloc"), False),
        ("(game mem A)", False),
        (MINE, False),
        (THEIRS, True),
        ("((1 player) iloc HAND)", True),
        ("(game iloc A)", True),
        ("(game hloc A)", True),
        (MINE.replace("iloc", "hloc"), True),
        ("(game oloc A)", False),
        (MINE.replace("iloc", "oloc"), True),
        (THEIRS.replace("iloc", "oloc"), False),
        ("((1 player) oloc HAND)", True),
    ],
)
def test_who_may_look_into_a_pile_decides(pile: str, hidden: bool) -> None:
    """The warning depends on the pile's visibility and on whether the chooser owns the pile."""
    condition = f"(== (cardatt SUIT (top {pile})) HEARTS)"
    assert told(f"({condition} (turn pass))") == ([(15, pile)] if hidden else [])


@pytest.mark.parametrize(
    ("option", "pile"),
    [
        (f"(any (filter {THEIRS} 'C (== (cardatt SUIT 'C) HEARTS)) 'D (turn pass))", THEIRS),
        (f"((> (sum {THEIRS} {USING}) 3) (turn pass))", THEIRS),
        (f"((> (score (top {THEIRS}) {USING}) 3) (turn pass))", THEIRS),
        (f"((> (scoremax {THEIRS} {USING}) 3) (turn pass))", THEIRS),
        (f"((> (size (partition SUIT {THEIRS})) 3) (turn pass))", THEIRS),
        (f"((> (size (runs all 3 {THEIRS} {USING})) 3) (turn pass))", THEIRS),
        (f"((> (size (tuples 3 {THEIRS} {USING})) 3) (turn pass))", THEIRS),
        (f"((> (size (run top 3 {THEIRS} {USING})) 3) (turn pass))", THEIRS),
        (f"((== (top {THEIRS}) (top {MINE})) (turn pass))", THEIRS),
        (f"(any (sort {THEIRS} {USING}) 'C (turn pass))", THEIRS),
        (f"(let (max {THEIRS} {USING}) 'C ((> (score 'C {USING}) 3) (turn pass)))", THEIRS),
        (f"(repeat (sum {THEIRS} {USING}) (turn pass))", THEIRS),
        (f"(let (sum {THEIRS} {USING}) 'N ((== 'N 1) (turn pass)))", THEIRS),
        (
            f"(repeat all (move (top (filter {THEIRS} 'C (== (cardatt SUIT 'C) HEARTS)))"
            f" (top {MINE})))",
            THEIRS,
        ),
        (f"(let {THEIRS} 'H ((> (sum 'H {USING}) 3) (turn pass)))", THEIRS),
        (f"(do ((do (((> (sum {THEIRS} {USING}) 3) (turn pass))))))", THEIRS),
        (
            f"(any (all player 'P ('P iloc HAND)) 'H ((> (sum 'H {USING}) 3) (turn pass)))",
            "('P iloc HAND)",
        ),
        (
            f"(any (indexed game hloc A) 'H ((> (sum 'H {USING}) 3) (turn pass)))",
            "(indexed game hloc A)",
        ),
        (
            f"(any (other player) 'P ((> (sum ('P iloc HAND) {USING}) 3) (turn pass)))",
            "('P iloc HAND)",
        ),
        (
            f"(let (next player) 'P ((> (sum ('P iloc HAND) {USING}) 3) (turn pass)))",
            "('P iloc HAND)",
        ),
        (
            f"(any player 'P ((> (sum ('P oloc HAND) {USING}) 3) (turn pass)))",
            "('P oloc HAND)",
        ),
        (
            f"(do ((set (game sto X) (sum {THEIRS} {USING})) ((> (game sto X) 3)"
            " (any (range 1 .. 2) 'N (turn pass)))))",
            THEIRS,
        ),
        (
            f"(do ((set (game str X) (cardatt SUIT (top {THEIRS}))) ((== (game str X) HEARTS)"
            " (any (range 1 .. 2) 'N (turn pass)))))",
            THEIRS,
        ),
        (f"(any (game vloc A (sum {THEIRS} {USING})) 'C (move 'C (top {MINE})))", THEIRS),
    ],
)
def test_whatever_looks_at_faces_is_told(option: str, pile: str) -> None:
    """An option that reads hidden faces is reported once per look, under any name of the cards."""
    assert [where for _, where in told(option)] == [pile]


@pytest.mark.parametrize(
    "option",
    [
        f"(set (game sto X) (sum {THEIRS} {USING}))",
        f"(set (game sto (cardatt SUIT (top {THEIRS}))) 3)",
        f"(cycle next (owner (max {THEIRS} {USING})))",
        f"(move (top {MINE}) (top (game vloc (cardatt SUIT (top {THEIRS})))))",
        f"(move ((score (top {THEIRS}) {USING}) {MINE}) (top (game vloc A)))",
        f"(let (max {THEIRS} {USING}) 'C (turn pass))",
        f"(do (((> (sum {THEIRS} {USING}) 3) (inc (game sto X))) (turn pass)))",
        f"(do ((set (game sto X) (sum {THEIRS} {USING})) ((> (game sto X) 3) (turn pass))))",
    ],
)
def test_what_an_option_only_does_is_not_told(option: str) -> None:
    """An effect of the chosen option is not reported, since it happens after the choice."""
    assert told(option) == []


@pytest.mark.parametrize(
    "option",
    [
        f"((> (size {THEIRS}) 3) (turn pass))",
        f"((== (current player) (owner (top {MINE}))) (turn pass))",
        "((== (game str S) A) (turn pass))",
        f"(any {THEIRS} 'C (move 'C (top {MINE})))",
        f"(move (max {THEIRS} {USING}) (top {MINE}))",
        f"(remember (top {THEIRS}) (top (game mem A)))",
        "(set (game points X) (((SUIT : (cardatt SUIT (top (game hloc A)))) 1)))",
        f"(let (current player) 'P ((> (sum ('P iloc HAND) {USING}) 3) (turn pass)))",
        f"(any (other player) 'P ((> (sum ('P oloc HAND) {USING}) 3) (turn pass)))",
        f"(let (next player) 'P ((> (sum ('P oloc HAND) {USING}) 3) (turn pass)))",
        f"(any (filter {MINE} 'C (== (cardatt SUIT 'C) HEARTS)) 'D (turn pass))",
    ],
)
def test_what_everybody_may_know_is_not_told(option: str) -> None:
    """Reading counts, one's own cards or the moves of unnamed cards is not reported."""
    assert told(option) == []


DRAW = f"(move (top (game hloc STOCK)) (top {MINE}))"
ASKED = f"((> (sum {MINE} {USING}) 3) (any (range 1 .. 2) 'N (turn pass)))"


@pytest.mark.parametrize(
    ("before", "hidden"),
    [
        (DRAW, True),
        (f"(swap (top (game hloc STOCK)) (top {MINE}))", True),
        (f"(swap {MINE} (game hloc STOCK))", True),
        ("(cycle current (next player))", True),
        (
            f"(do ({DRAW.replace(MINE, '(game vloc X)')} (move (top (game vloc X)) (top {MINE}))))",
            True,
        ),
        (f"(move (top (game vloc X)) (top {MINE}))", False),
        # One player's hand is not told from another's.
        (DRAW.replace(MINE, THEIRS), True),
        (DRAW.replace(MINE, "(game vloc (game str S))"), False),
        ("(cycle next (next player))", False),
    ],
)
def test_what_an_option_uncovers_itself_is_not_known_yet(before: str, hidden: bool) -> None:
    """Reading a card that the option draws is reported: its player has not seen the card."""
    before_all = ASKED.replace("(any (range 1 .. 2) 'N (turn pass))", "(turn pass)")
    assert told(f"(do ({before_all} {before}))") == []
    assert [pile for _, pile in told(f"(do ({before} {ASKED}))")] == [MINE] * hidden


@pytest.mark.parametrize(
    "condition",
    [
        f"(> (size (intersect (game mem M) {THEIRS})) 0)",
        f"(> (size (disjunction {THEIRS} (game mem M))) 0)",
        "(== (owner (top (game mem M))) (current player))",
    ],
)
def test_where_a_marked_card_lies_may_be_hidden(condition: str) -> None:
    """Reading which hand holds a marked card is reported: the mark is public, the place is not."""
    (line,) = found(Code.HIDDEN_READ, f"(choice (({condition} (turn pass))))")
    assert "options depend on where the cards lie that (game mem M) remembers: (" in line


def test_outside_of_choices_anything_may_be_looked_at() -> None:
    """Reading hidden cards outside a choice is not reported, since no option can reveal them."""
    text = f"(do (((> (sum {THEIRS} {USING}) 3) (turn pass))))"
    assert found(Code.HIDDEN_READ, text) == []


def test_the_place_is_that_of_the_look() -> None:
    """The warning points at the expression that reads the card, not at the pile's declaration."""
    option = f"(any {THEIRS} 'C ((== (cardatt SUIT 'C) HEARTS) (turn pass)))"
    assert told(option) == [(10 + option.index("(cardatt"), THEIRS)]


@pytest.mark.parametrize(
    "option",
    [
        "((> (random 1 .. 6) 3) (turn pass))",
        "(any (range 1 .. (random 6)) 'N (set (game sto X) 'N))",
        "(repeat (random 6) (turn pass))",
        "(let (random 6) 'N ((> 'N 3) (turn pass)))",
        "(do ((set (game sto X) (random 6)) ((> (game sto X) 3) (any (range 1 .. 2) 'N"
        " (turn pass)))))",
        f"(any (top 1 (filter {MINE} 'C (== 'C (max {MINE} {USING})))) 'D (turn pass))",
        "(do ((shuffle (game vloc A)) (any (filter (top 1 (game vloc A)) 'C"
        " (== (cardatt SUIT 'C) HEARTS)) 'C (turn pass))))",
    ],
)
def test_options_that_are_drawn(option: str) -> None:
    """An option whose existence depends on a random draw is reported, since it reveals the draw."""
    (line,) = found(Code.DRAWN_OPTIONS, f"(choice ({option}))")
    assert "warning whether there is an option is drawn before" in line
    assert line.endswith("; expected what the chooser knows; choose first, draw afterwards")


@pytest.mark.parametrize(
    "option",
    [
        "(set (game sto X) (random 6))",
        "(do (((> (random 1 .. 6) 3) (inc (game sto X))) (turn pass)))",
        f"(move (max {MINE} {USING}) (top (game vloc A)))",
        f"((> (score (max {MINE} {USING}) {USING}) 3) (turn pass))",
        f"(do ((shuffle (game vloc A)) (any {MINE} 'C (move 'C (top (game vloc B))))))",
    ],
)
def test_what_is_drawn_once_an_option_is_chosen(option: str) -> None:
    """A draw in the effect of a chosen option is not reported."""
    assert found(Code.DRAWN_OPTIONS, f"(choice ({option}))") == []
