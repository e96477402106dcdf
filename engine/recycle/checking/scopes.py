"""Every node of a tree together with the variables in force there and the nodes around it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from engine.recycle import syntax
from engine.recycle.syntax import Node, parts

Scope: TypeAlias = "Mapping[str, Binding]"


@dataclass(frozen=True, slots=True)
class Binding:
    """A variable that stands for `value`, read in `scope`, or for one `item` of it."""

    value: Node
    item: bool
    scope: Scope


@dataclass(frozen=True, slots=True)
class Seen:
    """A node; `around` are the nodes in which it lies, outermost first."""

    node: Node
    scope: Scope
    around: tuple[Node, ...]


def seen(game: syntax.Game) -> Iterator[Seen]:
    """Every node of the game, outermost first, in the order of the text."""
    scope: Scope = {}
    for declaration in game.declarations:
        scope = bind(scope, declaration.variable, declaration.value, item=False)
    return within(game, scope)


def within(node: Node, scope: Scope, around: tuple[Node, ...] = ()) -> Iterator[Seen]:
    """`node` and every node in it."""
    waiting = [Seen(node, scope, around)]
    while waiting:
        here = waiting.pop()
        yield here
        deeper = (*here.around, here.node)
        inner = inside(here.node, here.scope)
        bound = _bound_part(here.node)
        below = (
            Seen(part, inner if part is bound else here.scope, deeper) for part in parts(here.node)
        )
        waiting.extend(reversed(list(below)))


def bind(scope: Scope, name: str, value: Node, *, item: bool) -> Scope:
    """`scope` with `name` bound to `value`, or to one item of it."""
    return {**scope, name: Binding(value, item, scope)}


def inside(node: Node, scope: Scope) -> Scope:
    """The scope of the part of `node` that its variable is bound in."""
    match node:
        case syntax.Let(value, variable):
            return bind(scope, variable, value, item=False)
        case (
            syntax.ForEach(collection=collection, variable=variable)
            | syntax.Quantified(collection=collection, variable=variable)
            | syntax.Filter(collection=collection, variable=variable)
            | syntax.Total(collection=collection, variable=variable)
            | syntax.Each(collection=collection, variable=variable)
        ):
            return bind(scope, variable, collection, item=True)
    return scope


def _bound_part(node: Node) -> Node | None:
    match node:
        case syntax.Let(body=part) | syntax.ForEach(body=part):
            return part
        case syntax.Quantified(condition=part) | syntax.Filter(condition=part):
            return part
        case syntax.Total(number=part) | syntax.Each(cards=part):
            return part
    return None
