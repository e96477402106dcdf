"""Splitting a description into tokens: names, keywords, variables, numbers, signs, comments.

A change of case separates words (``'OPvloc`` is the variable ``'OP`` and the keyword ``vloc``), so
a name has neither digits nor small letters.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

from engine.recycle.source_text import Span


class Sort(Enum):
    """The sort of a token."""

    OPEN = "("
    CLOSE = ")"
    NAME = "a name"
    WORD = "a keyword"
    VARIABLE = "a variable"
    NUMBER = "a number"
    SIGN = "a sign"
    COMMENT = "a comment"
    BAD = "no part of the language"
    MIXED = "a name with digits or small letters"


@dataclass(frozen=True, slots=True)
class Token:
    """One word, sign or comment with its place in the text."""

    sort: Sort
    text: str
    span: Span


_WORDS = """
game declare setup create players teams deck stage player team end once simultaneous scoring
min max choice do any all let set put points update cycle next current previous move swap
remember forget inc dec shuffle faro turn pass repeat top bottom using actual owner other
vloc iloc hloc oloc mem sto str filter union intersect disjunction sort run runs largest
subsets tuples partition indexed range and or not sum score scoremax scoremin tri fib random
size pid tid cardatt
"""
KEYWORDS = frozenset(_WORDS.split())

_TOKEN = re.compile(
    r"""
    (?P<SPACE>[ \t\r\n]+)
    |(?P<COMMENT>;;[^\n]*)
    |(?P<OPEN>\()
    |(?P<CLOSE>\))
    |(?P<LETTERS>'?[A-Za-z0-9_]+)
    |(?P<SIGN>\.\.|//|<=|>=|==|!=|[,:<>+*%^-])
    |(?P<BAD>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_PART = re.compile(r"'?[A-Z]+|[a-z]+|[0-9]+|.")
BOM = "\ufeff"


def tokens(text: str) -> Iterator[Token]:
    """Every token of `text` with its place; what is no token comes as BAD or MIXED."""
    line = 1
    line_start = len(BOM) if text.startswith(BOM) else 0
    for match in _TOKEN.finditer(text, line_start):
        sort, found = str(match.lastgroup), match.group()
        begin = match.start()
        if sort == "LETTERS":
            for part, start, end in _letters(found):
                column = begin + start - line_start + 1
                yield Token(part, found[start:end], Span(begin + start, begin + end, line, column))
        elif sort == "SPACE":
            breaks = found.count("\n")
            if breaks:
                line += breaks
                line_start = begin + found.rindex("\n") + 1
        else:
            at = Span(begin, match.end(), line, begin - line_start + 1)
            yield Token(Sort[sort], found.rstrip("\r"), at)


def _letters(found: str) -> list[tuple[Sort, int, int]]:
    """The words in a run of letters and digits, with their offsets."""
    parts = [(_sort(match.group()), *match.span()) for match in _PART.finditer(found)]
    if len(parts) > 1:
        words = {found[start:end] for sort, start, end in parts if sort is Sort.WORD}
        named = (Sort.NAME, Sort.VARIABLE)
        digits_touch = any(
            (one in named and other is Sort.NUMBER) or (one is Sort.NUMBER and other in named)
            for (one, *_), (other, *_) in pairwise(parts)
        )
        if digits_touch or not words <= KEYWORDS or any(sort is Sort.BAD for sort, *_ in parts):
            return [(Sort.MIXED, 0, len(found))]
    return parts


def _sort(part: str) -> Sort:
    if part[0] == "'":
        return Sort.VARIABLE if len(part) > 1 else Sort.BAD
    if part.isdecimal():
        return Sort.NUMBER
    if part == "_":
        return Sort.BAD
    return Sort.NAME if part.isupper() else Sort.WORD
