"""Unicode isolates: text that changes the direction is contained, other text stays as it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.isolates import FSI, PDI, closed, isolated, parts, without_isolates
from protocol.safe_text import safe_text

HEBREW = "אבי"
ANY = st.text(st.sampled_from([*"ab 1", "א", "س", *map(chr, range(0x2066, 0x206A)), "\u202e"]))


@given(ANY)
def test_to_isolate_twice_changes_nothing(text: str) -> None:
    """Isolating a text twice gives the result of isolating it once."""
    once = isolated(text)
    assert isolated(once) == once
    assert isolated(f"1. {once}, 2. {once}") == f"1. {once}, 2. {once}"


@given(ANY)
def test_what_is_isolated_ends_where_it_ends(text: str) -> None:
    """An isolated text is one part of a sentence, whatever it contains."""
    once = isolated(text)
    assert closed(once) == once
    around = [*parts(f"1{once}2")]
    assert "".join(around) == f"1{once}2"
    assert around[0].startswith("1")
    assert around[-1].endswith("2")
    if once.startswith(FSI) and once != text:
        assert around == ["1", once, "2"]


def test_parts_are_isolates_and_what_stands_between() -> None:
    """A text is split into whole isolates, with inner ones, and the text between them."""
    name = isolated(HEBREW)
    inner = f"{FSI}a {name} b{PDI}"
    assert [*parts(f"1. {name} 2, {inner}")] == ["1. ", name, " 2, ", inner]
    assert [*parts("")] == []
    assert [*parts(f"a{PDI}b")] == [f"a{PDI}b"]
    assert [*parts(f"{FSI}a")] == [f"{FSI}a"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (isolated(HEBREW), isolated(HEBREW)),
        (f"{FSI}a\x1b{PDI}", f"{FSI}a\\x1b{PDI}"),
        (f"{FSI}a", "\\u2068a"),
        (f"a{PDI}", "a\\u2069"),
        (f"\u2067a{FSI}{PDI}{PDI}", "\\u2067a\\u2068\\u2069\\u2069"),
    ],
)
def test_isolates_that_end_are_safe(text: str, shown: str) -> None:
    """Only closed isolates and no other direction characters reach a terminal."""
    assert safe_text(text) == shown


def test_without_isolates_a_text_is_as_it_was() -> None:
    """Removing isolates restores the text, for comparison with typed text."""
    assert without_isolates(f"give {isolated(HEBREW)} 7") == f"give {HEBREW} 7"
