"""Problems of a description, each with a place and a hint for what would be right.

A problem is a value, not an exception, because the author of a file wants all of them at
once. An error means that the description cannot be played, a warning that it probably does not do
what it says, or shows more than it should.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum

from engine.recycle.source_text import QUOTED, Span, quote


class Code(Enum):
    """The stable name of every kind of problem."""

    # the text
    TOO_LONG = "too_long"
    TOO_DEEP = "too_deep"
    TOO_MANY_FORMS = "too_many_forms"
    TOO_MANY_WORDS = "too_many_words"
    TOO_MANY_PROBLEMS = "too_many_problems"
    BAD_CHARACTER = "bad_character"
    BAD_NAME = "bad_name"
    BIG_NUMBER = "big_number"
    TEXT_BEFORE = "text_before"
    NO_GAME = "no_game"
    UNCLOSED = "unclosed"
    # its forms
    UNKNOWN_WORD = "unknown_word"
    WRONG_SHAPE = "wrong_shape"
    WRONG_KIND = "wrong_kind"
    MIXED_KINDS = "mixed_kinds"
    UNKNOWN_VARIABLE = "unknown_variable"
    MISSING_COMMA = "missing_comma"
    MISSING_PART = "missing_part"
    # what they mean
    MISPLACED_CHOICE = "misplaced_choice"
    ENDLESS_STAGE = "endless_stage"
    UNREACHABLE = "unreachable"
    VIRTUAL_TARGET = "virtual_target"
    MEM_MOVED = "mem_moved"
    NOT_MEM = "not_mem"
    BAD_PLAYERS = "bad_players"
    BAD_TEAMS = "bad_teams"
    TOO_MANY_CARDS = "too_many_cards"
    REPEATED_ATTRIBUTE = "repeated_attribute"
    UNKNOWN_ATTRIBUTE = "unknown_attribute"
    UNKNOWN_VALUE = "unknown_value"
    NEVER_SET = "never_set"
    NEVER_FILLED = "never_filled"
    NO_OWNER = "no_owner"
    NO_CHOICE = "no_choice"
    HIDDEN_READ = "hidden_read"
    DRAWN_OPTIONS = "drawn_options"
    # what it says for people
    BAD_ANNOTATION = "bad_annotation"
    MISPLACED_ANNOTATION = "misplaced_annotation"
    ANNOTATED_NOTHING = "annotated_nothing"
    ANNOTATED_TWICE = "annotated_twice"
    LONG_ANNOTATION = "long_annotation"
    UNSAFE_ANNOTATION = "unsafe_annotation"


@dataclass(frozen=True, slots=True)
class Problem:
    """`form` is what stands at `span`, shortened to one line; `suggestion` may be empty."""

    code: Code
    span: Span
    form: str
    message: str
    expected: str
    suggestion: str = ""
    warning: bool = False

    def __str__(self) -> str:
        """One line: ``12:5: error [wrong_kind] what is wrong: (…); expected …; did you mean …?``"""
        word = "warning" if self.warning else "error"
        said = f"{self.span.line}:{self.span.column}: {word} [{self.code.value}] {self.message}"
        if self.form:
            said += f": {self.form}"
        said += f"; expected {self.expected}"
        return f"{said}; {self.suggestion}" if self.suggestion else said


class Report:
    """The problems found in one text so far.

    A hostile file could have as many as it has characters: after `most` of them one more says that
    there are others, and the rest is dropped.
    """

    def __init__(self, text: str, most: int) -> None:
        self.text = text
        self.most = most
        self._found: list[Problem] = []

    def __call__(
        self,
        code: Code,
        span: Span,
        message: str,
        expected: str,
        suggestion: str = "",
        *,
        warning: bool = False,
    ) -> None:
        """Add a problem that quotes the form at `span`."""
        if len(self._found) < self.most:
            form = quote(self.text, span)
            self._found.append(Problem(code, span, form, message, expected, suggestion, warning))
        elif len(self._found) == self.most:
            message, expected = "there are more problems than these", "these mended first"
            self._found.append(Problem(Code.TOO_MANY_PROBLEMS, span, "", message, expected))

    def found(self) -> tuple[Problem, ...]:
        """The problems in the order of the text, and at one place in the order they were found."""
        return tuple(sorted(self._found, key=lambda problem: problem.span.start))


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The suggestion ``did you mean choice?``, or nothing if no known word is near."""
    near = get_close_matches(word[:QUOTED], sorted(set(known) - {word}), n=1)
    return f"did you mean {near[0]}?" if near else ""
