"""Arrivals: what is known of a player who comes in, and what they are shown of their tables."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence

import structlog

from engine import SPECTATOR
from engine.facts import Viewer
from protocol.errors import ProtocolError
from protocol.features import MOVED, UNCHANGED
from protocol.wire_form import event_message
from server.crossing.names import Player
from server.crossing.requests import Arriving, Resumed
from server.node.table_finder import TableFinder, moved
from server.players.identities import Players
from server.store import Store, StoreDamaged, StoreUnavailable
from server.table.history import MOST_TOLD, ToldEntry
from server.table.messages import info_of, past_facts, question_for, unchanged_message
from server.table.rules import RulesFailed
from server.table.table import Table
from server.tables.effect_runner import EffectRunner
from server.tables.link import Link
from server.tables.links import Links
from server.tables.registry import TableRegistry
from server.tables.said import NOTHING_HEARD
from server.tables.subscribers import Subscribers

log = structlog.get_logger()


class Arrivals:
    """`now` gives server time in seconds."""

    def __init__(
        self,
        store: Store,
        players: Players,
        links: Links,
        tables: TableRegistry,
        effects: EffectRunner,
        subscribers: Subscribers,
        now: Callable[[], float],
    ) -> None:
        self.finder: TableFinder | None = None
        """Finds the tables of other nodes; without one these nodes show them by themselves."""
        self._store = store
        self._players = players
        self._links = links
        self._tables = tables
        self._effects = effects
        self._subscribers = subscribers
        self._now = now

    async def answered(self, arriving: Arriving) -> int:
        """The highest command number that was answered, as far as this client's tables show.

        Or that is being carried out, for another gateway perhaps: the store may not have it yet.
        """
        player = arriving.player
        # Now damaged tables are known as damaged, and their logs are not read below.
        await self._load(player, arriving.resume)
        if not arriving.known:
            return 0
        tables = self._tables.directory.tables_of(player) | set(arriving.resume)
        logs = self._tables.with_logs(tables)
        before = self._links.highest_pending(player, arriving.client)
        stored = await self._store.last_command(player, arriving.client, logs)
        return max(before, stored, self._links.highest_pending(player, arriving.client))

    async def resume(self, link: Link, resumed: Resumed) -> None:
        """Bring a connection up to date at its player's tables and those it resumes."""
        player, resume = resumed.player, resumed.resume
        await self._load(player.id, resume)
        reasons = await self._reasons(resume)
        addresses: Mapping[str, str] = {}
        # Another node shows these, or will.
        away = {code for code in resume if not resumed.home and not self._tables.has(code)}
        if self.finder is not None:
            away = set(addresses := await self._elsewhere(self.finder, player.id, resume))
        elif resumed.home:
            away = {code for code in resume if await self._tables.whereabouts(code) is not None}
        tables = await self._load(player.id, resume)
        # Nothing below awaits, so missed events and those published next fit together.
        if self._links.at(link.mail.gateway, link.number) is not link:
            return
        if MOVED in link.features:
            for code, address in addresses.items():
                link.put(moved(code, address))
        left = MOST_TOLD
        for code, table in tables.items():
            if code in away and table is None:
                continue
            try:
                seen, closed = resume.get(code), reasons.get(code, "finished")
                left -= self._resume(link, player, code, table, seen, closed, left)
                heard = resumed.heard.get(code, NOTHING_HEARD)
                self._subscribers.tell_missed(code, link, heard)
            except RulesFailed:
                self._subscribers.unsubscribe(code, link, "stopped")
            except Exception:
                # The connection keeps its other tables; reconnecting would not help.
                log.exception("resume_failed", table=code)
                self._subscribers.unsubscribe(code, link, "stopped")

    async def follow(self, link: Link, code: str) -> str | None:
        """Let a connection go on at a table that it watched, or where its player has a seat.

        The node that has the table, "" if none does just now; None if this one has answered.
        """
        table = await self._tables.get(code)
        if table is None and (away := await self._tables.whereabouts(code)) is not None:
            return away
        closed = (await self._reasons((code,))).get(code, "finished")
        table = await self._tables.get(code)
        if self._links.at(link.mail.gateway, link.number) is not link:
            return None
        if table is None or link not in self._subscribers.of(code):
            self._resume(link, link.player, code, table, None, closed, MOST_TOLD)
        return None

    async def _elsewhere(
        self, finder: TableFinder, player: str, resume: Iterable[str]
    ) -> dict[str, str]:
        """Where other nodes have tables of a player, and those to resume, by their codes.

        What nobody had is this node's then. `StoreError` if one cannot be found just now.
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
        """Why tables that the client resumes are closed, as far as the log says."""
        gone = [code for code in resume if not self._tables.has(code)]
        try:
            bodies = await self._store.closings(gone)
        except StoreDamaged:
            return {}
        reasons = {code: json.loads(body)["reason"] for code, body in bodies.items()}
        # A table closes when the last player leaves; one who resumes it later did not leave it.
        return {code: "finished" if why == "left" else why for code, why in reasons.items()}

    async def _load(self, player: str, resume: Iterable[str]) -> Mapping[str, Table | None]:
        """The player's own tables here and those to resume, all loaded when this returns."""
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
        link: Link,
        player: Player,
        code: str,
        table: Table | None,
        seen: int | None,
        closed: str,
        most: int,
    ) -> int:
        """Send the events after entry `seen`, or one snapshot where that cannot be done.

        `closed` is the reason to give for a table that is gone. At most `most` events are sent;
        returns how many were.
        """
        seat = table.state.seat_of(player.id) if table else None
        reason = _shut(table, player, seen, closed) if seat is None else None
        if self._tables.is_damaged(code):
            reason = "damaged"
        if table is None or reason:
            link.put({"type": "closed", "table": code, "reason": reason})
            return 0
        if seat is None and table.may_be_undone:
            self._effects.perform(table, table.watch(player.id, None, self._now()))
            return 0
        viewer = SPECTATOR if seat is None else seat
        try:
            missed = None if seen is None else table.history.facts_since(seen, player.id, most)
            if missed is not None:
                self._tell_missed(link, table, viewer, missed)
        except RulesFailed as error:
            self._effects.rules_failed(table, viewer, error)
            raise
        if missed is None:
            self._effects.send_snapshot(table, link, viewer)
        else:
            self._subscribers.follow(code, link, viewer)
            self._effects.tell_notices(table, link)
        self._effects.perform(table, table.player_connected(player.id, self._now()))
        return len(missed or ())

    def _tell_missed(
        self, link: Link, table: Table, viewer: Viewer, missed: Sequence[ToldEntry]
    ) -> None:
        """Send the events, the last with the question; what no event tells if there are none."""
        for place, (seq, facts) in enumerate(missed, start=1):
            last = place == len(missed)
            event = event_message(
                table.code,
                seq,
                past_facts(facts, link.features),
                info_of(table) if last else None,
                question_for(table, viewer, self._now(), link.features) if last else None,
            )
            link.put(event)
        if not missed and UNCHANGED in link.features:
            link.put(unchanged_message(table, self._now()))
        elif not missed:
            for seat in table.state.humans():
                if seat != viewer:
                    link.put(table.presence(seat))


def _shut(table: Table | None, player: Player, seen: int | None, closed: str) -> str | None:
    """Why a player without a seat may not follow a table again; None if they may."""
    if table is None:
        return closed
    if player.id in table.state.banned:
        return "kicked"
    had_seat = seen is not None and table.history.seat_at(seen, player.id) is not None
    if had_seat:
        return "away"
    return None if table.state.settings.watchable else "left"
