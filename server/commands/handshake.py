"""The handshake: welcomes a player, and has them brought up to date at their tables."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from importlib.metadata import version
from secrets import token_urlsafe

from engine.facts import Value
from protocol.codec import Codec
from protocol.features import FEATURES, asked_for
from protocol.look_alikes import looks_like_authority
from protocol.to_client import Limits
from protocol.to_server import Hello
from protocol.version import OLDEST, VERSION
from protocol.visible_text import CHAT, shown_name
from protocol.wire_form import WireForm, wire_form
from server.commands.introductions import Introductions, Told
from server.commands.watching import Watching
from server.connections.connection import Connection
from server.connections.handing_out import replace
from server.connections.outages import Outages
from server.connections.registry import ConnectionRegistry
from server.connections.session import Identity
from server.connections.tables_nodes import CLOSE_LOST, TablesNodes
from server.crossing import bans
from server.crossing.names import Player, clean, hashed
from server.crossing.refusals import refusal
from server.crossing.requests import (
    Arriving,
    Introduced,
    Resumed,
)
from server.ops.node_url import node_url
from server.ops.public_url import own_url
from server.ops.settings import Settings
from server.ops.tracing import CAUSE, trace_id
from server.store import PlayerRow

DRAINING: WireForm = {"type": "notice", "kind": "draining"}
FULL_SECONDS = 5.0
"""When a client may try again that found no place."""


class Handshake:
    """Answers `hello`: the player behind the token, and their tables. `now` gives server time."""

    def __init__(
        self,
        settings: Settings,
        connections: ConnectionRegistry,
        nodes: TablesNodes,
        watching: Watching,
        outages: Outages,
        now: Callable[[], float],
    ) -> None:
        self.draining = False
        """Whether whoever comes in is told that the server is about to stop."""
        self._settings = settings
        self._connections = connections
        self._nodes = nodes
        self._introductions = Introductions(nodes)
        self._watching = watching
        self._outages = outages
        self._now = now
        # A crowd that comes back at once asks for the same thousands of times.
        self._same_for_all = lru_cache(maxsize=8)(self._tell_same)

    async def hello(self, connection: Connection, hello: Hello) -> None:
        """Answer with `welcome`, then with missed events; `ProtocolError` if refused."""
        if not OLDEST <= hello.version <= VERSION:
            spoken = f"{OLDEST} to {VERSION}" if OLDEST < VERSION else str(VERSION)
            args: dict[str, Value] = {"version": hello.version, "spoken": spoken}
            raise refusal("version_unsupported", "refused_version", args, id=hello.id)
        self._refuse_banned(connection, hello)
        if not hello.token and not hello.code:
            # Whoever has no place leaves nothing behind.
            self._admit(connection, hello)
        token = token_urlsafe(32) if hello.code or not hello.token else hello.token
        come = self._introduced(connection, hello, token)
        answer = await self._introductions.identified(come, hello)
        self._refuse_banned(connection, hello, answer.player)
        program = shown_name(clean(hello.program)) if hello.program else ""
        player = Player(answer.player, answer.name, program)
        wanted = asked_for(hello.features)
        identity = Identity(player, hello.client, wanted, hello.alongside, hello.facts)
        self._admit(connection, hello, identity)
        self._replace(connection, identity)
        try:
            await self._let_in(connection, hello, identity, token, answer.guest)
        finally:
            self._connections.end_handshake(player.id, connection)

    def _refuse_banned(self, connection: Connection, hello: Hello, player: str = "") -> None:
        """Refuse a banned player, or anybody from a banned address."""
        known, now = self._connections.bans, self._now()
        ban = known.of_player(player, now) or known.of_address(connection.address, now)
        if ban is not None:
            raise bans.banned(ban, hello.id)

    def _admit(
        self, connection: Connection, hello: Hello, identity: Identity | None = None
    ) -> None:
        """Give a connection a place; `ProtocolError` if there is none for it.

        Without an `identity` it is a new player's.
        """
        known, seated, replaced = self._connections, False, []
        if identity is not None:
            replaced = known.replaced_by(identity)
            # Without tables beside it, a gateway has the client's word alone.
            seated = bool(hello.resume) if known.plays is None else known.plays(identity.player.id)
        lack = known.on_admit(connection, seated, replaced)
        if lack:
            phrase = "refused_full" if lack == "house" else "refused_crowded"
            raise refusal("try_again", phrase, id=hello.id, retry_after=FULL_SECONDS)

    def _introduced(self, connection: Connection, hello: Hello, token: str) -> Introduced:
        """What the tables hear of a hello."""
        return Introduced(
            connection.address,
            hashed(token),
            known=hello.token is not None and not hello.code,
            code=hashed(hello.code) if hello.code else "",
            name=clean(hello.name) if hello.name else None,
            device=_called(hello),
            trace=trace_id(CAUSE.get()),
        )

    def _replace(self, connection: Connection, identity: Identity) -> None:
        """Close older connections of the player that cannot stay, and tell them why."""
        self._close(self._connections.begin_handshake(connection, identity))

    def _close(self, replaced: Iterable[Connection]) -> None:
        for older in replaced:
            replace(self._connections, older)

    async def _let_in(
        self,
        connection: Connection,
        hello: Hello,
        identity: Identity,
        token: str,
        guest: PlayerRow | None,
    ) -> None:
        player = identity.player
        # Commands on their way to the disk now may or may not be read from there below.
        waiting = self._connections.highest_pending(player.id, hello.client)
        nodes, gateway = self._nodes, self._nodes.name
        connection.announced = True
        resume = dict(hello.resume)
        known = bool(hello.token or hello.code)
        arriving = Arriving(
            gateway,
            connection.number,
            player.id,
            hello.client,
            hashed(token),
            connection.address,
            (*resume,),
            known,
            trace_id(CAUSE.get()),
        )
        told = Told(nodes.attachments)
        highest = max(waiting, await self._introductions.highest(told, arriving, hello))
        if not self._connections.may_enter(player.id, connection):
            raise refusal("replaced", "refused_replaced", id=hello.id)
        self._refuse_banned(connection, hello, player.id)
        connection.session.welcome(identity, highest)
        self._close(self._connections.add(connection, identity))
        self._connections.access_log.welcomed(player.id, connection.address, len(resume))
        welcome = self._welcome(connection, hello, player, token)
        self._connections.tell((connection.number,), welcome, passing=False)
        self._outages.welcomed(connection)
        if self.draining:
            self._connections.put(connection, DRAINING)
        codec = connection.session.codec.subprotocol
        resumed = Resumed(
            gateway,
            connection.number,
            player,
            hello.client,
            hashed(token),
            _called(hello),
            codec,
            connection.address,
            resume,
            identity.features,
            identity.facts,
            tuple(hello.legends),
            hello.alongside,
            trace_id(CAUSE.get()),
            guest=guest,
            heard=hello.heard,
        )
        self._connections.watched.resume(connection.number, resume)
        shown = await self._introductions.shown(told, resumed, hello)
        # Nodes that come later hear that it was welcomed already.
        connection.come = resumed._replace(home=False, resume={}, trace="")
        if shown:
            await self._introductions.tell_others(connection, told, resume, waiting)
        elif not connection.closing:
            # Whoever was welcomed and is shown nothing has to come in again.
            connection.close(CLOSE_LOST, "the tables were lost")
        if nodes.lost_lately and nodes.is_ready:
            # Nobody had some of the tables just now, perhaps.
            self._watching.go_on((connection.number, table) for table in resume)

    def _url_for(self, connection: Connection) -> str | None:
        """The address for invitations; None if the one that the client came by is as good."""
        settings = self._settings
        if settings.public is not None:
            return settings.public.websocket
        # A port that was free at the start is the choice of a program, not of a host.
        if settings.port == 0 or not connection.is_here:
            return None
        return own_url(settings.host, settings.port, tls=settings.has_tls)

    def _welcome(self, connection: Connection, hello: Hello, player: Player, token: str) -> bytes:
        codec, url = connection.session.codec, self._url_for(connection)
        own: WireForm = {"type": "welcome", "id": hello.id, "version": VERSION}
        own |= {"player": player.id, "name": player.name, "token": token}
        if not hello.code and looks_like_authority(hello.name or ""):
            # They came in under it before, or else it would have been refused.
            own["renamed"] = True
        return codec.join((*codec.fields(own), *self._same_for_all(codec, url)))

    def _tell_same(self, codec: Codec, url: str | None) -> tuple[bytes, ...]:
        """The fields of a `welcome` that are the same for everybody who comes by this `url`."""
        settings = self._settings
        limits = Limits(
            message_bytes=settings.message_bytes,
            messages_per_second=settings.messages_per_second,
            chat_length=CHAT.graphemes,
        )
        same: WireForm = {"server": f"blackqueen {version('blackqueen')}"}
        same |= {"limits": wire_form(limits), "features": FEATURES}
        own = node_url(settings)
        addresses = {"url": url, "node": own and own.address}
        same |= {name: address for name, address in addresses.items() if address is not None}
        return codec.fields(same)


def _called(hello: Hello) -> str:
    """What the program that says hello is called in the list of devices; "" if it says nothing."""
    return clean(hello.device) if hello.device else ""
