"""Reception: who is there, what did he miss, where does he sit."""

from collections.abc import Callable
from hashlib import sha256
from importlib.metadata import version
from secrets import token_hex, token_urlsafe

from engine import SPECTATOR
from engine.facts import seen_by
from protocol.encode import Plain, event_plain, facts_plain, plain
from protocol.errors import ProtocolError
from protocol.to_client import Limits, Welcome
from protocol.to_server import Hello
from protocol.version import OLDEST, VERSION
from server.connection import Connection
from server.people import People
from server.session.session import Identity
from server.settings import Settings
from server.store import PlayerRow, Store, Write
from server.table.decide import Player
from server.table.plain import info_of, question_for
from server.table.table import Table
from server.tables import Tables
from server.words import clean

CHAT_LENGTH = 500
CLOSE_REPLACED = 4000
CLOSE_REFUSED = 4001


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
        row, token = await self._player(hello)
        highest = await self._store.last_command(row.id, hello.client) if hello.token else 0
        codes = {**dict.fromkeys(self._tables.lobby.tables_of(row.id)), **hello.resume}
        tables = {code: await self._tables.get(code) for code in codes}
        # From here on nothing waits: what is missed and what is published next fit together.
        player = Player(row.id, row.name)
        connection.session.welcome(Identity(player, hello.client), highest)
        older = self._people.came(player.id, connection)
        if older is not None:
            self._people.put(older, {"type": "notice", "kind": "replaced"})
            older.close(CLOSE_REPLACED, "replaced")
        self._people.put(connection, self._welcome(hello, row, token))
        for code, table in tables.items():
            self._resume(connection, player, code, table, hello.resume.get(code))

    async def _player(self, hello: Hello) -> tuple[PlayerRow, str]:
        """The player a token proves, or a new one; stored before he hears of it."""
        name = clean(hello.name, "name") if hello.name else None
        if hello.token is None:
            token = token_urlsafe(32)
            row = PlayerRow(token_hex(8), name or "Guest", _hash(token), self._now())
            await self._store.save(Write(players=(row,)))
            return row, token
        known = await self._store.player_by_token(_hash(hello.token))
        if known is None:
            reason = "this token is not known here; say hello without one to be a new player"
            raise ProtocolError("unauthorized", reason, hello.id)
        if name and name != known.name:
            known = known._replace(name=name)
            await self._store.save(Write(players=(known,)))
        return known, hello.token

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
        if table is None or (seat is None and not table.state.settings.watchable):
            self._people.put(connection, {"type": "closed", "table": code, "reason": "finished"})
            return
        viewer = SPECTATOR if seat is None else seat
        missed = None if seen is None else table.history.after(seen)
        if missed is None:
            self._tables.show(table, connection, viewer)
        else:
            self._tables.audience(code).add(connection, viewer)
            # An empty batch still tells how things stand: the question and who is there.
            for place, (seq, facts) in enumerate(missed, start=1):
                last = place == len(missed)
                self._people.put(
                    connection,
                    event_plain(
                        code,
                        seq,
                        facts_plain(seen_by(facts, viewer)),
                        info_of(table) if last else None,
                        question_for(table, viewer, self._now()) if last else None,
                    ),
                )
        self._tables.perform(table, table.arrived(player.id, self._now()))


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()
