"""Options that depend on cards which their chooser cannot see.

What is offered to him then tells him of them. Some games mean it so, most do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from engine.recycle import syntax
from engine.recycle.checker.places import Real, Source, piles, sort
from engine.recycle.checker.scopes import Scope, Seen, seen, within
from engine.recycle.limits import Limits
from engine.recycle.problems import Code, Report, quote
from engine.recycle.syntax import Kind, Node


def check(game: syntax.Game, report: Report, limits: Limits) -> None:
    for here in seen(game):
        if isinstance(here.node, syntax.Choice):
            told: set[int] = set()
            for option in within(here.node, here.scope):
                for asked in (*_asked(option.node), *_shown(option.node)):
                    for reading in within(asked, option.scope):
                        if id(reading.node) not in told:
                            told.add(id(reading.node))
                            _tell(reading, report)


def _asked(body: Node) -> Iterator[Node]:
    """The expressions that decide which options there are."""
    match body:
        case syntax.When(condition=asked) | syntax.ForEach(collection=asked):
            yield asked
        case syntax.Let(value=asked) | syntax.Repeat(times=asked):
            yield asked


def _shown(body: Node) -> Iterator[Node]:
    """The expressions that the words for an option tell of."""
    match body:
        case syntax.SetInt(storage, value) | syntax.ChangeInt(storage, value):
            yield from (storage, value)
        case syntax.SetString(storage=storage, value=value):
            yield from (storage, value)
        case syntax.Cycle(player=player):
            yield player
        case syntax.Location(owner=owner, name=name, index=index):
            yield from (owner, name, index)


def _tell(reading: Seen, report: Report) -> None:
    for cards in _faces(reading.node):
        for pile, scope in piles(cards, reading.scope):
            if _hidden(pile, scope):
                where = quote(report.text, pile.at)
                message = f"options depend on cards in {where}, which the chooser cannot see"
                expected, hint = "cards that he sees", "let him choose first, look afterwards"
                at = reading.node.at
                report(Code.HIDDEN_READ, at, message, expected, hint, warning=True)
                return


def _faces(node: Node) -> Iterator[Source]:
    """The cards whose faces matter to what `node` gives."""
    match node:
        case syntax.CardAttribute(card=card) | syntax.Score(card=card):
            yield card
        case (
            syntax.Sum(cards=cards)
            | syntax.ExtremeScore(cards=cards)
            | syntax.ExtremeCard(cards=cards)
            | syntax.RunSlice(cards=cards)
            | syntax.Sorted(cards=cards)
            | syntax.Runs(cards=cards)
            | syntax.Tuples(cards=cards)
        ):
            yield cards
        case syntax.Partition(parts=parts):
            yield from parts
        case syntax.Same(left, right):
            if left.kind is Kind.CARD:
                yield from (cast(Source, left), cast(Source, right))


def _hidden(pile: Real, scope: Scope) -> bool:
    """Whether the player whose turn it is may not look into the pile."""
    match sort(pile):
        case "vloc" | "mem":
            return False
        case "iloc":
            return not _is_chooser(pile.owner, scope)
        case "oloc":
            return not isinstance(pile.owner, syntax.Table) and not _is_other(pile.owner, scope)
    return True


def _is_chooser(owner: Node, scope: Scope) -> bool:
    """Whether `owner` is certainly the player whose turn it is."""
    if isinstance(owner, syntax.Variable) and owner.name in scope:
        bound = scope[owner.name]
        return not bound.item and _is_chooser(bound.value, bound.scope)
    return isinstance(owner, syntax.CyclePlayer) and owner.which == "current"


def _is_other(owner: Node, scope: Scope) -> bool:
    """Whether `owner` is certainly somebody else."""
    if isinstance(owner, syntax.Variable) and owner.name in scope:
        bound = scope[owner.name]
        if bound.item:
            return isinstance(bound.value, syntax.Others)
        return _is_other(bound.value, bound.scope)
    return isinstance(owner, syntax.CyclePlayer) and owner.which != "current"
