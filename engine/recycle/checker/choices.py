"""Choices: there should be some, and they may stand only where a stage comes by."""

from engine.recycle import syntax
from engine.recycle.checker.scopes import seen
from engine.recycle.limits import Limits
from engine.recycle.problems import Code, Report

_PLACES = (syntax.Game, syntax.Stage)


def check(game: syntax.Game, report: Report, limits: Limits) -> None:
    for here in seen(game):
        if isinstance(here.node, syntax.Choice) and not isinstance(here.around[-1], _PLACES):
            message, expected = "a choice within something else", "it directly in a stage"
            report(Code.MISPLACED_CHOICE, here.node.at, message, expected)


def check_for_any(game: syntax.Game, report: Report, limits: Limits) -> None:
    if not any(isinstance(node, syntax.Choice) for node in syntax.walk(game)):
        message, expected = "nobody ever chooses anything", "a (choice …) in a stage"
        report(Code.NO_CHOICE, game.at, message, expected, warning=True)
