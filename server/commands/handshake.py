"""The handshake: welcomes players, and brings them up to date at their tables."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib.metadata import version
from secrets import token_urlsafe

import structlog

from engine.facts import Value
from protocol.codec import Codec
from protocol.errors import ProtocolError
from protocol.features import FEATURES, WORDS, asked_for
from protocol.look_alikes import looks_like_authority
from protocol.to_client import Limits
from protocol.to_server import Hello
from protocol.version import CLOSE_REPLACED, OLDEST, VERSION
from protocol.visible_text import CHAT, shown_name
from protocol.wire_form import WireForm, wire_form
from server.commands.resume import Resume
from server.names import Player, clean, hashed
from server.ops.isolation import isolated
from server.ops.node_url import node_url
from server.ops.public_url import own_url
from server.ops.settings import Settings
from server.players.devices import Introduction
from server.players.identities import Identities
from server.refusals import refusal
from server.sessions.admission import Admission
from server.sessions.connection import Connection
from server.sessions.outages import Outages
from server.sessions.registry import ConnectionRegistry
from server.sessions.session import SessionIdentity
from server.store import StoreError
from server.tables.guests import Guests

log = structlog.get_logger()

DRAINING: WireForm = {"type": "notice", "kind": "draining"}
FULL_SECONDS = 5.0
"""When a client may try again that found no place."""
CLOSE_LOST = 1012
"""As at a restart: the client comes back by itself and resumes its tables."""
NOBODY = refusal("try_again", "refused_no_tables")


class NotNow(Exception):
    """No player can be admitted just now; `why` is for players, who may say hello again."""

    def __init__(self, why: ProtocolError) -> None:
        super().__init__(why.reason)
        self.why = why


class Handshake:
    """Answers `hello` with the token's player and their tables. `now` returns server time."""

    def __init__(
        self,
        settings: Settings,
        connections: ConnectionRegistry,
        admission: Admission,
        players: Identities,
        guests: Guests,
        resume: Resume,
        outages: Outages,
        plays: Callable[[str], bool],
        now: Callable[[], float],
    ) -> None:
        self.draining = False
        """Whether whoever comes in is told that the server is about to stop."""
        self.is_away = False
        """Whether nobody comes in, as other servers have the tables."""
        self._settings = settings
        self._connections = connections
        self._admission = admission
        self._players = players
        self._guests = guests
        self._resume = resume
        self._outages = outages
        self._plays = plays
        self._now = now
        # A crowd that comes back at once asks for the same thousands of times.
        self._same_for_all = lru_cache(maxsize=8)(self._tell_same)

    async def hello(self, connection: Connection, hello: Hello) -> None:
        """Answer with `welcome`, then with missed events; raise `ProtocolError` if refused."""
        if not OLDEST <= hello.version <= VERSION:
            spoken = f"{OLDEST} to {VERSION}" if OLDEST < VERSION else str(VERSION)
            args: dict[str, Value] = {"version": hello.version, "spoken": spoken}
            raise refusal("version_unsupported", "refused_version", args, id=hello.id)
        token = token_urlsafe(32) if hello.code or not hello.token else hello.token
        come = _introduced(connection, hello, token)
        self._players.check("", come.token, connection.address)
        if not hello.token and not hello.code:
            # Whoever has no place leaves nothing behind.
            self._admit(connection, hello)
        with self._asking_the_store():
            row = await self._players.identify(come)
        self._players.check(row.id, come.token, connection.address)
        program = shown_name(clean(hello.program)) if hello.program else ""
        identity = SessionIdentity(
            Player(row.id, shown_name(row.name), program),
            hello.client,
            come.token,
            come.device,
            asked_for(hello.features, connection.codec.subprotocol),
            hello.alongside,
            hello.facts,
        )
        self._admit(connection, hello, identity)
        self._close(self._connections.begin_handshake(connection, identity))
        try:
            await self._let_in(connection, hello, identity, token)
        finally:
            self._connections.end_handshake(row.id, connection)

    @contextmanager
    def _asking_the_store(self) -> Iterator[None]:
        """Raise `NotNow` if the store does not answer, or if other nodes own the tables by now."""
        if self.is_away:
            raise NotNow(NOBODY)
        try:
            yield
        except StoreError:
            log.exception("hello_failed")
            raise NotNow(refusal("try_again", "refused_store_again")) from None
        if self.is_away:
            raise NotNow(NOBODY)

    def _admit(
        self, connection: Connection, hello: Hello, identity: SessionIdentity | None = None
    ) -> None:
        """Give a connection a place; raise `ProtocolError` if there is none for it.

        Without an `identity` the place is for a new player.
        """
        seated, replaced = False, []
        if identity is not None:
            replaced = self._connections.replaced_by(identity)
            seated = self._plays(identity.player.id)
        lack = self._admission.admit(connection, seated, replaced)
        if lack:
            phrase = "refused_full" if lack == "house" else "refused_crowded"
            raise refusal("try_again", phrase, id=hello.id, retry_after=FULL_SECONDS)

    def _close(self, replaced: Iterable[Connection]) -> None:
        """Close connections whose players have connected anew, and tell them why."""
        for older in replaced:
            if not older.closing:
                with isolated("closing_failed"):
                    older.put({"type": "notice", "kind": "replaced"})
                    older.close(CLOSE_REPLACED, "replaced")

    async def _let_in(
        self, connection: Connection, hello: Hello, identity: SessionIdentity, token: str
    ) -> None:
        connections, player = self._connections, identity.player
        known = bool(hello.token or hello.code)
        with self._asking_the_store():
            answered = await self._resume.last_command(player.id, hello.client, hello.resume, known)
            await self._players.arrived(identity.token)
        # Much may have happened since it was said who this is.
        self._players.check(player.id, identity.token, connection.address)
        if not connections.may_enter(player.id, connection):
            raise refusal("replaced", "refused_replaced", id=hello.id)
        connection.welcomed(identity, answered, hello.legends)
        self._close(connections.add(connection, identity))
        self._guests.connected(player.id)
        connections.access_log.welcomed(player.id, connection.address, len(hello.resume))
        connection.put_encoded(self._welcome(connection, hello, player, token))
        self._outages.welcomed(connection)
        if self.draining:
            connection.put(DRAINING)
        try:
            await self._resume.resume(connection, hello.resume, hello.heard)
        except StoreError:
            # Whoever was welcomed and is shown nothing has to come in again.
            if not connection.closing:
                connection.close(CLOSE_LOST, "the tables were lost")
        except Exception as error:
            connection.fail(error)

    def _url_for(self, connection: Connection) -> str | None:
        """Return the address for invitations; None if the client's own address serves as well."""
        settings = self._settings
        if settings.public is not None:
            return settings.public.websocket
        # A port that was free at the start is the choice of a program, not of a host.
        if settings.port == 0 or not connection.is_here:
            return None
        return own_url(settings.host, settings.port, tls=settings.has_tls)

    def _welcome(self, connection: Connection, hello: Hello, player: Player, token: str) -> bytes:
        codec, url = connection.codec, self._url_for(connection)
        own: WireForm = {"type": "welcome", "id": hello.id, "version": VERSION}
        own |= {"player": player.id, "name": player.name, "token": token}
        if not hello.code and looks_like_authority(hello.name or ""):
            # They came in under it before, or else it would have been refused.
            own["renamed"] = True
        if WORDS in connection.features:
            own["words"] = True
        return codec.join((*codec.fields(own), *self._same_for_all(codec, url)))

    def _tell_same(self, codec: Codec, url: str | None) -> tuple[bytes, ...]:
        """Return the fields of a `welcome` that are equal for all clients of this `url`."""
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


def _introduced(connection: Connection, hello: Hello, token: str) -> Introduction:
    """Return the name and version that a program gives itself."""
    return Introduction(
        connection.address,
        hashed(token),
        known=hello.token is not None and not hello.code,
        code=hashed(hello.code) if hello.code else "",
        name=clean(hello.name) if hello.name else None,
        device=clean(hello.device) if hello.device else "",
    )
