"""Forms to expressions: numbers, strings, conditions, cards, owners, collections.

`ExpressionParser.parse` decides for all of them by the form's first word and by the kinds that
are wanted where it stands: ``(top X)`` is a card where a card is wanted and a list where a list of
lists is gone through. Whatever cannot be read is reported and leaves a hole, a variable of unknown
kind, so that everything around it is still read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias, cast

from engine.recycle import syntax
from engine.recycle.problems import Code, did_you_mean
from engine.recycle.reading.context import ParseContext, hole, is_word
from engine.recycle.reading.forms import Form, Item
from engine.recycle.reading.kinds import (
    ANYTHING,
    CARD,
    CARDS,
    COLLECTION,
    CONDITION,
    LISTS,
    NUMBER,
    PLAYER,
    STRING,
    TEAM,
    hint,
    kinds,
)
from engine.recycle.reading.shapes import EXPRESSIONS, Arguments, parse_shape
from engine.recycle.reading.tokens import KEYWORDS, Sort, Token
from engine.recycle.source_text import quote
from engine.recycle.syntax import Kind, Node

PLACES = ("vloc", "iloc", "hloc", "oloc", "mem")
STORES = (*PLACES, "sto", "str", "points")

FormParser: TypeAlias = Callable[[Form, frozenset[Kind]], Node | None]
"""Makes a node of a form where an expression of some kinds is wanted; None after reporting."""


class ExpressionParser:
    """Parses the expressions of one text.

    `arguments` are for the shapes of expressions; `compounds` parse the forms without a fixed
    shape, by their first word (see `add_compounds`).
    """

    def __init__(self, context: ParseContext) -> None:
        self.context = context
        self.compounds: dict[str, FormParser] = {}
        self.arguments: Arguments = {
            "NUMBER": self.number,
            "STRING": self.string,
            "CONDITION": self.condition,
            "CARD": self.card,
            "CARDS": self.cards,
            "PLAYER": lambda item: self.parse(item, PLAYER),
            "TEAM": lambda item: self.parse(item, TEAM),
            "OWNER": self.owner,
            "COLLECTION": self.collection,
            "POINTS": self.points,
            "": lambda item: cast(Token, item).text,
        }

    def add_compounds(self, parsers: Mapping[str, FormParser]) -> None:
        """Let `parsers` parse the forms that begin with their words."""
        self.compounds |= parsers

    def begins_expression(self, word: str) -> bool:
        """Whether `word` is the first of an expression, fixed in shape or not."""
        return word in self.compounds or word in EXPRESSIONS

    # Expressions of one kind

    def number(self, item: Item) -> syntax.Number:
        """Parse a number; anything else is reported and gives a hole."""
        return cast(syntax.Number, self.parse(item, NUMBER))

    def string(self, item: Item) -> syntax.String:
        """Parse a string; anything else is reported and gives a hole."""
        return cast(syntax.String, self.parse(item, STRING))

    def condition(self, item: Item) -> syntax.Condition:
        """Parse a condition; anything else is reported and gives a hole."""
        return cast(syntax.Condition, self.parse(item, CONDITION))

    def card(self, item: Item) -> syntax.Card:
        """Parse a card; anything else is reported and gives a hole."""
        return cast(syntax.Card, self.parse(item, CARD))

    def cards(self, item: Item) -> syntax.Cards:
        """Parse a list of cards; anything else is reported and gives a hole."""
        return cast(syntax.Cards, self.parse(item, CARDS))

    def value(self, item: Item) -> syntax.Expression:
        """Parse anything that a variable can be bound to."""
        return cast(syntax.Expression, self.parse(item, ANYTHING))

    def collection(self, item: Item) -> syntax.Collection:
        """Parse anything that can be iterated; anything else is reported and gives a hole."""
        return cast(syntax.Collection, self.parse(item, COLLECTION))

    def owner(self, item: Item, wanted: frozenset[Kind] = PLAYER) -> syntax.Owner:
        """Parse ``game`` or a player; also a team where `wanted` has that kind."""
        if is_word(item, "game"):
            return syntax.Table(at=item.span)
        return cast(syntax.Owner, self.parse(item, wanted))

    def points(self, item: Item) -> syntax.PointMap:
        """Parse ``(owner points NAME)``, or ``'NAME`` of version 0.4, which is the table's."""
        if isinstance(item, Token) and item.sort is Sort.VARIABLE:
            table = syntax.Table(at=item.span)
            return syntax.PointMap(table, syntax.Name(item.text[1:], at=item.span), at=item.span)
        if isinstance(item, Form) and len(item.items) == 3 and is_word(item.items[1], "points"):
            owner = self.owner(item.items[0], PLAYER | TEAM)
            return syntax.PointMap(owner, self.string(item.items[2]), at=item.span)
        self.context.wrong_shape(item, "a point map, (OWNER points NAME)")
        return syntax.PointMap(hole(item), hole(item), at=item.span)

    # Any expression

    def parse(self, item: Item, wanted: frozenset[Kind]) -> Node:
        """Parse an expression of one of the `wanted` kinds; anything else is reported: a hole."""
        node = self._atom(item, wanted) if isinstance(item, Token) else self._form(item, wanted)
        kind = getattr(node, "kind", None)
        if node is None or kind in wanted or kind is Kind.UNKNOWN:
            return node or hole(item)
        if kind is Kind.TEAM and Kind.PLAYERS in wanted:
            return syntax.Members(cast(syntax.Team, node), at=item.span)
        if not isinstance(kind, Kind):
            self.context.report(Code.WRONG_KIND, item.span, "this is a point map", kinds(wanted))
        else:
            self.wrong_kind(item, kind, wanted)
        return hole(item)

    def wrong_kind(self, item: Item, found: Kind, wanted: frozenset[Kind]) -> None:
        """Report an expression of the kind `found` where other kinds are wanted."""
        message = f"this is {found.value}"
        self.context.report(Code.WRONG_KIND, item.span, message, kinds(wanted), hint(found, wanted))

    def _atom(self, token: Token, wanted: frozenset[Kind]) -> Node | None:
        if token.sort is Sort.VARIABLE:
            return self.context.variable(token)
        if token.sort is Sort.NUMBER:
            return syntax.Integer(int(token.text), at=token.span)
        if token.sort is Sort.NAME:
            return syntax.Name(token.text, at=token.span)
        if token.text == "player":
            return syntax.Players(at=token.span)
        if token.text == "team":
            return syntax.Teams(at=token.span)
        known = token.sort is not Sort.WORD or token.text in KEYWORDS
        hint = "" if known else f"a name is written {token.text[:40].upper()}"
        self.context.wrong_shape(token, kinds(wanted), hint)
        return None

    def _form(self, form: Form, wanted: frozenset[Kind]) -> Node | None:
        items, head = form.items, form.head
        if len(items) > 1 and is_word(items[1], *STORES) and head != "indexed":
            return self._storage(form)
        if len(items) == 2 and is_word(items[1], "player", "team") and head != "size":
            return self._member(form)
        if head in self.compounds:
            return self.compounds[head](form, wanted)
        if head in EXPRESSIONS:
            return parse_shape(form, EXPRESSIONS[head], self.arguments, self.context)
        if items and isinstance(items[0], Token) and items[0].sort is Sort.NAME:
            return self._names(form)
        if len(items) == 2 and not head and wanted & (CARD | CARDS):
            return self.place_in(form, self.number(items[0]), wanted)
        if head == "game" and len(items) > 1:
            near = did_you_mean(quote(self.context.report.text, items[1].span), STORES)
            self.context.wrong_shape(form, "(game vloc NAME), (game sto NAME)…", near)
        elif head:
            self.context.unknown_word(form, kinds(wanted), (*EXPRESSIONS, *self.compounds, "game"))
        else:
            self.context.wrong_shape(form, kinds(wanted))
        return None

    def _storage(self, form: Form) -> Node | None:
        """Parse ``(owner sto NAME)`` and similar forms."""
        word = cast(Token, form.items[1]).text
        if not 3 <= len(form.items) <= 3 + (word in PLACES):
            number = " or (… NAME NUMBER)" if word in PLACES else ""
            self.context.wrong_shape(form, f"(OWNER {word} NAME){number}")
            return None
        owner, _, name, *index = form.items
        whose = self.owner(owner, PLAYER if word in PLACES else PLAYER | TEAM)
        if word == "sto":
            return syntax.IntStorage(whose, self.string(name), at=form.span)
        if word == "str":
            return syntax.StringStorage(whose, self.string(name), at=form.span)
        if word == "points":
            return syntax.PointMap(whose, self.string(name), at=form.span)
        at = self.number(index[0]) if index else syntax.Integer(0, at=form.span)
        place = cast(syntax.Place, word)
        return syntax.Location(whose, place, self.string(name), at, at=form.span)

    def _member(self, form: Form) -> Node | None:
        """Parse ``(current player)``, ``(3 team)`` or ``(other player)``."""
        which, group = form.items
        player = is_word(group, "player")
        if is_word(which, "current", "next", "previous"):
            word = cast(Literal["current", "next", "previous"], cast(Token, which).text)
            cycle = syntax.CyclePlayer if player else syntax.CycleTeam
            return cycle(word, at=form.span)
        if is_word(which, "other"):
            return syntax.Others(Kind.PLAYERS if player else Kind.TEAMS, at=form.span)
        if is_word(which, *EXPRESSIONS, *self.compounds) or (
            isinstance(which, Token) and (which.sort in (Sort.WORD, Sort.SIGN, Sort.NAME))
        ):
            known = ("current", "next", "previous", "other")
            self.context.unknown_word(form, f"a {cast(Token, group).text}", known)
            return None
        numbered = syntax.NumberedPlayer if player else syntax.NumberedTeam
        return numbered(self.number(which), at=form.span)

    def _names(self, form: Form) -> Node | None:
        """Parse ``(A, B, C)``."""
        found = self.context.separated(form.items, Sort.NAME)
        if found is None:
            self.context.wrong_shape(form, "names with commas between, (A, B, C)")
            return None
        return syntax.Names(tuple(token.text for token in found), at=form.span)

    def loop(self, form: Form, expected: str) -> tuple[syntax.Collection, str] | None:
        """Parse the collection and the variable of ``(word COLLECTION 'V …)``.

        None if the form is not written like that, which is reported.
        """
        if len(form.items) != 4:
            self.context.wrong_shape(form, expected)
            return None
        collection = self.collection(form.items[1])
        name = self.context.name_of(form.items[2], form, expected)
        return None if name is None else (collection, name)

    def place_in(
        self, form: Form, place: syntax.End | syntax.Number, wanted: frozenset[Kind]
    ) -> Node:
        """Parse the second item of `form`: a card of a list, or a list of a list of lists.

        The wanted kind decides; if both are wanted, the kind of what is there.
        """
        inside = form.items[1]
        if Kind.CARDS not in wanted:
            return syntax.CardAt(place, self.cards(inside), at=form.span)
        if Kind.CARD in wanted:
            found = self.parse(inside, LISTS)
            if getattr(found, "kind", None) is not Kind.PILES:
                return syntax.CardAt(place, cast(syntax.Cards, found), at=form.span)
        else:
            found = self.parse(inside, frozenset({Kind.PILES}))
        return syntax.PileAt(place, cast(syntax.Piles, found), at=form.span)
