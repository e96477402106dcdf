"""Fuzzing of the parser: no text makes it crash or hang."""

import time
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.recycle.authoring.diagram import diagram
from engine.recycle.authoring.layout import lay_out
from engine.recycle.authoring.outline import outline
from engine.recycle.checking import check
from engine.recycle.games import description, names
from engine.recycle.limits import TEXT_LIMITS
from engine.recycle.problems import Code, Problem
from engine.recycle.reading.parser import parse
from engine.recycle.reading.tokens import KEYWORDS, tokens
from tests.counts import count
from tests.engine.recycle.reading.wording import whole

SECONDS = 10.0
"""More than any text within the limits takes, on a machine that has much else to do."""


def everything(text: str) -> tuple[Problem, ...]:
    """The problems that `check` reports; layout, outline and diagram are made too if possible."""
    parsed = parse(text)
    problems = check(parsed)
    for problem in problems:
        where = problem.span
        assert 0 <= where.start <= where.end <= len(text)
        assert where.line >= 1
        assert where.column >= 1
        assert len(str(problem)) < 1000
        assert str(problem).isprintable()
    if parsed.game is not None and all(problem.warning for problem in problems):
        assert diagram(outline(parsed.game, text), "fuzz").endswith("</svg>\n")
    found = lay_out(text)
    # Much that lies deep is long when it is laid out.
    if found.text is not None and len(found.text) <= TEXT_LIMITS.characters:
        assert lay_out(found.text).text == found.text
    return problems


WORDS = st.sampled_from(
    [*sorted(KEYWORDS), "()", "((", "))", "A", "'C", "'P", "3", ",", ":", "..", "//", "=="]
)


@settings(max_examples=count(30), deadline=None)
@given(st.text(max_size=200))
@example("\ufeff(\x00'\ud800)".encode("utf-8", "replace").decode())
def test_any_characters_are_read(text: str) -> None:
    """Any short text of random characters has problems, and none crashes the parser."""
    assert everything(text) != ()


@settings(max_examples=count(100), deadline=None)
@given(st.lists(WORDS, max_size=60))
def test_any_words_are_read(words: list[str]) -> None:
    """Random words of the language have problems, and none crashes the parser."""
    assert everything(f"(game {' '.join(words)}") != ()


@settings(max_examples=count(20), deadline=None)
@given(st.sampled_from(names()), st.data())
def test_a_game_with_words_taken_put_in_and_moved_is_read(name: str, data: st.DataObject) -> None:
    """A game with words removed, inserted and moved is read without a crash."""
    said = [token.text for token in tokens(description(name)) if ";" not in token.text]
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(said) - 1))
        match data.draw(st.sampled_from(["take", "put", "swap", "copy"])):
            case "take":
                del said[place]
            case "put":
                said.insert(place, data.draw(WORDS))
            case "swap":
                other = data.draw(st.integers(0, len(said) - 1))
                said[place], said[other] = said[other], said[place]
            case "copy":
                said[place:place] = said[place : place + data.draw(st.integers(1, 40))]
    everything(" ".join(said))


def nested(inner: str, around: Callable[[str], str], times: int) -> str:
    """`inner` nested within the given number of forms."""
    for _ in range(times):
        inner = around(inner)
    return inner


LISTS = nested(
    "(forget (top 'V))",
    lambda inner: f"(let (union 'V {'(game mem A) ' * 90}) 'V {inner})",
    45,
).replace("'V", "(game vloc A)", 1)
"""Lists of ninety lists each, named within one another."""


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("(" * 100_000, Code.TOO_DEEP),
        ("(" * 30 + ")" * 200, Code.NO_GAME),
        ("()" * 45_000, Code.NO_GAME),
        (f"(game {'() ' * 30_000})", Code.TOO_MANY_FORMS),
        (f"(game {'x ' * 45_000})", Code.TOO_MANY_WORDS),
        (f"(game {'x ' * 5_000})", Code.TOO_MANY_PROBLEMS),
        (f"(game {'A' * 95_000})", Code.MISSING_PART),
        (f"(game {'9' * 95_000})", Code.BIG_NUMBER),
        ("\n" * 99_999 + "(", Code.UNCLOSED),
        (";" * 95_000, Code.NO_GAME),
        ("x" * 100_001, Code.TOO_LONG),
        (whole(nested("(turn pass)", lambda inner: f"(do ({inner}))", 30)), Code.TOO_DEEP),
        (
            whole(f"(do ({'(move (top (game mem A)) (top (union (game mem A)))) ' * 200}))"),
            Code.TOO_MANY_PROBLEMS,
        ),
        (whole(f"(do ({LISTS}))"), Code.NOT_MEM),
        (
            whole(
                "(choice ((any (game hloc STOCK) 'C ((and %s) (turn pass)))))"
                % ("(== (cardatt SUIT 'C) H) " * 400)
            ),
            Code.TOO_MANY_PROBLEMS,
        ),
        (
            whole(
                f"(stage player (end (== (size (union {'(game vloc A) ' * 400})) 0)) "
                f"(do ({'(turn pass) ' * 400})))"
            ),
            Code.ENDLESS_STAGE,
        ),
        (
            whole(
                "(do ((turn pass)))",
                setup="(setup (create players 2) (create deck (game vloc A) (deck "
                + "".join(f"({'K' * number} (A, B, C, D, E, F, G, H))" for number in range(1, 300))
                + ")))",
            ),
            Code.TOO_MANY_CARDS,
        ),
    ],
)
def test_a_hostile_text_is_told_of_in_no_time(text: str, code: Code) -> None:
    """Texts that are too deep, too long or self-multiplying are refused quickly."""
    begun = time.process_time()
    problems = everything(text)
    assert code in {problem.code for problem in problems}
    assert len(problems) <= 2 * TEXT_LIMITS.problems + 2
    assert time.process_time() - begun < SECONDS
