"""The shapes of constructs, as data: ``(sum CARDS using POINTS)`` builds a `Sum`.

A shape reads as what a person would write. Capitals stand for an argument of that sort, small
letters and signs for themselves; one of ``top|bottom`` is handed on as a word. The parser looks
shapes up by their first word, and an error shows them as what was expected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from engine.recycle import syntax
from engine.recycle.reading.context import ParseContext
from engine.recycle.reading.forms import Form, Item
from engine.recycle.reading.tokens import Token
from engine.recycle.source_text import Span
from engine.recycle.syntax import Node


@dataclass(frozen=True, slots=True)
class Shape:
    """`build` takes the arguments in order, and `at`."""

    text: str
    words: tuple[str, ...]
    build: Callable[..., Node]

    def fits(self, items: Sequence[Item]) -> bool:
        """Whether `items`, the head left out, have this shape's length and words."""
        return len(items) == len(self.words) and all(
            word.isupper() or (isinstance(item, Token) and item.text in word.split("|"))
            for word, item in zip(self.words, items, strict=True)
        )

    def arguments(self, items: Sequence[Item]) -> Iterable[tuple[str, Item]]:
        """Each argument's sort and item, in order; for a word among several the sort is empty."""
        for word, item in zip(self.words, items, strict=True):
            if word.isupper():
                yield word, item
            elif "|" in word:
                yield "", item


Shapes = Mapping[str, tuple[Shape, ...]]
"""By their first word, the ways to write what begins with it."""
Arguments: TypeAlias = Mapping[str, Callable[[Item], object]]
"""By its sort's name in a shape (``NUMBER``), what parses an argument of that sort."""


def parse_shape(
    form: Form, shapes: Sequence[Shape], arguments: Arguments, context: ParseContext
) -> Node | None:
    """The node of the first of `shapes` that fits `form`; None if none does, which is reported."""
    items = form.items[1:]
    for shape in shapes:
        if shape.fits(items):
            found = [arguments[sort](item) for sort, item in shape.arguments(items)]
            return shape.build(*found, at=form.span)
    context.wrong_shape(form, " or ".join(shape.text for shape in shapes))
    return None


def _shapes(*said: tuple[str, Callable[..., Node]]) -> Shapes:
    found: dict[str, tuple[Shape, ...]] = {}
    for text, build in said:
        heads, *words = text.removeprefix("(").removesuffix(")").split()
        shape = Shape(text, tuple(words), build)
        found[heads] = (*found.get(heads, ()), shape)
    return found


def _random(high: syntax.Number, *, at: Span) -> Node:
    return syntax.Random(syntax.Integer(0, at=at), high, at=at)


def _change(sign: int, storage: Node, amount: Node | None = None, *, at: Span) -> Node:
    one = syntax.Integer(1, at=at)
    return syntax.ChangeInt(storage, amount or one, sign, at=at)  # type: ignore[arg-type]


def _actual(card: Node, *, at: Span) -> Node:
    # The card behind a mark: a card's identity is the card here, so there is nothing to do.
    return card


EXPRESSIONS = _shapes(
    ("(size COLLECTION)", syntax.Size),
    ("(sum CARDS using POINTS)", syntax.Sum),
    ("(score CARD using POINTS)", syntax.Score),
    ("(scoremax CARDS using POINTS)", partial(syntax.ExtremeScore, "max")),
    ("(scoremin CARDS using POINTS)", partial(syntax.ExtremeScore, "min")),
    ("(- NUMBER NUMBER)", lambda a, b, at: syntax.Arithmetic("-", (a, b), at=at)),
    ("(// NUMBER NUMBER)", lambda a, b, at: syntax.Arithmetic("//", (a, b), at=at)),
    ("(% NUMBER NUMBER)", lambda a, b, at: syntax.Arithmetic("%", (a, b), at=at)),
    ("(^ NUMBER NUMBER)", lambda a, b, at: syntax.Arithmetic("^", (a, b), at=at)),
    ("(tri NUMBER)", syntax.Triangular),
    ("(fib NUMBER)", syntax.Fibonacci),
    ("(random NUMBER)", _random),
    ("(random NUMBER .. NUMBER)", syntax.Random),
    ("(pid PLAYER)", syntax.PlayerNumber),
    ("(tid TEAM)", syntax.TeamNumber),
    ("(cardatt STRING CARD)", syntax.CardAttribute),
    ("(not CONDITION)", syntax.Not),
    ("(< NUMBER NUMBER)", partial(syntax.Compare, "<")),
    ("(> NUMBER NUMBER)", partial(syntax.Compare, ">")),
    ("(<= NUMBER NUMBER)", partial(syntax.Compare, "<=")),
    ("(>= NUMBER NUMBER)", partial(syntax.Compare, ">=")),
    ("(max CARDS using POINTS)", partial(syntax.ExtremeCard, "max")),
    ("(min CARDS using POINTS)", partial(syntax.ExtremeCard, "min")),
    ("(actual CARD)", _actual),
    ("(owner CARD)", syntax.OwnerOf),
    ("(team PLAYER)", syntax.TeamOf),
    ("(sort CARDS using POINTS)", syntax.Sorted),
    ("(run top|bottom NUMBER CARDS using POINTS)", syntax.RunSlice),
    ("(subsets CARDS)", syntax.Subsets),
    (
        "(subsets CARDS ==|!=|<|>|<=|>= NUMBER)",
        lambda cards, operator, size, at: syntax.Subsets(cards, operator, size, at=at),
    ),
    ("(runs largest|all NUMBER CARDS using POINTS)", syntax.Runs),
    ("(tuples NUMBER CARDS using POINTS)", syntax.Tuples),
    ("(indexed OWNER vloc|iloc|hloc|oloc|mem STRING)", syntax.Indexed),
    ("(range NUMBER .. NUMBER)", syntax.Range),
)
"""Expressions of fixed shape; `ExpressionParser` and `CompoundParser` read the others."""

ACTIONS = _shapes(
    ("(move CARD DESTINATION)", syntax.Move),
    ("(remember CARD DESTINATION)", syntax.Remember),
    ("(forget CARD)", syntax.Forget),
    ("(shuffle CARDS)", syntax.Shuffle),
    ("(shuffle faro CARDS CARDS)", syntax.Interleave),
    ("(inc STORAGE NUMBER)", partial(_change, 1)),
    ("(inc STORAGE)", partial(_change, 1)),
    ("(dec STORAGE NUMBER)", partial(_change, -1)),
    ("(dec STORAGE)", partial(_change, -1)),
    ("(cycle next|current WHO)", syntax.Cycle),
    ("(turn pass)", syntax.Pass),
    ("(repeat all MOVE)", syntax.RepeatAll),
    ("(repeat NUMBER ACTION)", syntax.Repeat),
)
"""Actions of fixed shape."""
