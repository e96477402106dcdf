"""The handshake: welcomes a player, and brings them up to date at their tables."""

import json
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from secrets import token_hex, token_urlsafe

import structlog

from engine import SPECTATOR
from engine.facts import Viewer
from protocol.errors import ProtocolError
from protocol.features import FEATURES, asked_for
from protocol.to_client import Limits, Welcome
from protocol.to_server import Hello
from protocol.version import CLOSE_REPLACED, OLDEST, VERSION
from protocol.visible_text import CHAT, SERVER_NAME, is_servers_name, shown_name
from protocol.wire_form import WireForm, event_message, wire_form
from server.connections import bans
from server.connections.connection import Connection
from server.connections.guests import DAY_SECONDS
from server.connections.registry import ConnectionRegistry
from server.connections.session import Identity, clean
from server.lobby.devices import DeviceService, hashed
from server.ops.isolation import isolated
from server.ops.public_url import own_url
from server.ops.settings import Settings
from server.store import PlayerRow, Store, StoreDamaged, Write
from server.table.decide import Player
from server.table.history import MOST_TOLD, ToldEntry
from server.table.messages import info_of, past_facts, question_for
from server.table.rules import RulesFailed
from server.table.table import Table
from server.tables.effect_runner import EffectRunner
from server.tables.registry import TableRegistry
from server.tables.subscribers import Subscribers

log = structlog.get_logger()


class Handshake:
    """Answers `hello`: the player behind the token, and their tables. `now` gives server time."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        connections: ConnectionRegistry,
        tables: TableRegistry,
        effects: EffectRunner,
        subscribers: Subscribers,
        devices: DeviceService,
        now: Callable[[], float],
    ) -> None:
        self._devices = devices
        self._settings = settings
        self._store = store
        self._connections = connections
        self._tables = tables
        self._effects = effects
        self._subscribers = subscribers
        self._now = now

    async def hello(self, connection: Connection, hello: Hello) -> None:
        """Answer with `welcome`, then with missed events; `ProtocolError` if refused."""
        if not OLDEST <= hello.version <= VERSION:
            spoken = f"{OLDEST} to {VERSION}" if OLDEST < VERSION else str(VERSION)
            reason = f"version {hello.version} is not spoken here; this server speaks {spoken}"
            raise ProtocolError("version_unsupported", reason, hello.id)
        self._refuse_banned(connection, hello)
        token = token_urlsafe(32) if hello.code or not hello.token else hello.token
        if hello.code:
            row = await self._devices.redeem(hello, hello.code, token, connection.address)
        else:
            row = await self._player(hello, token)
            if hello.token:
                await self._devices.came_by(row, hello, token)
        self._refuse_banned(connection, hello, row.id)
        player = Player(row.id, row.name, clean(hello.program) if hello.program else "")
        wanted = asked_for(hello.features)
        identity = Identity(
            player, hello.client, wanted, hello.alongside, hello.facts, hashed(token)
        )
        self._replace(connection, identity)
        try:
            await self._let_in(connection, hello, row, identity, token)
        finally:
            self._connections.end_handshake(row.id, connection)

    def _refuse_banned(self, connection: Connection, hello: Hello, player: str = "") -> None:
        """Refuse a banned player, or anybody from a banned address."""
        known, now = self._connections.bans, self._now()
        ban = known.of_player(player, now) or known.of_address(connection.address, now)
        if ban is not None:
            raise ProtocolError("forbidden", bans.told(ban), hello.id)

    async def _player(self, hello: Hello, token: str) -> PlayerRow:
        """The player of the token, under the name they want now; a new player without a token."""
        name = clean(hello.name) if hello.name else None
        if name is not None and is_servers_name(name):
            # Clients of 0.1.0 show an announcement as a line of chat under it.
            reason = f"the name {SERVER_NAME} is the server's own; choose another name"
            raise ProtocolError("bad_message", reason, hello.id)
        now, guests = self._now(), self._connections.guests
        if hello.token is None:
            new = PlayerRow(token_hex(8), name or "Guest", hashed(token), now, seen=now, sat=False)
            guests.add(new, now)
            return new
        key = hashed(token)
        known = guests.by_token(key) or await self._store.player_by_token(key)
        if known is None:
            reason = "this token is not known here; say hello without one to be a new player"
            raise ProtocolError("unauthorized", reason, hello.id)
        row = known._replace(name=name or shown_name(known.name))
        if not row.sat:
            guests.add(row, now)
        elif row != known or now - known.seen > DAY_SECONDS:
            row = row._replace(seen=now)
            await self._store.save(Write(players=(self._devices.current(row),)))
        return row

    def _replace(self, connection: Connection, identity: Identity) -> None:
        """Close older connections of the player that cannot stay, and tell them why."""
        self._close(self._connections.begin_handshake(connection, identity))

    def _close(self, replaced: Iterable[Connection]) -> None:
        for older in replaced:
            if older.closing:
                continue
            with isolated("closing_failed"):
                self._connections.put(older, {"type": "notice", "kind": "replaced"})
                older.close(CLOSE_REPLACED, "replaced")

    async def _let_in(
        self,
        connection: Connection,
        hello: Hello,
        row: PlayerRow,
        identity: Identity,
        token: str,
    ) -> None:
        # Commands on their way to the disk now may or may not be read from there below.
        waiting = self._connections.highest_pending(row.id, hello.client)
        # Now damaged tables are known as damaged, and their logs are not read below.
        await self._tables_for(row.id, hello)
        reasons = await self._reasons(hello)
        answered = await self._answered(row.id, hello) if hello.token or hello.code else 0
        tables = await self._tables_for(row.id, hello)
        # Nothing below awaits, so missed events and those published next fit together.
        if not self._connections.may_enter(row.id, connection):
            reason = "the same player has just connected from elsewhere"
            raise ProtocolError("replaced", reason, hello.id)
        self._refuse_banned(connection, hello, row.id)
        if self._devices.is_revoked(token):
            raise ProtocolError("unauthorized", "this device was removed", hello.id)
        player = identity.player
        connection.session.welcome(identity, max(waiting, answered))
        connection.session.legends.update(hello.legends)
        self._close(self._connections.add(connection, identity))
        self._connections.guests.connected(player.id)
        self._connections.access_log.welcomed(player.id, connection.address, len(hello.resume))
        self._connections.put(connection, self._welcome(connection, hello, row, token))
        left = MOST_TOLD
        for code, table in tables.items():
            try:
                seen, closed = hello.resume.get(code), reasons.get(code, "finished")
                left -= self._resume(connection, player, code, table, seen, closed, left)
            except RulesFailed:
                self._subscribers.unsubscribe(code, connection, "stopped")
            except Exception:
                # The connection keeps its other tables; reconnecting would not help.
                log.exception("resume_failed", table=code)
                self._subscribers.unsubscribe(code, connection, "stopped")

    async def _answered(self, player: str, hello: Hello) -> int:
        """The highest command number that was answered, as far as this client's tables show."""
        tables = self._tables.with_logs(
            self._tables.directory.tables_of(player) | hello.resume.keys()
        )
        return await self._store.last_command(player, hello.client, tables)

    async def _reasons(self, hello: Hello) -> dict[str, str]:
        """Why tables that the client resumes are closed, as far as the log says."""
        gone = [code for code in hello.resume if not self._tables.knows(code)]
        try:
            bodies = await self._store.closings(gone)
        except StoreDamaged:
            return {}
        reasons = {code: json.loads(body)["reason"] for code, body in bodies.items()}
        # A table closes when the last player leaves; one who resumes it later did not leave it.
        return {code: "finished" if why == "left" else why for code, why in reasons.items()}

    async def _tables_for(self, player: str, hello: Hello) -> dict[str, Table | None]:
        """The player's own tables and those to resume, all loaded at the moment this returns."""
        while True:
            own = self._tables.directory.tables_of(player)
            codes = {**dict.fromkeys(own), **hello.resume}
            asleep = [code for code in codes if self._tables.sleeps(code)]
            if not asleep:
                return {code: self._tables.live.get(code) for code in codes}
            for code in asleep:
                await self._tables.get(code)

    def _url_for(self, connection: Connection) -> str | None:
        """The address for invitations; None if the one that the client came by is as good."""
        settings = self._settings
        if settings.public is not None:
            return settings.public.websocket
        # A port that was free at the start is the choice of a program, not of a host.
        if settings.port == 0 or not connection.is_here:
            return None
        return own_url(settings.host, settings.port)

    def _welcome(
        self, connection: Connection, hello: Hello, row: PlayerRow, token: str
    ) -> WireForm:
        settings = self._settings
        limits = Limits(
            message_bytes=settings.message_bytes,
            messages_per_second=settings.messages_per_second,
            chat_length=CHAT.graphemes,
        )
        welcome: WireForm = wire_form(
            Welcome(
                id=hello.id,
                version=VERSION,
                player=row.id,
                name=row.name,
                token=token,
                server=f"blackqueen {version('blackqueen')}",
                limits=limits,
                url=self._url_for(connection),
                features=FEATURES,
            )
        )
        return welcome

    def _resume(
        self,
        connection: Connection,
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
            self._connections.put(connection, {"type": "closed", "table": code, "reason": reason})
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
            self._subscribers.of(code).add(connection, viewer)
        self._effects.perform(table, table.player_connected(player.id, self._now()))
        return len(missed or ())

    def _tell_missed(
        self, connection: Connection, table: Table, viewer: Viewer, missed: Sequence[ToldEntry]
    ) -> None:
        """Send the events, the last with the question; only who is present if there are none."""
        features = connection.session.features
        for place, (seq, facts) in enumerate(missed, start=1):
            last = place == len(missed)
            event = event_message(
                table.code,
                seq,
                past_facts(facts, features),
                info_of(table) if last else None,
                question_for(table, viewer, self._now(), features) if last else None,
            )
            self._connections.put(connection, event)
        if not missed:
            for seat in table.state.humans():
                if seat != viewer:
                    self._connections.put(connection, table.presence(seat))


def _shut(table: Table | None, player: Player, seen: int | None, closed: str) -> str | None:
    """Why a player without a seat may not follow a table again; None if they may."""
    if table is None:
        return closed
    had_seat = seen is not None and table.history.seat_at(seen, player.id) is not None
    if table.state.settings.watchable and not had_seat:
        return None
    return "kicked" if player.id in table.state.banned else "left"
