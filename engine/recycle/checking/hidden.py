"""Options whose existence depends on what the chooser cannot see, or on random draws.

What an option does is told to nobody before it is chosen (`views.telling`); but that it is there
tells of what decided it. Some games intend that, most do not. Source: RECYCLE, "Decisions".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from engine.recycle import syntax
from engine.recycle.checking.places import PlaceKey, Real, Source, keys, piles, sort
from engine.recycle.checking.scopes import Scope, Seen, seen, within
from engine.recycle.limits import TextLimits
from engine.recycle.problems import Code, Report
from engine.recycle.source_text import quote
from engine.recycle.syntax import Kind, Node
from engine.recycle.syntax.ways import deciding


def check(game: syntax.Game, report: Report, limits: TextLimits) -> None:
    """Warn of options whose existence depends on hidden cards or on random draws."""
    for here in seen(game):
        if isinstance(here.node, syntax.Choice):
            for option in here.node.options:
                looking = _Looking(report, _decisive(option))
                for part in within(option, here.scope):
                    looking.at(part)


_DRAWS = (syntax.Random, syntax.ExtremeCard)


class _Looking:
    """Goes through an option in the order of its text, because its actions are done while options
    are found: a card taken from a pile that the chooser cannot see stays unknown elsewhere. It
    looks at the expressions that are `decisive`, by their ids.
    """

    def __init__(self, report: Report, decisive: set[int]) -> None:
        self._report = report
        self._decisive = decisive
        self._shuffled: set[PlaceKey] = set()
        self._uncovered: set[PlaceKey] = set()
        self._turned = False

    def at(self, here: Seen) -> None:
        for asked in _asked(here.node):
            if id(asked) not in self._decisive:
                continue
            for reading in within(asked, here.scope):
                self._tell(reading)
        match here.node:
            case syntax.Cycle(when="current"):
                self._turned = True
            case syntax.Move(card=card, target=target):
                self._move(card, target.cards, here.scope)
            case syntax.Shuffle(cards=cards):
                for pile, inner in piles(cards, here.scope):
                    self._shuffled.update(keys(pile, inner) or ())
            case syntax.SwapCards(left, right) | syntax.SwapPiles(left, right):
                self._move(left, right, here.scope)
                self._move(right, left, here.scope)

    def _move(self, source: Source, target: Source, scope: Scope) -> None:
        if any(isinstance(node, _DRAWS) for node in syntax.walk(source)):
            for pile, inner in piles(target, scope):
                self._shuffled.update(keys(pile, inner) or ())
        if self._hidden_in(source, scope) is not None:
            for pile, inner in piles(target, scope):
                self._uncovered.update(keys(pile, inner) or ())

    def _tell(self, reading: Seen) -> None:
        if self._is_drawn(reading):
            message = "whether there is an option is drawn before anybody chooses it"
            self._warn(reading, message, "what the chooser knows", Code.DRAWN_OPTIONS)
            return
        for cards in _faces(reading.node):
            pile = self._hidden_in(cards, reading.scope)
            if pile is not None:
                where = quote(self._report.text, pile.at)
                message = f"options depend on cards in {where}, which the chooser cannot see"
                self._warn(reading, message, "cards that the chooser sees")
                return
        for cards in _whereabouts(reading):
            marks = (quote(self._report.text, pile.at) for pile in _marks(cards, reading.scope))
            for where in marks:
                message = f"options depend on where the cards lie that {where} remembers"
                self._warn(reading, message, "cards that the chooser sees")
                return

    def _warn(
        self, reading: Seen, message: str, expected: str, code: Code = Code.HIDDEN_READ
    ) -> None:
        then = "look" if code is Code.HIDDEN_READ else "draw"
        hint = f"choose first, {then} afterwards"
        self._report(code, reading.node.at, message, expected, hint, warning=True)

    def _is_drawn(self, reading: Seen) -> bool:
        match reading.node:
            case syntax.Random():
                return True
            case syntax.ExtremeCard():
                # Of cards that are worth the same, one is drawn; what it is worth is no chance.
                return not (reading.around and isinstance(reading.around[-1], syntax.Score))
        return any(
            self._shuffled.intersection(keys(pile, inner) or ())
            for cards in _faces(reading.node)
            for pile, inner in piles(cards, reading.scope)
        )

    def _hidden_in(self, cards: Source, scope: Scope) -> Real | None:
        """The first of the piles of `cards` whose faces the chooser does not know."""
        for pile, inner in piles(cards, scope):
            uncovered = self._uncovered.intersection(keys(pile, inner) or ())
            if uncovered or _hidden(pile, inner, self._turned):
                return pile
        return None


def _decisive(option: Node) -> set[int]:
    """The expressions, by id, that decide which options exist.

    They are the conditions and ranges, and what the variables and values in them are set to.
    """
    sources: dict[str, list[Node]] = {}
    for node in syntax.walk(option):
        match node:
            case syntax.Let(value, variable):
                sources.setdefault(f"'{variable}", []).append(value)
            case syntax.ForEach(collection=collection, variable=variable):
                sources.setdefault(f"'{variable}", []).append(collection)
            case syntax.SetInt(storage, value) | syntax.ChangeInt(storage, value):
                sources.setdefault(_name(storage.name), []).append(value)
            case syntax.SetString(storage=storage, value=value):
                sources.setdefault(_name(storage.name), []).append(value)
    waiting = [*deciding(option)]
    if waiting:
        waiting += sources.pop(_ANY, ())
    found: set[int] = set()
    while waiting:
        asked = waiting.pop()
        found.add(id(asked))
        read = {name for node in syntax.walk(asked) if (name := _read(node))}
        for name in [*sources] if _ANY in read else read:
            waiting += sources.pop(name, ())
    return found


_ANY = "?"
"""For the name of a value that is worked out."""


def _name(name: Node) -> str:
    return name.text if isinstance(name, syntax.Name) else _ANY


def _read(node: Node) -> str:
    """The name of the variable or value that is read; empty for any other node."""
    match node:
        case syntax.Variable(name):
            return f"'{name}"
        case syntax.IntStorage(name=name) | syntax.StringStorage(name=name):
            return _name(name)
    return ""


def _asked(body: Node) -> Iterator[Node]:
    """The expressions that may decide which options exist."""
    match body:
        case syntax.When(condition=asked) | syntax.ForEach(collection=asked):
            yield asked
        case syntax.Let(value=asked) | syntax.Repeat(times=asked):
            yield asked
        case syntax.RepeatAll(action=action):
            yield action.card
        case syntax.SetInt(value=asked) | syntax.ChangeInt(amount=asked):
            yield asked
        case syntax.SetString(value=asked):
            yield asked


def _faces(node: Node) -> Iterator[Source]:
    """The cards whose faces affect the value of `node`."""
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


def _whereabouts(reading: Seen) -> Iterator[Source]:
    """The cards whose piles `reading` reveals; a mark reveals only the card."""
    match reading.node:
        case syntax.OwnerOf(card=card):
            yield card
        case syntax.SetOperation(operator="intersect" | "disjunction", parts=parts):
            yield from parts


def _marks(cards: Source, scope: Scope) -> Iterator[Real]:
    return (pile for pile, _ in piles(cards, scope) if sort(pile) == "mem")


def _hidden(pile: Real, scope: Scope, turned: bool) -> bool:
    """Whether the pile is hidden from the chooser; `turned` if that is not the current player."""
    match sort(pile):
        case "vloc" | "mem":
            return False
        case "iloc":
            return turned or not _is_chooser(pile.owner, scope)
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
    """Whether `owner` is certainly another player than the chooser."""
    if isinstance(owner, syntax.Variable) and owner.name in scope:
        bound = scope[owner.name]
        if bound.item:
            return isinstance(bound.value, syntax.Others)
        return _is_other(bound.value, bound.scope)
    return isinstance(owner, syntax.CyclePlayer) and owner.which != "current"
