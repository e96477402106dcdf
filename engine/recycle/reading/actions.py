"""Forms to actions and the blocks around them: conditions, `do`, `any`, `all`, `let`, `choice`."""

from __future__ import annotations

from typing import Literal, cast

from engine.recycle import syntax
from engine.recycle.problems import Code
from engine.recycle.reading.context import ParseContext, hole, is_word
from engine.recycle.reading.creations import CreationParser
from engine.recycle.reading.expressions import ExpressionParser
from engine.recycle.reading.forms import Form, Item
from engine.recycle.reading.kinds import CARD, CARDS, PLAYER
from engine.recycle.reading.shapes import ACTIONS, Arguments, parse_shape
from engine.recycle.reading.tokens import Token
from engine.recycle.syntax import ITEM_OF, Body, Kind

_BLOCKS = ("choice", "do", "any", "all", "let")
_OTHERS = ("set", "put", "update", "swap", "create")
BODIES = frozenset((*_BLOCKS, *_OTHERS, *ACTIONS))
"""The words that what is done begins with."""
_AWARDS = "(((KEY : VALUE) NUMBER)…)"


class ActionParser:
    """Parses actions and the blocks around them; `expressions` parses their arguments."""

    def __init__(
        self, context: ParseContext, expressions: ExpressionParser, creations: CreationParser
    ) -> None:
        self.context = context
        self.expressions = expressions
        self.creations = creations
        self.arguments: Arguments = {
            **expressions.arguments,
            "DESTINATION": self._destination,
            "STORAGE": self._int_storage,
            "WHO": self._cycled,
            "MOVE": self._taking,
            "ACTION": self.body,
        }

    def body(self, item: Item) -> Body:
        """Parse something to do; what cannot be read is reported and becomes a `Pass`."""
        found = self._body(item) if isinstance(item, Form) else None
        if isinstance(item, Token):
            self.context.wrong_shape(item, "an action")
        return found or syntax.Pass(at=item.span)

    def _body(self, form: Form) -> Body | None:
        head = form.head
        if head in ("choice", "do"):
            return self._block(form)
        if head in ("any", "all"):
            return self._for_each(form)
        if head == "let":
            return self._let(form)
        if head in ("set", "put", "update"):
            return self._set(form)
        if head == "swap":
            return self._swap(form)
        if head == "create":
            return self.creations.creation(form)
        if head in ACTIONS:
            return cast(
                "Body | None", parse_shape(form, ACTIONS[head], self.arguments, self.context)
            )
        if self.expressions.begins_expression(head):
            self.context.wrong_shape(form, "(CONDITION ACTION)", "parentheses around both")
            return None
        if head:
            self.context.unknown_word(form, "an action", BODIES)
            return None
        return self._when(form)

    def _when(self, form: Form) -> Body | None:
        """Parse ``(condition body)``."""
        items = form.items
        if len(items) == 2 and not self._acts(items[0]):
            return syntax.When(
                self.expressions.condition(items[0]), self.body(items[1]), at=form.span
            )
        several = len(items) > 2 or any(self._acts(item) for item in items)
        suggestion = "(do (ACTION…)) joins several actions" if several else ""
        self.context.wrong_shape(form, "(CONDITION ACTION)", suggestion)
        return None

    def _acts(self, item: Item) -> bool:
        """Whether this is an action and not a condition."""
        return isinstance(item, Form) and item.head in BODIES - {"any", "all"}

    def _block(self, form: Form) -> Body | None:
        """Parse ``(do (body…))`` or ``(choice (body…))``."""
        inside = form.items[1:]
        if len(inside) != 1 or not isinstance(inside[0], Form) or inside[0].head in BODIES:
            expected = f"({form.head} (ACTION…))"
            self.context.wrong_shape(
                form, expected, "the actions stand in parentheses of their own"
            )
            return None
        if not inside[0].items:
            self.context.wrong_shape(inside[0], "at least one action")
        bodies = tuple(self.body(item) for item in inside[0].items)
        if form.head == "do":
            return syntax.Do(bodies, at=form.span)
        return syntax.Choice(bodies, at=form.span)

    def _for_each(self, form: Form) -> Body | None:
        over = self.expressions.loop(form, f"({form.head} COLLECTION 'V ACTION)")
        if over is None:
            return None
        collection, name = over
        with self.context.bound(name, ITEM_OF[collection.kind]):
            body = self.body(form.items[3])
        return syntax.ForEach(form.head == "all", collection, name, body, at=form.span)

    def _let(self, form: Form) -> Body | None:
        expected = "(let VALUE 'V ACTION)"
        if len(form.items) != 4:
            self.context.wrong_shape(form, expected)
            return None
        value = self.expressions.value(form.items[1])
        name = self.context.name_of(form.items[2], form, expected)
        if name is None:
            return None
        with self.context.bound(name, value.kind):
            body = self.body(form.items[3])
        return syntax.Let(value, name, body, at=form.span)

    # Arguments of actions

    def _destination(self, item: Item) -> syntax.CardAt:
        """Parse a place in a pile, not just a card."""
        card = self.expressions.card(item)
        if isinstance(card, syntax.CardAt):
            return card
        if card.kind is not Kind.UNKNOWN:
            expected = "a place, (top LOCATION), (bottom LOCATION) or (NUMBER LOCATION)"
            self.context.report(Code.WRONG_KIND, item.span, "a card cannot go here", expected)
        return syntax.CardAt("top", hole(item), at=item.span)

    def _int_storage(self, item: Item) -> syntax.IntStorage:
        if isinstance(item, Form) and len(item.items) == 3 and is_word(item.items[1], "sto"):
            return cast(syntax.IntStorage, self.expressions.number(item))
        self.context.wrong_shape(item, "a number's storage, (OWNER sto NAME)")
        return syntax.IntStorage(hole(item), hole(item), at=item.span)

    def _cycled(self, item: Item) -> syntax.Player:
        """Parse ``current``, ``next`` or ``previous`` alone, as before version 0.6, or a player."""
        if is_word(item, "current", "next", "previous"):
            word = cast(Literal["current", "next", "previous"], cast(Token, item).text)
            return syntax.CyclePlayer(word, at=item.span)
        return cast(syntax.Player, self.expressions.parse(item, PLAYER))

    def _taking(self, item: Item) -> syntax.Move | syntax.Forget:
        """Parse an action that `repeat all` can repeat: it counts the action's source list."""
        found = self.body(item)
        if isinstance(found, syntax.Move | syntax.Forget):
            return found
        self.context.wrong_shape(item, "(move CARD DESTINATION) or (forget CARD)")
        return syntax.Forget(hole(item), at=item.span)

    # Actions without a fixed shape

    def _set(self, form: Form) -> Body | None:
        """Parse the setting of a number, a string or a point map, in the words of each version."""
        items = form.items
        if form.head == "put":
            if len(items) == 4 and is_word(items[1], "points"):
                points = self.expressions.points(items[2])
                return syntax.SetPoints(points, self._awards(items[3]), at=form.span)
            self.context.wrong_shape(form, f"(put points 'NAME {_AWARDS})")
            return None
        storage = items[1] if len(items) == 3 else None
        word = storage.items[1] if isinstance(storage, Form) and len(storage.items) == 3 else None
        if storage is not None and word is not None and is_word(word, "points"):
            points, awards = self.expressions.points(storage), self._awards(items[2])
            return syntax.SetPoints(points, awards, form.head == "update", at=form.span)
        if storage is not None and word is not None and form.head == "set":
            if is_word(word, "sto"):
                return syntax.SetInt(
                    self._int_storage(storage), self.expressions.number(items[2]), at=form.span
                )
            if is_word(word, "str"):
                place = cast(syntax.StringStorage, self.expressions.string(storage))
                return syntax.SetString(place, self.expressions.string(items[2]), at=form.span)
        map_form = f"({form.head} (OWNER points NAME) {_AWARDS})"
        others = "(set (OWNER sto NAME) NUMBER), (set (OWNER str NAME) STRING) or "
        self.context.wrong_shape(form, others + map_form if form.head == "set" else map_form)
        return None

    def _awards(self, item: Item) -> tuple[syntax.Award, ...]:
        if isinstance(item, Form) and item.items:
            return tuple(self._award(award) for award in item.items)
        self.context.wrong_shape(item, _AWARDS)
        return ()

    def _award(self, item: Item) -> syntax.Award:
        """Parse ``((KEY : VALUE)… number)``."""
        if not isinstance(item, Form) or len(item.items) < 2:
            self.context.wrong_shape(item, "((KEY : VALUE)… NUMBER)")
            return syntax.Award((), syntax.Integer(0), at=item.span)
        conditions = tuple(self._award_condition(each) for each in item.items[:-1])
        return syntax.Award(conditions, self.expressions.number(item.items[-1]), at=item.span)

    def _award_condition(self, item: Item) -> tuple[syntax.String, syntax.String]:
        """Parse ``(KEY : VALUE)``; before 0.5.2 ``(KEY (VALUE))`` or ``(KEY (cardatt …))``."""
        items = item.items if isinstance(item, Form) else ()
        if len(items) == 3 and is_word(items[1], ":"):
            return self.expressions.string(items[0]), self.expressions.string(items[2])
        if len(items) == 2:
            value = items[1]
            if isinstance(value, Form) and len(value.items) == 1:
                value = value.items[0]
            return self.expressions.string(items[0]), self.expressions.string(value)
        self.context.wrong_shape(item, "(KEY : VALUE)")
        return hole(item), hole(item)

    def _swap(self, form: Form) -> Body | None:
        """Parse a swap of two cards or two piles."""
        if len(form.items) != 3:
            self.context.wrong_shape(form, "(swap CARD CARD) or (swap LOCATION LOCATION)")
            return None
        left = self.expressions.parse(form.items[1], CARD | CARDS)
        wanted = CARDS if getattr(left, "kind", None) is Kind.CARDS else CARD
        right = self.expressions.parse(form.items[2], wanted)
        if wanted is CARDS:
            piles = cast(syntax.Cards, left), cast(syntax.Cards, right)
            return syntax.SwapPiles(*piles, at=form.span)
        cards = cast(syntax.Card, left), cast(syntax.Card, right)
        return syntax.SwapCards(*cards, at=form.span)
