"""Expressions without a fixed shape: their kind depends on their parts, or on what is wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, cast

from engine.recycle import syntax
from engine.recycle.problems import Code
from engine.recycle.reading.context import ParseContext, is_word
from engine.recycle.reading.expressions import ExpressionParser, FormParser
from engine.recycle.reading.forms import Form, Item
from engine.recycle.reading.kinds import CARDS, COMPARED, CONDITION, NUMBER
from engine.recycle.reading.tokens import Sort
from engine.recycle.syntax import ITEM_OF, Kind, Node

_PER_ITEM = {
    Kind.BOOLEAN: "(all COLLECTION 'V CONDITION)",
    Kind.CARDS: "(all COLLECTION 'V CARDS)",
    Kind.INTEGER: "(all COLLECTION 'V NUMBER)",
}


class CompoundParser:
    """Parses the forms that `parsers` lists by first word; `expressions` parses what is in them."""

    def __init__(self, context: ParseContext, expressions: ExpressionParser) -> None:
        self.context = context
        self.expressions = expressions
        self.parsers: Mapping[str, FormParser] = {
            "any": self._any,
            "all": self._all,
            "filter": self._filter,
            "top": self._end,
            "bottom": self._end,
            "==": self._same,
            "!=": self._same,
            "and": self._logic,
            "or": self._logic,
            "+": self._arithmetic,
            "*": self._arithmetic,
            "union": self._set_operation,
            "intersect": self._set_operation,
            "disjunction": self._set_operation,
            "partition": self._partition,
        }

    def _any(self, form: Form, wanted: frozenset[Kind]) -> Node | None:
        if wanted & CONDITION:
            return self._per_item(form, CONDITION)
        self.expressions.wrong_kind(form, Kind.BOOLEAN, wanted)
        return None

    def _all(self, form: Form, wanted: frozenset[Kind]) -> Node | None:
        inner = {
            kind
            for kind, gives in (
                (Kind.BOOLEAN, Kind.BOOLEAN),
                (Kind.CARDS, Kind.PILES),
                (Kind.INTEGER, Kind.INTEGER),
            )
            if gives in wanted
        }
        return self._per_item(form, frozenset(inner) or CONDITION)

    def _per_item(self, form: Form, wanted: frozenset[Kind]) -> Node | None:
        """Parse ``(all collection 'V x)``, where x is of one of the wanted kinds."""
        expected = " or ".join(text for kind, text in _PER_ITEM.items() if kind in wanted)
        over = self.expressions.loop(form, expected.replace("all", form.head))
        if over is None:
            return None
        collection, name = over
        with self.context.bound(name, ITEM_OF[collection.kind]):
            inner = self.expressions.parse(form.items[3], wanted)
        kind = getattr(inner, "kind", Kind.UNKNOWN)
        if kind is Kind.CARDS or (kind is Kind.UNKNOWN and wanted == CARDS):
            return syntax.Each(collection, name, cast(syntax.Cards, inner), at=form.span)
        if kind is Kind.INTEGER or (kind is Kind.UNKNOWN and wanted == NUMBER):
            return syntax.Total(collection, name, cast(syntax.Number, inner), at=form.span)
        every = form.head == "all"
        condition = cast(syntax.Condition, inner)
        return syntax.Quantified(every, collection, name, condition, at=form.span)

    def _filter(self, form: Form, wanted: frozenset[Kind]) -> Node | None:
        over = self.expressions.loop(form, "(filter COLLECTION 'V CONDITION)")
        if over is None:
            return None
        collection, name = over
        with self.context.bound(name, ITEM_OF[collection.kind]):
            condition = self.expressions.condition(form.items[3])
        return syntax.Filter(collection, name, condition, collection.kind, at=form.span)

    def _end(self, form: Form, wanted: frozenset[Kind]) -> Node | None:
        """Parse ``(top X)`` or ``(top N cards)``."""
        end = cast(syntax.End, form.head)
        if len(form.items) == 3:
            count = self.expressions.number(form.items[1])
            return syntax.Slice(end, count, self.expressions.cards(form.items[2]), at=form.span)
        if len(form.items) == 2:
            return self.expressions.place_in(form, end, wanted)
        self.context.wrong_shape(form, f"({end} CARDS) or ({end} NUMBER CARDS)")
        return None

    def _same(self, form: Form, wanted: frozenset[Kind]) -> Node | None:
        operator = cast(Literal["==", "!="], form.head)
        if len(form.items) != 3:
            self.context.wrong_shape(form, f"({operator} X X)")
            return None
        left, right = (self.expressions.parse(item, COMPARED) for item in form.items[1:])
        found = [getattr(left, "kind", Kind.UNKNOWN), getattr(right, "kind", Kind.UNKNOWN)]
        known = [kind for kind in found if kind is not Kind.UNKNOWN]
        if len(set(known)) > 1:
            message = f"{found[0].value} is never equal to {found[1].value}"
            self.context.report(Code.MIXED_KINDS, form.span, message, "two of the same kind")
            return None
        if Kind.INTEGER in known:
            numbers = cast(syntax.Number, left), cast(syntax.Number, right)
            return syntax.Compare(operator, *numbers, at=form.span)
        both = cast(syntax.String, left), cast(syntax.String, right)
        return syntax.Same(*both, operator == "!=", at=form.span)

    def _logic(self, form: Form, wanted: frozenset[Kind]) -> Node | None:
        operator = cast(Literal["and", "or"], form.head)
        if len(form.items) < 2:
            self.context.wrong_shape(form, f"({operator} CONDITION CONDITION…)")
            return None
        operands = tuple(self.expressions.condition(item) for item in form.items[1:])
        return syntax.Logic(operator, operands, at=form.span)

    def _arithmetic(self, form: Form, wanted: frozenset[Kind]) -> Node | None:
        operator = cast(syntax.Operator, form.head)
        if len(form.items) < 3:
            self.context.wrong_shape(form, f"({operator} NUMBER NUMBER…)")
            return None
        operands = tuple(self.expressions.number(item) for item in form.items[1:])
        return syntax.Arithmetic(operator, operands, at=form.span)

    def _set_operation(self, form: Form, wanted: frozenset[Kind]) -> Node | None:
        operator = cast(Literal["union", "intersect", "disjunction"], form.head)
        if len(form.items) < 2:
            self.context.wrong_shape(
                form, f"({operator} CARDS…) or ({operator} (all COLLECTION 'V CARDS))"
            )
            return None
        return syntax.SetOperation(operator, self._parts(form.items[1:]), at=form.span)

    def _parts(self, items: Sequence[Item]) -> tuple[syntax.Cards | syntax.Each, ...]:
        found = (
            self.expressions.parse(item, frozenset({Kind.PILES}))
            if isinstance(item, Form) and item.head == "all"
            else self.expressions.cards(item)
            for item in items
        )
        return tuple(cast("syntax.Cards | syntax.Each", node) for node in found)

    def _partition(self, form: Form, wanted: frozenset[Kind]) -> Node | None:
        """Parse a partition: its key comes first, in versions 0.5.0 to 0.5.7 last."""
        items = form.items[1:]
        if len(items) >= 2:
            if self._is_string(items[0]):
                return syntax.Partition(
                    self.expressions.string(items[0]), self._parts(items[1:]), at=form.span
                )
            if self._is_string(items[-1]):
                return syntax.Partition(
                    self.expressions.string(items[-1]), self._parts(items[:-1]), at=form.span
                )
        self.context.wrong_shape(form, "(partition KEY CARDS…)")
        return None

    def _is_string(self, item: Item) -> bool:
        if isinstance(item, Form):
            return item.head == "cardatt" or (
                len(item.items) == 3 and is_word(item.items[1], "str")
            )
        if item.sort is Sort.VARIABLE:
            return dict(self.context.scope).get(item.text[1:]) is Kind.STRING
        return item.sort is Sort.NAME
