"""Comments that begin with ``@``: titles and sentences for the people who play a game.

``;; @pile CRIB crib: four cards that the dealer counts``. Other programs that read the language
see comments. This module finds them and what stands behind each; `checking.annotations` says
whether they are right.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from engine.recycle.reading.forms import Form, Item, Reading
from engine.recycle.reading.tokens import Sort, Token
from engine.recycle.source_text import Span

_ANNOTATION = re.compile(r";;+[ \t]*@(?P<word>[A-Za-z]*)(?P<rest>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Comment:
    """An annotation as it is written: the word behind ``@``, and the rest.

    `head` is the first word of the form behind it, `before` that form's place; None if there is
    no form.
    """

    word: str
    rest: str
    at: Span
    head: str = ""
    before: Span | None = None


def annotations_in(reading: Reading) -> Iterator[Comment]:
    """The annotations of a description, in the order of its text."""
    if reading.form is not None:
        yield from _among((*reading.before, reading.form))


def _among(items: tuple[Item, ...]) -> Iterator[Comment]:
    """The annotations among these items and inside them."""
    following: list[Form | None] = []
    behind: Form | None = None
    for item in reversed(items):
        following.append(behind)
        if isinstance(item, Form):
            behind = item
        elif item.sort is not Sort.COMMENT:
            behind = None
    for item, form in zip(items, reversed(following), strict=True):
        if isinstance(item, Form):
            yield from _among(item.everything)
        elif item.sort is Sort.COMMENT:
            yield from _annotation(item, form)


def _annotation(comment: Token, form: Form | None) -> Iterator[Comment]:
    found = _ANNOTATION.fullmatch(comment.text)
    if found is not None:
        word, rest = found["word"], " ".join(found["rest"].split())
        if form is None:
            yield Comment(word, rest, comment.span)
        else:
            yield Comment(word, rest, comment.span, form.head, form.span)
