"""What every part of the parser needs: telling what is wrong, and the variables in scope."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from engine.recycle.problems import Code, Report, did_you_mean
from engine.recycle.reading.forms import Form, Item
from engine.recycle.reading.tokens import Sort, Token
from engine.recycle.source_text import quote
from engine.recycle.syntax import Kind, Variable


def is_word(item: Item, *texts: str) -> bool:
    return isinstance(item, Token) and item.sort in (Sort.WORD, Sort.SIGN) and item.text in texts


class Scope:
    """`scope` holds the names bound around where the parser is, the innermost last."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.scope: list[tuple[str, Kind]] = []

    def wrong_shape(self, item: Item, expected: str, suggestion: str = "") -> None:
        self.report(Code.WRONG_SHAPE, item.span, "not how this is written", expected, suggestion)

    def unknown_word(self, form: Form, expected: str, known: Iterable[str]) -> None:
        first = form.items[0]
        word = quote(self.report.text, first.span)
        message = f"{word!r} does not begin {expected}"
        self.report(Code.UNKNOWN_WORD, form.span, message, expected, did_you_mean(word, known))

    @contextmanager
    def bound(self, name: str, kind: Kind) -> Iterator[None]:
        """`name` is known within."""
        self.scope.append((name, kind))
        yield
        self.scope.pop()

    def variable(self, token: Token) -> Variable:
        name = token.text[1:]
        for known, kind in reversed(self.scope):
            if known == name:
                return Variable(name, kind, at=token.span)
        near = did_you_mean(token.text, (f"'{known}" for known, _ in self.scope))
        message = "a variable that is bound nowhere around here"
        self.report(Code.UNKNOWN_VARIABLE, token.span, message, "a variable in scope", near)
        return Variable(name, at=token.span)

    def name_of(self, item: Item, form: Form, expected: str) -> str | None:
        """The name a variable is bound by, or None, reported."""
        if isinstance(item, Token) and item.sort is Sort.VARIABLE:
            return item.text[1:]
        self.wrong_shape(form, expected, "a variable is written 'NAME")
        return None
