"""A person's place at one table, without terminal and connection: what happens in, effects out.

What the person types, what the server tells and what commands are answered with comes in here,
one thing after the other; what is to be sent, shown or ended comes out. How it is shown is the
output's affair (`client_cli.output`).
"""

from dataclasses import dataclass

from client_cli.auto import AutoPlayer
from client_cli.effects import Ask, Effect, End, Remark, Show
from client_cli.orders import NotUnderstood, order_for
from client_cli.refusals import refusal
from engine.choices import Action
from engine.facts import Lay
from protocol.errors import ProtocolError, TypedError
from protocol.exits import Exit
from protocol.happenings import (
    Answer,
    Happening,
    Noticed,
    PresenceChanged,
    Reconnected,
    TableClosed,
    TableEvent,
    TableSnapshot,
)
from protocol.mirror import TableMirror
from protocol.to_server import Act, Hint, Ready, Start
from protocol.typed import resolve

_FRIENDLY = ("left", "finished")
"""Reasons for losing one's place that are as it should be."""


@dataclass(slots=True)
class Desk:
    """`auto` plays the seat where it is given; `stay` keeps the place after a match."""

    table: TableMirror
    auto: AutoPlayer | None = None
    stay: bool = False

    def arrived(self, *, draw: bool) -> list[Effect]:
        """On sitting down: see the table, unless it is about to be drawn anyhow."""
        return [*([Show("table")] if draw else []), *self._due()]

    def happened(self, happening: Happening) -> list[Effect]:
        """What follows from what the server told; other tables are none of this desk's business."""
        match happening:
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
        """A line from the person: exactly a legal move, an order, or a move in short."""
        text = text.strip()
        if not text:
            return []
        if self.table.choices.allows(text):
            return [self._act(text)]
        try:
            order = order_for(text, self.table)
            return [order if order is not None else self._act(self._resolved(text))]
        except (NotUnderstood, TypedError) as error:
            return [Remark(str(error), wrong=True)]

    def done(self, ask: Ask, answer: Answer | ProtocolError) -> list[Effect]:
        """A command was answered."""
        if self.auto is not None:
            if ask.kind is Hint:
                return self.auto.advised(self.table, answer)
            if ask.kind is Act:
                return self.auto.moved(self.table, answer)
            if ask.kind is Start:
                return self.auto.started(answer)
            if ask.kind is Ready:
                return self.auto.readied()
        if isinstance(answer, ProtocolError):
            return [Remark(refusal(ask.kind, ask.fields, answer), wrong=True)]
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
        """What the table as it is now asks for."""
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

    def _act(self, action: Action) -> Ask:
        turn = self.table.question.turn
        return Ask(Act, {"table": self.table.table, "turn": turn, "action": action})
