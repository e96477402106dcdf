"""Cards as the table's legend names them: labels, colours, order, suits."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from client_cli.text import Line, Look, Span, clean, line
from engine.cards import LegendCard, Token
from engine.choices import Action
from protocol.isolates import FSI, parts


@dataclass(frozen=True)
class CardLabels:
    """A legend and a look. Cards the legend does not know are shown by their token."""

    legend: Sequence[LegendCard]
    look: Look

    @cached_property
    def named(self) -> tuple[LegendCard, ...]:
        """The legend with labels fit for the look: without symbols a card's label is its token."""
        if self.look.symbols:
            return tuple(replace(card, label=clean(card.label, self.look)) for card in self.legend)
        return tuple(replace(card, label=clean(card.token, self.look)) for card in self.legend)

    @cached_property
    def _by_token(self) -> dict[Token, LegendCard]:
        return {card.token: card for card in self.named}

    @cached_property
    def _colours(self) -> dict[str, str]:
        return {card.label: card.colour for card in self.named}

    @cached_property
    def suit_colours(self) -> dict[str, str]:
        """The colours of the legend's suits, by the names of the suits."""
        return {clean(card.group, self.look): card.colour for card in reversed(self.legend)}

    @cached_property
    def _labels(self) -> re.Pattern[str]:
        labels = sorted((re.escape(card.label) for card in self.named if card.label), key=len)
        # Labels stand alone: the AS of ASCII cards is not coloured within CASE.
        return re.compile(rf"(?<!\w)({'|'.join(reversed(labels)) or '(?!)'})(?!\w)")

    @property
    def back(self) -> Span:
        """The mark for a face-down card."""
        return Span(self.look.pick("▒", "#"), "dim")

    def card(self, token: Token, style: str | None = None) -> Span:
        """The label of a card in its colour, or in `style`."""
        known = self._by_token.get(token)
        if known is None:
            return Span(clean(token, self.look), style or "")
        return Span(known.label, known.colour if style is None else style)

    def ordered(self, cards: Iterable[Token]) -> list[Token]:
        """`cards` in the order of the legend; unknown ones come last."""
        return sorted(cards, key=self._order)

    def suits(self, cards: Iterable[Token]) -> list[list[Token]]:
        """`cards` in order, one list for each group of the legend that is there."""
        groups: dict[str, list[Token]] = {}
        for token in self.ordered(cards):
            known = self._by_token.get(token)
            groups.setdefault(known.group if known else "", []).append(token)
        return list(groups.values())

    def coloured(self, sentence: str, style: str = "") -> Line:
        """`sentence` with the cards in it in their colours."""
        # Within an isolate nothing begins that ends outside.
        pieces = (
            piece
            for part in parts(sentence)
            for piece in ((part,) if part.startswith(FSI) else self._labels.split(part))
        )
        return line(*(Span(piece, self._colours.get(piece, style)) for piece in pieces if piece))

    def move(self, action: Action) -> Line:
        """A move such as ``play QS@5`` with the card in its colours and its place beside it."""
        spans: list[Span] = []
        for word in action.split(" "):
            token, at, slot = word.partition("@")
            # A move of several parts has commas between them.
            card = token.rstrip(",")
            rest = token[len(card) :] + clean(at + slot, self.look)
            spans += [Span(" "), self.card(card), Span(rest, "dim")]
        return line(*(span for span in spans[1:] if span.text))

    def _order(self, token: Token) -> tuple[int, str]:
        known = self._by_token.get(token)
        return (known.order, token) if known else (len(self.legend), token)
