"""The loop around a desk: what happens, what is typed and what is answered, one after the other."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from client_cli.auto import AutoPlayer
from client_cli.completion import completions, prompt_text
from client_cli.desk import Desk
from client_cli.effects import Ask, Effect, End, Remark, Show
from client_cli.output import Output
from protocol.connection import Client
from protocol.errors import ConnectionLost, ProtocolError
from protocol.happenings import (
    Answer,
    Answered,
    Chatted,
    Happening,
    Noticed,
    PresenceChanged,
    TableClosed,
    TableEvent,
    TableSnapshot,
    Welcomed,
)
from protocol.mirror import TableMirror
from protocol.to_client import Asked, Notice
from protocol.to_server import Join


@dataclass(frozen=True, slots=True)
class _Typed:
    text: str


@dataclass(frozen=True, slots=True)
class _InputEnded:
    pass


@dataclass(frozen=True, slots=True)
class _Done:
    ask: Ask
    answer: Answer | ProtocolError


_Input: TypeAlias = Happening | _Typed | _InputEnded | _Done | ConnectionLost | ProtocolError
"""An error is the end of the connection."""


class Shell:
    """Runs the desk at one table until it ends; `substitute` plays when nobody types any more."""

    def __init__(
        self,
        client: Client,
        output: Output,
        *,
        substitute: AutoPlayer,
        stay: bool = False,
    ) -> None:
        self._desk: Desk | None = None
        self._client = client
        self._happenings = client.happenings()
        self._output = output
        self._substitute = substitute
        self._stay = stay
        self._inbox: asyncio.Queue[_Input] = asyncio.Queue()
        self._asked = 0.0

    async def run(self, code: str, lines: AsyncIterator[str]) -> End:
        """How the desk at table `code` ended; raises what ended the connection for good.

        When `lines` end, nobody types any more.
        """
        desk = self._desk = Desk(await self._enter(code), stay=self._stay)
        self._asked = asyncio.get_running_loop().time()
        async with asyncio.TaskGroup() as group:
            tasks = {group.create_task(self._listen()), group.create_task(self._read(lines))}
            try:
                return await self._serve(desk, group, tasks)
            finally:
                for task in tasks:
                    task.cancel()

    def prompt(self) -> str:
        """What stands before the line that a person types."""
        if self._desk is None:
            return "> "
        return prompt_text(self._desk.table, asyncio.get_running_loop().time() - self._asked)

    def complete(self, text: str) -> list[str]:
        return [] if self._desk is None else completions(self._desk.table, text)

    async def _enter(self, code: str) -> TableMirror:
        waiting: Join | None = None
        async for happening in self._happenings:
            self._output.happened(happening)
            match happening:
                case TableSnapshot(mirror) if mirror.table == code:
                    return mirror
                case Answered(Join() as join, Asked()) if join.table == code:
                    waiting = join
                case Noticed(Notice(kind="refused", table=table)) if table == code:
                    raise ProtocolError("forbidden", f"no seat at table {code}")
                case Welcomed() if waiting is not None and not self._client.session.sits_at(code):
                    # The request was withdrawn with the connection, unless the host was quicker.
                    await self._client.ask(Join, table=code, seat=waiting.seat)
        raise ConnectionLost("the connection was closed")

    async def _serve(
        self, desk: Desk, group: asyncio.TaskGroup, tasks: set[asyncio.Task[Any]]
    ) -> End:
        # A match that has begun in the meantime is reported next, with its own picture.
        newest = self._client.session.tables.get(desk.table.table, desk.table)
        begun = desk.table.info.phase == "lobby" != newest.info.phase
        effects = desk.arrived(draw=not begun)
        while True:
            for effect in effects:
                match effect:
                    case Ask():
                        task = group.create_task(self._ask(effect))
                        tasks.add(task)
                        task.add_done_callback(tasks.discard)
                    case Show():
                        self._output.show(effect, desk.table)
                    case Remark():
                        self._output.remark(effect)
                    case End():
                        return effect
            question = desk.table.question
            effects = self._take(desk, await self._inbox.get())
            if desk.table.question is not question:
                self._asked = asyncio.get_running_loop().time()

    def _take(self, desk: Desk, item: _Input) -> list[Effect]:
        match item:
            case ConnectionLost() | ProtocolError():
                raise item
            case _Typed(text):
                return desk.typed(text)
            case _InputEnded():
                return desk.input_ended(self._substitute)
            case _Done(ask, answer):
                if desk.auto is None:
                    self._output.answered(ask, answer, desk.table)
                return desk.done(ask, answer)
            case _ if _table_of(item) in (None, desk.table.table):
                self._output.happened(item)
                return desk.happened(item)
        return []

    async def _listen(self) -> None:
        try:
            async for happening in self._happenings:
                self._inbox.put_nowait(happening)
            self._inbox.put_nowait(ConnectionLost("the connection was closed"))
        except (ConnectionLost, ProtocolError) as error:
            self._inbox.put_nowait(error)

    async def _read(self, lines: AsyncIterator[str]) -> None:
        async for text in lines:
            self._inbox.put_nowait(_Typed(text))
        self._inbox.put_nowait(_InputEnded())

    async def _ask(self, ask: Ask) -> None:
        try:
            answer: Answer | ProtocolError = await self._client.ask(ask.kind, **ask.fields)
        except ProtocolError as error:
            answer = error
        except ConnectionLost:
            # The listener tells it.
            return
        self._inbox.put_nowait(_Done(ask, answer))


def _table_of(happening: Happening) -> str | None:
    """The table that `happening` is about; None where it is about none."""
    match happening:
        case TableSnapshot(mirror) | TableEvent(mirror) | PresenceChanged(mirror):
            return mirror.table
        case TableClosed(mirror):
            return mirror.table
        case Chatted(chat):
            return chat.table
        case Noticed(Notice(table=table)):
            return table
    return None
