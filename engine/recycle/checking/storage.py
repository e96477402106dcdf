"""What is read and never written: a name is misspelt, or a pile is of another kind."""

from __future__ import annotations

from collections.abc import Iterator

from engine.recycle import syntax
from engine.recycle.checking.places import PlaceKey, Real, Store, keys, piles, sort
from engine.recycle.checking.scopes import Scope, Seen, seen
from engine.recycle.limits import TextLimits
from engine.recycle.problems import Code, Report, did_you_mean
from engine.recycle.syntax import Node

_STORES = (syntax.IntStorage, syntax.StringStorage, syntax.PointMap)
_PILES = (syntax.Location, syntax.Indexed)


class Written:
    """The places that actions write; `any_of` are the sorts with a computed name."""

    def __init__(self) -> None:
        self.places: set[PlaceKey] = set()
        self.any_of: set[str] = set()
        self.nodes: set[int] = set()

    def add(self, node: Real | Store, scope: Scope) -> None:
        """Record that an action writes the place of `node`."""
        self.nodes.add(id(node))
        places = keys(node, scope)
        if places is None:
            self.any_of.add(sort(node))
        else:
            self.places.update(places)


def check(game: syntax.Game, report: Report, limits: TextLimits) -> None:
    """Warn of piles that are never filled and of values that are never set."""
    everything = tuple(seen(game))
    written = Written()
    for here in everything:
        for node, scope in writes(here):
            written.add(node, scope)
    told: set[PlaceKey] = set()
    for here in everything:
        if not isinstance(here.node, _STORES + _PILES) or id(here.node) in written.nodes:
            continue
        for place in keys(here.node, here.scope) or ():
            if place.sort in written.any_of or place in written.places or place in told:
                continue
            told.add(place)
            _tell(place, here.node, written, report)


def writes(here: Seen) -> Iterator[tuple[Real | Store, Scope]]:
    """The places into which an action puts something, or which it sets."""
    scope = here.scope
    match here.node:
        case syntax.SetInt(storage=store) | syntax.ChangeInt(storage=store):
            yield store, scope
        case syntax.SetString(storage=store):
            yield store, scope
        case syntax.SetPoints(points=points):
            yield points, scope
        case syntax.Move(target=target) | syntax.Remember(target=target):
            yield from piles(target, scope)
        case syntax.CreateDeck(target=target):
            yield from piles(target, scope)
        case syntax.SwapCards(left, right) | syntax.SwapPiles(left, right):
            yield from piles(left, scope)
            yield from piles(right, scope)
        case syntax.Interleave(cards=cards):
            yield from piles(cards, scope)


def _tell(place: PlaceKey, node: Node, written: Written, report: Report) -> None:
    near = _near(place, written)
    if isinstance(node, _PILES):
        message, expected = "nothing ever puts a card here", "something moved to it"
        report(Code.NEVER_FILLED, node.at, message, expected, near, warning=True)
    else:
        message, expected = "nothing ever sets this", "a (set …) of it"
        report(Code.NEVER_SET, node.at, message, expected, near, warning=True)


def _near(place: PlaceKey, written: Written) -> str:
    """The likely intended place: the name with another owner, or a similar name."""
    same = sorted(
        (other.sort, other.holder) for other in written.places if other.name == place.name
    )
    if same:
        sort, holder = same[0]
        return f"{sort} {place.name} of {holder} is written"
    names = (other.name for other in written.places if other.sort == place.sort)
    return did_you_mean(place.name, names)
