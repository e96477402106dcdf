"""Stages and blocks as a flat list of functions, each of which returns the next one's index.

A game that waits for a choice has stopped at an index, and continues from there.
Source: RECYCLE, "Semantics" 1 to 3, and "Decisions".
"""

from dataclasses import dataclass

from engine.recycle import syntax
from engine.recycle.compiling.actions import ActionCompiler
from engine.recycle.compiling.certainty import is_certain
from engine.recycle.compiling.context import CompileContext
from engine.recycle.compiling.expressions import ExpressionCompiler
from engine.recycle.compiling.lists import ListCompiler
from engine.recycle.compiling.options import OptionCompiler
from engine.recycle.source_text import Span
from engine.recycle.syntax import Node


@dataclass(frozen=True, slots=True)
class Line:
    """One place of the flat list: a function, or a choice whose options a function finds."""

    function: str
    at: Span
    step: bool = False
    asks: bool = False
    unseen: bool = False
    certain: bool = False


class StageCompiler:
    """Writes stages and blocks; `code` is the flat list, in the order of the text."""

    def __init__(self, context: CompileContext) -> None:
        self.context = context
        self.expressions = ExpressionCompiler(context)
        self.lists = self.expressions.lists = ListCompiler(context, self.expressions)
        self.actions = ActionCompiler(context, self.expressions, self.lists)
        self.options = OptionCompiler(context, self.expressions, self.lists, self.actions)
        self.code: list[Line] = []

    def child(self, node: Node) -> None:
        """Add a part of a stage or of the game: a stage, a choice or a block."""
        match node:
            case syntax.Stage(mode="simultaneous"):
                self._at_once(node)
            case syntax.Stage():
                self._stage(node)
            case syntax.Choice():
                self._ask(node)
            case _:
                with self.context.writing("block") as block:
                    self.actions.pay_for(node)
                    self.actions.do(node)
                    block.line(f"return {len(self.code) + 1}")
                self.code.append(Line(block.name, node.at, step=True))

    def _ask(self, choice: syntax.Choice, unseen: bool = False) -> None:
        certain = is_certain(choice, self.context.game)
        options = self.options.options(choice)
        self.code.append(Line(options, choice.at, asks=True, unseen=unseen, certain=certain))

    def _stage(self, stage: syntax.Stage) -> None:
        """Write a stage: enter, test the end, run the children, test the end, pass the turn."""
        of, teams = ("_team", "len(state.teams)") if stage.cycle == "team" else ("", "")
        opening = self.context.writer.function("enter")
        at = len(self.code)
        self.code.append(Line(opening.name, stage.at))
        for child in stage.children:
            self.child(child)
        exit = len(self.code) + 1
        opening.line(f"turns.enter{of}()", stage.at)
        closing = self.context.writer.function("turn")
        self.code.append(Line(closing.name, stage.at))
        if stage.end is None:
            members = teams or str(self.context.storage.players)
            end = f"turns.count_turn() >= {members}"
        else:
            end = self.expressions.value(stage.end)
            opening.line(f"if {end}: turns.leave{of}(); return {exit}", stage.end.at)
        opening.line(f"return {at + 1}")
        ends = stage.at if stage.end is None else stage.end.at
        closing.line(f"if {end}: turns.leave{of}(); return {exit}", ends)
        closing.line(f"turns.advance{of}({teams}); return {at + 1}", stage.at)

    def _at_once(self, stage: syntax.Stage) -> None:
        """Write a stage in which all players choose at once; other parts run in seat order."""
        for child in stage.children:
            if isinstance(child, syntax.Choice):
                self._ask(child, unseen=True)
            else:
                first = self.context.writer.function("first")
                first.line("turns.enter(); turns.current = 0", stage.at)
                first.line(f"return {len(self.code) + 1}")
                self.code.append(Line(first.name, stage.at))
                self._stage(syntax.Stage("player", "once", None, (child,), at=child.at))
                last = self.context.writer.function("last")
                last.line(f"turns.leave(); return {len(self.code) + 1}", stage.at)
                self.code.append(Line(last.name, stage.at))
