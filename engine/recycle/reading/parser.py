"""From a text to the tree of its game: the whole, its setup, its stages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, cast

from engine.recycle import syntax
from engine.recycle.limits import TEXT_LIMITS, TextLimits
from engine.recycle.problems import Code, Problem, Report, did_you_mean
from engine.recycle.reading.actions import BODIES, ActionParser
from engine.recycle.reading.annotations import Comment, annotations_in
from engine.recycle.reading.compounds import CompoundParser
from engine.recycle.reading.context import ParseContext, hole, is_word
from engine.recycle.reading.creations import CreationParser
from engine.recycle.reading.expressions import ExpressionParser
from engine.recycle.reading.forms import Form, Item, Reading, read
from engine.recycle.reading.tokens import Sort, Token
from engine.recycle.syntax import Stage

_STAGE = "(stage player (end CONDITION) …)"
_SETUP = "(setup (create players NUMBER) (create deck …)…)"
_SETTERS = {("create", "players"), ("create", "teams")}
_SCORING = "(scoring min NUMBER) or (scoring max NUMBER)"


@dataclass(frozen=True, slots=True)
class Parsed:
    """A parsed text: `game` is None if the text has no game form; with errors it has holes.

    `annotations` are unchecked.
    """

    text: str
    game: syntax.Game | None
    problems: tuple[Problem, ...]
    annotations: tuple[Comment, ...] = ()


def parse(text: str, limits: TextLimits = TEXT_LIMITS) -> Parsed:
    """Parse the description in `text`: its tree, and the problems of words and forms."""
    report = Report(text, limits.problems)
    reading = read(text, report, limits)
    game = None
    if reading.form is not None:
        context = ParseContext(report, _numbering(reading.form))
        game = _GameParser(context).game(reading.form, reading)
    return Parsed(text, game, report.found(), tuple(annotations_in(reading)))


class _GameParser:
    """Parses the whole game: its declarations, setup, stages and scoring."""

    def __init__(self, context: ParseContext) -> None:
        self.context = context
        self.expressions = ExpressionParser(context)
        self.expressions.add_compounds(CompoundParser(context, self.expressions).parsers)
        self.creations = CreationParser(context, self.expressions)
        self.actions = ActionParser(context, self.expressions, self.creations)
        self.scoring: syntax.Scoring | None = None

    def game(self, form: Form, reading: Reading) -> syntax.Game | None:
        """The tree of `form`; None if it is no ``(game …)``, which is reported."""
        if form.head != "game":
            word = form.head
            message = "this is no description of a game"
            self.context.report(
                Code.NO_GAME, form.span, message, "(game …)", did_you_mean(word, ("game",))
            )
            return None
        declarations: list[syntax.Declare] = []
        setup: syntax.Setup | None = None
        children: list[Stage | syntax.Body] = []
        for item in form.items[1:]:
            head = item.head if isinstance(item, Form) else ""
            if self.scoring is not None:
                self.context.wrong_shape(item, "nothing after (scoring …)")
            elif isinstance(item, Form) and head == "declare":
                declarations += self._declare(item)
            elif isinstance(item, Form) and head == "setup":
                if setup is not None or children:
                    self.context.wrong_shape(item, "one (setup …), above the stages")
                setup = self._setup(item)
            elif isinstance(item, Form) and head == "scoring":
                self.scoring = self._scoring(item)
            else:
                children.append(self._child(item))
        if setup is None:
            self._missing(form, "no (setup …)", _SETUP)
        if self.scoring is None:
            self._missing(form, "no (scoring …)", _SCORING, self._cut_off(reading))
        if not children:
            self._missing(form, "nothing to play", f"{_STAGE}, (do …) or (choice …)")
        return syntax.Game(
            tuple(declarations),
            setup or syntax.Setup(hole(form), None, (), at=form.span),
            tuple(children),
            self.scoring or syntax.Scoring("max", hole(form), at=form.span),
            self.context.numbering,
            at=form.span,
        )

    def _missing(self, form: Form, what: str, expected: str, suggestion: str = "") -> None:
        head = form.items[0].span
        self.context.report(Code.MISSING_PART, head, f"there is {what}", expected, suggestion)

    def _cut_off(self, reading: Reading) -> str:
        """A hint if a surplus parenthesis has ended the description too early."""
        rest = reading.rest
        if "(" not in rest.of(self.context.report.text):
            return ""
        return (
            f"the ')' at {rest.line}:{rest.column - 1} ends the description, "
            "what follows it is not read"
        )

    def _declare(self, form: Form) -> Iterator[syntax.Declare]:
        """Bind the declared name for all that follows."""
        expected = "(declare VALUE 'V)"
        if len(form.items) != 3:
            self.context.wrong_shape(form, expected)
            return
        value = self.expressions.value(form.items[1])
        name = self.context.name_of(form.items[2], form, expected)
        if name is not None:
            self.context.scope.append((name, value.kind))
            yield syntax.Declare(value, name, at=form.span)

    def _setup(self, form: Form) -> syntax.Setup:
        players: syntax.Number | None = None
        teams: syntax.CreateTeams | None = None
        decks: list[syntax.CreateDeck | syntax.Repeat] = []
        for item in form.items[1:]:
            second = item.items[1] if isinstance(item, Form) and len(item.items) > 1 else None
            word = second.text if isinstance(second, Token) else ""
            if not isinstance(item, Form) or (item.head, word) not in _SETTERS:
                decks += self._decks(item)
            elif word == "players":
                players = self._players(item)
            else:
                teams = self.creations.teams(item)
        if players is None:
            self._missing(form, "no (create players NUMBER)", "(create players NUMBER)")
        if not decks:
            self._missing(form, "no deck", "(create deck LOCATION (deck …))")
        return syntax.Setup(players or hole(form), teams, tuple(decks), at=form.span)

    def _players(self, form: Form) -> syntax.Number | None:
        if len(form.items) == 3:
            return self.expressions.number(form.items[2])
        self.context.wrong_shape(form, "(create players NUMBER)")
        return hole(form)

    def _decks(self, item: Item) -> Iterator[syntax.CreateDeck | syntax.Repeat]:
        """Parse ``(create deck …)``, or a ``repeat`` of one."""
        if isinstance(item, Form) and item.head == "create" and len(item.items) > 1:
            created = self.creations.creation(item)
            if isinstance(created, syntax.CreateDeck):
                yield created
        elif isinstance(item, Form) and item.head == "repeat" and len(item.items) == 3:
            times = self.expressions.number(item.items[1])
            for deck in self._decks(item.items[2]):
                yield syntax.Repeat(times, deck, at=item.span)
        else:
            expected = "(create deck …), (repeat NUMBER (create deck …)), (create teams …)"
            self.context.wrong_shape(item, f"{expected} or (create players NUMBER)")

    def _scoring(self, form: Form) -> syntax.Scoring:
        items = form.items
        if len(items) == 3 and is_word(items[1], "min", "max"):
            best = cast(Literal["min", "max"], cast(Token, items[1]).text)
            return syntax.Scoring(best, self.expressions.number(items[2]), at=form.span)
        self.context.wrong_shape(form, _SCORING)
        return syntax.Scoring("max", hole(form), at=form.span)

    def _child(self, item: Item) -> Stage | syntax.Body:
        """Parse a stage or a block."""
        if isinstance(item, Form) and item.head == "stage":
            return self._stage(item)
        if isinstance(item, Form) and item.head == "scoring":
            self.context.wrong_shape(item, "the stages closed before", "a ')' is missing before it")
            self.scoring = self._scoring(item)
            return syntax.Pass(at=item.span)
        if isinstance(item, Form) and item.head and item.head not in BODIES:
            self.context.unknown_word(item, "a stage or a block", (*BODIES, "stage", "scoring"))
            return syntax.Pass(at=item.span)
        return self.actions.body(item)

    def _stage(self, form: Form) -> Stage:
        cycle, items = self._stage_cycle(form)
        first = items[0] if items else None
        mode: Literal["end", "once", "simultaneous"] = "end"
        end: syntax.Condition | None = None
        word = self._mode(first)
        if word is not None:
            mode, items = word, items[1:]
        elif isinstance(first, Form) and first.head == "end":
            end, items = self._stage_end(first), items[1:]
        else:
            self.context.wrong_shape(form, _STAGE, "or once in place of the end")
            return Stage(cycle, mode, hole(form), self._children(items), at=form.span)
        if not items:
            self.context.wrong_shape(form, "something to do in the stage")
        return Stage(cycle, mode, end, self._children(items), at=form.span)

    def _stage_cycle(self, form: Form) -> tuple[Literal["player", "team"], tuple[Item, ...]]:
        """The members that take turns in the stage, and the items after that."""
        items = form.items[1:]
        if items and is_word(items[0], "player", "team"):
            return cast(Literal["player", "team"], cast(Token, items[0]).text), items[1:]
        if items:
            self.context.wrong_shape(form, _STAGE, "whose turns: player or team")
        return "player", items

    def _stage_end(self, form: Form) -> syntax.Condition:
        if len(form.items) == 2:
            return self.expressions.condition(form.items[1])
        self.context.wrong_shape(form, "(end CONDITION)")
        return hole(form)

    def _children(self, items: tuple[Item, ...]) -> tuple[Stage | syntax.Body, ...]:
        return tuple(self._child(item) for item in items)

    def _mode(self, item: Item | None) -> Literal["once", "simultaneous"] | None:
        """Parse ``once`` or ``simultaneous``, in parentheses or not."""
        if isinstance(item, Form) and len(item.items) == 1:
            item = item.items[0]
        if item is not None and is_word(item, "once", "simultaneous"):
            return cast(Literal["once", "simultaneous"], cast(Token, item).text)
        return None


def _numbering(form: Form) -> Literal[0, 1]:
    """The number of the first player: 0 if any `create teams` mentions a player 0, else 1."""
    waiting: list[Form] = [form]
    while waiting:
        here = waiting.pop()
        inner = [item for item in here.items if isinstance(item, Form)]
        if here.head == "create" and len(here.items) > 1 and is_word(here.items[1], "teams"):
            numbers = (
                token.text
                for team in inner
                for token in team.items
                if isinstance(token, Token) and token.sort is Sort.NUMBER
            )
            if any(int(number) == 0 for number in numbers):
                return 0
        waiting += inner
    return 1
