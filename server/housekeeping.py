"""Deletes rows that are no longer needed, a few at a time.

closed tables with their logs      after `keep_days`, if that is set
answers to commands                after `answer_days`; what is repeated then is too old
players who ever sat down          after `guest_days` without a visit
players who never did              after a day without a command of theirs
descriptions of games              with the last table that is played by them
bans, codes for devices            when their time is over
requests of nodes                  after an hour
"""

from asyncio import sleep
from collections import Counter
from collections.abc import Callable

import structlog

from server.ops.settings import Settings
from server.players.bans import Bans
from server.rendezvous import heir
from server.sessions.registry import ConnectionRegistry
from server.store import AnswerKey, Deletion, Store, StoreError, Write
from server.tables.guests import DAY_SECONDS, Guests

log = structlog.get_logger()

LOOK_SECONDS = 3600.0
AT_ONCE = 20
"""Tables that one commit deletes: moves wait for it."""
ROWS_AT_ONCE = 500
"""Answers or players that are read at a time, and deleted by one commit."""

REQUEST_SECONDS = 3600.0
"""Long after a node has done what others ask."""

SHARED_WORK = "housekeeping"
"""What nodes that share a database call this: it belongs to one of them, as a table does."""

_FIRST = AnswerKey("", "", 0)


class Housekeeping:
    """Deletes old rows. `now` returns server time."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        connections: ConnectionRegistry,
        guests: Guests,
        bans: Bans,
        now: Callable[[], float],
    ) -> None:
        self._settings = settings
        self._store = store
        self._connections = connections
        self._guests = guests
        self._known_bans = bans
        self._now = now

    async def run(self) -> None:
        """Delete old rows every hour, for ever."""
        while True:
            try:
                deleted = await self.tidy() if await self._is_ours() else Counter[str]()
            except StoreError as error:
                # Another hour will do.
                log.warning("rows_not_deleted", reason=str(error))
            else:
                for kind, count in deleted.items():
                    log.info(f"{kind}_deleted", count=count)
            await sleep(LOOK_SECONDS)

    async def _is_ours(self) -> bool:
        """Whether this process does it: of the nodes that share a database, one does."""
        node = self._store.node
        if node is None:
            return True
        rows = await self._store.nodes()
        living = {row.name for row in rows if row.lives and row.has_tables}
        return bool(living) and heir(SHARED_WORK, living) == node.name

    async def tidy(self) -> Counter[str]:
        """Delete all rows that are old enough; return the number of each kind."""
        settings, deleted = self._settings, Counter[str]()
        if settings.keep_days:
            deleted["tables"] = await self._tables(self._before(settings.keep_days))
        if settings.answer_days:
            deleted["answers"] = await self._answers(self._before(settings.answer_days))
        deleted["players"] = await self._players(self._before(1.0), sat=False)
        if settings.guest_days:
            deleted["players"] += await self._players(self._before(settings.guest_days), sat=True)
        # After the tables that were played by them.
        deleted["descriptions"] = await self._descriptions()
        deleted["bans"] = await self._bans()
        now = self._now()
        over = Deletion(codes_over_at=now, requests_before=now - REQUEST_SECONDS)
        await self._store.save(Write(deleted=over))
        return +deleted

    def _before(self, days: float) -> float:
        return self._now() - days * DAY_SECONDS

    async def _tables(self, moment: float) -> int:
        deleted = 0
        while codes := await self._store.closed_before(moment, AT_ONCE):
            await self._store.save(Write(deleted=Deletion(tables=tuple(codes))))
            deleted += len(codes)
        return deleted

    async def _answers(self, moment: float) -> int:
        deleted = 0
        at: AnswerKey | None = _FIRST
        while at is not None:
            old, at = await self._store.old_answers(moment, at, ROWS_AT_ONCE)
            if old:
                await self._store.save(Write(deleted=Deletion(answers=tuple(old))))
                deleted += len(old)
        return deleted

    async def _players(self, moment: float, *, sat: bool) -> int:
        deleted, last = 0, ""
        while found := await self._store.unseen_players(moment, sat, last, ROWS_AT_ONCE):
            last = found[-1]
            # A player who says hello now is seen now, and so is not deleted.
            gone = tuple(player for player in found if not self._is_needed(player))
            if gone:
                deletion = Deletion(players=gone, unseen_since=moment)
                await self._store.save(Write(deleted=deletion))
                deleted += len(gone)
        return deleted

    def _is_needed(self, player: str) -> bool:
        """Whether a player is connected, or a guest who would be recognised on return."""
        return self._connections.is_here(player) or player in self._guests

    async def _bans(self) -> int:
        # One moment for the disk and for memory: a ban that is renewed meanwhile stays in both.
        now = self._now()
        keys = tuple(self._known_bans.over(now))
        if keys:
            await self._store.save(Write(deleted=Deletion(bans=keys, over_at=now)))
        for key in set(keys).intersection(self._known_bans.over(now)):
            self._known_bans.lift(key)
        return len(keys)

    async def _descriptions(self) -> int:
        digests = await self._store.unused_descriptions()
        if digests:
            await self._store.save(Write(deleted=Deletion(descriptions=tuple(digests))))
        return len(digests)
