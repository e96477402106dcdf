"""Forms to expressions: numbers, strings, conditions, cards, owners, collections.

One method decides for all of them, `expression`, by the form's first word and by the kinds that
are wanted where it stands: ``(top X)`` is a card where a card is wanted and a list where a list of
lists is gone through. Whatever cannot be read is reported and leaves a hole, a variable of unknown
kind, so that everything around it is still read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, cast

from engine.recycle import syntax
from engine.recycle.problems import Code, Report, did_you_mean
from engine.recycle.reading.context import Scope, is_word
from engine.recycle.reading.forms import Form, Item
from engine.recycle.reading.kinds import (
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
from engine.recycle.reading.shapes import EXPRESSIONS, Shape
from engine.recycle.reading.tokens import KEYWORDS, Sort, Token
from engine.recycle.source_text import quote
from engine.recycle.syntax import Kind, Node, Variable

PLACES = ("vloc", "iloc", "hloc", "oloc", "mem")
STORES = (*PLACES, "sto", "str", "points")


class Expressions(Scope):
    """`arguments` reads an argument by its sort's name in a shape, `special` a form by its head."""

    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self.arguments: dict[str, Callable[[Item], object]] = {
            "NUMBER": self.number,
            "STRING": self.string,
            "CONDITION": self.condition,
            "CARD": self.card,
            "CARDS": self.cards,
            "PLAYER": lambda item: self.expression(item, PLAYER),
            "TEAM": lambda item: self.expression(item, TEAM),
            "OWNER": self.owner,
            "COLLECTION": self.collection,
            "POINTS": self.points,
            "": lambda item: cast(Token, item).text,
        }
        self.special: dict[str, Callable[[Form, frozenset[Kind]], Node | None]] = {}

    # Expressions of one kind

    def number(self, item: Item) -> syntax.Number:
        return cast(syntax.Number, self.expression(item, NUMBER))

    def string(self, item: Item) -> syntax.String:
        return cast(syntax.String, self.expression(item, STRING))

    def condition(self, item: Item) -> syntax.Condition:
        return cast(syntax.Condition, self.expression(item, CONDITION))

    def card(self, item: Item) -> syntax.Card:
        return cast(syntax.Card, self.expression(item, CARD))

    def cards(self, item: Item) -> syntax.Cards:
        return cast(syntax.Cards, self.expression(item, CARDS))

    def collection(self, item: Item) -> syntax.Collection:
        return cast(syntax.Collection, self.expression(item, COLLECTION))

    def owner(self, item: Item, wanted: frozenset[Kind] = PLAYER) -> syntax.Owner:
        """``game``, or a player; a team where `wanted` says so."""
        if is_word(item, "game"):
            return syntax.Table(at=item.span)
        return cast(syntax.Owner, self.expression(item, wanted))

    def points(self, item: Item) -> syntax.PointMap:
        """``(owner points NAME)``, or ``'NAME`` of version 0.4, which is the table's."""
        if isinstance(item, Token) and item.sort is Sort.VARIABLE:
            table = syntax.Table(at=item.span)
            return syntax.PointMap(table, syntax.Name(item.text[1:], at=item.span), at=item.span)
        if isinstance(item, Form) and len(item.items) == 3 and is_word(item.items[1], "points"):
            owner = self.owner(item.items[0], PLAYER | TEAM)
            return syntax.PointMap(owner, self.string(item.items[2]), at=item.span)
        self.wrong_shape(item, "a point map, (OWNER points NAME)")
        hole = self._hole(item)
        return syntax.PointMap(hole, hole, at=item.span)

    # Any expression

    def expression(self, item: Item, wanted: frozenset[Kind]) -> Node:
        """What `item` says, of one of the wanted kinds, or a hole, reported."""
        node = self._atom(item, wanted) if isinstance(item, Token) else self._form(item, wanted)
        kind = getattr(node, "kind", None)
        if node is None or kind in wanted or kind is Kind.UNKNOWN:
            return node or self._hole(item)
        if kind is Kind.TEAM and Kind.PLAYERS in wanted:
            return syntax.Members(cast(syntax.Team, node), at=item.span)
        if not isinstance(kind, Kind):
            self.report(Code.WRONG_KIND, item.span, "this is a point map", kinds(wanted))
        else:
            self.wrong_kind(item, kind, wanted)
        return self._hole(item)

    def wrong_kind(self, item: Item, found: Kind, wanted: frozenset[Kind]) -> None:
        message = f"this is {found.value}"
        self.report(Code.WRONG_KIND, item.span, message, kinds(wanted), hint(found, wanted))

    def _hole(self, item: Item) -> Variable:
        return Variable("", at=item.span)

    def _atom(self, token: Token, wanted: frozenset[Kind]) -> Node | None:
        if token.sort is Sort.VARIABLE:
            return self.variable(token)
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
        self.wrong_shape(token, kinds(wanted), hint)
        return None

    def _form(self, form: Form, wanted: frozenset[Kind]) -> Node | None:
        items, head = form.items, form.head
        if len(items) > 1 and is_word(items[1], *STORES) and head != "indexed":
            return self._storage(form)
        if len(items) == 2 and is_word(items[1], "player", "team") and head != "size":
            return self._member(form)
        if head in self.special:
            return self.special[head](form, wanted)
        if head in EXPRESSIONS:
            return self.shaped(form, EXPRESSIONS[head])
        if items and isinstance(items[0], Token) and items[0].sort is Sort.NAME:
            return self._names(form)
        if len(items) == 2 and not head and wanted & (CARD | CARDS):
            return self.place_in(form, self.number(items[0]), wanted)
        if head == "game" and len(items) > 1:
            near = did_you_mean(quote(self.report.text, items[1].span), STORES)
            self.wrong_shape(form, "(game vloc NAME), (game sto NAME)…", near)
        elif head:
            self.unknown_word(form, kinds(wanted), (*EXPRESSIONS, *self.special, "game"))
        else:
            self.wrong_shape(form, kinds(wanted))
        return None

    def shaped(self, form: Form, shapes: Sequence[Shape]) -> Node | None:
        """The first of the shapes that fits, built."""
        items = form.items[1:]
        for shape in shapes:
            if shape.fits(items):
                found = [self.arguments[sort](item) for sort, item in shape.arguments(items)]
                return shape.build(*found, at=form.span)
        self.wrong_shape(form, " or ".join(shape.text for shape in shapes))
        return None

    def _storage(self, form: Form) -> Node | None:
        """``(owner sto NAME)`` and its like."""
        word = cast(Token, form.items[1]).text
        if not 3 <= len(form.items) <= 3 + (word in PLACES):
            number = " or (… NAME NUMBER)" if word in PLACES else ""
            self.wrong_shape(form, f"(OWNER {word} NAME){number}")
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
        """``(current player)``, ``(3 team)``, ``(other player)``."""
        which, group = form.items
        player = is_word(group, "player")
        if is_word(which, "current", "next", "previous"):
            word = cast(Literal["current", "next", "previous"], cast(Token, which).text)
            cycle = syntax.CyclePlayer if player else syntax.CycleTeam
            return cycle(word, at=form.span)
        if is_word(which, "other"):
            return syntax.Others(Kind.PLAYERS if player else Kind.TEAMS, at=form.span)
        if is_word(which, *EXPRESSIONS, *self.special) or (
            isinstance(which, Token) and (which.sort in (Sort.WORD, Sort.SIGN, Sort.NAME))
        ):
            known = ("current", "next", "previous", "other")
            self.unknown_word(form, f"a {cast(Token, group).text}", known)
            return None
        numbered = syntax.NumberedPlayer if player else syntax.NumberedTeam
        return numbered(self.number(which), at=form.span)

    def _names(self, form: Form) -> Node | None:
        """``(A, B, C)``."""
        names = self.names(form)
        return None if names is None else syntax.Names(names, at=form.span)

    def names(self, form: Form) -> tuple[str, ...] | None:
        found = self.separated(form.items, Sort.NAME)
        if found is None:
            self.wrong_shape(form, "names with commas between, (A, B, C)")
        return None if found is None else tuple(token.text for token in found)

    def separated(self, items: Sequence[Item], sort: Sort) -> list[Token] | None:
        """The tokens of `sort` in a list with commas between; a missing comma is reported."""
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

    def place_in(
        self, form: Form, place: syntax.End | syntax.Number, wanted: frozenset[Kind]
    ) -> Node:
        """A card of a list, or a list of a list of lists: whichever is wanted, or is there."""
        inside = form.items[1]
        if Kind.CARDS not in wanted:
            return syntax.CardAt(place, self.cards(inside), at=form.span)
        if Kind.CARD in wanted:
            found = self.expression(inside, LISTS)
            if getattr(found, "kind", None) is not Kind.PILES:
                return syntax.CardAt(place, cast(syntax.Cards, found), at=form.span)
        else:
            found = self.expression(inside, frozenset({Kind.PILES}))
        return syntax.PileAt(place, cast(syntax.Piles, found), at=form.span)
