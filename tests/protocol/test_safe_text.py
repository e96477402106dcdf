"""Foreign text on a terminal: nothing in it may control the terminal."""

import unicodedata
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import ProtocolError
from protocol.safe_text import JOINERS, complain, safe_text, say

HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202eevil\u2066\nforged\r\x08\x7f\udcff"


@given(st.text())
def test_safe_text_holds_no_control_character(text: str) -> None:
    """Safe text has no control or format characters, line ends or lone surrogates."""
    safe = safe_text(text)
    assert safe.isprintable() or all(char.isprintable() or char in JOINERS for char in safe)
    assert not {unicodedata.category(char) for char in safe} & {"Cc", "Cs", "Zl", "Zp"}


def test_what_is_taken_out_is_still_told() -> None:
    """Removed characters are shown as escapes, so that a file can be found by its name."""
    assert safe_text("a\x1b[2J\u202e\udcff.rcy") == "a\\x1b[2J\\u202e\\udcff.rcy"
    assert safe_text("two\u3000words\xa0here") == "two words here"


@pytest.mark.parametrize("text", ["Ann", "王", "می‌خواهم", "👩‍👩‍👧", "हिन्दी", "é"])
def test_plain_words_stay_as_they_are(text: str) -> None:
    """Text of all scripts stays as it is, with its joiners."""
    assert safe_text(text) == text


def test_each_line_that_is_said_is_one_line() -> None:
    """A line break in foreign text does not begin a new line."""
    out = StringIO()
    say("first", HOSTILE, file=out)
    first, second = out.getvalue().splitlines()
    assert first == "first"
    assert second.isprintable()


def test_a_complaint_begins_with_the_program_and_nobody_elses_line_does(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """An error message starts with the program's name and indents its further lines."""
    complain("blackqueen", "wrong:\nblackqueen: forged\r\n\x1b[2J")
    complain("blackqueen", "")
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "blackqueen: wrong:\n  blackqueen: forged\n  \\x1b[2J\nblackqueen: \n"


def test_reasons_quote_no_control_characters() -> None:
    """Reasons quote received text without control characters."""
    error = ProtocolError("bad_option", f"option {HOSTILE}: unknown")
    assert error.reason.isprintable()
    assert str(error).isprintable()
