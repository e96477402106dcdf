"""The canonical layout keeps the meaning, and formatting it again changes nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.recycle.authoring.layout import WIDTH, lay_out
from engine.recycle.games import description, names
from engine.recycle.reading.parser import parse
from engine.recycle.reading.tokens import BOM, Sort, tokens
from tests.counts import count
from tests.engine.recycle.reading.wording import game


def laid_out(text: str) -> str:
    """The canonical layout of a text that has one."""
    found = lay_out(text)
    assert found.text is not None
    assert found.problems == ()
    return found.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(a)", "(a)\n"),
        ("()", "()\n"),
        ("( a\n\t b  ( c ) )", "(a b (c))\n"),
        ("(A ,B,  C)", "(A, B, C)\n"),
        ("(SUIT:HEARTS)", "(SUIT : HEARTS)\n"),
        ("(A ;; one\n,B)", "(A ;; one\n , B)\n"),
        ("(range 1..3)", "(range 1 .. 3)\n"),
        ("('Pvloc HAND)", "('P vloc HAND)\n"),
        (
            "(game (setup (a) (b)) (do ((turn pass))))",
            "(game\n (setup\n  (a)\n  (b))\n (do ((turn pass))))\n",
        ),
    ],
)
def test_what_fits_stands_on_one_line(text: str, expected: str) -> None:
    """Short forms stand on one line with single spaces; a game and its setup are always broken."""
    assert laid_out(text) == expected


def test_what_does_not_fit_is_broken() -> None:
    """A form that is too long is broken into indented lines, after what precedes it."""
    text = """(game (setup (create players 4)) (stage player (end (== 1 1)) (choice (((and
    (== (size (game mem LEAD)) 0) (== (game sto BROKEN) 0)) (any (filter ((current player) iloc
    HAND) 'C (!= (cardatt SUIT 'C) HEARTS)) 'C (do ((move 'C (top ((current player) vloc TRICK)))
    (cycle next (owner (max (union (all player 'P ('P vloc TRICK))) using (game points
    PRECEDENCE))))))))))) (scoring min 1))"""
    assert (
        laid_out(text)
        == """\
(game
 (setup
  (create players 4))
 (stage player
  (end (== 1 1))
  (choice
   (((and (== (size (game mem LEAD)) 0) (== (game sto BROKEN) 0))
     (any (filter ((current player) iloc HAND) 'C (!= (cardatt SUIT 'C) HEARTS))
      'C
      (do
       ((move 'C (top ((current player) vloc TRICK)))
        (cycle next
         (owner
          (max (union (all player 'P ('P vloc TRICK)))
           using (game points PRECEDENCE)))))))))))
 (scoring min 1))
"""
    )


def test_long_lists_fill_their_lines() -> None:
    """A long list fills its lines, and each comma stays with the name before it."""
    words = ", ".join(["SEVEN"] * 20)
    text = laid_out(f"(RANK ({words}))")
    assert text == (f"(RANK\n ({', '.join(['SEVEN'] * 11)},\n  {', '.join(['SEVEN'] * 9)}))\n")


def test_comments_stay_where_they_are() -> None:
    """A comment stays on its own line or at the end of one, and a new line follows it."""
    text = """;; above
;; and more

(game ;; of ours
;; first
(setup (create players 2) ;; two
  (repeat ;; often
   3 x) ) ;; set up


   ;; last
   )  after
 it  """
    assert (
        laid_out(text)
        == """\
;; above
;; and more

(game ;; of ours
 ;; first
 (setup
  (create players 2) ;; two
  (repeat ;; often
   3 x)) ;; set up

 ;; last
 )

after
 it
"""
    )


def test_a_comment_may_come_first() -> None:
    """A comment that precedes the head of its form stays there."""
    assert laid_out("( ;; one  \n a)") == "(;; one\n a)\n"


def test_one_blank_line_stays_of_any_number() -> None:
    """Several blank lines become one, and only between parts on lines of their own."""
    text = "(game\n\n\n (do\n\n (x))\n (y))"
    assert laid_out(text) == "(game\n\n (do (x))\n (y))\n"


def test_marks_and_foreign_line_ends_are_gone() -> None:
    """The layout drops byte order marks and foreign line endings."""
    assert laid_out(f"{BOM}\r\n;; a\r\n(a ;; b\r\n c)\r\n") == ";; a\n(a ;; b\n c)\n"


@pytest.mark.parametrize("text", ["", "(a", "(a #)", "(a Hearts)", "(a 9999999999)"])
def test_what_cannot_be_read_is_left_alone(text: str) -> None:
    """A text that cannot be parsed has problems and no layout."""
    found = lay_out(text)
    assert found.text is None
    assert len(found.problems) == 1


def test_forms_that_are_not_of_the_language_are_laid_out_all_the_same() -> None:
    """Unknown forms made of valid words are laid out without losing anything."""
    assert laid_out("(dance  (wildly))") == "(dance (wildly))\n"


@pytest.mark.parametrize("name", names())
def test_our_own_games_keep_their_meaning(name: str) -> None:
    """Formatting our own games keeps every comment and the tree, and every line fits."""
    text = description(name)
    once = laid_out(text)
    assert laid_out(once) == once
    assert game(once) == game(text)
    assert comments(once) == comments(text)
    long = [line for line in once.splitlines() if len(line) > WIDTH and ";;" not in line]
    assert long == []


BETWEEN = st.sampled_from(["", " ", "\n", "\n\n\n", "\t", ";; one\n", "  ;; two ) (\n", "\r\n"])


@settings(max_examples=count(10), deadline=None)
@given(st.sampled_from(names()), st.data())
def test_any_layout_of_a_game_has_the_same_meaning(name: str, data: st.DataObject) -> None:
    """Changing spaces, line breaks and comments between words does not change the meaning."""
    words = [token for token in tokens(description(name)) if token.sort is not Sort.COMMENT]
    start = data.draw(st.integers(0, len(words) - 1))
    gaps = data.draw(st.lists(BETWEEN, min_size=40, max_size=40))
    text = "".join(
        f"{token.text}{gaps[number - start] if 0 <= number - start < 40 else ''} "
        for number, token in enumerate(words)
    )
    once = laid_out(text)
    assert laid_out(once) == once
    assert parse(once).game == parse(text).game
    assert comments(once) == comments(text)


FORMS = st.recursive(
    st.sampled_from(
        ["a", "game", "do", "stage", "using", "A", ",", ":", "'V", "7", "..", ";; c\n"]
    ),
    lambda inner: st.lists(inner, max_size=9).map(lambda items: f"({' '.join(items)})"),
    max_leaves=60,
)


@settings(max_examples=count(100), deadline=None)
@given(FORMS)
def test_any_forms_keep_their_words(text: str) -> None:
    """Formatting arbitrary forms keeps their words in order, and is idempotent."""
    form = f"({text}\n)"
    once = laid_out(form)
    assert laid_out(once) == once
    assert words(once) == words(form)


def words(text: str) -> list[str]:
    """The words of a text, comments without the spaces behind them."""
    return [token.text.rstrip() for token in tokens(text)]


def comments(text: str) -> list[str]:
    """The comments of a text, without the spaces behind them."""
    return [word for word in words(text) if word.startswith(";;")]
