"""Compiling actions, and the blocks around them, to Python statements.

Outside a choice `any` goes through all its items, like `all`. The numbers, strings and lists of
`repeat` are computed once before its first time; only the tops and bottoms of piles are looked up
each time. So ``(repeat 3 (inc X 1))`` adds 1.
Source: RECYCLE, "Semantics" 5 to 8.
"""

from typing import cast

from engine.recycle import syntax
from engine.recycle.compiling.context import Bound, CompileContext
from engine.recycle.compiling.expressions import ExpressionCompiler, weight
from engine.recycle.compiling.lists import ListCompiler
from engine.recycle.errors import cannot
from engine.recycle.problems import Code
from engine.recycle.syntax import Kind, Node

_SETTLED = (
    syntax.SetInt,
    syntax.ChangeInt,
    syntax.SetString,
    syntax.SetPoints,
    syntax.Cycle,
)
"""Doing one of these twice, with what was settled before, is doing it once."""


class ActionCompiler:
    """Writes statements into the function of `context` that is being written."""

    def __init__(
        self, context: CompileContext, expressions: ExpressionCompiler, lists: ListCompiler
    ) -> None:
        self.context = context
        self.value, self.setting = expressions.value, expressions.setting
        self.points = expressions.points
        self.cards, self.slot, self.slots = lists.cards, lists.slot, lists.slots
        self.items, self.loop, self.is_pile = lists.items, lists.loop, lists.is_pile

    def do(self, body: Node) -> None:
        """Write the statements that do `body`."""
        with self.context.compiling(body):
            self._do(body)

    def _do(self, body: Node) -> None:
        match body:
            case syntax.Do(body=bodies):
                for each in bodies:
                    self.do(each)
            case syntax.When(condition=condition, body=inner):
                with self.context.block(f"if {self.value(condition)}:", body.at):
                    self.do(inner)
            case syntax.ForEach(collection=collection, variable=variable, body=inner):
                with (
                    self.loop(collection, variable, inner, "work.copied") as (name, items),
                    self.context.block(f"for {name} in {items}:", body.at),
                ):
                    self.do(inner)
            case syntax.Let(value=value, variable=variable, body=inner):
                with self.context.scope.binding(variable, self.let(value, body)):
                    self.do(inner)
            case syntax.Repeat(times=times, body=inner):
                self._repeat(self.value(times), inner, body)
            case syntax.RepeatAll(action=action):
                self._repeat_all(action, body)
            case syntax.Move(card=card, target=target):
                self.context.line(self._move(card, target), body.at)
            case syntax.Shuffle(cards=cards):
                slot = self._early(self._pile(cards), body)
                self.context.line(f"actions.order({slot}, evaluator.shuffled({slot}))", body.at)
            case syntax.CreateDeck(target=target):
                kinds = list(self.context.decks.made).index(body)
                self.context.line(f"actions.create_deck(D[{kinds}], {self._pile(target)})", body.at)
            case _:
                if self.context.why and isinstance(body, syntax.SetInt | syntax.ChangeInt):
                    self.context.line(f"actions.because({self.context.why!r})", body.at)
                self.context.line(self._action(body), body.at)

    def pay_for(self, *bodies: Node) -> None:
        """Write the line that spends the work of `bodies`, if they are long."""
        if units := weight(*bodies):
            self.context.line(f"work.spend({units})", bodies[0].at)

    def let(self, value: syntax.Expression, at: Node) -> Bound:
        """Write the line that computes a value now, and return what its variable is bound to."""
        name = self.context.name()
        slotted = value.kind in (Kind.CARDS, Kind.PILES) and self.is_pile(value)
        if value.kind is Kind.CARDS:
            code = self.slot(value) or f"[*{self.cards(value)}]"
        elif slotted:
            code = self.slots(value)
        else:
            code = self.given(value)
        self.context.line(f"{name} = {code}", at.at)
        self.context.kinds[name] = value.kind
        self.context.worked_out.add(name)
        return Bound(name, slotted, name)

    def given(self, value: syntax.Expression) -> str:
        """Python text for an expression of any kind."""
        lists = (Kind.CARDS, Kind.PILES, Kind.PLAYERS, Kind.TEAMS, Kind.INTEGERS, Kind.STRINGS)
        if value.kind in lists:
            return self.items(cast(syntax.Collection, value))
        return self.value(value)

    def _action(self, body: Node) -> str:
        match body:
            case syntax.SwapCards(left=left, right=right):
                return f"actions.swap_cards({self.value(left)}, {self.value(right)})"
            case syntax.SwapPiles(left=left, right=right):
                return f"actions.swap_piles({self._pile(left)}, {self._pile(right)})"
            case syntax.Remember(card=card, target=target):
                place = f"{self._pile(target.cards)}, {self._place_in(target)}"
                return f"actions.remember({self.value(card)}, {place})"
            case syntax.Forget(card=card):
                return self._forget(card)
            case syntax.Interleave(cards=cards, other=other):
                return f"actions.interleave({self._pile(cards)}, {self._pile(other)})"
            case syntax.SetInt(storage=storage, value=value):
                return f"{self.setting('sto', storage.owner, storage.name)}, {self.value(value)})"
            case syntax.ChangeInt(storage=storage, amount=amount, sign=sign):
                change = "+" if sign == 1 else "-"
                changed = f"{self.value(storage)} {change} {self.value(amount)}"
                return f"{self.setting('sto', storage.owner, storage.name)}, {changed})"
            case syntax.SetString(storage=storage, value=value):
                return f"{self.setting('str', storage.owner, storage.name)}, {self.value(value)})"
            case syntax.SetPoints(points=points, awards=awards, update=update):
                listed = "".join(f"{self._award(award)}, " for award in awards)
                table = f"evaluator.awards(({listed}))"
                if update:
                    table = f"evaluator.more_awards({self.points(points)}, ({listed}))"
                return f"{self.setting('points', points.owner, points.name)}, {table})"
            case syntax.Cycle(when=when, player=player):
                return f"actions.cycle_{when}({self.value(player)})"
            case syntax.Pass():
                return "actions.turn_pass()"
            case syntax.CreateTeams(teams=teams):
                return f"actions.create_teams({self.context.storage.all_teams(teams)!r})"
            case _:
                expected = "directly in the game or a stage"
                raise cannot(Code.MISPLACED_CHOICE, body.at, "a choice stands here", expected)

    def _award(self, award: syntax.Award) -> str:
        pairs = (f"({self.value(key)}, {self.value(value)}), " for key, value in award.conditions)
        return f"(({''.join(pairs)}), {self.value(award.value)})"

    def _pile(self, cards: Node) -> str:
        """The slot of an expression that must be a pile of the table."""
        slot = self.slot(cards)
        if slot is None:
            message, expected = "this list was worked out and holds no cards", "a location"
            raise cannot(Code.VIRTUAL_TARGET, cards.at, message, expected)
        return slot

    def _place_in(self, target: syntax.CardAt) -> str:
        if isinstance(target.place, str):
            return "-1" if target.place == "top" else "0"
        return f"index({self.value(target.place)})"

    def _move(self, card: syntax.Card, target: syntax.CardAt) -> str:
        slot = self._pile(target.cards)
        if target.place != "top" or not _holds_cards(target.cards):
            return f"actions.move({self.value(card)}, {slot}, {self._place_in(target)})"
        if isinstance(card, syntax.CardAt) and card.place == "top" and _holds_cards(card.cards):
            return f"actions.deal({self.slot(card.cards)}, {slot})"
        return f"actions.put({self.value(card)}, {slot})"

    def _forget(self, card: syntax.Card) -> str:
        if isinstance(card, syntax.CardAt) and (slot := self.slot(card.cards)) is not None:
            return f"actions.forget({slot}, {self._place_in(card)})"
        return f"actions.forget_card({self.value(card)})"

    def _repeat(self, times: str, body: Node, whole: Node) -> None:
        match body:
            case syntax.Move(card=syntax.CardAt() as card, target=target):
                if self.slot(card.cards) is None:
                    rest = self._early(f"[*{self.cards(card.cards)}]", whole)
                    self._take(times, rest, card, target, whole)
                    return
                card, target = self._settled(card, whole), self._settled(target, whole)
                with self.context.block(f"for _ in work.times({times}):", whole.at):
                    self.context.line(self._move(card, target), body.at)
            case syntax.Move(card=card, target=target):
                target = self._settled(target, whole)
                cards = self._early(f"[{self.value(card)} for _ in work.times({times})]", whole)
                name = self.context.name()
                with (
                    self.context.block(f"for {name} in {cards}:", whole.at),
                    self.context.scope.binding(name, Bound(name, local=name)),
                ):
                    self.context.line(self._move(syntax.Variable(name, Kind.CARD), target), body.at)
            case _ if isinstance(body, _SETTLED):
                with self.context.block(f"if work.times({times}):", whole.at):
                    self.do(body)
            case _:
                with self.context.block(f"for _ in work.times({times}):", whole.at):
                    self.pay_for(body)
                    self.do(body)

    def _repeat_all(self, action: syntax.Move | syntax.Forget, whole: Node) -> None:
        """Repeat an action as often as its source list is long; a single card counts as one."""
        card = action.card
        match card:
            case syntax.CardAt(cards=cards) | syntax.ExtremeCard(cards=cards):
                times = self._early(f"len({self.cards(cards)})", whole)
                self._repeat(times, action, whole)
            case _:
                self.do(action)

    def _take(
        self, times: str, rest: str, card: syntax.CardAt, target: syntax.CardAt, whole: Node
    ) -> None:
        """Move from a computed list, which gets shorter each time."""
        settled = self._settled(target, whole)
        to = f"{self._pile(settled.cards)}, {self._place_in(settled)}"
        place = self._early(self._place_in(card), whole)
        with self.context.block(f"for _ in work.times({times}):", whole.at):
            self.context.line(f"actions.take({rest}, {place}, {to})", whole.at)

    def _settled(self, card: syntax.CardAt, at: Node) -> syntax.CardAt:
        """`card` with its number computed now."""
        if isinstance(card.place, str):
            return card
        name = self._early(self.value(card.place), at)
        self.context.scope.declare(name, Bound(name, local=name))
        return syntax.CardAt(syntax.Variable(name, Kind.INTEGER), card.cards, at=card.at)

    def _early(self, code: str, at: Node) -> str:
        """A Python variable for a value that is computed now."""
        name = self.context.name()
        self.context.line(f"{name} = {code}", at.at)
        return name


def _holds_cards(cards: Node) -> bool:
    """Whether this is surely a pile of cards, and not of marks."""
    return isinstance(cards, syntax.Location) and cards.place != "mem"
