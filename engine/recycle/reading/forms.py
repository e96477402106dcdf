"""From text to forms: what is in parentheses, each with its place, comments kept.

This module does not know what forms mean. Reading goes on after an error, so that one run finds
them all; what follows the description's last parenthesis is not read.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.recycle.limits import TEXT_LIMITS, TextLimits
from engine.recycle.problems import Code, Report
from engine.recycle.reading.tokens import BOM, Sort, Token, tokens
from engine.recycle.source_text import Span


@dataclass(frozen=True, slots=True)
class Form:
    """What stands between two parentheses: with comments (`everything`) or without (`items`)."""

    everything: tuple[Item | Token, ...]
    span: Span
    items: tuple[Item, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        kept = (
            each
            for each in self.everything
            if isinstance(each, Form) or each.sort is not Sort.COMMENT
        )
        object.__setattr__(self, "items", tuple(kept))

    @property
    def head(self) -> str:
        """The text of the form's first item if that is a word or sign, else nothing."""
        if self.items:
            first = self.items[0]
            if isinstance(first, Token) and first.sort in (Sort.WORD, Sort.SIGN):
                return first.text
        return ""


Item = Form | Token
_MEANT = {"=": "==", "/": "//", ".": "..", "!": "!="}
"""What a sign that is half of another is read as."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The form that was read; `before` are the comments above, `rest` the unread text after."""

    form: Form | None
    before: tuple[Token, ...]
    rest: Span


@dataclass(slots=True)
class _Open:
    """A form that is not closed yet."""

    token: Token
    items: list[Item] = field(default_factory=list)


def read(text: str, report: Report, limits: TextLimits = TEXT_LIMITS) -> Reading:
    """Read the one form in `text`; problems of its words go to `report`."""
    if len(text) > limits.characters:
        start = Span(0, 0, 1, 1)
        message = f"the text has {len(text)} characters"
        report(Code.TOO_LONG, start, message, f"at most {limits.characters}")
        return Reading(None, (), start)
    return _Reader(text, report, limits).read()


class _Reader:
    def __init__(self, text: str, report: Report, limits: TextLimits) -> None:
        self.text = text
        self.report = report
        self.limits = limits
        self.before: list[Token] = []
        self.open: list[_Open] = []
        self.forms = 0
        self.words = 0
        self.stopped = False
        self.stray: Token | None = None
        self.outdented: Span | None = None

    def read(self) -> Reading:
        last = Span(0, 0, 1, 1)
        form = None
        for token in tokens(self.text):
            last = token.span
            if token.sort is Sort.OPEN:
                self._begin(token)
            elif not self.open:
                self._outside(token)
            elif token.sort is Sort.CLOSE:
                form = self._end(token.span.end)
            else:
                self._item(token)
            if form is not None or self.stopped:
                break
        if form is None and not self.stopped:
            form = self._unclosed(last)
        return Reading(form, tuple(self.before), self._rest(form))

    def _begin(self, token: Token) -> None:
        """Begin another form, unless there are too many."""
        self.forms += 1
        if len(self.open) == self.limits.depth:
            self.stopped = True
            message, most = "too many forms within one another", f"at most {self.limits.depth}"
            self.report(Code.TOO_DEEP, token.span, message, most)
        elif self.forms > self.limits.forms:
            self.stopped = True
            message, most = "too many forms", f"at most {self.limits.forms} in a description"
            self.report(Code.TOO_MANY_FORMS, token.span, message, most)
        if not self.open and self.stray is not None:
            message = "text before the description"
            self.report(Code.TEXT_BEFORE, self.stray.span, message, "(game …) or a comment")
        if len(self.open) > 1 and self.outdented is None:
            self.outdented = _left_of(token.span, self.open[-1].token.span)
        self.open.append(_Open(token))

    def _end(self, end: int) -> Form | None:
        """Close the innermost form; the outermost is the result."""
        begun = self.open.pop()
        at = begun.token.span
        form = Form(tuple(begun.items), Span(at.start, end, at.line, at.column))
        if not self.open:
            return form
        self.open[-1].items.append(form)
        return None

    def _outside(self, token: Token) -> None:
        """Handle a token above the description: only comments may stand there."""
        if token.sort is Sort.COMMENT:
            self.before.append(token)
        elif self.stray is None:
            self.stray = token

    def _item(self, token: Token) -> None:
        self.words += 1
        if self.words > self.limits.words:
            self.stopped = True
            message, most = "too many words", f"at most {self.limits.words} in a description"
            self.report(Code.TOO_MANY_WORDS, token.span, message, most)
            return
        if token.sort is Sort.BAD:
            meant = _MEANT.get(token.text, "")
            hint = f"did you mean {meant}?" if meant else ""
            message, expected = "no part of the language", "a word or a parenthesis"
            self.report(Code.BAD_CHARACTER, token.span, message, expected, hint)
            if not meant:
                return
            token = Token(Sort.SIGN, meant, token.span)
        if token.sort is Sort.MIXED:
            token = self._mended(token)
        elif token.sort is Sort.NUMBER and self._too_big(token.text):
            message, most = "the number is too big", f"at most {self.limits.number}"
            self.report(Code.BIG_NUMBER, token.span, message, most)
            token = Token(Sort.NUMBER, "0", token.span)
        self.open[-1].items.append(token)

    def _too_big(self, digits: str) -> bool:
        # Thousands of digits are not made a number just to find that out.
        significant = digits.lstrip("0")
        most = str(self.limits.number)
        return (len(significant), significant) > (len(most), most)

    def _mended(self, token: Token) -> Token:
        """The likely intended spelling of a name with digits or small letters."""
        letters = "".join(each for each in token.text if each.isalpha()).upper() or "X"
        sort = Sort.VARIABLE if token.text.startswith("'") else Sort.NAME
        right = f"'{letters}" if sort is Sort.VARIABLE else letters
        self.report(
            Code.BAD_NAME,
            token.span,
            "no name",
            "capital letters A to Z alone",
            f"did you mean {right[:40]}?",
        )
        return Token(sort, right, token.span)

    def _unclosed(self, last: Span) -> Form | None:
        """Close the forms that the text leaves open, and report the innermost as the mistake."""
        if not self.open:
            where = self.stray.span if self.stray else Span(0, 0, 1, 1)
            self.report(Code.NO_GAME, where, "there is no description", "(game …)")
            return None
        innermost = self.open[-1].token.span
        count = len(self.open)
        where = Span(innermost.start, last.end, innermost.line, innermost.column)
        message = "a parenthesis is not closed" if count == 1 else f"{count} forms are not closed"
        hint = ""
        if self.outdented:
            hint = f"is one missing before {self.outdented.line}:{self.outdented.column}?"
        self.report(Code.UNCLOSED, where, message, f"{')' * min(count, 20)} at the end", hint)
        while True:
            form = self._end(last.end)
            if form is not None:
                return form

    def _rest(self, form: Form | None) -> Span:
        """The rest of the text after `form`."""
        end = form.span.end if form else len(self.text)
        done = self.text[:end].removeprefix(BOM)
        line, column = done.count("\n") + 1, len(done) - done.rfind("\n")
        return Span(end, len(self.text), line, column)


def _left_of(inner: Span, outer: Span) -> Span | None:
    """`inner`, if it begins on a later line, no further right than the form in which it lies.

    Such an indentation is a mistake: the outer form was meant to end before.
    """
    return inner if inner.line > outer.line and inner.column <= outer.column else None
