"""Forms that create teams and decks, in the setup or in the middle of a game."""

from __future__ import annotations

from engine.recycle import syntax
from engine.recycle.reading.context import ParseContext, is_word
from engine.recycle.reading.expressions import ExpressionParser
from engine.recycle.reading.forms import Form, Item
from engine.recycle.reading.tokens import Sort, Token

_DECK = "(create deck CARDS (deck (KEY (VALUE, VALUE…))…))"
_TEAMS = "(create teams (0, 2) (1, 3))"


class CreationParser:
    """Parses the forms that begin with ``create``, except ``(create players N)``."""

    def __init__(self, context: ParseContext, expressions: ExpressionParser) -> None:
        self.context = context
        self.expressions = expressions

    def creation(self, form: Form) -> syntax.CreateTeams | syntax.CreateDeck | None:
        """Parse ``(create …)`` of teams or a deck; None if it is neither, which is reported."""
        items = form.items
        if len(items) > 1 and is_word(items[1], "teams"):
            return self.teams(form)
        if len(items) in (4, 5) and is_word(items[1], "deck"):
            return self._deck(form)
        self.context.wrong_shape(form, f"{_DECK} or {_TEAMS}")
        return None

    def teams(self, form: Form) -> syntax.CreateTeams | None:
        """Parse ``(create teams (1, 3) (2, 4))``; None if it is not that, which is reported."""
        teams = []
        for item in form.items[2:]:
            seats = (
                self.context.separated(item.items, Sort.NUMBER) if isinstance(item, Form) else None
            )
            if seats is None:
                self.context.wrong_shape(item, _TEAMS)
                return None
            teams.append(tuple(int(seat.text) - self.context.numbering for seat in seats))
        if not teams:
            self.context.wrong_shape(form, _TEAMS)
        return syntax.CreateTeams(tuple(teams), at=form.span)

    def _deck(self, form: Form) -> syntax.CreateDeck | None:
        """Parse ``(create deck NAME? location (deck attribute…))``."""
        *family, target, deck = form.items[2:]
        name = (
            self.expressions.string(family[0]) if family else syntax.Name("DEFAULT", at=form.span)
        )
        cards = self.expressions.cards(target)
        if not isinstance(deck, Form) or deck.head != "deck" or len(deck.items) < 2:
            self.context.wrong_shape(deck, "(deck (KEY (VALUE, VALUE…))…)")
            return None
        attributes = tuple(self._attribute(item) for item in deck.items[1:])
        return syntax.CreateDeck(cards, attributes, name, at=form.span)

    def _attribute(self, item: Item) -> syntax.DeckAttribute:
        """Parse ``(KEY (VALUE, VALUE…))`` or ``(KEY (VALUE (KEY …)…) (VALUE (KEY …)…))``."""
        if isinstance(item, Form) and len(item.items) >= 2:
            key, *groups = item.items
            if isinstance(key, Token) and key.sort is Sort.NAME:
                values = tuple(value for group in groups for value in self._values(group))
                return syntax.DeckAttribute(key.text, values, at=item.span)
        self.context.wrong_shape(item, "(KEY (VALUE, VALUE…))")
        return syntax.DeckAttribute("", (), at=item.span)

    def _values(self, item: Item) -> tuple[syntax.AttributeValue, ...]:
        """Parse ``(A, B)``, or ``(A, B (KEY …))`` where each has the attributes that follow."""
        items = item.items if isinstance(item, Form) else ()
        atoms = [each for each in items if isinstance(each, Token)]
        names = self.context.separated(atoms, Sort.NAME)
        if names is None or tuple(atoms) != items[: len(atoms)]:
            self.context.wrong_shape(item, "values with commas between, (VALUE, VALUE…)")
            return ()
        inner = tuple(self._attribute(each) for each in items[len(atoms) :])
        return tuple(syntax.AttributeValue(name.text, inner, at=name.span) for name in names)
