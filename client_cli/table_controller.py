"""The controller of one table, without terminal and connection: events in, effects out.

Lines that the person types, events of the client's session and answers to commands come in, one
after the other; effects come out: what to send, to show or to end. `client_cli.output` says how
things are shown.
"""

from dataclasses import dataclass

from client_cli.auto import AutoPlayer
from client_cli.effects import Effect, End, Remark, SendCommand, Show
from client_cli.refusals import refusal
from client_cli.typed_commands import effect_of
from client_cli.typed_values import NotUnderstood
from engine.choices import Action
from engine.facts import Lay
from protocol.client_events import (
    Answer,
    ClientEvent,
    Noticed,
    PresenceChanged,
    Reconnected,
    TableClosed,
    TableEvent,
    TableSnapshot,
)
from protocol.errors import ProtocolError, TypedError
from protocol.exits import Exit
from protocol.mirror import TableMirror
from protocol.to_server import Act, Hint, Ready, Start
from protocol.typed import resolve

_FRIENDLY = ("left", "finished")
"""Reasons for losing one's place that are as it should be."""


@dataclass(slots=True)
class TableController:
    """One table as one client sees it.

    `auto` plays the seat where it is given; `stay` keeps the place after a match.
    """

    table: TableMirror
    auto: AutoPlayer | None = None
    stay: bool = False

    def arrived(self, *, draw: bool) -> list[Effect]:
        """On sitting down: see the table, unless it is about to be drawn anyhow."""
        return [*([Show("table")] if draw else []), *self._due()]

    def happened(self, client_event: ClientEvent) -> list[Effect]:
        """The effects of an event; events of other tables have none."""
        match client_event:
            case TableSnapshot(mirror) if mirror.table == self.table.table:
                self.table = mirror
                return [Show("table"), *self._due()]
            case TableEvent(mirror, event, before) if mirror.table == self.table.table:
                self.table = mirror
                verbs = {fact.verb for fact in event.facts}
                if "match_ended" in verbs:
                    after = [Remark("The host may type rematch; leave ends.")] if self.stay else []
                    return [Show("final"), *after, *self._due()]
                laid = any(isinstance(each, Lay) for fact in event.facts for each in fact.changes)
                new = laid or not verbs.isdisjoint(("rematch_opened", "configured"))
                return [*self._pictures(before, new), *self._due()]
            case PresenceChanged(mirror) if mirror.table == self.table.table:
                self.table = mirror
            case TableClosed(mirror, reason) if mirror.table == self.table.table:
                return [End(Exit.DONE if reason in _FRIENDLY else Exit.REFUSED)]
            case Noticed(mirror=mirror) if mirror is not None and mirror.table == self.table.table:
                self.table = mirror
            case Reconnected():
                # Perhaps nothing was missed, and yet a move was refused on the way.
                return self._due()
            case _:
                pass
        return []

    def typed(self, text: str) -> list[Effect]:
        """A line from the person: exactly a legal move, an command, or a move in short."""
        text = text.strip()
        if not text:
            return []
        if self.table.choices.allows(text):
            return [self._act(text)]
        try:
            command = effect_of(text, self.table)
            return [command if command is not None else self._act(self._resolved(text))]
        except (NotUnderstood, TypedError) as error:
            return [Remark(str(error), wrong=True)]

    def done(self, command: SendCommand, answer: Answer | ProtocolError) -> list[Effect]:
        """A command was answered."""
        if self.auto is not None:
            if command.kind is Hint:
                return self.auto.advised(self.table, answer)
            if command.kind is Act:
                return self.auto.moved(self.table, answer)
            if command.kind is Start:
                return self.auto.started(answer)
            if command.kind is Ready:
                return self.auto.readied()
        if isinstance(answer, ProtocolError):
            return [Remark(refusal(command.kind, command.fields, answer), wrong=True)]
        return []

    def input_ended(self, auto: AutoPlayer) -> list[Effect]:
        """Nobody types any more: the seat goes on by itself, to the end of the match."""
        self.stay = False
        if self.auto is None and self.table.seat is not None:
            self.auto = auto
            return [Remark("Going on by itself. Ctrl-C ends the program."), *self._due()]
        return self._due()

    def _pictures(self, before: TableMirror, new: bool) -> list[Effect]:
        """The table where it is new, or where its owner is to choose from it."""
        asked = self.table.my_turn and self.table.question.turn != before.question.turn
        if new or (asked and self.auto is None):
            return [Show("table")]
        return []

    def _due(self) -> list[Effect]:
        """The effects that the table as it is now asks for."""
        if self.table.info.phase == "finished" and not self.stay:
            return [End()]
        return [] if self.auto is None else self.auto.look(self.table)

    def _resolved(self, text: str) -> Action:
        """The move that `text` means in short, and why it is none where nobody waits for one."""
        if self.table.info.phase == "playing" and not self.table.my_turn:
            raise NotUnderstood("It is not your turn. Type ? for what you can do.")
        if not self.table.choices:
            raise NotUnderstood(f"{text!r} means nothing here. Type ? for what you can do.")
        return resolve(text, self.table.choices, self.table.legend)

    def _act(self, action: Action) -> SendCommand:
        turn = self.table.question.turn
        return SendCommand(Act, {"table": self.table.table, "turn": turn, "action": action})
