"""The output of a client: sentences and drawings for people, or JSON lines for scripts."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

from client_cli.deal_history import history_lines, last_trick_lines
from client_cli.effects import Remark, SendCommand, Show
from client_cli.hint_view import hint_lines, hint_sentence
from client_cli.lobby_view import draw_games, draw_lobby, draw_tables
from client_cli.markdown_view import rules_lines, rules_of
from client_cli.narrator import narrate
from client_cli.option_help import option_help
from client_cli.pages import aim_lines, explained, final_lines, help_lines
from client_cli.signs import signs
from client_cli.table_view import draw_hand, draw_scores, draw_table, draw_turn
from client_cli.tell import tell
from client_cli.text import EMPTY, Line, Look, Span, clean, line, paint, width, words
from client_cli.warm_ups import StrongHints
from protocol.client_events import Answer, ClientEvent
from protocol.errors import ProtocolError
from protocol.lines import finished_record, record
from protocol.mirror import TableMirror
from protocol.to_client import GameCard, GameList, HintAnswer, TableInfo
from protocol.wire_form import WireForm, wire_form


class Output(Protocol):
    """How a client program tells a person or a script what happens."""

    def happened(self, event: ClientEvent) -> None:
        """Show an event of the client's session."""
        ...

    def answered(
        self, command: SendCommand, answer: Answer | ProtocolError, table: TableMirror
    ) -> None:
        """Show what a person requested by a command: a hint or the rules."""
        ...

    def show(self, show: Show, table: TableMirror) -> None:
        """Draw the table, or a part of it."""
        ...

    def tables(self, tables: Sequence[TableInfo], own: Collection[str] = ()) -> None:
        """Show a list of a server's tables, with the person's `own` ones marked."""
        ...

    def games(self, games: Sequence[GameCard]) -> None:
        """Show the list of games at a server."""
        ...

    def explain(self, words: Mapping[str, str]) -> None:
        """Show the explanation of each of `words`."""
        ...

    def remark(self, remark: Remark) -> None:
        """Show the person a sentence of the program itself."""
        ...

    def waiting(self, table: TableMirror) -> None:
        """Say for whom the person has been waiting, if no prompt says it."""
        ...

    def interrupted(self) -> None:
        """Close what the person has open, because the program ends."""
        ...


class LongTexts(Protocol):
    """How a person is shown a text that may be longer than the screen."""

    def show(self, text: str) -> bool:
        """Begin to show `text`; False if that is not possible or not needed."""
        ...

    def close(self) -> None:
        """Close the text."""
        ...


class NoPager:
    """A pager that shows nothing: long texts are written like all others."""

    def show(self, text: str) -> bool:
        """Do nothing."""
        return False

    def close(self) -> None:
        """Do nothing."""


class LineOutput:
    """Lines for people. The look is asked for each time: a terminal may change its width.

    `pager` lets the person scroll a long text. `explains` says whether the aim and the signs of a
    game are to be told now.
    """

    def __init__(
        self,
        look: Callable[[], Look],
        write: Callable[[str], None],
        *,
        pager: LongTexts | None = None,
        explains: Callable[[str], bool] = lambda game: False,
    ) -> None:
        self._look = look
        self._write = write
        self._pager = pager or NoPager()
        self._explains = explains
        self._strong = StrongHints()

    def happened(self, event: ClientEvent) -> None:
        self._strong.happened(event)
        self.lines(narrate(event, self._look()))

    def answered(
        self, command: SendCommand, answer: Answer | ProtocolError, table: TableMirror
    ) -> None:
        look = self._look()
        if isinstance(answer, HintAnswer):
            # A hint for a turn that is over would be taken for advice about this one.
            if answer.turn == table.question.turn:
                drawn = hint_lines if command.full else hint_sentence
                self.lines(drawn(answer, table, look, stronger=self._strong.untold(answer)))
        elif isinstance(answer, GameList) and command.full:
            seats = len(table.info.seats)
            self.lines(explained(option_help(answer, table.info.options, look, seats), look))
        elif isinstance(answer, GameList):
            self._long(rules_lines(rules_of(answer.games[0]), look))

    def show(self, show: Show, table: TableMirror) -> None:
        look = self._look()
        drawn = _drawn(show, table, look)
        if show.what == "history":
            self._long(drawn)
            return
        self.lines(drawn)
        if show.what in ("table", "turn") and table.info.phase == "playing":
            self._explain_signs(table, look)

    def remark(self, remark: Remark) -> None:
        look = self._look()
        style = "warn" if remark.wrong else "dim"
        told = line(Span(clean(remark.text, look), style))
        command = Span(clean(remark.command, look), "strong")
        if remark.command and width(whole := line(told, " ", command)) <= look.width:
            self.lines([whole])
        else:
            below = [line(command)] if remark.command else []
            self.lines([*words(told, look.width, indent=2), *below])

    def tables(self, tables: Sequence[TableInfo], own: Collection[str] = ()) -> None:
        self.lines(draw_tables(tables, self._look(), own))

    def games(self, games: Sequence[GameCard]) -> None:
        self.lines(draw_games(games, self._look()))

    def explain(self, words: Mapping[str, str]) -> None:
        self.lines(explained(list(words.items()), self._look()))

    def lines(self, lines: list[Line]) -> None:
        """Write lines as the terminal draws them."""
        if lines:
            self._write(self._painted(lines))

    def waiting(self, table: TableMirror) -> None:
        """Do nothing, since the prompt says for whom one waits."""

    def _long(self, lines: list[Line]) -> None:
        """Write lines that may be more than the terminal has."""
        if not self._pager.show(self._painted(lines)):
            self.lines(lines)

    def interrupted(self) -> None:
        self._pager.close()

    def _painted(self, lines: list[Line]) -> str:
        look = self._look()
        return "".join(f"{paint(each, look)}\n" for each in lines)

    def _explain_signs(self, table: TableMirror, look: Look) -> None:
        """Explain the signs at the first table of a game; `?` explains them again."""
        if self._explains(table.info.game):
            told = explained(signs(table, look), look)
            self.lines(
                [
                    EMPTY,
                    *aim_lines(table, look),
                    *told,
                    line(Span(tell("help.again"), "dim")),
                ]
            )


class JsonOutput:
    """One JSON object per line, flushed at once for programs that wait for it."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write

    def happened(self, event: ClientEvent) -> None:
        self.line(record(event))

    def answered(
        self, command: SendCommand, answer: Answer | ProtocolError, table: TableMirror
    ) -> None:
        """Do nothing, since every answer has a line among the events."""

    def show(self, show: Show, table: TableMirror) -> None:
        """Write the result; tables have their own lines."""
        result = finished_record(table) if show.what == "final" else None
        if result is not None:
            self.line(result)

    def remark(self, remark: Remark) -> None:
        if remark.wrong:
            self.line({"type": "error", "code": "not_understood", "reason": remark.text})

    def tables(self, tables: Sequence[TableInfo], own: Collection[str] = ()) -> None:
        for table in tables:
            self.line({**wire_form(table), **({"own": True} if table.table in own else {})})

    def games(self, games: Sequence[GameCard]) -> None:
        for game in games:
            self.line(wire_form(game))

    def explain(self, words: Mapping[str, str]) -> None:
        """Do nothing, since scripts read no help."""

    def waiting(self, table: TableMirror) -> None:
        """Do nothing, since every event says whose turn it is."""

    def interrupted(self) -> None:
        """Do nothing, since nothing is open."""

    def line(self, form: WireForm) -> None:
        """Write one object as one line."""
        self._write(json.dumps(form, separators=(",", ":")) + "\n")


def _drawn(show: Show, table: TableMirror, look: Look) -> list[Line]:
    match show.what:
        case "table" | "turn":
            if table.info.phase == "lobby":
                return draw_lobby(table, look)
            return [*draw_table(table, look), *draw_turn(table, look)]
        case "hand":
            return draw_hand(table, look)
        case "score":
            return draw_scores(table, look)
        case "final":
            return final_lines(table, look)
        case "help":
            return help_lines(table, look)
        case "last":
            return last_trick_lines(table, look)
        case "history":
            return history_lines(table, look)
