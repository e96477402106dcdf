"""The handshake: welcomes a player, and has them brought up to date at their tables."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib.metadata import version
from secrets import token_hex, token_urlsafe

from protocol.errors import ProtocolError
from protocol.features import FEATURES, asked_for
from protocol.to_client import Limits, Welcome
from protocol.to_server import Hello
from protocol.version import CLOSE_REPLACED, OLDEST, VERSION
from protocol.visible_text import CHAT, SERVER_NAME, is_servers_name, shown_name
from protocol.wire_form import WireForm, wire_form
from server.bus.bus import BusError, ask
from server.connections import bans
from server.connections.connection import Connection
from server.connections.devices import DeviceService, called, hashed
from server.connections.guests import DAY_SECONDS
from server.connections.registry import ConnectionRegistry
from server.connections.session import Identity
from server.connections.tables_peer import CLOSE_LOST, TablesPeer
from server.crossing.encoding import Message
from server.crossing.names import Player, clean
from server.crossing.requests import ARRIVALS, LINKS, SECONDS, Arriving, Known, Resumed, Unknown
from server.ops.isolation import isolated
from server.ops.public_url import own_url
from server.ops.settings import Settings
from server.store import PlayerRow, Store, Write


class TablesAway(Exception):
    """The tables cannot be asked, or cannot tell now."""


class Handshake:
    """Answers `hello`: the player behind the token, and their tables. `now` gives server time."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        connections: ConnectionRegistry,
        peer: TablesPeer,
        devices: DeviceService,
        now: Callable[[], float],
    ) -> None:
        self._settings = settings
        self._store = store
        self._connections = connections
        self._peer = peer
        self._devices = devices
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
            player,
            hello.client,
            wanted,
            hello.alongside,
            hello.facts,
            hashed(token),
            called(hello),
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
        peer, gateway = self._peer, self._peer.name
        connection.announced = True
        resume = dict(hello.resume)
        known = bool(hello.token or hello.code)
        arriving = Arriving(gateway, connection.number, row.id, hello.client, (*resume,), known)
        answered = await _asked(peer, ARRIVALS, arriving)
        if not self._connections.may_enter(row.id, connection):
            reason = "the same player has just connected from elsewhere"
            raise ProtocolError("replaced", reason, hello.id)
        self._refuse_banned(connection, hello, row.id)
        if self._devices.is_revoked(token):
            raise ProtocolError("unauthorized", "this device was removed", hello.id)
        player = identity.player
        highest = max(waiting, answered.highest) if isinstance(answered, Known) else waiting
        connection.session.welcome(identity, highest)
        self._close(self._connections.add(connection, identity))
        guests = self._connections.guests
        guests.connected(player.id)
        self._connections.access_log.welcomed(player.id, connection.address, len(resume))
        self._connections.put(connection, self._welcome(connection, hello, row, token))
        codec = connection.session.codec.subprotocol
        resumed = Resumed(
            gateway,
            connection.number,
            player,
            hello.client,
            codec,
            connection.address,
            resume,
            identity.features,
            identity.facts,
            tuple(hello.legends),
            guests.by_id(player.id),
        )
        with suppress(TablesAway):
            # If they are gone, so is every connection.
            if isinstance(await _asked(peer, LINKS, resumed), Unknown):
                connection.close(CLOSE_LOST, "the tables were lost")

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


async def _asked(peer: TablesPeer, port: str, request: Message) -> Message:
    """What the tables answer; `TablesAway` if they do not."""
    try:
        answer = await ask(peer.bus, peer.tables, port, request, SECONDS)
    except BusError as error:
        raise TablesAway(error.code.value) from None
    if isinstance(answer, Known) and answer.trouble == "try_again":
        raise TablesAway("the store does not answer")
    if isinstance(answer, Known) and answer.trouble:
        raise RuntimeError("the tables failed at it")
    return answer
