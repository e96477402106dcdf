"""Splitting a file into forms and words, and reporting what is wrong with them."""

from dataclasses import replace

import pytest

from engine.recycle.limits import TEXT_LIMITS, TextLimits
from engine.recycle.problems import Report
from engine.recycle.reading.forms import Form, Reading, read
from engine.recycle.reading.tokens import BOM, Token


def reading(text: str, limits: TextLimits = TEXT_LIMITS) -> tuple[Reading, list[str]]:
    """The form that was read, and the problems."""
    report = Report(text, limits.problems)
    found = read(text, report, limits)
    return found, [str(problem) for problem in report.found()]


def outline(item: Form | Token) -> object:
    """The texts of a form as nested lists, without comments."""
    return item.text if isinstance(item, Token) else [outline(each) for each in item.items]


def outlined(text: str, limits: TextLimits = TEXT_LIMITS) -> tuple[object, list[str]]:
    """The texts of the form as nested lists, and the problems."""
    found, problems = reading(text, limits)
    return found.form and outline(found.form), problems


def test_forms_lie_within_forms() -> None:
    """A form is what stands between two parentheses, empty ones too."""
    assert outlined("(game (move 'C ()) 3)") == (["game", ["move", "'C", []], "3"], [])


def test_a_form_knows_where_it_stands() -> None:
    """Its span goes from its parenthesis to that which closes it."""
    text = "(a\n (b\n  c))"
    form = reading(text)[0].form
    assert form is not None
    inner = form.items[1]
    assert isinstance(inner, Form)
    assert (inner.span.line, inner.span.column, inner.span.of(text)) == (2, 2, "(b\n  c)")


def test_comments_are_kept_beside_the_items() -> None:
    """Comments are kept beside the items of their form; so are those above the description."""
    found, problems = reading(";; one\n(a ;; two\n b)")
    assert problems == []
    assert found.form is not None
    assert [each.text for each in found.before] == [";; one"]
    assert [outline(each) for each in found.form.everything] == ["a", ";; two", "b"]
    assert [outline(each) for each in found.form.items] == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "head"), [("(game)", "game"), ("(+ 1 2)", "+"), ("(A)", ""), ("((a))", ""), ("()", "")]
)
def test_the_head_is_the_first_word_or_sign(text: str, head: str) -> None:
    """The head of a form is its first word or sign, not a name or a form."""
    form = reading(text)[0].form
    assert form is not None
    assert form.head == head


def test_text_after_the_description_is_not_read() -> None:
    """Text after the description is ignored, and the place where it begins is known."""
    text = f"{BOM}(a)\n (b) ) é"
    found, problems = reading(text)
    assert problems == []
    assert found.rest.of(text) == "\n (b) ) é"
    assert (found.rest.line, found.rest.column) == (1, 4)


def test_text_before_the_description_is_told_once() -> None:
    """Text before the description is reported once, and the description is read."""
    assert outlined("A B ) (a)") == (
        ["a"],
        ["1:1: error [text_before] text before the description: A; expected (game …) or a comment"],
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "1:1: error [no_game] there is no description; expected (game …)"),
        (";; (game)", "1:1: error [no_game] there is no description; expected (game …)"),
        ("\n ) x", "2:2: error [no_game] there is no description: ); expected (game …)"),
    ],
)
def test_a_text_without_a_form_is_no_description(text: str, told: str) -> None:
    """A text without a form is reported at its first word, or at its beginning."""
    assert outlined(text) == (None, [told])


def test_a_form_that_is_not_closed_is_closed_at_the_end() -> None:
    """For an unclosed form the innermost one is reported: its parenthesis is likely missing."""
    assert outlined("(a\n (b (c) d\n") == (
        ["a", ["b", ["c"], "d"]],
        ["2:2: error [unclosed] 2 forms are not closed: (b (c) d; expected )) at the end"],
    )
    assert outlined("(a ;; b)") == (
        ["a"],
        ["1:1: error [unclosed] a parenthesis is not closed: (a ;; b); expected ) at the end"],
    )


def test_what_is_no_part_of_the_language_is_told_and_left_out() -> None:
    """An invalid character is reported and skipped, and reading goes on after it."""
    assert outlined("(a # b\n é)") == (
        ["a", "b"],
        [
            "1:4: error [bad_character] no part of the language: #; "
            "expected a word or a parenthesis",
            "2:2: error [bad_character] no part of the language: é; "
            "expected a word or a parenthesis",
        ],
    )


@pytest.mark.parametrize(
    ("name", "meant"), [("Hearts", "HEARTS"), ("'p1", "'P"), ("SUIT2", "SUIT"), ("1_2", "X")]
)
def test_a_name_with_digits_or_small_letters_is_mended(name: str, meant: str) -> None:
    """For a name with digits or small letters a corrected one is suggested and used."""
    assert outlined(f"(a {name})") == (
        ["a", meant],
        [
            f"1:4: error [bad_name] no name: {name}; expected capital letters A to Z alone; "
            f"did you mean {meant}?"
        ],
    )


def test_a_number_may_have_noughts_but_not_too_many_digits() -> None:
    """Leading zeros are allowed, and too many digits are refused quickly."""
    assert outlined("(a 000000000001000000000)") == (["a", "000000000001000000000"], [])
    form, problems = outlined(f"(a 1000000001 {'9' * 90_000})")
    assert form == ["a", "0", "0"]
    assert problems == [
        "1:4: error [big_number] the number is too big: 1000000001; expected at most 1000000000",
        f"1:15: error [big_number] the number is too big: {'9' * 59}…; expected at most 1000000000",
    ]


def test_forms_may_lie_only_so_deep() -> None:
    """Forms may be nested only up to a limit, which recursive code relies on."""
    limits = replace(TEXT_LIMITS, depth=3)
    assert outlined("(((a)))", limits) == ([[["a"]]], [])
    assert outlined("((((a))))", limits) == (
        None,
        [
            "1:4: error [too_deep] too many forms within one another: (; expected at most 3",
        ],
    )


def test_a_text_has_only_so_many_forms() -> None:
    """Forms beyond the limit on their number are not read."""
    limits = replace(TEXT_LIMITS, forms=3)
    assert outlined("(a (b) (c))", limits) == (["a", ["b"], ["c"]], [])
    assert outlined("(a (b) (c)\n(d))", limits) == (
        None,
        ["2:1: error [too_many_forms] too many forms: (; expected at most 3 in a description"],
    )


def test_a_text_has_only_so_many_words() -> None:
    """The number of words is limited, comments included."""
    limits = replace(TEXT_LIMITS, words=2)
    assert outlined("(a (b))", limits) == (["a", ["b"]], [])
    assert outlined("(a ;; b\n (c))", limits) == (
        None,
        ["2:3: error [too_many_words] too many words: c; expected at most 2 in a description"],
    )


def test_a_text_has_only_so_many_characters() -> None:
    """A text with too many characters is refused unread."""
    limits = replace(TEXT_LIMITS, characters=3)
    assert outlined("(a)", limits) == (["a"], [])
    assert outlined("(ab)", limits) == (
        None,
        ["1:1: error [too_long] the text has 4 characters; expected at most 3"],
    )


def test_only_so_many_problems_are_told() -> None:
    """The list of problems is cut at a limit, with a last line that says there are more."""
    limits = replace(TEXT_LIMITS, problems=2)
    assert outlined("(# # # #)", limits) == (
        [],
        [
            f"1:{column}: error [bad_character] no part of the language: #; "
            "expected a word or a parenthesis"
            for column in (2, 4)
        ]
        + [
            "1:6: error [too_many_problems] there are more problems than these; "
            "expected these mended first"
        ],
    )


def test_equal_texts_read_equal() -> None:
    """Comparing two deeply nested equal forms takes no exponential time."""
    deep = "(" * 50 + ")" * 50
    assert reading(deep) == reading(deep)
