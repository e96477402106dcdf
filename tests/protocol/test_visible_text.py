"""Names and chat: text of every script passes; invisible and oversized characters do not."""

import unicodedata
from collections.abc import Iterator
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import iter_graphemes

from protocol.visible_text import (
    CHAT,
    MARKS,
    NAME,
    Bounds,
    shown_name,
    visible,
    without_faults,
)

name = partial(visible, bounds=NAME)

# fmt: off
REAL = (
    "Ann", "O'Neil-Smith", "Žižek", "Ελένη", "Иван Петров", "Nguyễn Thị Huế",
    "Nguye\u0302\u0303n", "Lê\u0323", "王小明", "山田 太郎", "山田\u3000太郎", "葛\U000e0100城",
    "김철수", "각", "अनिल", "क्षत्रिय", "श्रीनिवास", "শ্রী", "র\u200d্যাব", "ශ්\u200dරී", "മോഹൻ", "தமிழ்",
    "สมชายที่",
    "น้ำ", "ភ្នំពេញ", "မြန်မာ", "བསྟན་འཛིན", "རྒྱ་མཚོ", "محمد", "مُحَمَّد", "می\u200cخواهم", "יוֹסֵף",
    "👩\u200d👩\u200d👧", "🇩🇪🇫🇷", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "1\ufe0f\u20e3", "👍🏽", "🏳\ufe0f\u200d🌈", "👁\ufe0f\u200d🗨\ufe0f", "👨\u200d❤\ufe0f\u200d👨",
    "‼\ufe0f", "x²", "♠♥", "𝒜𝓃𝓃", "⠓⠊",
)
# fmt: on
UNSEEN = (
    "\u3164",
    "\u2800",
    "\u115f",
    "\uffa0",
    "\U0001d159",
    "\u0301",
    "\u0301\u0302",
    " \u0301",
    "\u034f",
    "\ufe0f",
    "\U000e0100",
    "\u200d",
    "Ann\u3164",
    "Ann\u200d",
    "A\u200dnn",
    "A\u200cnn",
    "क\u200d",
    "A\ufe0fnn",
    "1\ufe0f",
    "Ann\U000e0100",
)
"""Nothing to be seen, or something that makes two names look like one."""
STEERING = (
    "\x1b[2J",
    "a\nb",
    "\u202eevil",
    "\x9b",
    "a\u2028b",
    "\ufeff",
    "\u00ad",
    "a\U000e0041",
    "\ud800",
)


@pytest.mark.parametrize("text", REAL)
def test_names_of_all_scripts_pass(text: str) -> None:
    """Names of all scripts are accepted and shown unchanged."""
    assert name(text) == text
    composed = unicodedata.normalize("NFC", text).replace("\u3000", " ")
    assert shown_name(text) == without_faults(text) == composed


@pytest.mark.parametrize("text", UNSEEN)
def test_what_cannot_be_seen_is_refused(text: str) -> None:
    """Invisible characters are refused, and the error names the character."""
    with pytest.raises(
        ValueError, match=r"must not hold invisible characters such as U\+[0-9A-F]+"
    ):
        name(text)


@pytest.mark.parametrize("text", STEERING)
def test_what_steers_a_terminal_is_refused(text: str) -> None:
    """Control and format characters, line ends and lone surrogates are refused."""
    with pytest.raises(ValueError, match="must not hold control characters or line breaks"):
        name(text)


@pytest.mark.parametrize("text", ["\ue000", "a\u0378"])
def test_what_nobody_knows_is_refused(text: str) -> None:
    """Private and unassigned characters are refused."""
    with pytest.raises(ValueError, match="must not hold unknown characters such as"):
        name(text)


@pytest.mark.parametrize("text", ["", " ", "\u3000\t"])
def test_blank_is_no_name(text: str) -> None:
    """A name of blanks alone is refused."""
    with pytest.raises(ValueError, match="must not be blank"):
        name(text)


def test_towers_of_marks_are_refused() -> None:
    """More than two combining marks a letter are refused, and shown text keeps two."""
    assert name("q\u0307\u0323") == "q\u0307\u0323"
    for marks in ("\u0351\u036b\u0343", "\u20dd\u20dd\u20dd"):
        with pytest.raises(ValueError, match="must have at most 2 marks on a letter"):
            name(f"Z{marks}algo")
        assert shown_name(f"Z{marks * 9}algo") == f"Z{marks[:2]}algo"


def test_length_is_counted_as_people_count_it() -> None:
    """Names have at most 24 graphemes and 96 bytes of composed text."""
    assert name("e\u0301" * 24)
    assert name("한" * 24)
    assert name("🇩🇪" * 12)
    with pytest.raises(ValueError, match="must have at most 24 characters"):
        name("x" * 25)
    with pytest.raises(ValueError, match="must have at most 96 bytes in UTF-8"):
        name("🇩🇪" * 13)
    assert visible("é" * 500, CHAT)
    with pytest.raises(ValueError, match="must have at most 500 characters"):
        visible("é" * 501, CHAT)
    with pytest.raises(ValueError, match="must have at most 3 bytes"):
        visible("王王", Bounds(24, 3))


@pytest.mark.parametrize("text", ["é" * 1000, "ab" * 999 + "é", "x" * 2000, "é" * 600 + "\u3164"])
def test_no_more_is_looked_at_than_may_be_there(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that is too long is refused without checking all of it."""
    seen = []

    def looked_at(text: str) -> Iterator[str]:
        for grapheme in iter_graphemes(text):
            seen.append(grapheme)
            yield grapheme

    monkeypatch.setattr("protocol.visible_text.iter_graphemes", looked_at)
    with pytest.raises(ValueError, match="must have at most 500 characters"):
        visible(text, CHAT)
    assert len(seen) <= CHAT.graphemes + 1


def test_long_towers_are_not_composed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long sequences of marks are refused without composing them, which is slow."""
    with monkeypatch.context() as patch:
        patch.setattr("unicodedata.normalize", lambda form, text: pytest.fail("composed"))
        with pytest.raises(ValueError, match="must have at most 2 marks on a letter"):
            visible("a" + "\u0301\u0316" * 999, CHAT)


def test_older_names_are_cleaned_where_they_are_shown() -> None:
    """Invalid parts of stored names are not shown; an empty rest gets a default name."""
    assert shown_name("Ann\u3164 \x1b[2J  Lee") == "Ann [2J Lee"
    assert shown_name("x" * 30) == "x" * 24
    assert shown_name("🇩🇪" * 20) == "🇩🇪" * 12
    assert shown_name("ශ්\u200d\x00") == "ශ්"
    assert shown_name("x" * 23 + "ශ්\u200dරී") == "x" * 23 + "ශ්"
    assert shown_name("\u2800") == shown_name("") == shown_name("\u0301 \u200d") == "player"


@given(st.text(max_size=200))
def test_what_is_shown_passes(text: str) -> None:
    """What is shown of any stored name is valid today."""
    shown = shown_name(text)
    assert name(shown) == shown
    assert len(list(iter_graphemes(shown))) <= NAME.graphemes
    assert len(shown.encode()) <= NAME.bytes


@given(st.text(max_size=60))
def test_what_passes_stays_whole(text: str) -> None:
    """A valid text is shown unchanged."""
    try:
        name(text)
    except ValueError:
        return
    composed = unicodedata.normalize("NFC", text)
    assert without_faults(text).split() == composed.split()
    marks = [unicodedata.category(char) in ("Mn", "Me") for char in composed]
    assert not any(all(marks[at : at + MARKS + 2]) for at in range(len(marks) - MARKS - 1))
