"""Answers commands: the answers to commands carried out or finally refused are stored first."""

import json
from collections.abc import Callable, Collection, Sequence
from typing import assert_never

import structlog

from protocol.to_server import STORED_REFUSAL
from protocol.wire_form import WireForm, ok_message
from server.names import CommandKey
from server.ops.isolation import Spawn, isolated
from server.ops.tracing import CAUSE
from server.refusals import refusal, refused
from server.sessions.registry import ConnectionRegistry
from server.store import (
    AnswerRow,
    EntryRow,
    ForgottenAnswers,
    Store,
    StoreConflict,
    StoreError,
    Write,
)
from server.table.effects import Answer, Effect
from server.table.table import Table
from server.tables.guests import Guests
from server.tables.live_tables import LiveTables

log = structlog.get_logger()


class CommandAnswers:
    """Sends answers to the clients' present connections; stored ones once they are on the disk.

    An answer that cannot be stored becomes the error `try_again`, or the one that another node has
    stored. A guest is stored with their first. `now` returns server time in seconds; `spawn` runs
    background tasks.
    """

    def __init__(
        self,
        store: Store,
        guests: Guests,
        connections: ConnectionRegistry,
        live: LiveTables,
        now: Callable[[], float],
        spawn: Spawn,
    ) -> None:
        self._store = store
        self._guests = guests
        self._connections = connections
        self._live = live
        self._now = now
        self._spawn = spawn

    def record(self, key: CommandKey, message: WireForm, *, vain: bool = False) -> None:
        """Answer a command as soon as the answer is stored.

        A command in `vain`, or refused, costs its player `STORED_REFUSAL`.
        """
        if vain or message["type"] == "error":
            self._connections.charge(key.player, STORED_REFUSAL)
        self._spawn(self._record(key, message))

    def record_and_tell(self, table: Table, key: CommandKey, tell: Callable[[], None]) -> None:
        """Store that a command is carried out, answer it, and `tell` the table.

        The table stays here until then.
        """
        self._live.await_answer(table.code)
        self._spawn(self._record_and_tell(table.code, key, tell))

    async def stored(self, key: CommandKey, tables: Collection[str]) -> WireForm | None:
        """Return the earlier answer to a command; None if there is none.

        That to a move is found if it is in the log of one of `tables`.
        """
        row = await self._store.answer(key.player, key.client, key.command, tables)
        match row:
            case None:
                return None
            case EntryRow():
                return ok_message(key.command, row.table, row.seq)
            case AnswerRow():
                stored: WireForm = json.loads(row.answer)
                return stored
            case ForgottenAnswers():
                too_old = refusal("stale_command", "refused_too_old", {"command": key.command})
                return refused(key.command, too_old)
            case _:
                assert_never(row)

    def as_before(self, key: CommandKey | None, effects: Sequence[Effect]) -> list[Effect]:
        """Return the `effects` of a write that contradicts the store.

        They lack the answer to its command `key`, which may have been answered at another node.
        """
        left: list[Effect] = []
        for effect in effects:
            if isinstance(effect, Answer) and effect.key == key:
                self._spawn(self._answer_as_before(effect.key, effect.message))
            else:
                left.append(effect)
        return left

    async def _answer_as_before(self, key: CommandKey, otherwise: WireForm) -> None:
        """Answer a command as another node has answered it, or with `otherwise`."""
        message = None
        try:
            message = await self.stored(key, ())
        except StoreError as error:
            log.warning("answer_not_read", reason=str(error))
        self._connections.answer(key, message or otherwise)
        self._connections.flush()

    async def _record(self, key: CommandKey, message: WireForm) -> None:
        await self._answer_stored(key, message)
        self._connections.flush()

    async def _record_and_tell(self, code: str, key: CommandKey, tell: Callable[[], None]) -> None:
        try:
            stored = await self._answer_stored(key, ok_message(key.command, code))
        finally:
            self._live.answered(code)
        if stored:
            with isolated("command_failed"):
                tell()
        self._connections.flush()

    async def _answer_stored(self, key: CommandKey, message: WireForm) -> bool:
        """Store an answer and send it; return whether it is stored."""
        CAUSE.set(key)
        now = self._now()
        row = AnswerRow(key.player, key.client, key.command, json.dumps(message), now)
        players = self._guests.to_store(key.player, now)
        try:
            await self._store.save(Write(answers=(row,), players=players))
        except Exception as error:
            log.error("commit_failed", reason=str(error))
            message = refused(key.command, refusal("try_again", "refused_answer_not_stored"))
            if isinstance(error, StoreConflict):
                await self._answer_as_before(key, message)
            else:
                self._connections.answer(key, message)
            return False
        self._connections.answer(key, message)
        return True
