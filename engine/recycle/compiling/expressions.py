"""Expressions of a description as Python expressions.

``V`` are the values and ``P`` the piles of the running game, by slot. `writer` lists what else
compiled code calls the parts of a game, `compiler` the functions that help it.
"""

from contextlib import AbstractContextManager
from typing import Protocol

from engine.recycle import syntax
from engine.recycle.compiling.context import Bound, CompileContext
from engine.recycle.running.storage import Holder, Store, ValueKey, holder_of
from engine.recycle.syntax import Node

_UNROLLED_PLAYERS = 6
_UNROLLED_NODES = 14
_FREE_NODES = 40
_NODES_A_UNIT = 8
_LOOPS = (
    syntax.Quantified,
    syntax.Total,
    syntax.Each,
    syntax.Filter,
    syntax.Subsets,
    syntax.SetOperation,
)
_ARITHMETIC = {"//": "floor", "%": "modulo", "^": "power"}
_SIGNS = {"max": 1, "min": -1}


class Lists(Protocol):
    """The interface of the list compiler; `ListCompiler`, which builds on this module, has it."""

    def items(self, collection: syntax.Collection) -> str:
        """Python text for anything that can be iterated."""

    def cards(self, cards: Node) -> str:
        """Python text for a list of cards."""

    def slot(self, cards: Node) -> str | None:
        """Python text for the slot of a pile; None for a computed list."""

    def parts(self, parts: tuple[Node, ...]) -> list[str]:
        """Python text for the lists that are joined."""

    def loop(
        self, collection: syntax.Collection, variable: str, body: Node
    ) -> AbstractContextManager[tuple[str, str]]:
        """The Python variable of each item, and the items over which `body` runs."""


class ExpressionCompiler:
    """Compiles expressions that give one value; `lists` compiles those that give several.

    Every method returns Python text that gives the value.
    """

    lists: Lists

    def __init__(self, context: CompileContext) -> None:
        self.context = context

    def value(self, node: Node) -> str:
        """Python text for any expression that is no list."""
        match node:
            case syntax.Variable(name=name):
                return self._variable(node)
            case syntax.Integer(value=value):
                return repr(value)
            case syntax.Name(text=text):
                return repr(text)
            case syntax.IntStorage(owner=owner, name=name):
                return self._stored("sto", owner, name)
            case syntax.StringStorage(owner=owner, name=name):
                return self._stored("str", owner, name)
            case syntax.Size(collection=syntax.Partition(key=key, parts=parts)):
                return f"groups({self.values(key)}, [{', '.join(self.lists.parts(parts))}])"
            case syntax.Size(collection=collection):
                return f"len({self.lists.items(collection)})"
            case syntax.Sum(cards=cards, points=points):
                worth = f"{self.points(points)}.__getitem__"
                return f"sum(map({worth}, work.charge({self.lists.cards(cards)})))"
            case syntax.Score(card=card, points=points):
                return f"evaluator.score_of({self.value(card)}, {self.points(points)})"
            case syntax.ExtremeScore(which=which, cards=cards, points=points):
                given = f"{self.lists.cards(cards)}, {self.points(points)}, {_SIGNS[which]}"
                return f"evaluator.extreme_score({given})"
            case syntax.Arithmetic(operator=operator, operands=operands):
                return self._arithmetic(operator, [self.value(each) for each in operands])
            case syntax.Triangular(number=number):
                return f"triangular({self.value(number)})"
            case syntax.Fibonacci(number=number):
                return f"fibonacci({self.value(number)})"
            case syntax.Random(low=low, high=high):
                return f"evaluator.random({self.value(low)}, {self.value(high)})"
            case syntax.Total(collection=collection, variable=variable, number=number):
                return f"sum([{self._per_item(collection, variable, number)}])"
            case syntax.PlayerNumber(player=player):
                return f"({self.value(player)} + {self.context.game.numbering})"
            case syntax.TeamNumber(team=team):
                return f"({self.value(team)} + {self.context.game.numbering})"
            case syntax.CardAttribute(key=key, card=card):
                return f"{self.values(key)}[{self.value(card)}]"
            case syntax.CardAt(place=place, cards=cards):
                return self._card_at(place, cards)
            case syntax.ExtremeCard(which=which, cards=cards, points=points):
                given = f"{self.lists.cards(cards)}, {self.points(points)}, {_SIGNS[which]}"
                return f"evaluator.extreme({given})"
            case _:
                return self._player_or_condition(node)

    def _player_or_condition(self, node: Node) -> str:
        match node:
            case syntax.CyclePlayer(which="current"):
                return "turns.current"
            case syntax.CyclePlayer(which="next"):
                return "turns.next_player()"
            case syntax.CyclePlayer():
                return f"((turns.current - 1) % {self.context.storage.players})"
            case syntax.NumberedPlayer(number=syntax.Integer(value=number)) if (
                0 <= number - self.context.game.numbering < self.context.storage.players
            ):
                return str(number - self.context.game.numbering)
            case syntax.NumberedPlayer(number=number):
                return f"evaluator.player({self.value(number)} - {self.context.game.numbering})"
            case syntax.OwnerOf(card=card):
                return f"evaluator.owner({self.value(card)})"
            case syntax.CycleTeam(which="current"):
                return "turns.team"
            case syntax.CycleTeam(which=which):
                return f"((turns.team {'+' if which == 'next' else '-'} 1) % len(state.teams))"
            case syntax.NumberedTeam(number=number):
                return f"evaluator.team({self.value(number)} - {self.context.game.numbering})"
            case syntax.TeamOf(player=player):
                return f"state.team_of[{self.value(player)}]"
            case syntax.Logic(operator=operator, operands=operands):
                return f"({f' {operator} '.join(map(self.value, operands))})"
            case syntax.Not(condition=condition):
                return f"(not {self.value(condition)})"
            case syntax.Compare(operator=operator, left=left, right=right):
                return f"({self.value(left)} {operator} {self.value(right)})"
            case syntax.Same(left=left, right=right, negated=negated):
                return f"({self.value(left)} {'!=' if negated else '=='} {self.value(right)})"
            case _:
                assert isinstance(node, syntax.Quantified), node
                return self._quantified(node)

    def _variable(self, node: syntax.Variable) -> str:
        return self.context.scope[node.name].code

    def _stored(self, store: Store, owner: syntax.Owner, name: syntax.String) -> str:
        holder = holder_of(owner)
        whose = self.owner(owner)
        if isinstance(name, syntax.Name):
            base = self.context.storage.values[ValueKey(store, holder, name.text)]
            return f"V[{plus(base, whose)}]"
        return f"state.value({self._value_key(store, holder, name)}, {whose})"

    def _value_key(self, store: Store, holder: Holder, name: syntax.String) -> str:
        return f"ValueKey({store!r}, {holder!r}, {self.value(name)})"

    def setting(self, store: Store, owner: syntax.Owner, name: syntax.String) -> str:
        """A call that sets a stored value, without its last argument, the value."""
        holder, whose = holder_of(owner), self.owner(owner)
        if isinstance(name, syntax.Name):
            base = self.context.storage.values[ValueKey(store, holder, name.text)]
            return f"actions.set({plus(base, whose)}"
        return f"actions.set_named({self._value_key(store, holder, name)}, {whose}"

    def owner(self, owner: syntax.Owner) -> str:
        """The number of an owner: a seat or a team; 0 for the table."""
        return "0" if isinstance(owner, syntax.Table) else self.value(owner)

    def points(self, points: syntax.PointMap) -> str:
        """The point map, which gives the points of a card when indexed by it."""
        return self._stored("points", points.owner, points.name)

    def values(self, key: syntax.String) -> str:
        """The values of the cards' attribute."""
        if isinstance(key, syntax.Name):
            return self.context.keys.setdefault(key.text, f"K{len(self.context.keys)}")
        return f"values_of({self.value(key)})"

    def _arithmetic(self, operator: str, operands: list[str]) -> str:
        if operator == "*":
            return f"product({', '.join(operands)})"
        if operator in _ARITHMETIC:
            return f"{_ARITHMETIC[operator]}({', '.join(operands)})"
        return f"({f' {operator} '.join(operands)})"

    def _card_at(self, place: str | Node, cards: syntax.Cards) -> str:
        if isinstance(place, Node):
            return f"at({self.lists.cards(cards)}, {self.value(place)})"
        if (slot := self.lists.slot(cards)) is not None and slot.isdigit():
            end = -1 if place == "top" else 0
            return f"(P[{slot}][{end}] if P[{slot}] else -1)"
        return f"{place}({self.lists.cards(cards)})"

    def _quantified(self, node: syntax.Quantified) -> str:
        if self.unrolls(node.collection, node.condition):
            each = []
            for seat in range(self.context.storage.players):
                with self.context.scope.binding(node.variable, Bound(str(seat))):
                    each.append(self.value(node.condition))
            return f"({(' and ' if node.every else ' or ').join(each)})"
        function = "all" if node.every else "any"
        return f"{function}({self._per_item(node.collection, node.variable, node.condition)})"

    def unrolls(self, collection: syntax.Collection, body: Node) -> bool:
        """Whether to unroll `body` for each player, which is done only if it stays short."""
        if not isinstance(collection, syntax.Players):
            return False
        nodes = list(syntax.walk(body))
        few = len(nodes) <= _UNROLLED_NODES and self.context.storage.players <= _UNROLLED_PLAYERS
        return few and not any(isinstance(node, _LOOPS) for node in nodes)

    def _per_item(self, collection: syntax.Collection, variable: str, value: Node) -> str:
        with self.lists.loop(collection, variable, value) as (name, items):
            return f"{self.value(value)} for {name} in {items}"


def weight(*bodies: Node) -> int:
    """The units of work of one run, beside those it counts itself; small things are free."""
    nodes = sum(1 for body in bodies for _ in syntax.walk(body))
    return nodes // _NODES_A_UNIT if nodes >= _FREE_NODES else 0


def plus(base: int, owner: str) -> str:
    """The sum of a slot and an offset, folded if both are constants."""
    if owner.isdigit():
        return str(base + int(owner))
    return f"{base} + {owner}" if base else owner
