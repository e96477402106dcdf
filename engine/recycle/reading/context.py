"""What all parts of the parser share: the report of problems, and the variables in scope."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Literal

from engine.recycle.problems import Code, Report, did_you_mean
from engine.recycle.reading.forms import Form, Item
from engine.recycle.reading.tokens import Sort, Token
from engine.recycle.source_text import quote
from engine.recycle.syntax import Kind, Variable


def is_word(item: Item, *texts: str) -> bool:
    """Whether `item` is a keyword or a sign, and one of `texts`."""
    return isinstance(item, Token) and item.sort in (Sort.WORD, Sort.SIGN) and item.text in texts


def hole(item: Item) -> Variable:
    """A placeholder for what could not be read: a variable of unknown kind, which fits anywhere."""
    return Variable("", at=item.span)


class ParseContext:
    """What the parsers of one text share.

    `scope` holds the variables bound around the current place, the innermost last, with their
    kinds. `numbering` is the number of the first player and team, 0 or 1.
    """

    def __init__(self, report: Report, numbering: Literal[0, 1] = 1) -> None:
        self.report = report
        self.numbering: Literal[0, 1] = numbering
        self.scope: list[tuple[str, Kind]] = []

    def wrong_shape(self, item: Item, expected: str, suggestion: str = "") -> None:
        """Report a form that has too many, too few or other parts than `expected`."""
        self.report(Code.WRONG_SHAPE, item.span, "not how this is written", expected, suggestion)

    def unknown_word(self, form: Form, expected: str, known: Iterable[str]) -> None:
        """Report a form whose first word begins nothing that may stand there."""
        first = form.items[0]
        word = quote(self.report.text, first.span)
        message = f"{word!r} does not begin {expected}"
        self.report(Code.UNKNOWN_WORD, form.span, message, expected, did_you_mean(word, known))

    @contextmanager
    def bound(self, name: str, kind: Kind) -> Iterator[None]:
        """Bind `name` to a value of `kind` inside the ``with`` block."""
        self.scope.append((name, kind))
        yield
        self.scope.pop()

    def variable(self, token: Token) -> Variable:
        """The variable with the kind of the innermost binding; one that is unbound is reported."""
        name = token.text[1:]
        for known, kind in reversed(self.scope):
            if known == name:
                return Variable(name, kind, at=token.span)
        near = did_you_mean(token.text, (f"'{known}" for known, _ in self.scope))
        message = "no enclosing form binds this variable"
        self.report(Code.UNKNOWN_VARIABLE, token.span, message, "a variable in scope", near)
        return Variable(name, at=token.span)

    def name_of(self, item: Item, form: Form, expected: str) -> str | None:
        """The name in a binding of `form`; None if `item` is no variable, which is reported."""
        if isinstance(item, Token) and item.sort is Sort.VARIABLE:
            return item.text[1:]
        self.wrong_shape(form, expected, "a variable is written 'NAME")
        return None

    def separated(self, items: Sequence[Item], sort: Sort) -> list[Token] | None:
        """The tokens in a list with commas; None if it has anything else than tokens of `sort`.

        A missing comma is reported, and the list is read as if it were there.
        """
        found: list[Token] = []
        comma = True
        for item in items:
            if is_word(item, ",") and not comma:
                comma = True
            elif isinstance(item, Token) and item.sort is sort:
                if not comma:
                    expected = f"a comma before {item.text[:40]}"
                    self.report(Code.MISSING_COMMA, item.span, "a comma is missing", expected)
                found.append(item)
                comma = False
            else:
                return None
        return None if comma else found
