"""Resuming: finds a returning player's state, and sends them their tables."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import structlog

from engine import SPECTATOR
from engine.facts import Viewer
from protocol.errors import ProtocolError
from protocol.features import MOVED, UNCHANGED
from protocol.wire_form import event_message
from server.commands.dispatch import RemoteTables
from server.names import Player
from server.players.identities import Identities
from server.refusals import moved
from server.sessions.chat_history import NOTHING_HEARD
from server.sessions.registry import ConnectionRegistry
from server.sessions.subscriber import Subscriber
from server.sessions.subscribers import Subscribers
from server.store import Store, StoreDamaged, StoreUnavailable
from server.table.guarded_game import RulesFailed
from server.table.history import MOST_TOLD, ToldEntry
from server.table.messages import info_of, past_facts, question_for, unchanged_message
from server.table.table import Table
from server.tables.effect_runner import EffectRunner
from server.tables.registry import TableRegistry

log = structlog.get_logger()


class Resume:
    """Resumes connections. `now` returns server time in seconds."""

    def __init__(
        self,
        store: Store,
        players: Identities,
        connections: ConnectionRegistry,
        tables: TableRegistry,
        effects: EffectRunner,
        subscribers: Subscribers,
        now: Callable[[], float],
    ) -> None:
        self.finder: RemoteTables | None = None
        """Finds the tables of other nodes, where there are any."""
        self._store = store
        self._players = players
        self._connections = connections
        self._tables = tables
        self._effects = effects
        self._subscribers = subscribers
        self._now = now

    async def last_command(
        self, player: str, client: str, resume: Collection[str], known: bool
    ) -> int:
        """Return the highest command number that was answered, according to this client's tables.

        Numbers of commands still being carried out count, as the store may not have them yet.
        `known` says that the player was here before.
        """
        # Now damaged tables are known as damaged, and their logs are not read below.
        await self._load(player, resume)
        if not known:
            return 0
        tables = self._tables.directory.tables_of(player) | set(resume)
        logs = self._tables.with_logs(tables)
        before = self._connections.highest_pending(player, client)
        stored = await self._store.last_command(player, client, logs)
        return max(before, stored, self._connections.highest_pending(player, client))

    async def resume(
        self,
        connection: Subscriber,
        resume: Mapping[str, int],
        heard: Mapping[str, Sequence[int]],
    ) -> None:
        """Bring a connection up to date at its player's tables and those that it resumes.

        `resume` has the tables that the client knows, each with the last entry it has seen, and
        `heard` the last lines of chat that it received there.
        """
        player = connection.player
        reasons = await self._reasons(resume)
        addresses: Mapping[str, str] = {}
        if self.finder is not None:
            addresses = await self._elsewhere(self.finder, player.id, resume)
        tables = await self._load(player.id, resume)
        # Nothing below awaits, so missed events and those published next fit together.
        if connection not in self._connections:
            return
        if MOVED in connection.features:
            for code, address in addresses.items():
                connection.tell(moved(code, address))
        left = MOST_TOLD
        for code, table in tables.items():
            if code in addresses and table is None:
                continue
            try:
                seen, closed = resume.get(code), reasons.get(code, "finished")
                left -= self._resume(connection, player, code, table, seen, closed, left)
                told = heard.get(code, NOTHING_HEARD)
                self._subscribers.tell_missed(code, connection, told)
            except RulesFailed:
                self._subscribers.unsubscribe(code, connection, "stopped")
            except Exception:
                # The connection keeps its other tables; reconnecting would not help.
                log.exception("resume_failed", table=code)
                self._subscribers.unsubscribe(code, connection, "stopped")

    async def follow(self, connection: Subscriber, code: str) -> None:
        """Let a connection go on at a table that it followed until a moment ago."""
        table = await self._tables.get(code)
        closed = (await self._reasons((code,))).get(code, "finished")
        table = await self._tables.get(code)
        if connection not in self._connections:
            return
        if table is None or connection not in self._subscribers.of(code):
            self._resume(connection, connection.player, code, table, None, closed, MOST_TOLD)

    async def _elsewhere(
        self, finder: RemoteTables, player: str, resume: Iterable[str]
    ) -> dict[str, str]:
        """Return the other nodes that have tables of a player, or tables to resume, by code.

        Tables without an owner become this node's. Raises `StoreError` if one cannot be found now.
        """
        codes = dict.fromkeys(resume)
        codes |= dict.fromkeys(seat.row.code for seat in await self._store.seats_of(player))
        addresses: dict[str, str] = {}
        for code in codes:
            try:
                address = None if self._tables.has(code) else await finder.find(code)
            except ProtocolError as error:
                raise StoreUnavailable(error.reason) from None
            if address is not None:
                addresses[code] = address
        if addresses:
            await self._players.store(player)
        return addresses

    async def _reasons(self, resume: Iterable[str]) -> dict[str, str]:
        """Return why tables that the client resumes are closed, as far as the log says."""
        gone = [code for code in resume if not self._tables.has(code)]
        try:
            bodies = await self._store.closings(gone)
        except StoreDamaged:
            return {}
        reasons = {code: json.loads(body)["reason"] for code, body in bodies.items()}
        # A table closes when the last player leaves; one who resumes it later did not leave it.
        return {code: "finished" if why == "left" else why for code, why in reasons.items()}

    async def _load(self, player: str, resume: Iterable[str]) -> Mapping[str, Table | None]:
        """Load the player's own tables here and those to resume before returning."""
        while True:
            own = filter(self._tables.has, self._tables.directory.tables_of(player))
            codes = dict.fromkeys((*own, *resume))
            asleep = [code for code in codes if self._tables.sleeps(code)]
            if not asleep:
                return {code: self._tables.live.get(code) for code in codes}
            for code in asleep:
                await self._tables.get(code)

    def _resume(
        self,
        connection: Subscriber,
        player: Player,
        code: str,
        table: Table | None,
        seen: int | None,
        closed: str,
        most: int,
    ) -> int:
        """Send the events after entry `seen`, or one snapshot if that is impossible.

        `closed` is the reason to give for a table that is gone. At most `most` events are sent;
        returns their number.
        """
        seat = table.state.seat_of(player.id) if table else None
        reason = _shut(table, player, seen, closed) if seat is None else None
        if self._tables.is_damaged(code):
            reason = "damaged"
        if table is None or reason:
            connection.tell({"type": "closed", "table": code, "reason": reason})
            return 0
        if seat is None and table.may_be_undone:
            self._effects.perform(table, table.watch(player.id, None, self._now()))
            return 0
        viewer = SPECTATOR if seat is None else seat
        try:
            missed = None if seen is None else table.history.facts_since(seen, player.id, most)
            if missed is not None:
                self._tell_missed(connection, table, viewer, missed)
        except RulesFailed as error:
            self._effects.rules_failed(table, viewer, error)
            raise
        if missed is None:
            self._effects.send_snapshot(table, connection, viewer)
        else:
            self._subscribers.follow(code, connection, viewer)
            self._effects.tell_notices(table, connection)
        self._effects.perform(table, table.player_connected(player.id, self._now()))
        return len(missed or ())

    def _tell_missed(
        self, connection: Subscriber, table: Table, viewer: Viewer, missed: Sequence[ToldEntry]
    ) -> None:
        """Send the events, the last with the question; without any, the missing parts."""
        for place, (seq, facts) in enumerate(missed, start=1):
            last = place == len(missed)
            event = event_message(
                table.code,
                seq,
                past_facts(facts, connection.features),
                info_of(table) if last else None,
                question_for(table, viewer, self._now(), connection.features) if last else None,
            )
            connection.tell(event)
        if not missed and UNCHANGED in connection.features:
            connection.tell(unchanged_message(table, self._now()))
        elif not missed:
            for seat in table.state.humans():
                if seat != viewer:
                    connection.tell(table.presence(seat))


def _shut(table: Table | None, player: Player, seen: int | None, closed: str) -> str | None:
    """Return why a player without a seat may not follow a table again; None if they may."""
    if table is None:
        return closed
    if player.id in table.state.banned:
        return "kicked"
    had_seat = seen is not None and table.history.seat_at(seen, player.id) is not None
    if had_seat:
        return "away"
    return None if table.state.settings.watchable else "left"
