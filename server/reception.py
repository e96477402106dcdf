"""Reception: who is there, what did he miss, where does he sit."""

from collections.abc import Callable
from hashlib import sha256
from importlib.metadata import version
from secrets import token_hex, token_urlsafe

from engine import SPECTATOR
from engine.facts import Viewer, seen_by
from protocol.encode import Plain, event_plain, facts_plain, plain
from protocol.errors import ProtocolError
from protocol.to_client import Limits, Welcome
from protocol.to_server import Hello
from protocol.version import CLOSE_REPLACED, OLDEST, VERSION
from server.connection import Connection
from server.people import People
from server.session.session import Identity
from server.settings import Settings
from server.store import PlayerRow, Store, Write
from server.table.decide import Player
from server.table.fold import Steps
from server.table.plain import info_of, question_for
from server.table.table import Table
from server.tables import Tables
from server.words import clean

CHAT_LENGTH = 500


class Reception:
    def __init__(
        self,
        settings: Settings,
        store: Store,
        people: People,
        tables: Tables,
        now: Callable[[], float],
    ) -> None:
        self._settings = settings
        self._store = store
        self._people = people
        self._tables = tables
        self._now = now

    async def hello(self, connection: Connection, hello: Hello) -> None:
        """Answer with `welcome`, then with what was missed; `ProtocolError` if he may not in."""
        if not OLDEST <= hello.version <= VERSION:
            spoken = f"{OLDEST} to {VERSION}" if OLDEST < VERSION else str(VERSION)
            reason = f"version {hello.version} is not spoken here; this server speaks {spoken}"
            raise ProtocolError("version_unsupported", reason, hello.id)
        token = hello.token or token_urlsafe(32)
        row = await self._player(hello, token)
        self._replace(row.id, connection)
        try:
            await self._let_in(connection, hello, row, token)
        finally:
            self._people.arrived(row.id, connection)

    async def _player(self, hello: Hello, token: str) -> PlayerRow:
        """The player the token proves, by the name he wants to have now; or a new one."""
        name = clean(hello.name, "name") if hello.name else None
        if hello.token is None:
            return PlayerRow(token_hex(8), name or "Guest", _hash(token), self._now())
        known = await self._store.player_by_token(_hash(token))
        if known is None:
            reason = "this token is not known here; say hello without one to be a new player"
            raise ProtocolError("unauthorized", reason, hello.id)
        return known._replace(name=name) if name else known

    def _replace(self, player: str, connection: Connection) -> None:
        """Hear nothing more from the player's older connection, and tell it why."""
        older = self._people.connection(player)
        self._people.arrives(player, connection)
        if older is not None:
            self._people.put(older, {"type": "notice", "kind": "replaced"})
            older.close(CLOSE_REPLACED, "replaced")

    async def _let_in(
        self, connection: Connection, hello: Hello, row: PlayerRow, token: str
    ) -> None:
        # What is on its way to the disk now may be read from there below, or not.
        waiting = self._people.highest_waiting(row.id, hello.client)
        if hello.token is None or hello.name:
            await self._store.save(Write(players=(row,)))
        answered = await self._answered(row.id, hello) if hello.token else 0
        tables = await self._tables_for(row.id, hello)
        # From here on nothing waits: what is missed and what is published next fit together.
        if self._people.newest(row.id) is not connection:
            reason = "the same player has just connected from elsewhere"
            raise ProtocolError("replaced", reason, hello.id)
        player = Player(row.id, row.name)
        connection.session.welcome(Identity(player, hello.client), max(waiting, answered))
        self._people.came(player.id, connection)
        self._people.put(connection, self._welcome(hello, row, token))
        for code, table in tables.items():
            self._resume(connection, player, code, table, hello.resume.get(code))

    async def _answered(self, player: str, hello: Hello) -> int:
        """The highest number that was answered, as far as this client's tables tell."""
        tables = self._tables.lobby.tables_of(player) | hello.resume.keys()
        return await self._store.last_command(player, hello.client, tables)

    async def _tables_for(self, player: str, hello: Hello) -> dict[str, Table | None]:
        """Every table he is to hear of, all of them loaded at the moment this returns."""
        while True:
            own = self._tables.lobby.tables_of(player)
            codes = {**dict.fromkeys(own), **hello.resume}
            asleep = [code for code in codes if self._tables.sleeps(code)]
            if not asleep:
                return {code: self._tables.live(code) for code in codes}
            for code in asleep:
                await self._tables.get(code)

    def _welcome(self, hello: Hello, row: PlayerRow, token: str) -> Plain:
        settings = self._settings
        limits = Limits(
            message_bytes=settings.message_bytes,
            messages_per_second=settings.messages_per_second,
            chat_length=CHAT_LENGTH,
        )
        welcome: Plain = plain(
            Welcome(
                id=hello.id,
                version=VERSION,
                player=row.id,
                name=row.name,
                token=token,
                server=f"blackqueen {version('blackqueen')}",
                limits=limits,
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
    ) -> None:
        """What was missed since entry `seen`, or one snapshot where that cannot be told."""
        seat = table.state.seat_of(player.id) if table else None
        reason = _shut(table, player, seen) if seat is None else None
        if table is None or reason:
            self._people.put(connection, {"type": "closed", "table": code, "reason": reason})
            return
        viewer = SPECTATOR if seat is None else seat
        # What a spectator was told before he sat down does not add up to what his seat may see.
        follows = seen is not None and not table.history.seated_since(seen, player.id)
        missed = table.history.after(seen) if follows and seen is not None else None
        if missed is None:
            self._tables.audiences.show(table, connection, viewer)
        else:
            self._tables.audiences.of(code).add(connection, viewer)
            self._tell_missed(connection, table, viewer, missed)
        self._tables.perform(table, table.arrived(player.id, self._now()))

    def _tell_missed(
        self, connection: Connection, table: Table, viewer: Viewer, missed: Steps
    ) -> None:
        """The events, the last with how things stand now; who is there, if there is none."""
        for place, (seq, facts) in enumerate(missed, start=1):
            last = place == len(missed)
            event = event_plain(
                table.code,
                seq,
                facts_plain(seen_by(facts, viewer)),
                info_of(table) if last else None,
                question_for(table, viewer, self._now()) if last else None,
            )
            self._people.put(connection, event)
        if not missed:
            for seat in table.state.humans():
                if seat != viewer:
                    self._people.put(connection, table.presence(seat))


def _shut(table: Table | None, player: Player, seen: int | None) -> str | None:
    """Why a player without a seat has no place at a table he wants to see again, if so."""
    if table is None:
        return "finished"
    had_seat = seen is not None and table.history.seat_at(seen, player.id) is not None
    if table.state.settings.watchable and not had_seat:
        return None
    return "kicked" if player.id in table.state.banned else "left"


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()
