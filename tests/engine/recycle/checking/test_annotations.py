"""Annotations: comments that give titles and sentences for players."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.recycle.authoring.layout import lay_out
from engine.recycle.checking import check
from engine.recycle.checking.annotations import TEXT, TITLE, Annotations, Named, annotations_of
from engine.recycle.limits import TEXT_LIMITS
from engine.recycle.problems import Code, Report
from engine.recycle.reading.parser import parse
from protocol.visible_text import Bounds, visible

GAME = """(game
 (setup
  (create players 2)
  (create deck (game hloc STOCK) (deck (RANK (A, J)) (SUIT (HEARTS)))))
 {above}
 (stage player
  (end (== (game sto ROUND) 1))
  {inside}
  (choice
   ((move (top (game hloc STOCK)) (top ('P{place} HAND)))
    (inc (game sto ROUND)))))
 (scoring max (size (game mem LEAD))))
"""
WIDE = GAME.replace("('P{place} HAND)", "((current player){place} HAND)")


def text(above: str = "", inside: str = "", place: str = " iloc") -> str:
    return WIDE.format(above=above, inside=inside, place=place)


def understood(source: str) -> Annotations:
    parsed = parse(source)
    assert parsed.problems == ()
    return annotations_of(parsed, Report(source, TEXT_LIMITS.problems))


def problems(source: str) -> list[str]:
    """The problems of the annotations, as `recycle check` prints them."""
    codes = {code for code in Code if "annotat" in code.value}
    found = [problem for problem in check(parse(source)) if problem.code in codes]
    assert all(problem.warning for problem in found)
    return [str(problem) for problem in found]


def test_all_kinds_are_understood() -> None:
    """Annotations can name piles and values, and stand above stages and choices."""
    source = text(
        ";; @pile STOCK the deck: cards to draw\n;;;@pile iloc HAND  cards:\n;; @value ROUND turn\n"
        ";; @verb HAND pick up\n;; @hide LEAD ROUND\n;; just a remark\n;; @title Up\n"
        ";; @verb ROUND 1 begin\n;; @verb ROUND play ROUNDs\n;; @why a round\n"
        ";; @stage Drawing: take cards.",
        ";; @choice What to do\n;; another remark",
    )
    found = understood(source)
    assert found.piles == {
        ("", "STOCK"): Named("the deck", "cards to draw"),
        ("iloc", "HAND"): Named("cards"),
    }
    assert found.values == {"ROUND": Named("turn")}
    assert found.verbs == {("", "HAND"): Named("pick up")}
    assert found.deeds == {("ROUND", "1"): Named("begin"), ("ROUND", ""): Named("play ROUNDs")}
    assert list(found.reasons.values()) == [Named("a round")]
    assert found.title == Named("Up")
    assert found.hidden == {"LEAD", "ROUND"}
    assert found.told == set()
    assert list(found.stages.values()) == [Named("Drawing", "Take cards.")]
    assert list(found.choices.values()) == [Named("What to do")]
    assert problems(source) == []


@pytest.mark.parametrize(
    ("comment", "said"),
    [
        ("@plie X y", "[bad_annotation] no annotation has this word"),
        ("@plie X y", "did you mean @pile?"),
        ("@", "[bad_annotation] no annotation has this word"),
        ("@pile", "[bad_annotation] not how this is written"),
        ("@pile STOCK", "expected ;; @pile [vloc] NAME title: sentence"),
        ("@pile stock deck", "[bad_annotation] not how this is written"),
        ("@place STOCK heap", "expected ;; @place [vloc] NAME hand|slots|trick|pile|stack|row"),
        ("@place STOCK pile in 2 rows", "[bad_annotation] not how this is written"),
        ("@place STOK pile", "[annotated_nothing] no pile has this name"),
        ("@place STOCK pile over HEND", "[annotated_nothing] no pile has this name"),
        ("@place iloc STOCK pile", "[annotated_nothing] no iloc has this name"),
        ("@place STOCK pile\n;; @place STOCK row", "[annotated_twice]"),
        ("@zero ROUND", "expected ;; @zero NAME yes|no"),
        ("@zero ROUND never", "[bad_annotation] not how this is written"),
        ("@zero ROND no", "[annotated_nothing] no value has this name"),
        ("@zero ROUND no\n;; @zero ROUND yes", "[annotated_twice]"),
        ("@pile STOK deck", "[annotated_nothing] no pile has this name"),
        ("@pile STOK deck", "expected HAND, LEAD, STOCK; did you mean STOCK?"),
        ("@pile vloc STOCK deck", "[annotated_nothing] no vloc has this name"),
        ("@pile STOCK a\n;; @pile STOCK b", "[annotated_twice] this has been annotated before"),
        ("@value ROUND", "expected ;; @value NAME title: sentence"),
        ("@value vloc ROUND round", "expected ;; @value NAME title: sentence"),
        ("@value ROUNDS round", "[annotated_nothing] no value has this name"),
        ("@value ROUND a\n;; @value ROUND b", "[annotated_twice]"),
        ("@verb WASTE throw away", "[annotated_nothing] no pile has this name"),
        ("@verb STOCK a\n;; @verb STOCK b", "[annotated_twice]"),
        ("@verb ROUND 1 go on\n;; @verb ROUND 1 go", "[annotated_twice]"),
        ("@verb ROUND play ROUNT", "[annotated_nothing] no value is called ROUNT"),
        ("@verb ROUND play {x}", "[unsafe_annotation] the annotation holds the sign {"),
        ("@why a pair\n;; @why two", "[annotated_twice]"),
        ("@why", "expected ;; @why what the points are for"),
        ("@title", "expected ;; @title what the game is called"),
        ("@title A\n;; @title B", "[annotated_twice]"),
        ("@tell ROUND", "expected ;; @tell NAME title: sentence"),
        ("@tell ROUNDS round", "[annotated_nothing] no value has this name"),
        ("@tell ROUND a\n;; @value ROUND b", "[annotated_twice]"),
        ("@hide", "expected ;; @hide NAME NAME"),
        ("@hide round", "expected ;; @hide NAME NAME"),
        ("@hide ROUND HAND", "[annotated_nothing] no value is called HAND"),
        ("@hide ROUND ROUND", "[annotated_twice]"),
        ("@stage", "expected ;; @stage title: sentence"),
        ("@stage A\n;; @stage B", "[annotated_twice]"),
        ("@choice A", "[misplaced_annotation] no choice begins below this annotation"),
        ("@choice A", "expected the annotation on the line above (choice …)"),
        (f"@stage {'A' * (TITLE + 1)}", f"[long_annotation] the title has {TITLE + 1} characters"),
        (f"@stage A: {'b' * (TEXT + 1)}", f"the sentence has {TEXT + 1} characters"),
        ("@stage \x1b[2J", "[unsafe_annotation] the annotation holds the character U+001B"),
        ("@stage a\u202eb", "the character U+202E"),
        ("@stage a: b\u3164", "the character U+3164"),
        ("@stage {seat 1}", "the sign {"),
        ("@value ROUND a|b: c", "[unsafe_annotation] the annotation holds the sign |"),
        ("@stage e\u0301\u0316\u0301\u0301", "the character U+0301"),
        ("@stage 1\u0301", "the character U+0301"),
        ("@stage e: \u0301", "the character U+0301"),
        ("@stage e\ufe0f", "the character U+FE0F"),
        ("@stage e\u20dd", "the character U+20DD"),
    ],
)
def test_what_is_wrong_is_warned_of(comment: str, said: str) -> None:
    """A wrong annotation is a warning with line and code, and the game can still be played."""
    found = problems(text(f";; {comment}"))
    assert any(said in each for each in found), found
    assert found[0].startswith(("5:", "6:"))


def test_a_sentence_may_hold_what_separates_options() -> None:
    """A sentence may contain the separator of options; a title may not."""
    assert problems(text(";; @stage A: b | c")) == []


def test_an_annotation_needs_something_below_it() -> None:
    """An annotation at a form's end, above the game or before another form belongs to nothing."""
    for source in (
        text().replace("(scoring", ";; @stage A\n (scoring"),
        f";; @stage A\n{text()}",
        text().replace("(size (game mem LEAD)))", "(size (game mem LEAD)) ;; @choice A\n)"),
        text().replace("(create players 2)", "(create ;; @stage A\n players 2)"),
    ):
        assert [each.split("[")[1].split("]")[0] for each in problems(source)] == [
            "misplaced_annotation"
        ]


def test_a_reason_needs_a_number_that_changes() -> None:
    """A reason above a form in which no number changes is warned of."""
    source = text().replace("(end", ";; @why nothing\n  (end")
    (said,) = problems(source)
    assert "[misplaced_annotation] no number changes in a form below" in said


def test_where_names_are_worked_out_any_name_may_be_right() -> None:
    """If the game computes names, an annotation of an unknown name gets no warning."""
    source = text(";; @pile HEARTS hearts\n;; @value X y\n;; @hide Y", place=" iloc").replace(
        "iloc HAND", "iloc (cardatt SUIT (top (game vloc UP)))"
    )
    assert problems(source) == []


def test_a_game_without_a_form_has_no_annotations() -> None:
    """A text that cannot be parsed has no annotations."""
    assert parse(";; @stage A").annotations == ()


def test_formatting_keeps_annotations_where_they_are() -> None:
    """Formatting keeps each annotation above its stage or choice, with its meaning."""
    source = text(";; @pile STOCK deck\n\n ;; @stage Drawing", ";; @choice What to do")
    laid = lay_out(source).text
    assert laid is not None
    assert ";; @stage Drawing\n (stage player" in laid
    assert ";; @choice What to do\n  (choice" in laid
    before, after = understood(source), understood(laid)
    assert before.piles == after.piles
    assert [*before.stages.values()] == [*after.stages.values()]
    assert [*before.choices.values()] == [*after.choices.values()]


@given(st.text(min_size=1, max_size=20))
def test_what_is_let_through_other_screens_can_show(said: str) -> None:
    """Annotations may contain only characters that names and chat may contain."""
    for named in understood(text(f";; @stage x{' '.join(said.split())}")).stages.values():
        visible(f"{named.title} {named.text}", Bounds(graphemes=200, bytes=1000))
