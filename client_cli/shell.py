"""The loop around a table controller: events, typed lines and answers, one after the other."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from client_cli.attention import NO_ATTENTION, Attention
from client_cli.auto import AutoPlayer
from client_cli.completion import THINKING_SECONDS, completions, prompt_text
from client_cli.effects import Effect, End, PlayBy, Remark, SendCommand, Show
from client_cli.lobby_advice import next_step
from client_cli.output import Output
from client_cli.seating import SeatRefused, learn_game, with_game
from client_cli.table_controller import TableController
from client_cli.tell import tell
from client_cli.terminal import KeyPress, TypedLine
from client_cli.text import Look
from client_cli.warm_ups import level_text
from protocol.client_events import (
    Answer,
    Answered,
    Chatted,
    ClientEvent,
    Noticed,
    PresenceChanged,
    TableClosed,
    TableEvent,
    TableSnapshot,
    TableUnchanged,
    Welcomed,
)
from protocol.connection import Client
from protocol.errors import ConnectionLost, ProtocolError
from protocol.mirror import TableMirror
from protocol.strengths import LEVELS, strength_in
from protocol.to_client import Asked, GameCard, Notice
from protocol.to_server import Games, Join


@dataclass(frozen=True, slots=True)
class _Typed:
    text: str


@dataclass(frozen=True, slots=True)
class _InputEnded:
    """The end of the typed input."""


@dataclass(frozen=True, slots=True)
class _Done:
    command: SendCommand
    answer: Answer | ProtocolError


_PLAIN = Look()
_STRENGTHS = ("strength", "fill")
"""The fields of commands that hold the strength of a bot."""
_Input: TypeAlias = (
    ClientEvent | _Typed | KeyPress | _InputEnded | _Done | ConnectionLost | ProtocolError
)
"""An error is the end of the connection."""


class Shell:
    """Runs the controller of one table until it ends.

    `substitute` plays once the input has ended. `stay` keeps the place after a match, `by_hand`
    says that a person types, and `attention` calls them when it is their turn. After `patience`
    seconds a person is told for whom they wait.
    """

    def __init__(
        self,
        client: Client,
        output: Output,
        *,
        substitute: AutoPlayer,
        stay: bool = False,
        by_hand: bool = False,
        kept: bool = True,
        attention: Attention = NO_ATTENTION,
        patience: float = THINKING_SECONDS,
    ) -> None:
        self._patience = patience
        self._attention = attention
        self._controller: TableController | None = None
        self._client = client
        self._events = client.events()
        self._output = output
        self._substitute = substitute
        self._stay = stay
        self._by_hand = by_hand
        self._kept = kept
        self._inbox: asyncio.Queue[_Input] = asyncio.Queue()
        self._asked = 0.0
        self._asked_at = awake_or_asleep()
        self._told_whom = False
        self._card: GameCard | None = None

    async def run(self, code: str, lines: AsyncIterator[TypedLine]) -> End:
        """How the controller at table `code` ended; raises what ended the connection for good.

        After the end of `lines` there is no more input.
        """
        controller = self._controller = TableController(
            await self._with_game(await self._enter(code)),
            stay=self._stay,
            by_hand=self._by_hand,
            kept=self._kept,
            substitute=self._substitute,
        )
        self._asked, self._asked_at = asyncio.get_running_loop().time(), awake_or_asleep()
        async with asyncio.TaskGroup() as group:
            tasks = {group.create_task(self._listen()), group.create_task(self._read(lines))}
            try:
                return await self._serve(controller, group, tasks)
            except asyncio.CancelledError:
                self._output.interrupted()
                raise
            finally:
                self._attention.end()
                for task in tasks:
                    task.cancel()

    @property
    def table(self) -> TableMirror | None:
        """The mirror of the table; None before there is one."""
        return None if self._controller is None else self._controller.table

    def prompt(self) -> str:
        """The prompt before the line that a person types."""
        if self._controller is not None and self._controller.asks:
            return tell("prompt.confirm")
        if self._controller is not None and self._controller.lost:
            return tell("prompt.connecting")
        if self._controller is None or self._controller.auto is not None:
            return "> "
        table = self._controller.table
        newest = self._client.session.tables.get(table.table, table)
        if table.info.phase == "lobby" != newest.info.phase:
            # The match has begun in the meantime; what led to it is told next.
            return "> "
        return prompt_text(table, awake_or_asleep() - self._asked_at)

    def complete(self, text: str) -> list[str]:
        """The completions of `text`; none before there is a table."""
        return [] if self._controller is None else completions(self._controller.table, text)

    async def _enter(self, code: str) -> TableMirror:
        waiting: Join | None = None
        async for event in self._events:
            self._output.happened(event)
            match event:
                case TableSnapshot(mirror) if mirror.table == code:
                    return mirror
                case Answered(Join() as join, Asked()) if join.table == code:
                    waiting = join
                case Noticed(Notice(kind="refused", table=table)) if table == code:
                    raise SeatRefused("forbidden", tell("refused.no_seat_at", code=code))
                case Welcomed() if waiting is not None and not self._client.session.sits_at(code):
                    # The request was withdrawn with the connection, unless the host was quicker.
                    seat, seeded = waiting.seat, waiting.seeded
                    await self._client.ask(Join, table=code, seat=seat, seeded=seeded)
        raise ConnectionLost(tell("told.closed"))

    async def _with_game(self, table: TableMirror) -> TableMirror:
        """The table with the words for the strengths of its bots, and with its teams."""
        if not self._by_hand or table.bots:
            return table
        try:
            game = (await self._client.ask(Games, game=table.info.game)).games[0]
        except ProtocolError:
            # It may be stored on a server that no longer has the game.
            return table
        self._card = game
        learn_game(self._client, table.table, game)
        return with_game(table, game)

    async def _serve(
        self, controller: TableController, group: asyncio.TaskGroup, tasks: set[asyncio.Task[Any]]
    ) -> End:
        # A match that has begun in the meantime is reported next, with its own picture.
        newest = self._client.session.tables.get(controller.table.table, controller.table)
        begun = controller.table.info.phase == "lobby" != newest.info.phase
        effects = controller.arrived(draw=not begun)
        while True:
            for effect in effects:
                match effect:
                    case SendCommand():
                        task = group.create_task(self._ask(effect))
                        tasks.add(task)
                        task.add_done_callback(tasks.discard)
                    case Show():
                        self._output.show(effect, controller.table)
                    case Remark():
                        self._output.remark(effect)
                    case PlayBy():
                        raise AssertionError("the controller's own affair")
                    case End():
                        return effect
            self._attention.follow(controller.table)
            question = controller.table.question
            effects = self._take(controller, await self._next(controller))
            if controller.table.question is not question:
                self._asked, self._asked_at = asyncio.get_running_loop().time(), awake_or_asleep()
                self._told_whom = False

    async def _next(self, controller: TableController) -> _Input:
        """The next input; a person who waits long for it is told once for whom."""
        if self._by_hand and not self._told_whom:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(self._asked + self._patience):
                    return await self._inbox.get()
            self._told_whom = True
            if controller.auto is None:
                self._output.waiting(controller.table)
        return await self._inbox.get()

    def _with_words(self, item: _Input) -> _Input:
        """An event with what the card of the game adds, unless its session knew that already."""
        card = self._card
        match item:
            case TableEvent(mirror=mirror, before=before) if card and not mirror.bots:
                return replace(item, mirror=with_game(mirror, card), before=with_game(before, card))
            case (
                TableSnapshot(mirror)
                | PresenceChanged(mirror)
                | TableUnchanged(mirror)
                | Noticed(mirror=TableMirror() as mirror)
            ) if card and not mirror.bots:
                return replace(item, mirror=with_game(mirror, card))
        return item

    def _take(self, controller: TableController, item: _Input) -> list[Effect]:
        item = self._with_words(item)
        match item:
            case ConnectionLost() | ProtocolError():
                raise item
            case _Typed(text):
                return controller.typed(text)
            case KeyPress.CTRL_C:
                return controller.interrupted()
            case KeyPress.CTRL_D:
                return controller.input_ended(final=False)
            case _InputEnded():
                return controller.input_ended(final=True)
            case _Done(command, answer):
                if command.typed:
                    self._output.answered(command, answer, controller.table)
                return controller.done(command, answer)
            case _ if _table_of(item) in (None, controller.table.table):
                before = controller.table
                self._output.happened(item)
                effects = controller.happened(item)
                return [*effects, *self._advice(controller, before, effects)]
        return []

    def _advice(
        self, controller: TableController, before: TableMirror, effects: Sequence[Effect]
    ) -> list[Effect]:
        """Before a match: what a person may do next, if that is new and not shown anyway."""
        table = controller.table
        newest = self._client.session.tables.get(table.table, table)
        if not self._by_hand or controller.auto is not None or newest.info.phase != "lobby":
            return []
        told = next_step(table, _PLAIN)
        drawn = any(isinstance(effect, Show) for effect in effects)
        return [Remark(told)] if told and not drawn and told != next_step(before, _PLAIN) else []

    async def _listen(self) -> None:
        try:
            async for event in self._events:
                self._inbox.put_nowait(event)
            self._inbox.put_nowait(ConnectionLost(tell("told.closed")))
        except (ConnectionLost, ProtocolError) as error:
            self._inbox.put_nowait(error)

    async def _read(self, lines: AsyncIterator[TypedLine]) -> None:
        async for typed in lines:
            self._inbox.put_nowait(typed if isinstance(typed, KeyPress) else _Typed(typed))
        self._inbox.put_nowait(_InputEnded())

    async def _ask(self, command: SendCommand) -> None:
        try:
            fields = await self._with_numbers(command.fields)
            answer: Answer | ProtocolError = await self._client.ask(command.kind, **fields)
        except ProtocolError as error:
            answer = error
        except ConnectionLost:
            # The listener reports it.
            return
        self._inbox.put_nowait(_Done(command, answer))

    async def _with_numbers(self, fields: Mapping[str, Any]) -> Mapping[str, Any]:
        """The fields of a command, with the number of a strength that was given as a word."""
        said = {name: fields[name] for name in _STRENGTHS if fields.get(name) in LEVELS}
        if not said or self.table is None:
            return fields
        game = self.table.info.game
        card = (await self._client.ask(Games, game=game)).games[0]
        for word in said.values():
            if told := level_text(card, word):
                self._output.remark(Remark(told))
        return {**fields, **{name: strength_in(card, word) for name, word in said.items()}}


def awake_or_asleep() -> float:
    """Seconds of a monotonic clock that includes sleep of the computer, if the system has one."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)


def _table_of(event: ClientEvent) -> str | None:
    """The table that `event` is about; None if it has none."""
    match event:
        case TableSnapshot(mirror) | TableEvent(mirror) | PresenceChanged(mirror):
            return mirror.table
        case TableUnchanged(mirror) | TableClosed(mirror):
            return mirror.table
        case Chatted(chat):
            return chat.table
        case Noticed(Notice(table=table)):
            return table
    return None
