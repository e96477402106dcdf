"""Answers commands: what was carried out or refused for good is stored first."""

import json
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import structlog

from protocol.prices import STORED_REFUSAL
from protocol.wire_form import WireForm
from server.crossing.names import Key
from server.crossing.refusals import refusal
from server.ops.isolation import isolated
from server.ops.tracing import CAUSE
from server.store import AnswerRow, Store, Write
from server.table.answers import error_answer, ok_answer
from server.table.table import Table
from server.tables.links import Links
from server.tables.live_tables import LiveTables

log = structlog.get_logger()

Work: TypeAlias = Callable[[], None]
Recorded: TypeAlias = Callable[[Exception | None], None]


class CommandAnswers:
    """Sends answers to where their clients are now; a stored one once it is on the disk.

    An answer that cannot be stored becomes the error `try_again`. `now` gives server time in
    seconds; `settle` is called when an answer from the disk may wait to be sent.
    """

    def __init__(
        self,
        store: Store,
        links: Links,
        live: LiveTables,
        now: Callable[[], float],
        settle: Callable[[], None],
    ) -> None:
        self._store = store
        self._links = links
        self._live = live
        self._now = now
        self._settle = settle

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
            self._links.answer(key, message)
            return
        if vain or message["type"] == "error":
            self._links.charge(key.player, STORED_REFUSAL)
        self._record(key, message, partial(self._recorded, key, message, None))

    def answer_and_tell(self, table: Table, key: Key, then: Work) -> None:
        """Store that a command is carried out, answer it, and call `then`, which tells the table.

        The table stays here until then.
        """
        message = ok_answer(key.command, table.code)
        recorded = partial(self._recorded, key, message, then)
        self._record(key, message, partial(self._told, table.code, recorded))
        self._live.await_answer(table.code)

    def _record(self, key: Key, message: WireForm, done: Recorded) -> None:
        row = AnswerRow(key.player, key.client, key.command, json.dumps(message), self._now())
        self._store.commit(Write(answers=(row,)), done)

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
        self._links.answer(key, message)
        if then is not None and error is None:
            with isolated("command_failed"):
                then()
        self._settle()
