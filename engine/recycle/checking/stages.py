"""Stages that never end, parts that never happen, and choices that stand in the wrong place."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from itertools import pairwise

from engine.recycle import syntax
from engine.recycle.checking.places import PlaceKey, keys, piles
from engine.recycle.checking.scopes import Scope, Seen, seen, within
from engine.recycle.checking.storage import writes
from engine.recycle.limits import TextLimits
from engine.recycle.problems import Code, Report
from engine.recycle.syntax import Node

_CHOICE_PLACES = (syntax.Game, syntax.Stage)
_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def check(game: syntax.Game, report: Report, limits: TextLimits) -> None:
    """Warn of stages that never end, and of parts that never run."""
    for here in seen(game):
        match here.node:
            case syntax.Stage(end=end) as stage if end is not None:
                _end(stage, end, here.scope, report)
            case syntax.When(condition) if truth(condition) is False:
                message, expected = "this never holds", "a condition that can"
                report(Code.UNREACHABLE, condition.at, message, expected, warning=True)
        if isinstance(here.node, syntax.Game | syntax.Stage):
            _after(here.node.children, report)


def _end(stage: syntax.Stage, end: syntax.Condition, scope: Scope, report: Report) -> None:
    holds = truth(end)
    if holds is True:
        message, expected = "the stage ends before it begins", "an end that comes later"
        report(Code.UNREACHABLE, end.at, message, expected, warning=True)
    elif holds is False:
        message, expected = "the stage never ends", "an end that comes"
        report(Code.ENDLESS_STAGE, end.at, message, expected, warning=True)
    elif not _changes(stage, end, scope):
        message = "nothing in the stage changes what its end asks"
        expected = "something that does"
        report(Code.ENDLESS_STAGE, end.at, message, expected, warning=True)


def _after(children: tuple[Node, ...], report: Report) -> None:
    """The part after a stage that never ends."""
    for child, after in pairwise(children):
        if isinstance(child, syntax.Stage) and child.end and truth(child.end) is False:
            message, expected = "the stage before this never ends", "one that does"
            report(Code.UNREACHABLE, after.at, message, expected, warning=True)


def _changes(stage: syntax.Stage, end: syntax.Condition, scope: Scope) -> bool:
    """Whether anything in the stage may change what `end` reads."""
    asked: set[PlaceKey] = set()
    for reading in within(end, scope):
        found = _read(reading)
        if found is None:
            return True
        asked.update(found)
    for child in stage.children:
        for doing in within(child, scope):
            for written in _written(doing):
                if written is None or written in asked:
                    return True
    return False


def _read(here: Seen) -> tuple[PlaceKey, ...] | None:
    """The places that are read; None if turns or random draws alone may change the value."""
    match here.node:
        case (
            syntax.Location()
            | syntax.Indexed()
            | syntax.IntStorage()
            | syntax.StringStorage()
            | syntax.PointMap()
        ) as place:
            return keys(place, here.scope)
        case (
            syntax.CyclePlayer()
            | syntax.CycleTeam()
            | syntax.Others()
            | syntax.OwnerOf()
            | syntax.Random()
            | syntax.TeamOf()
        ):
            return None
    return ()


def _written(here: Seen) -> Iterator[PlaceKey | None]:
    """The places that an action changes; None if it may be any place."""
    changed = list(writes(here))
    match here.node:
        case syntax.Move(card=card) | syntax.Forget(card=card):
            changed += piles(card, here.scope)
        case syntax.Shuffle(cards=cards) | syntax.Interleave(other=cards):
            changed += piles(cards, here.scope)
        case syntax.CreateTeams():
            yield None
    for place, scope in changed:
        yield from keys(place, scope) or (None,)


def truth(condition: Node) -> bool | None:
    """The constant value of `condition`; None if it depends on the game."""
    match condition:
        case syntax.Compare(sign, syntax.Integer(left), syntax.Integer(right)):
            return _COMPARE[sign](left, right)
        case syntax.Same(syntax.Name(one), syntax.Name(other), negated):
            return (one == other) is not negated
        case syntax.Not(inner):
            holds = truth(inner)
            return None if holds is None else not holds
        case syntax.Logic(sign, operands):
            found = {truth(operand) for operand in operands}
            decided = sign == "or"
            if decided in found:
                return decided
            return None if None in found else not decided
    return None


def check_choices(game: syntax.Game, report: Report, limits: TextLimits) -> None:
    """Report choices that stand within anything but a stage or the game."""
    for here in seen(game):
        if isinstance(here.node, syntax.Choice) and not isinstance(here.around[-1], _CHOICE_PLACES):
            message, expected = "a choice within something else", "it directly in a stage"
            report(Code.MISPLACED_CHOICE, here.node.at, message, expected)


def check_for_any_choice(game: syntax.Game, report: Report, limits: TextLimits) -> None:
    """Warn of a game in which nobody has a choice."""
    if not any(isinstance(node, syntax.Choice) for node in syntax.walk(game)):
        message, expected = "nobody ever chooses anything", "a (choice …) in a stage"
        report(Code.NO_CHOICE, game.at, message, expected, warning=True)
