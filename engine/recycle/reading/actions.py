"""Forms to what is done: actions, conditions before them, `do`, `any`, `all`, `let`, `choice`."""

from __future__ import annotations

from typing import Literal, cast

from engine.recycle import syntax
from engine.recycle.problems import Code, Report
from engine.recycle.reading.compounds import Compounds
from engine.recycle.reading.context import is_word
from engine.recycle.reading.forms import Form, Item
from engine.recycle.reading.kinds import ANYTHING, CARD, CARDS, ITEM_OF, PLAYER
from engine.recycle.reading.shapes import ACTIONS, EXPRESSIONS
from engine.recycle.reading.tokens import Sort, Token
from engine.recycle.syntax import Body, Kind

_BLOCKS = ("choice", "do", "any", "all", "let")
_OTHERS = ("set", "put", "update", "swap", "create")
BODIES = frozenset((*_BLOCKS, *_OTHERS, *ACTIONS))
"""The words that what is done begins with."""
_DECK = "(create deck CARDS (deck (KEY (VALUE, VALUE…))…))"
_TEAMS = "(create teams (0, 2) (1, 3))"
_AWARDS = "(((KEY : VALUE) NUMBER)…)"


class Actions(Compounds):
    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self.numbering: Literal[0, 1] = 1
        self.arguments |= {
            "DESTINATION": self.destination,
            "STORAGE": self.int_storage,
            "WHO": self.target,
            "MOVE": self.taking,
            "ACTION": self.body,
        }

    def body(self, item: Item) -> Body:
        """What `item` says to do; what cannot be read is reported and does nothing."""
        found = self._body(item) if isinstance(item, Form) else None
        if isinstance(item, Token):
            self.wrong_shape(item, "an action")
        return found or syntax.Pass(at=item.span)

    def bodies(self, items: tuple[Item, ...]) -> tuple[Body, ...]:
        return tuple(self.body(item) for item in items)

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
            return self.create(form)
        if head in ACTIONS:
            return cast("Body | None", self.shaped(form, ACTIONS[head]))
        if head in self.special or head in EXPRESSIONS:
            self.wrong_shape(form, "(CONDITION ACTION)", "parentheses around both")
            return None
        if head:
            self.unknown_word(form, "an action", BODIES)
            return None
        return self._when(form)

    def _when(self, form: Form) -> Body | None:
        """``(condition body)``."""
        items = form.items
        if len(items) == 2 and not self._acts(items[0]):
            return syntax.When(self.condition(items[0]), self.body(items[1]), at=form.span)
        several = len(items) > 2 or any(self._acts(item) for item in items)
        suggestion = "(do (ACTION…)) joins several actions" if several else ""
        self.wrong_shape(form, "(CONDITION ACTION)", suggestion)
        return None

    def _acts(self, item: Item) -> bool:
        """Whether this is no condition but already something to do."""
        return isinstance(item, Form) and item.head in BODIES - {"any", "all"}

    def _block(self, form: Form) -> Body | None:
        """``(do (body…))`` and ``(choice (body…))``."""
        inside = form.items[1:]
        if len(inside) != 1 or not isinstance(inside[0], Form) or inside[0].head in BODIES:
            expected = f"({form.head} (ACTION…))"
            self.wrong_shape(form, expected, "the actions stand in parentheses of their own")
            return None
        if not inside[0].items:
            self.wrong_shape(inside[0], "at least one action")
        bodies = self.bodies(inside[0].items)
        if form.head == "do":
            return syntax.Do(bodies, at=form.span)
        return syntax.Choice(bodies, at=form.span)

    def _for_each(self, form: Form) -> Body | None:
        over = self.over(form, f"({form.head} COLLECTION 'V ACTION)")
        if over is None:
            return None
        collection, name = over
        with self.bound(name, ITEM_OF[collection.kind]):
            body = self.body(form.items[3])
        return syntax.ForEach(form.head == "all", collection, name, body, at=form.span)

    def _let(self, form: Form) -> Body | None:
        expected = "(let VALUE 'V ACTION)"
        if len(form.items) != 4:
            self.wrong_shape(form, expected)
            return None
        value = self.value(form.items[1])
        name = self.name_of(form.items[2], form, expected)
        if name is None:
            return None
        with self.bound(name, value.kind):
            body = self.body(form.items[3])
        return syntax.Let(value, name, body, at=form.span)

    def value(self, item: Item) -> syntax.Expression:
        """What a variable may be bound to."""
        return cast(syntax.Expression, self.expression(item, ANYTHING))

    # Arguments of actions

    def destination(self, item: Item) -> syntax.CardAt:
        """A place in a pile, not just a card."""
        card = self.card(item)
        if isinstance(card, syntax.CardAt):
            return card
        if card.kind is not Kind.UNKNOWN:
            expected = "a place, (top LOCATION), (bottom LOCATION) or (NUMBER LOCATION)"
            self.report(Code.WRONG_KIND, item.span, "a card cannot go here", expected)
        return syntax.CardAt("top", self._hole(item), at=item.span)

    def int_storage(self, item: Item) -> syntax.IntStorage:
        if isinstance(item, Form) and len(item.items) == 3 and is_word(item.items[1], "sto"):
            return cast(syntax.IntStorage, self.number(item))
        self.wrong_shape(item, "a number's storage, (OWNER sto NAME)")
        hole = self._hole(item)
        return syntax.IntStorage(hole, hole, at=item.span)

    def target(self, item: Item) -> syntax.Player:
        """``current``, ``next`` and ``previous`` alone, as before version 0.6, or a player."""
        if is_word(item, "current", "next", "previous"):
            word = cast(Literal["current", "next", "previous"], cast(Token, item).text)
            return syntax.CyclePlayer(word, at=item.span)
        return cast(syntax.Player, self.expression(item, PLAYER))

    def taking(self, item: Item) -> syntax.Move | syntax.Forget:
        """What `repeat all` can repeat: it counts the list that cards are taken from."""
        found = self.body(item)
        if isinstance(found, syntax.Move | syntax.Forget):
            return found
        self.wrong_shape(item, "(move CARD DESTINATION) or (forget CARD)")
        return syntax.Forget(self._hole(item), at=item.span)

    # Actions without a fixed shape

    def _set(self, form: Form) -> Body | None:
        """A number, a string, or a point map, the last in the words of three versions."""
        items = form.items
        if form.head == "put":
            if len(items) == 4 and is_word(items[1], "points"):
                points = self.points(items[2])
                return syntax.SetPoints(points, self._awards(items[3]), at=form.span)
            self.wrong_shape(form, f"(put points 'NAME {_AWARDS})")
            return None
        storage = items[1] if len(items) == 3 else None
        word = storage.items[1] if isinstance(storage, Form) and len(storage.items) == 3 else None
        if storage is not None and word is not None and is_word(word, "points"):
            points, awards = self.points(storage), self._awards(items[2])
            return syntax.SetPoints(points, awards, form.head == "update", at=form.span)
        if storage is not None and word is not None and form.head == "set":
            if is_word(word, "sto"):
                return syntax.SetInt(self.int_storage(storage), self.number(items[2]), at=form.span)
            if is_word(word, "str"):
                place = cast(syntax.StringStorage, self.string(storage))
                return syntax.SetString(place, self.string(items[2]), at=form.span)
        map_form = f"({form.head} (OWNER points NAME) {_AWARDS})"
        others = "(set (OWNER sto NAME) NUMBER), (set (OWNER str NAME) STRING) or "
        self.wrong_shape(form, others + map_form if form.head == "set" else map_form)
        return None

    def _awards(self, item: Item) -> tuple[syntax.Award, ...]:
        if isinstance(item, Form) and item.items:
            return tuple(self._award(award) for award in item.items)
        self.wrong_shape(item, _AWARDS)
        return ()

    def _award(self, item: Item) -> syntax.Award:
        """``((KEY : VALUE)… number)``."""
        if not isinstance(item, Form) or len(item.items) < 2:
            self.wrong_shape(item, "((KEY : VALUE)… NUMBER)")
            return syntax.Award((), syntax.Integer(0), at=item.span)
        conditions = tuple(self._award_condition(each) for each in item.items[:-1])
        return syntax.Award(conditions, self.number(item.items[-1]), at=item.span)

    def _award_condition(self, item: Item) -> tuple[syntax.String, syntax.String]:
        """``(KEY : VALUE)``, or up to version 0.5.1 ``(KEY (VALUE))`` or ``(KEY (cardatt …))``."""
        items = item.items if isinstance(item, Form) else ()
        if len(items) == 3 and is_word(items[1], ":"):
            return self.string(items[0]), self.string(items[2])
        if len(items) == 2:
            value = items[1]
            if isinstance(value, Form) and len(value.items) == 1:
                value = value.items[0]
            return self.string(items[0]), self.string(value)
        self.wrong_shape(item, "(KEY : VALUE)")
        return self._hole(item), self._hole(item)

    def _swap(self, form: Form) -> Body | None:
        """Two cards, or two piles."""
        if len(form.items) != 3:
            self.wrong_shape(form, "(swap CARD CARD) or (swap LOCATION LOCATION)")
            return None
        left = self.expression(form.items[1], CARD | CARDS)
        wanted = CARDS if getattr(left, "kind", None) is Kind.CARDS else CARD
        right = self.expression(form.items[2], wanted)
        if wanted is CARDS:
            piles = cast(syntax.Cards, left), cast(syntax.Cards, right)
            return syntax.SwapPiles(*piles, at=form.span)
        cards = cast(syntax.Card, left), cast(syntax.Card, right)
        return syntax.SwapCards(*cards, at=form.span)

    def create(self, form: Form) -> syntax.CreateTeams | syntax.CreateDeck | None:
        items = form.items
        if len(items) > 1 and is_word(items[1], "teams"):
            return self.teams(form)
        if len(items) in (4, 5) and is_word(items[1], "deck"):
            return self._deck(form)
        self.wrong_shape(form, f"{_DECK} or {_TEAMS}")
        return None

    def teams(self, form: Form) -> syntax.CreateTeams | None:
        teams = []
        for item in form.items[2:]:
            seats = self.separated(item.items, Sort.NUMBER) if isinstance(item, Form) else None
            if seats is None:
                self.wrong_shape(item, _TEAMS)
                return None
            teams.append(tuple(int(seat.text) - self.numbering for seat in seats))
        if not teams:
            self.wrong_shape(form, _TEAMS)
        return syntax.CreateTeams(tuple(teams), at=form.span)

    def _deck(self, form: Form) -> syntax.CreateDeck | None:
        """``(create deck NAME? location (deck attribute…))``."""
        *family, target, deck = form.items[2:]
        name = self.string(family[0]) if family else syntax.Name("DEFAULT", at=form.span)
        cards = self.cards(target)
        if not isinstance(deck, Form) or deck.head != "deck" or len(deck.items) < 2:
            self.wrong_shape(deck, "(deck (KEY (VALUE, VALUE…))…)")
            return None
        attributes = tuple(self._attribute(item) for item in deck.items[1:])
        return syntax.CreateDeck(cards, attributes, name, at=form.span)

    def _attribute(self, item: Item) -> syntax.DeckAttribute:
        """``(KEY (VALUE, VALUE…))`` or ``(KEY (VALUE (KEY …)…) (VALUE (KEY …)…))``."""
        if isinstance(item, Form) and len(item.items) >= 2:
            key, *groups = item.items
            if isinstance(key, Token) and key.sort is Sort.NAME:
                values = tuple(value for group in groups for value in self._values(group))
                return syntax.DeckAttribute(key.text, values, at=item.span)
        self.wrong_shape(item, "(KEY (VALUE, VALUE…))")
        return syntax.DeckAttribute("", (), at=item.span)

    def _values(self, item: Item) -> tuple[syntax.AttributeValue, ...]:
        """``(A, B)``, or ``(A, B (KEY …))`` where each of them has the attributes that follow."""
        items = item.items if isinstance(item, Form) else ()
        atoms = [each for each in items if isinstance(each, Token)]
        names = self.separated(atoms, Sort.NAME)
        if names is None or tuple(atoms) != items[: len(atoms)]:
            self.wrong_shape(item, "values with commas between, (VALUE, VALUE…)")
            return ()
        inner = tuple(self._attribute(each) for each in items[len(atoms) :])
        return tuple(syntax.AttributeValue(name.text, inner, at=name.span) for name in names)
