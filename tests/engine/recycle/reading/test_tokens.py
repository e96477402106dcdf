"""The tokens of a description: their sorts and places."""

import pytest

from engine.recycle.reading.tokens import BOM, Sort, Token, tokens


def sorts(text: str) -> list[tuple[Sort, str]]:
    """Each token's sort and text."""
    return [(token.sort, token.text) for token in tokens(text)]


def test_each_sort_of_word_is_told_by_its_letters() -> None:
    """Letters decide the sort of a word: capitals a name, small a keyword, a quote a variable."""
    assert sorts("(game STOCK 'P 13)") == [
        (Sort.OPEN, "("),
        (Sort.WORD, "game"),
        (Sort.NAME, "STOCK"),
        (Sort.VARIABLE, "'P"),
        (Sort.NUMBER, "13"),
        (Sort.CLOSE, ")"),
    ]


@pytest.mark.parametrize(
    "sign", [",", ":", "..", "<", ">", "<=", ">=", "==", "!=", "+", "-", "*", "//", "%", "^"]
)
def test_every_sign_is_one_token(sign: str) -> None:
    """Every sign is one token, those of two characters included."""
    assert sorts(f"A{sign}B") == [(Sort.NAME, "A"), (Sort.SIGN, sign), (Sort.NAME, "B")]


def test_a_comment_goes_to_the_end_of_its_line() -> None:
    """A comment ends with its line, and is kept without the line ending."""
    assert sorts(";; (not read)\r\nA ;; to the end") == [
        (Sort.COMMENT, ";; (not read)"),
        (Sort.NAME, "A"),
        (Sort.COMMENT, ";; to the end"),
    ]


def test_places_are_lines_and_columns_from_one() -> None:
    """Lines and columns count from 1, and a tab is one column."""
    (opened, word, name) = tokens("(a\n\t B")
    assert (opened.span.line, opened.span.column) == (1, 1)
    assert (word.span.line, word.span.column) == (1, 2)
    assert (name.span.line, name.span.column, name.span.start, name.span.end) == (2, 3, 5, 6)
    assert name.span.of("(a\n\t B") == "B"


def test_a_byte_order_mark_is_skipped() -> None:
    """A byte order mark is skipped; offsets count it, columns do not."""
    (token,) = tokens(f"{BOM}A")
    assert (token.text, token.span.start, token.span.column) == ("A", 1, 1)


def test_words_without_a_space_between_are_parted_by_case() -> None:
    """A keyword directly after a name is a token of its own, as in ``'OPvloc``."""
    assert sorts("'OPvloc HAND") == [
        (Sort.VARIABLE, "'OP"),
        (Sort.WORD, "vloc"),
        (Sort.NAME, "HAND"),
    ]
    assert sorts("top3") == [(Sort.WORD, "top"), (Sort.NUMBER, "3")]


@pytest.mark.parametrize("name", ["Hearts", "SUIT2", "3D", "'p1", "A_B", "'X9"])
def test_a_name_with_small_letters_or_digits_is_one_mixed_token(name: str) -> None:
    """A name with small letters or digits is one token of the sort `MIXED`."""
    assert sorts(name) == [(Sort.MIXED, name)]


@pytest.mark.parametrize("text", ["'", ";", "#", "_", "é", "\x00", "=", "/", "."])
def test_what_is_no_part_of_the_language_is_a_bad_token(text: str) -> None:
    """An invalid character is a token of the sort `BAD`, so nothing is dropped."""
    assert sorts(text) == [(Sort.BAD, text)]


def test_a_token_is_a_value() -> None:
    """Tokens of two readings of one text are equal."""
    assert list(tokens("(a 'B)")) == list(tokens("(a 'B)"))
    assert isinstance(next(tokens("x")), Token)
