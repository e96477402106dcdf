"""The canonical layout of a description: the same words, in lines that show how they belong.

A form that fits on its line stays there. One that does not is broken: what is in it stands one
column in from its parenthesis, forms on lines of their own. Comments stay where they are, on their
own line or at the end of one, and a blank line between two parts stays a blank line. Nothing but
spaces, tabs and line breaks is ever changed; text after the description is left alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.recycle.limits import TEXT_LIMITS, TextLimits
from engine.recycle.problems import Problem, Report
from engine.recycle.reading.context import is_word
from engine.recycle.reading.forms import Form, Item, Reading, read
from engine.recycle.reading.tokens import Sort, Token
from engine.recycle.source_text import Span

WIDTH = 80
_ALWAYS_BROKEN = frozenset({"setup", "stage", "choice"})
"""Heads of forms that are never on one line, as is the whole."""
_FORMS_BELOW = frozenset({*_ALWAYS_BROKEN, "do", "deck", "and", "or"})
"""Heads that no form stands behind on the same line, where theirs is broken."""


@dataclass(frozen=True, slots=True)
class LaidOut:
    """The canonical layout; `text` is None if words or parentheses are wrong."""

    text: str | None
    problems: tuple[Problem, ...]


def lay_out(text: str, limits: TextLimits = TEXT_LIMITS) -> LaidOut:
    """Lay out `text` canonically; laying out the result changes nothing."""
    report = Report(text, limits.problems)
    reading = read(text, report, limits)
    problems = report.found()
    if reading.form is None or problems:
        return LaidOut(None, problems)
    return LaidOut(_Printer(text, reading.form).print(reading), ())


class _Printer:
    def __init__(self, text: str, whole: Form) -> None:
        self.text = text
        self.whole = whole
        self.lines = [""]
        self.flat: dict[int, str | None] = {}

    def print(self, reading: Reading) -> str:
        last: Span | None = None
        for comment in reading.before:
            self._line(0, last, comment.span)
            self._write(comment.text.rstrip())
            last = comment.span
        self._line(0, last, self.whole.span)
        self._item(self.whole, 0)
        after = reading.rest.of(self.text).strip()
        lines = [*self.lines, *(("", after) if after else ())]
        return "\n".join(line.rstrip() for line in lines).lstrip("\n") + "\n"

    # Lines

    def _write(self, text: str) -> None:
        self.lines[-1] += text

    @property
    def column(self) -> int:
        return len(self.lines[-1])

    def _line(self, column: int, before: Span | None, here: Span) -> None:
        """Begin a line for what stands at `here`, after a blank one if there was any."""
        if before is not None and here.line > self._end_line(before) + 1:
            self.lines.append("")
        self.lines.append(" " * column)

    def _end_line(self, span: Span) -> int:
        return span.line + self.text.count("\n", span.start, span.end)

    # Items

    def _item(self, item: Item, closing: int) -> None:
        """Write `item` at the end of the line; `closing` characters have to follow it there."""
        flat = self._on_one_line(item)
        if isinstance(item, Token):
            self._write(item.text.rstrip())
        elif flat is not None and self._fits(flat, closing):
            self._write(flat)
        else:
            self._broken(item, closing)

    def _fits(self, flat: str, closing: int) -> bool:
        return self.column + len(flat) + closing <= WIDTH

    def _broken(self, form: Form, closing: int) -> None:
        self._write("(")
        inner = self.column
        before: Item | None = None
        for number, item in enumerate(form.everything):
            last = number == len(form.everything) - 1
            follows = closing + 1 if last else int(self._is_comma(form, number + 1))
            if before is None or (is_word(item, ",") and not _is_comment(before)):
                pass
            elif self._stays(form, before, item, follows):
                self._write(" ")
            else:
                self._line(inner, before.span, item.span)
            self._item(item, follows)
            before = item
        if before is not None and _is_comment(before):
            self._line(inner, None, before.span)
        self._write(")")

    def _stays(self, form: Form, before: Item, item: Item, closing: int) -> bool:
        """Whether `item` stands on the same line as the one before it."""
        if _is_comment(item):
            return item.span.line == self._end_line(before.span)
        if _is_comment(before) or is_word(item, "using"):
            return False
        if isinstance(item, Form) and (isinstance(before, Form) or self._below(form)):
            return False
        flat = self._on_one_line(item)
        return flat is not None and self._fits(flat, closing + 1)

    def _always_broken(self, form: Form) -> bool:
        return form.head in _ALWAYS_BROKEN or (form is self.whole and form.head == "game")

    def _below(self, form: Form) -> bool:
        return form.head in _FORMS_BELOW or self._always_broken(form)

    def _is_comma(self, form: Form, number: int) -> bool:
        return is_word(form.everything[number], ",")

    def _on_one_line(self, item: Item) -> str | None:
        """The item without line breaks; None for a form that has comments or is always broken."""
        if isinstance(item, Token):
            return item.text.rstrip()
        if id(item) not in self.flat:
            self.flat[id(item)] = self._form_on_one_line(item)
        return self.flat[id(item)]

    def _form_on_one_line(self, form: Form) -> str | None:
        said = ""
        for item in form.everything:
            text = self._on_one_line(item)
            if text is None or _is_comment(item) or self._always_broken(form):
                return None
            said += text if not said or is_word(item, ",") else f" {text}"
        return f"({said})"


def _is_comment(item: Item) -> bool:
    return isinstance(item, Token) and item.sort is Sort.COMMENT
