"""Owners of cards that belong to nobody."""

from engine.recycle import syntax
from engine.recycle.checker.places import piles, sort
from engine.recycle.checker.scopes import seen
from engine.recycle.limits import Limits
from engine.recycle.problems import Code, Report


def check(game: syntax.Game, report: Report, limits: Limits) -> None:
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
