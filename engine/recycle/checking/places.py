"""Places of cards and values: what an expression stands for, as far as the text tells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from engine.recycle import syntax
from engine.recycle.checking.scopes import Scope, inside
from engine.recycle.syntax import Kind, Node

Holder: TypeAlias = Literal["the table", "a player", "a team"]
Real: TypeAlias = "syntax.Location | syntax.Indexed"
Source: TypeAlias = "syntax.Card | syntax.Cards | syntax.Piles"
Store: TypeAlias = "syntax.IntStorage | syntax.StringStorage | syntax.PointMap"


@dataclass(frozen=True, slots=True)
class PlaceKey:
    """The identity of a place: its owner, its sort, its name."""

    holder: Holder
    sort: str
    name: str


def piles(node: Source, scope: Scope) -> Iterator[tuple[Real, Scope]]:
    """The piles that cards come from in an expression for a card, a list or lists of them."""
    waiting = [(node, scope)]
    # Lists named within lists could be met exponentially often. A scope is kept with its id, so
    # that no other one gets that id.
    done: dict[tuple[int, int], Scope] = {}
    while waiting:
        node, scope = waiting.pop()
        if (id(node), id(scope)) in done:
            continue
        done[id(node), id(scope)] = scope
        if isinstance(node, syntax.Location | syntax.Indexed):
            yield node, scope
        waiting.extend(reversed(list(_sources(node, scope))))


def _sources(node: Source, scope: Scope) -> Iterator[tuple[Source, Scope]]:
    """The sources of the cards of `node`, one step nearer to the piles."""
    match node:
        case syntax.Variable(name):
            if name in scope:
                # A variable for cards is bound to what gives cards.
                yield cast(Source, scope[name].value), scope[name].scope
        case syntax.SetOperation(parts=parts) | syntax.Partition(parts=parts):
            for part in parts:
                yield part, scope
        case syntax.Each(cards=cards):
            yield cards, inside(node, scope)
        case syntax.Filter(collection=collection):
            yield cast(Source, collection), scope
        case syntax.PileAt(piles=lists):
            yield lists, scope
        case (
            syntax.CardAt(cards=cards)
            | syntax.ExtremeCard(cards=cards)
            | syntax.Sorted(cards=cards)
            | syntax.Slice(cards=cards)
            | syntax.RunSlice(cards=cards)
            | syntax.Subsets(cards=cards)
            | syntax.Runs(cards=cards)
            | syntax.Tuples(cards=cards)
        ):
            yield cards, scope


def made(node: Node, scope: Scope) -> Node | None:
    """The node that makes the list `node`, if it is computed and no pile."""
    match node:
        case syntax.Location():
            return None
        case syntax.Variable(name):
            if name not in scope:
                return None
            bound = scope[name]
            if not bound.item:
                return made(bound.value, bound.scope)
            return _item_made(bound.value, bound.scope)
        case syntax.PileAt(piles=inner):
            return _item_made(inner, scope)
    return node


def _item_made(node: Node, scope: Scope) -> Node | None:
    """The node that makes one of the lists in `node`, if it is computed and no pile."""
    match node:
        case syntax.Indexed():
            return None
        case syntax.Each(cards=cards):
            return made(cards, inside(node, scope))
        case syntax.Filter(collection=inner):
            return _item_made(inner, scope)
        case syntax.Variable(name):
            bound = scope.get(name)
            return _item_made(bound.value, bound.scope) if bound else None
    return node


def keys(node: Real | Store, scope: Scope) -> tuple[PlaceKey, ...] | None:
    """The places that `node` may mean; None if its name is computed."""
    holder = _holder(node.owner)
    names = _names(node.name, scope)
    if holder is None or names is None:
        return None
    return tuple(PlaceKey(holder, sort(node), name) for name in names)


def sort(node: Real | Store) -> str:
    """The sort of a place, the word between owner and name: ``vloc``, ``sto``…"""
    if isinstance(node, syntax.Location | syntax.Indexed):
        return node.place
    return _SORTS[type(node)]


_SORTS: dict[type[Store], str] = {
    syntax.IntStorage: "sto",
    syntax.StringStorage: "str",
    syntax.PointMap: "points",
}
_HOLDERS: dict[Kind, Holder] = {Kind.PLAYER: "a player", Kind.TEAM: "a team"}


def _holder(owner: Node) -> Holder | None:
    if isinstance(owner, syntax.Table):
        return "the table"
    return _HOLDERS.get(getattr(owner, "kind", Kind.UNKNOWN))


def _names(name: Node, scope: Scope) -> tuple[str, ...] | None:
    match name:
        case syntax.Name(text):
            return (text,)
        case syntax.Variable(variable) if variable in scope:
            bound = scope[variable]
            if bound.item and isinstance(bound.value, syntax.Names):
                return bound.value.names
            return None if bound.item else _names(bound.value, bound.scope)
    return None
