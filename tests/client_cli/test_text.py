"""Lines in styled pieces: their widths, how they break, and foreign text in them."""

from hypothesis import given
from hypothesis import strategies as st

from client_cli.text import (
    Look,
    Span,
    clean,
    cut,
    flow,
    line,
    pad,
    paint,
    plain,
    text_width,
    width,
    words,
)
from protocol.isolates import without_isolates
from protocol.safe_text import JOINERS

COLOURED = Look(colour=True)
TEXTS = st.text(max_size=60)


def test_paint_leaves_out_escape_codes_without_colour() -> None:
    """Without colours a painted line is its text, without trailing spaces."""
    assert paint((Span("Q♠", "black"), Span("  ")), Look()) == "Q♠"


def test_paint_closes_every_colour() -> None:
    """With colour each styled piece ends as plain text again."""
    assert paint((Span("Q♥", "red"), Span(" x")), COLOURED) == "\x1b[91mQ♥\x1b[0m x"


def test_a_style_nobody_knows_is_drawn_plainly() -> None:
    """An unknown style is drawn plainly."""
    assert paint((Span("7", "mauve"),), COLOURED) == "7"


@given(TEXTS)
def test_clean_text_cannot_steer_the_terminal(text: str) -> None:
    """Foreign text has no control, format or private characters in the terminal."""
    cleaned = without_isolates(clean(text, Look()))
    assert cleaned.isprintable() or all(
        char.isspace() for char in cleaned if not char.isprintable()
    )
    assert "\x1b" not in cleaned
    assert "\u202e" not in cleaned


@given(TEXTS)
def test_clean_text_is_ascii_without_symbols(text: str) -> None:
    """A terminal without symbols gets nothing beyond ASCII."""
    assert clean(text, Look(symbols=False)).isascii()


@given(TEXTS)
def test_a_span_holds_nothing_that_steers_the_terminal(text: str) -> None:
    """A painted line is one line without control codes, even without cleaning before."""
    painted = paint(line(text, Span(text, "red")), COLOURED)
    rest = without_isolates(painted).replace("\x1b[91m", "").replace("\x1b[0m", "")
    assert all(char.isprintable() or char in JOINERS for char in rest)


def test_a_line_break_in_a_name_becomes_a_space() -> None:
    """A line break in a name becomes a space."""
    assert clean("Ann\nBob wins", Look()) == "Ann Bob wins"


def test_wide_characters_take_two_cells() -> None:
    """Columns line up under Chinese names too."""
    assert text_width("王") == 2
    assert width(pad(line("王"), 4)) == 4


@given(TEXTS, st.integers(0, 30))
def test_a_cut_line_fits(text: str, cells: int) -> None:
    """A cut line fits the width and is never longer than before."""
    assert width(cut(line(text), cells)) <= min(cells, width(line(text)))


def test_pad_fills_on_the_side_asked_for() -> None:
    """Padding adds spaces on the requested side."""
    assert plain([line(pad(line("5"), 3, right=True), "|")]) == "  5|"
    assert plain([line(pad(line("5"), 3), "|")]) == "5  |"


def test_flow_breaks_between_items_and_indents() -> None:
    """Wrapped items continue below the first item, not below the lead."""
    items = [line(word) for word in ("2♣", "10♣", "Q♠", "A♥")]
    assert plain(flow(items, 14, lead=line("hand  "))) == "hand  2♣  10♣\n      Q♠  A♥"


def test_flow_of_nothing_is_its_lead() -> None:
    """A flow without items is its lead."""
    assert plain(flow([], 20, lead=line("trick"))) == "trick"


def test_words_break_at_spaces() -> None:
    """A long sentence continues in the next line, indented."""
    assert plain(words(line("Ann takes the trick."), 12, indent=2)) == "Ann takes\n  the trick."


def test_words_keep_a_style_that_changes_within_a_word() -> None:
    """A style that changes within a word is kept."""
    sentence = (Span("Ann plays "), Span("Q♥", "red"), Span("."))
    assert words(sentence, 40) == [line("Ann", " ", "plays", " ", Span("Q♥", "red"), ".")]


@given(TEXTS.map(lambda text: clean(text, Look())), st.integers(2, 30))
def test_words_fit(text: str, cells: int) -> None:
    """Wrapped lines fit, and lose only spaces and broken isolates."""
    lines = words(line(text), cells)
    assert all(width(each) <= cells for each in lines)
    kept, told = ("".join(without_isolates(each).split()) for each in (plain(lines), text))
    assert kept == told
