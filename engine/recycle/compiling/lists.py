"""Lists of a description as Python expressions: of cards, of lists, of players, of numbers.

A pile of the table is represented by its *slot*, so that it can be a target of moves and is read
when it is used. Every other list is computed where it stands.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from engine.recycle import syntax
from engine.recycle.compiling.context import Bound, CompileContext
from engine.recycle.compiling.expressions import ExpressionCompiler, plus, weight
from engine.recycle.running.storage import PileKey, RowKey, holder_of
from engine.recycle.syntax import ITEM_OF, Kind, Node

_WITH_POINTS = {"largest": "runs", "all": "runs_within"}


class ListCompiler:
    """Compiles lists; `expressions` compiles the single values in them.

    Every method but `loop` returns Python text.
    """

    def __init__(self, context: CompileContext, expressions: ExpressionCompiler) -> None:
        self.context = context
        self.value, self.values = expressions.value, expressions.values
        self.points, self.owner = expressions.points, expressions.owner
        self.unrolls = expressions.unrolls

    def items(self, collection: syntax.Collection) -> str:
        """Python text for what can be iterated: cards, lists, seats, teams, numbers or names."""
        match collection:
            case syntax.Players():
                return f"range({self.context.storage.players})"
            case syntax.Teams():
                return "range(len(state.teams))"
            case syntax.Others(kind=Kind.PLAYERS):
                return f"[p for p in range({self.context.storage.players}) if p != turns.current]"
            case syntax.Others():
                return "[t for t in range(len(state.teams)) if t != turns.team]"
            case syntax.Members(team=team):
                return f"state.teams[{self.value(team)}]"
            case syntax.Range(low=low, high=high):
                return f"numbers({self.value(low)}, {self.value(high)})"
            case syntax.Names(names=names):
                return repr(names)
            case syntax.Variable(kind=kind) if kind not in (Kind.CARDS, Kind.PILES):
                return self.value(collection)
            case _ if collection.kind is Kind.CARDS:
                return self.cards(collection)
            case syntax.Filter(kind=kind) if kind is not Kind.PILES:
                return self._filter(collection)
            case _:
                return self.lists(collection)

    @contextmanager
    def loop(
        self, collection: syntax.Collection, variable: str, body: Node, count: str = "work.charge"
    ) -> Iterator[tuple[str, str]]:
        """The Python variable for each item, and the items; `variable` is bound within.

        The items are passed to `count`, and paid for if `body` is long. Lists of piles give slots.
        """
        slotted = collection.kind is Kind.PILES and self.is_pile(collection)
        items = self.slots(collection) if slotted else self.items(collection)
        if units := weight(body):
            items = f"work.charge_each({items}, {units})"
        name = self.context.name()
        bound = Bound(name, slotted, name)
        self.context.kinds[name] = (
            Kind.PILES if slotted else ITEM_OF.get(collection.kind, Kind.UNKNOWN)
        )
        with self.context.scope.binding(variable, bound):
            yield name, f"{count}({items})"

    # Lists of cards.

    def slot(self, cards: Node) -> str | None:
        """Python text for the slot of a pile of the table; None for a computed list."""
        return self._slot(cards) if self.is_pile(cards) else None

    def is_pile(self, node: Node) -> bool:
        """Whether this is a pile of the table, or a list of such piles."""
        match node:
            case syntax.Location() | syntax.Indexed():
                return True
            case syntax.Variable(name=name):
                return self.context.scope[name].slot
            case syntax.PileAt(piles=piles):
                return self.is_pile(piles)
            case syntax.Filter(collection=collection, kind=Kind.PILES):
                return self.is_pile(collection)
            case syntax.Each(collection=collection, variable=variable, cards=cards):
                of_piles = collection.kind is Kind.PILES
                with self.context.scope.binding(
                    variable, Bound("", of_piles and self.is_pile(collection))
                ):
                    return self.is_pile(cards)
            case _:
                return False

    def _slot(self, cards: Node) -> str:
        match cards:
            case syntax.Location(owner=owner, place=place, name=name, index=index):
                holder, whose = holder_of(owner), self.owner(owner)
                if isinstance(name, syntax.Name):
                    if not isinstance(index, syntax.Integer):
                        row = self._row(cards, name)
                        return f"state.slot_in({self.value(index)}, {row})"
                    key = PileKey(holder, place, name.text, index.value)
                    return plus(self.context.storage.bases[key], whose)
                made = f"PileKey({holder!r}, {place!r}, {self.value(name)}, {self.value(index)})"
                return f"state.slot({made}, {whose})"
            case syntax.PileAt(place=place, piles=piles):
                return f"slot_at({self.slots(piles)}, {self._place(place)})"
            case _:
                return self.value(cards)

    def _row(self, piles: syntax.Location | syntax.Indexed, name: syntax.Name) -> str:
        """The row that contains the piles of a name."""
        key = RowKey(holder_of(piles.owner), piles.place, name.text)
        return plus(self.context.storage.row_bases[key], self.owner(piles.owner))

    def cards(self, cards: Node) -> str:
        """Python text for a list of cards; a pile gives its own list, which must not be changed."""
        if self.is_pile(cards) and not isinstance(cards, syntax.PileAt):
            return f"P[{self._slot(cards)}]"
        match cards:
            case syntax.Variable():
                return self.value(cards)
            case syntax.Filter():
                return self._filter(cards)
            case syntax.SetOperation(operator="union", parts=parts):
                return f"[{', '.join(f'*{part}' for part in self.parts(parts, chained=True))}]"
            case syntax.SetOperation(operator=operator, parts=parts):
                name = "intersection" if operator == "intersect" else "disjunction"
                return f"{name}([{', '.join(self.parts(parts))}])"
            case syntax.Sorted(cards=source, points=points):
                worth = f"{self.points(points)}.__getitem__"
                return f"sorted(work.charge({self.cards(source)}), key={worth})"
            case syntax.Slice(end=end, count=count, cards=source):
                return f"{end}_of({self.value(count)}, work.charge({self.cards(source)}))"
            case syntax.RunSlice(end=end, least=least, cards=source, points=points):
                return (
                    f"run_at_{end}({self.value(least)}, {self.cards(source)}, "
                    f"{self.points(points)}, work.spend)"
                )
            case _:
                assert isinstance(cards, syntax.PileAt), cards
                return f"list_at({self.lists(cards.piles)}, {self._place(cards.place)})"

    def _filter(self, node: syntax.Filter) -> str:
        if (same := _wanted(node)) is not None:
            card = self.value(same)
            return f"([{card}] * work.charge({self.items(node.collection)}).count({card}))"
        with self.loop(node.collection, node.variable, node.condition) as (name, items):
            return f"[{name} for {name} in {items} if {self.value(node.condition)}]"

    def parts(self, parts: tuple[Node, ...], chained: bool = False) -> list[str]:
        """Python text for lists that are joined: each as one list, or starred if many in one."""
        found: list[str] = []
        for part in parts:
            if not isinstance(part, syntax.Each):
                found.append(f"work.charge({self.cards(part)})")
            elif self.unrolls(part.collection, part.cards):
                for seat in range(self.context.storage.players):
                    with self.context.scope.binding(part.variable, Bound(str(seat))):
                        found.append(f"work.charge({self.cards(part.cards)})")
            elif chained:
                found.append(f"chain.from_iterable({self.lists(part)})")
            else:
                found.append(f"*{self.lists(part)}")
        return found

    def _place(self, place: str | Node) -> str:
        """The index of a list among lists, of which the first is the top."""
        if isinstance(place, Node):
            return self.value(place)
        return "0" if place == "top" else "None"

    # Lists of lists.

    def slots(self, piles: Node) -> str:
        """Python text for the slots of piles of the table."""
        match piles:
            case syntax.Indexed(name=syntax.Name() as name):
                return f"evaluator.indexed_in({self._row(piles, name)})"
            case syntax.Indexed(owner=owner, place=place, name=name):
                kind = f"{holder_of(owner)!r}, {place!r}"
                return f"evaluator.indexed({kind}, {self.value(name)}, {self.owner(owner)})"
            case syntax.Each(collection=collection, variable=variable, cards=cards):
                with self.loop(collection, variable, cards) as (each, items):
                    return f"[{self._slot(cards)} for {each} in {items}]"
            case syntax.Filter(collection=collection, variable=variable, condition=condition):
                with self.loop(collection, variable, condition) as (each, items):
                    test = f"P[{each}] and {self.value(condition)}"
                    return f"[{each} for {each} in {items} if {test}]"
            case _:
                return self.value(piles)

    def lists(self, piles: Node) -> str:
        """Python text for a list of lists of cards."""
        if self.is_pile(piles):
            return f"[P[s] for s in work.charge({self.slots(piles)})]"
        match piles:
            case syntax.Variable():
                return self.value(piles)
            case syntax.Partition(key=key, parts=parts):
                return f"partition({self.values(key)}, [{', '.join(self.parts(parts))}])"
            case syntax.Subsets(cards=cards, operator=None):
                return f"subsets({self.cards(cards)}, work.spend)"
            case syntax.Subsets(cards=cards, operator=operator, size=size) if size is not None:
                wanted = f"sized({operator!r}, {self.value(size)})"
                return f"subsets({self.cards(cards)}, work.spend, {wanted})"
            case syntax.Runs(which=which, least=least, cards=cards, points=points):
                return (
                    f"work.lists({_WITH_POINTS[which]}({self.value(least)}, {self.cards(cards)}, "
                    f"{self.points(points)}, work.spend))"
                )
            case syntax.Tuples(count=count, cards=cards, points=points):
                given = f"work.charge({self.cards(cards)}), {self.points(points)}"
                return f"tuples({self.value(count)}, {given})"
            case syntax.Each(collection=collection, variable=variable, cards=cards):
                with self.loop(collection, variable, cards) as (name, items):
                    return f"work.lists([{self.cards(cards)} for {name} in {items}])"
            case _:
                assert isinstance(piles, syntax.Filter), piles
                with self.loop(piles.collection, piles.variable, piles.condition) as (name, items):
                    test = f"{name} and {self.value(piles.condition)}"
                    return f"[{name} for {name} in {items} if {test}]"


def _wanted(node: syntax.Filter) -> syntax.Variable | None:
    """The card that a filter of cards tests for; None if it tests anything else."""
    match node.condition:
        case syntax.Same(
            left=syntax.Variable(kind=Kind.CARD, name=name),
            right=syntax.Variable() as card,
            negated=False,
        ) if node.kind is Kind.CARDS and name == node.variable != card.name:
            return card
        case _:
            return None
