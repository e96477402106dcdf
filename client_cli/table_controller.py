"""The controller of one table, without terminal and connection: events in, effects out.

Lines that the person types, events of the client's session and answers to commands come in, one
after the other; effects come out: what to send, to show or to end. `client_cli.output` says how
things are shown.
"""

from dataclasses import dataclass, field
from random import Random

from client_cli.auto import AutoPlayer
from client_cli.effects import Effect, End, PlayBy, Remark, SendCommand, Show
from client_cli.refusals import refusal
from client_cli.table_commands import MATCH
from client_cli.tell import tell
from client_cli.told_moves import game_move, move_told_as, moves_seen
from client_cli.typed_commands import effect_of, quoted, unknown_command
from client_cli.typed_problem import problem_text
from client_cli.typed_values import NotUnderstood, said_no, said_yes
from engine.choices import Action
from engine.facts import Lay
from protocol.client_events import (
    Answer,
    ClientEvent,
    Disconnected,
    Noticed,
    PresenceChanged,
    Reconnected,
    TableClosed,
    TableEvent,
    TableSnapshot,
    TableUnchanged,
)
from protocol.errors import ProtocolError, TypedError, UnknownMove
from protocol.exits import Exit
from protocol.mirror import TableMirror
from protocol.to_server import Act, Admit, Back, Hint, Leave, Ready, Rematch, Start, Undo
from protocol.typed import attempted, names_a_move, resolve

_FRIENDLY = ("left", "finished")
"""Reasons for losing one's place that are as it should be."""


@dataclass(slots=True)
class TableController:
    """One table as one client sees it.

    `auto` plays the seat if it is given, and `substitute` will once the input ends. `stay` keeps
    the place after a match; `by_hand` asks a person before they leave a match, and before they
    close the program unless the match is `kept` then.
    """

    table: TableMirror
    auto: AutoPlayer | None = None
    stay: bool = False
    by_hand: bool = False
    kept: bool = True
    substitute: AutoPlayer = field(default_factory=lambda: AutoPlayer(Random()))
    # What was typed, in small letters, and what to do if the person answers yes.
    _unconfirmed: tuple[str, Effect] | None = field(default=None, init=False)
    # Whether the rematch that this person opens is to start at once.
    _starts: bool = field(default=False, init=False)
    # Moves that were possible earlier, in small letters, and their verbs.
    _offered: frozenset[str] = field(default=frozenset(), init=False)
    lost: bool = field(default=False, init=False)
    """Whether there is no connection at the moment."""

    @property
    def asks(self) -> bool:
        """Whether the person must answer a question of the program."""
        return self._unconfirmed is not None

    def arrived(self, *, draw: bool) -> list[Effect]:
        """The effects of sitting down: show the table, unless it is about to be drawn anyhow."""
        return [*([Show("table")] if draw else []), *self._due()]

    def happened(self, client_event: ClientEvent) -> list[Effect]:
        """The effects of an event; events of other tables have none."""
        self._offered |= moves_seen(self.table)
        match client_event:
            case TableSnapshot(mirror) if mirror.table == self.table.table:
                self.table = mirror
                return [Show("table"), *self._due()]
            case TableEvent(mirror, event, before) if mirror.table == self.table.table:
                self.table = mirror
                verbs = {fact.verb for fact in event.facts}
                if "match_ended" in verbs:
                    hosts = mirror.seat is not None and mirror.seat == mirror.info.host
                    told = tell("match.after_host" if hosts else "match.after")
                    after = [Remark(told)] if self.stay else []
                    return [Show("final"), *after, *self._due()]
                laid = any(isinstance(each, Lay) for fact in event.facts for each in fact.changes)
                new = laid or not verbs.isdisjoint(("rematch_opened", "configured"))
                pictures = self._pictures(before, new)
                if "rematch_opened" in verbs and self._starts:
                    # Bots wait for nothing.
                    self._starts = False
                    return [*pictures, SendCommand(Start, {"table": mirror.table}), *self._due()]
                return [*pictures, *self._due()]
            case PresenceChanged(mirror) | TableUnchanged(mirror) if (
                mirror.table == self.table.table
            ):
                self.table = mirror
            case TableClosed(mirror, reason) if mirror.table == self.table.table:
                return [End(Exit.DONE if reason in _FRIENDLY else Exit.REFUSED)]
            case Noticed(mirror=mirror) if mirror is not None and mirror.table == self.table.table:
                self.table = mirror
            case Disconnected():
                self.lost = True
            case Reconnected():
                self.lost = False
                # Perhaps nothing was missed, and yet a move was refused on the way.
                return self._due()
            case _:
                pass
        return []

    def typed(self, text: str) -> list[Effect]:
        """The effects of a typed line: exactly a legal move, a command, or a shortened move."""
        text = text.strip()
        if not text:
            return []
        unconfirmed, self._unconfirmed = self._unconfirmed, None
        if unconfirmed is not None:
            return self._confirmed(*unconfirmed, text)
        if _quits(text):
            return self._quit(End(early=True))
        if self.auto is None and self.table.choices.allows(text):
            return [self._act(text)]
        if self.auto is None and (told := move_told_as(text, self.table)) is not None:
            return [self._act(told, text)]
        try:
            command = effect_of(text, self.table)
        except NotUnderstood as error:
            return [Remark(tell("typed.wrong", typed=quoted(text), why=str(error)), wrong=True)]
        match command:
            case None:
                return self._moved(text)
            case PlayBy(itself=True) if self.table.info.phase == "finished":
                return [Remark(tell("match.none"), wrong=True)]
            case PlayBy(itself=True):
                return self.input_ended(final=False)
            case PlayBy():
                return self._back()
            case SendCommand(kind) if kind is Back:
                # The bot of the table and the program's own are both to stop.
                self.auto = None
            case SendCommand(kind) if kind is Hint and self.auto is not None:
                return [Remark(tell("match.by_itself"), wrong=True)]
            case SendCommand(kind) if kind is Leave and self._must_confirm():
                self._unconfirmed = text.lower(), command
                return [Remark(self._on_leaving())]
            case SendCommand(kind) if kind is Undo and self._loses_its_result():
                self._unconfirmed = text.lower(), command
                return [Remark(tell("match.undo"))]
            case SendCommand(kind) if kind is Rematch:
                self._starts = self._is_alone()
            case End():
                return self._quit(command)
        return self._done_later(command)

    def interrupted(self) -> list[Effect]:
        """The effects of Ctrl-C, those of quit; at a question it closes the program."""
        if self._unconfirmed is not None:
            return [End(Exit.INTERRUPTED, early=True)]
        return self._quit(End(Exit.INTERRUPTED, early=True))

    def done(self, command: SendCommand, answer: Answer | ProtocolError) -> list[Effect]:
        """The effects of a command's answer."""
        if not command.typed:
            return [] if self.auto is None else self._auto_done(self.auto, command, answer)
        if isinstance(answer, ProtocolError):
            if command.kind is Hint and answer.code == "stale_turn":
                # The turn is over, and the hint with it.
                return []
            reason = refusal(command.kind, command.fields, answer, self.table)
            # The reason for a move names its cards.
            if command.kind is not Act:
                reason = tell("typed.wrong", typed=command.typed, why=reason)
            return [Remark(reason, wrong=True)]
        if command.kind is Admit and not command.fields.get("admit", True):
            return [Remark(tell("match.refused"))]
        return []

    def input_ended(self, *, final: bool) -> list[Effect]:
        """The effects of Ctrl-D or, with `final`, of the end of input: the seat plays by itself."""
        if self.table.seat is None:
            return self._due() if final else [Remark(tell("match.watching"))]
        if final:
            self.stay = False
        elif self.table.info.phase == "finished":
            return [End()]
        if self.auto is not None:
            return self._due() if final else [Remark(tell("match.by_itself"))]
        self.auto = self.substitute
        told = tell("match.goes_on" if final else "match.goes_on_typed")
        return [Remark(told), *self._due()]

    def _auto_done(
        self, auto: AutoPlayer, command: SendCommand, answer: Answer | ProtocolError
    ) -> list[Effect]:
        """The effects of an answer to a command of the automatic player."""
        if command.kind is Hint:
            return auto.advised(self.table, answer)
        if command.kind is Act:
            return auto.moved(self.table, answer)
        if command.kind is Start:
            return auto.started(answer)
        if command.kind is Ready:
            return auto.readied()
        return []

    def _back(self) -> list[Effect]:
        """Let the person play the seat themselves again."""
        if self.auto is None:
            playing = self.table.info.phase in MATCH
            return [Remark(tell("match.yourself_already" if playing else "match.none"))]
        self.auto = None
        return [Remark(tell("match.yourself")), Show("table")]

    def _quit(self, end: End) -> list[Effect]:
        """Close the program, after a question if that loses a match."""
        if self.kept or not self._must_confirm():
            return [end]
        self._unconfirmed = "quit", End(early=True)
        pressed = end.code is Exit.INTERRUPTED
        return [Remark(tell("match.not_kept_again" if pressed else "match.not_kept"))]

    def _loses_its_result(self) -> bool:
        """Whether taking back the next move would make the match a practice match."""
        return self.by_hand and not self.table.info.practice

    def _is_alone(self) -> bool:
        """Whether bots have all other seats."""
        seats = enumerate(self.table.info.seats)
        return all(at == self.table.seat or each.kind == "bot" for at, each in seats)

    def _confirmed(self, asked: str, effect: Effect, text: str) -> list[Effect]:
        """The effects of the answer to the question before `effect`, which `asked` for it."""
        answer = text.lower()
        if answer in (*said_yes(), asked):
            return self._done_later(effect)
        if _quits(answer):
            # That the match may be lost was said by the question.
            return [End(early=True)]
        undo = isinstance(effect, SendCommand) and effect.kind is Undo
        stays: list[Effect] = [Remark(tell("match.undo_not" if undo else "match.stays"))]
        return stays if answer in said_no() else [*stays, *self.typed(text)]

    def _done_later(self, effect: Effect) -> list[Effect]:
        """The effect; without a connection a person who leaves is told when it will happen."""
        if not self.lost or not isinstance(effect, SendCommand) or effect.kind is not Leave:
            return [effect]
        return [effect, Remark(tell("match.leaves_later"))]

    def _must_confirm(self) -> bool:
        """Whether leaving costs a person a seat in a match."""
        in_match = self.table.seat is not None and self.table.info.phase in MATCH
        return self.by_hand and in_match

    def _on_leaving(self) -> str:
        others = sum(1 for chair in self.table.info.seats if chair.kind == "human") - 1
        question = tell("room.leave_match" if others else "room.leave_alone")
        return tell("match.leave", question=question)

    def _pictures(self, before: TableMirror, new: bool) -> list[Effect]:
        """Show the table if it is new, or if its player is to choose from it."""
        asked = self.table.my_turn and self.table.question.turn != before.question.turn
        if new:
            return [Show("table")]
        return [Show("turn")] if asked and self.auto is None else []

    def _due(self) -> list[Effect]:
        """The effects that are due at the table now."""
        if self.table.info.phase == "finished":
            # A person who stays plays the next match by hand again.
            self.auto = None
            return [] if self.stay else [End()]
        return [] if self.auto is None else self.auto.look(self.table)

    def _moved(self, text: str) -> list[Effect]:
        """The effects of words that are no command: a move, or why they are none."""
        move = game_move(text, self.table)
        known = move or text.casefold() in self._offered | moves_seen(self.table)
        if not known and not names_a_move(text, self.table.choices, self.table.legend):
            return [Remark(unknown_command(text, self.table), wrong=True)]
        if self.auto is not None:
            return [Remark(tell("match.by_itself"), wrong=True)]
        if not self.table.choices:
            playing = self.table.info.phase == "playing"
            return [Remark(tell("match.no_turn" if playing else "match.none"), wrong=True)]
        try:
            return [self._act(resolve(text, self.table.choices, self.table.legend), text)]
        except UnknownMove as error:
            # Which rule forbids it, the server knows.
            attempt = attempted(text, self.table.choices, self.table.legend) or move
            if attempt:
                return [self._act(attempt, text)]
            return [Remark(problem_text(error.why, self.table), wrong=True)]
        except TypedError as error:
            return [Remark(problem_text(error.why, self.table), wrong=True)]

    def _act(self, action: Action, typed: str = "") -> SendCommand:
        fields = {"table": self.table.table, "turn": self.table.question.turn, "action": action}
        return SendCommand(Act, fields, typed or action)


def _quits(text: str) -> bool:
    """Whether a person wants to close the program."""
    return text.lower() in tell("words.quit").split()
