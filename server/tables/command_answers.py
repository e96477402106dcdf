"""Answers commands: what was carried out or refused for good is stored first."""

import json
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import TypeAlias, assert_never

import structlog

from protocol.to_server import STORED_REFUSAL
from protocol.wire_form import WireForm
from server.names import Key
from server.ops.isolation import Spawn, isolated
from server.ops.tracing import CAUSE
from server.refusals import refusal
from server.sessions.registry import ConnectionRegistry
from server.store import AnswerRow, EntryRow, Forgotten, Store, StoreConflict, StoreError, Write
from server.table.answers import error_answer, ok_answer
from server.table.effects import Answer, Effect
from server.table.table import Table
from server.tables.guests import Guests
from server.tables.live_tables import LiveTables

log = structlog.get_logger()

Work: TypeAlias = Callable[[], None]
Recorded: TypeAlias = Callable[[Exception | None], None]


class CommandAnswers:
    """Sends answers to where their clients are now; a stored one once it is on the disk.

    An answer that cannot be stored becomes the error `try_again`, or the one that another node has
    stored. A guest is stored with their first. `now` gives server time in seconds; `settle` is
    called when an answer from the disk may wait to be sent; `spawn` runs beside it all.
    """

    def __init__(
        self,
        store: Store,
        guests: Guests,
        connections: ConnectionRegistry,
        live: LiveTables,
        now: Callable[[], float],
        settle: Callable[[], None],
        spawn: Spawn,
    ) -> None:
        self._store = store
        self._guests = guests
        self._connections = connections
        self._live = live
        self._now = now
        self._settle = settle
        self._spawn = spawn

    def answer(
        self,
        key: Key,
        message: WireForm,
        record: bool,
        *,
        vain: bool = False,
    ) -> None:
        """Answer a command. With `record` the answer is stored first.

        A stored answer to a command in `vain`, or refused, costs its player `STORED_REFUSAL`.
        """
        if not record:
            self._connections.answer(key, message)
            return
        if vain or message["type"] == "error":
            self._connections.charge(key.player, STORED_REFUSAL)
        self._record(key, message, partial(self._recorded, key, message, None))

    def answer_and_tell(self, table: Table, key: Key, then: Work) -> None:
        """Store that a command is carried out, answer it, and call `then`, which tells the table.

        The table stays here until then.
        """
        message = ok_answer(key.command, table.code)
        recorded = partial(self._recorded, key, message, then)
        self._record(key, message, partial(self._told, table.code, recorded))
        self._live.await_answer(table.code)

    async def stored(self, key: Key, tables: Collection[str]) -> WireForm | None:
        """The answer that a command has got before; None if there is none.

        That to a move is found if it is in the log of one of `tables`.
        """
        row = await self._store.answer(key.player, key.client, key.command, tables)
        match row:
            case None:
                return None
            case EntryRow():
                return ok_answer(key.command, row.table, row.seq)
            case AnswerRow():
                stored: WireForm = json.loads(row.answer)
                return stored
            case Forgotten():
                too_old = refusal("stale_command", "refused_too_old", {"command": key.command})
                return error_answer(key, too_old)
            case _:
                assert_never(row)

    def as_before(self, key: Key | None, effects: Sequence[Effect]) -> list[Effect]:
        """The `effects` of a write that contradicts what is stored.

        Without the answer to its command `key`, which may have been answered at another node.
        """
        left: list[Effect] = []
        for effect in effects:
            if isinstance(effect, Answer) and effect.key == key:
                self._answer_as_before(effect.key, effect.message)
            else:
                left.append(effect)
        return left

    def _answer_as_before(self, key: Key, otherwise: WireForm) -> None:
        """Answer a command as another node has answered it; with `otherwise` if none has."""

        async def look_up() -> None:
            message = None
            try:
                message = await self.stored(key, ())
            except StoreError as error:
                log.warning("answer_not_read", reason=str(error))
            self._connections.answer(key, message or otherwise)
            self._settle()

        self._spawn(look_up())

    def _record(self, key: Key, message: WireForm, done: Recorded) -> None:
        now = self._now()
        row = AnswerRow(key.player, key.client, key.command, json.dumps(message), now)
        players = self._guests.to_store(key.player, now)
        self._store.commit(Write(answers=(row,), players=players), done)

    def _told(self, code: str, recorded: Recorded, error: Exception | None) -> None:
        self._live.answered(code)
        recorded(error)

    def _recorded(
        self, key: Key, message: WireForm, then: Work | None, error: Exception | None
    ) -> None:
        CAUSE.set(key)
        if error is not None:
            log.error("commit_failed", reason=str(error))
            message = error_answer(key, refusal("try_again", "refused_answer_not_stored"))
        if isinstance(error, StoreConflict):
            self._answer_as_before(key, message)
        else:
            self._connections.answer(key, message)
        if then is not None and error is None:
            with isolated("command_failed"):
                then()
        self._settle()
