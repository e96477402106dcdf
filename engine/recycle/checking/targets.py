"""Where cards and marks are put (cards into piles, marks into a `mem`), and ownerless cards."""

from __future__ import annotations

from engine.recycle import syntax
from engine.recycle.checking.places import Source, made, piles, sort
from engine.recycle.checking.scopes import Scope, seen
from engine.recycle.limits import TextLimits
from engine.recycle.problems import Code, Report


def check(game: syntax.Game, report: Report, limits: TextLimits) -> None:
    """Report cards put into computed lists, and marks put outside a `mem`."""
    for here in seen(game):
        match here.node:
            case syntax.Move(target=syntax.CardAt(cards=cards)):
                _pile_of_cards(cards, here.scope, report)
            case syntax.SwapCards(left, right):
                _cards(left, here.scope, report)
                _cards(right, here.scope, report)
            case syntax.SwapPiles(left, right) | syntax.Interleave(left, right):
                _pile_of_cards(left, here.scope, report)
                _pile_of_cards(right, here.scope, report)
            case syntax.CreateDeck(target=cards):
                _pile_of_cards(cards, here.scope, report)
            case syntax.Shuffle(cards):
                _pile(cards, here.scope, report)
            case syntax.Remember(target=syntax.CardAt(cards=cards)):
                if _pile(cards, here.scope, report):
                    _marks(cards, here.scope, report)
            case syntax.Forget(card):
                _marks(card, here.scope, report)


def _pile(cards: Source, scope: Scope, report: Report) -> bool:
    """Whether `cards` is a pile; a computed list is reported."""
    maker = made(cards, scope)
    if maker is not None:
        message, expected = "this list is worked out, not a pile", "a place, (OWNER vloc NAME)"
        report(Code.VIRTUAL_TARGET, cards.at, message, expected)
    return maker is None


def _pile_of_cards(cards: Source, scope: Scope, report: Report) -> None:
    if _pile(cards, scope, report):
        _cards(cards, scope, report)


def _cards(cards: Source, scope: Scope, report: Report) -> None:
    if any(sort(pile) == "mem" for pile, _ in piles(cards, scope)):
        message, expected = "a mem holds marks, no cards", "a vloc, iloc, hloc or oloc"
        report(Code.MEM_MOVED, cards.at, message, expected, "(remember …) puts a mark there")


def _marks(cards: Source, scope: Scope, report: Report) -> None:
    if any(sort(pile) != "mem" for pile, _ in piles(cards, scope)):
        message, expected = "only a mem holds marks", "(OWNER mem NAME)"
        report(Code.NOT_MEM, cards.at, message, expected, "(move …) moves cards")


def check_owners(game: syntax.Game, report: Report, limits: TextLimits) -> None:
    """Warn of the owner of a card on the table."""
    for here in seen(game):
        if not isinstance(here.node, syntax.OwnerOf):
            continue
        # The card of a mark lies elsewhere, with a player perhaps.
        lying = [
            sort(pile) != "mem" and isinstance(pile.owner, syntax.Table)
            for pile, _ in piles(here.node.card, here.scope)
        ]
        if lying and all(lying):
            message, expected = "a card on the table has no owner", "a card of a player's"
            report(Code.NO_OWNER, here.node.at, message, expected, warning=True)
