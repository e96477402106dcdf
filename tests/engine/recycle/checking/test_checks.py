"""All checks of a description together."""

from itertools import pairwise
from string import ascii_uppercase

from engine.recycle.checking import check
from engine.recycle.games import description, names
from engine.recycle.limits import TextLimits
from engine.recycle.problems import Code
from engine.recycle.reading.parser import parse
from tests.engine.recycle.reading.wording import whole


def codes(text: str) -> list[Code]:
    """The codes of the problems of a description."""
    return [problem.code for problem in check(parse(text))]


def test_problems_of_form_and_meaning_come_in_the_order_of_the_text() -> None:
    """Problems of syntax and of meaning are reported together, in the order of the text."""
    text = whole(
        "(do ((choice ((turn pass)))))",
        "(do ((dance)))",
        "(do ((move (top (game vloc A)) (top (top 2 (game vloc A))))))",
    )
    assert codes(text) == [Code.MISPLACED_CHOICE, Code.UNKNOWN_WORD, Code.VIRTUAL_TARGET]


def test_nothing_is_compared_with_what_could_not_be_read() -> None:
    """A name set in a form that could not be parsed is not reported as unknown."""
    wrong = whole("(choice ((turn pass)))", "(do ((sett (game sto SCORE) 1)))")
    assert codes(wrong) == [Code.UNKNOWN_WORD]
    assert codes(wrong.replace("sett", "set")) == []


def test_a_variable_that_is_not_known_stands_for_anything() -> None:
    """An unknown variable is reported once, not again for each place where it stands."""
    assert (
        codes(whole("(do ((move (top 'Z) (top 'Z)) (remember (top 'Z) (top 'Z))))"))
        == [Code.UNKNOWN_VARIABLE] * 4
    )
    assert codes(whole("(do ((all 'Z 'L (move (top 'L) (top 'L)))))")) == [Code.UNKNOWN_VARIABLE]
    assert codes(whole("(do ((move (top 'Z) (top (top 'Z)))))")) == [Code.UNKNOWN_VARIABLE] * 2


def test_what_is_no_description_has_nothing_more_to_tell() -> None:
    """A text without a parsed tree gets no semantic checks."""
    assert codes("(gmae)") == [Code.NO_GAME]


def test_many_problems_are_cut_short() -> None:
    """The list of semantic problems is cut at the limit, as that of syntax problems is."""
    choices = " ".join(["(choice ((turn pass)))"] * 5)
    parsed = parse(whole(f"(do ({choices}))", "(choice ((turn pass)))"))
    assert [problem.code for problem in check(parsed, TextLimits(problems=2))] == [
        Code.MISPLACED_CHOICE,
        Code.MISPLACED_CHOICE,
        Code.TOO_MANY_PROBLEMS,
    ]


def test_our_own_games_have_nothing_wrong() -> None:
    """Our own games have neither errors nor warnings."""
    for name in names():
        assert [str(problem) for problem in check(parse(description(name)))] == []


def test_names_within_names_take_no_time_to_speak_of() -> None:
    """Lists that double at each declaration are checked without expanding them."""
    text = "(forget (top 'Z))"
    for name, inner in reversed(list(pairwise(ascii_uppercase))):
        text = f"(let (union '{name} '{name}) '{inner} {text})"
    text = f"(let (game mem M) 'A {text})"
    told = codes(whole("(choice ((turn pass)))", f"(do ({text}))", scoring="(scoring max 1)"))
    assert told == [Code.NEVER_FILLED]
