"""The ports of the peer that owns the tables."""

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, TypeAlias

import structlog

from protocol.errors import ProtocolError
from protocol.to_server import FollowTables
from server.bus.bus import Bus, Handler
from server.crossing.names import GATEWAY, role_of
from server.crossing.parcels import Expelled, Leaving, Message, stream_for
from server.crossing.refusals import refusal
from server.crossing.requests import (
    ARRIVALS,
    COMMANDS,
    DONE,
    LINKS,
    PLAYERS,
    UNKNOWN,
    Answer,
    Arriving,
    Attach,
    Banning,
    CaughtUp,
    Elsewhere,
    Follow,
    Follows,
    Gone,
    Introduced,
    Known,
    Refused,
    Resumed,
)
from server.lobby.feed import LobbyFeed
from server.node.arrivals import Arrivals
from server.node.commands import TableCommands
from server.ops.isolation import Spawn, isolated
from server.ops.tracing import caused_by, read_trace
from server.players.identities import Players
from server.players.shared_bans import SharedBans
from server.store import StoreError
from server.tables.effect_runner import EffectRunner
from server.tables.guests import Guests
from server.tables.hints import Hints
from server.tables.link import Link
from server.tables.links import Links
from server.tables.registry import TableRegistry

log = structlog.get_logger()

Reply: TypeAlias = Callable[[Message], None]


class Ports:
    """Carries out what gateways ask; `settle` sends what waits for them.

    The gateway is the peer that sends a request. It speaks for its own connections only, and for
    players whose tokens it has been shown, and gets a stream that no other peer can follow; what
    other peers ask is a `FAULT`.
    """

    def __init__(
        self,
        bus: Bus[Message],
        links: Links,
        guests: Guests,
        players: Players,
        bans: SharedBans,
        tables: TableRegistry,
        effects: EffectRunner,
        hints: Hints,
        feed: LobbyFeed,
        commands: TableCommands,
        arrivals: Arrivals,
        now: Callable[[], float],
        settle: Callable[[], None],
        spawn: Spawn,
    ) -> None:
        self._bus = bus
        self._links = links
        self._guests = guests
        self._players = players
        self._bans = bans
        self._tables = tables
        self._effects = effects
        self._hints = hints
        self._feed = feed
        self._arrivals = arrivals
        self._now = now
        self._settle = settle
        self._spawn = spawn
        self._streams: dict[str, str] = {}
        self._fenced = self._away = False
        # Who wants to attach while this node leaves them to the others.
        self._waiting: dict[str, tuple[Attach, Reply]] = {}
        bus.handle(COMMANDS, commands.take)  # type: ignore[arg-type]
        bus.handle(PLAYERS, _from_gateways(self._introduced))
        bus.handle(ARRIVALS, _from_gateways(self._arriving))
        bus.handle(LINKS, _from_gateways(self._linked))
        bus.on_presence(self._presence)

    def leave_to_others(self) -> None:
        """Hang up on every gateway, and let none attach until `come_back`."""
        self._away = True
        self._links.tell_gateways(Leaving())
        self._settle()
        for gateway in tuple(self._streams):
            self._detach(gateway)

    def come_back(self) -> None:
        """Let the gateways attach again."""
        self._away = False
        waiting, self._waiting = self._waiting, {}
        for gateway, (request, reply) in waiting.items():
            self._linked(gateway, request, reply)

    def fence(self) -> None:
        """Hang up on every gateway for good: other nodes have the tables."""
        self._fenced = True
        self._links.tell_gateways(Leaving())
        self._settle()
        for gateway in tuple(self._streams):
            # What is said of its connections from now on goes nowhere.
            self._links.detach(gateway)
            self._bus.close_stream(self._streams.pop(gateway))

    def _introduced(self, gateway: str, request: Message, reply: Reply) -> None:
        assert isinstance(request, Introduced)
        if self._fenced:
            return
        with caused_by(read_trace(request.trace)):
            self._spawn(self._answer(self._players.identify(request), reply))

    def _arriving(self, gateway: str, request: Message, reply: Reply) -> None:
        assert isinstance(request, Arriving)
        if self._fenced:
            return
        self._links.arrive(gateway, request.link, request.player)
        with caused_by(read_trace(request.trace)):
            self._spawn(self._answer(self._look_up(gateway, request), reply))

    async def _look_up(self, gateway: str, arriving: Arriving) -> Known:
        try:
            await self._players.prove(arriving.player, arriving.token)
            highest = await self._arrivals.answered(arriving)
            # Much may have happened since it was said who this is.
            self._players.check(arriving.player, arriving.token, arriving.address)
            await self._players.arrived(arriving.token)
        except BaseException:
            self._links.turn_away(gateway, arriving.link)
            raise
        return Known(highest)

    async def _answer(self, looking_up: Coroutine[Any, Any, Answer], reply: Reply) -> None:
        """Reply what is found out about somebody who comes in, or why they may not."""
        answer: Answer
        try:
            answer = await looking_up
        except ProtocolError as error:
            answer = _refused(error)
        except StoreError:
            log.exception("hello_failed")
            answer = _refused(refusal("try_again", "refused_store_again"))
        except Exception:
            log.exception("hello_failed")
            answer = Refused("internal")
        reply(answer)

    def _linked(self, gateway: str, request: Message, reply: Reply) -> None:
        match request:
            case Attach(turn=turn):
                if self._fenced:
                    # No answer: the gateway asks somebody else when this peer is gone.
                    return
                if self._away:
                    self._waiting[gateway] = (request, reply)
                    return
                self._detach(gateway)
                self._streams[gateway] = stream = stream_for(gateway, turn)
                self._bus.open_stream(stream, reader=gateway)
                self._links.attach(gateway, partial(self._bus.publish, stream))
            case Resumed(trace=trace):
                with caused_by(read_trace(trace)):
                    self._resumed(gateway, request, reply)
                return
            case Gone(link=number):
                self._gone(gateway, number)
            case Banning():
                self._bans.tell(gateway)
            case CaughtUp(link=number):
                link = self._links.at(gateway, number)
                if link is not None:
                    self._effects.send_snapshots(link)
                    self._feed.caught_up(link)
            case Follow():
                self._spawn(self._follow(gateway, request, reply))
                return
            case Follows(link=number, command=command):
                link = self._links.at(gateway, number)
                if link is not None:
                    self._follow_list(link, command)
            case _:
                raise TypeError(type(request).__name__)
        self._settle()
        reply(DONE)

    def _resumed(self, gateway: str, resumed: Resumed, reply: Reply) -> None:
        link = self._links.add(
            gateway,
            resumed.link,
            resumed.player,
            resumed.client,
            resumed.token,
            resumed.device,
            resumed.subprotocol,
            resumed.address,
            resumed.features,
            resumed.facts,
            resumed.legends,
            resumed.alongside,
            home=resumed.home,
        )
        if link is None:
            reply(UNKNOWN)
            return
        if resumed.guest is not None and resumed.guest.id == link.player.id:
            self._guests.learn(resumed.guest, self._now())
        self._guests.connected(link.player.id)
        try:
            # Their gateway could not know of it yet.
            self._players.check(link.player.id, link.token, link.address)
        except ProtocolError as error:
            expelled = Expelled(link.player.id, [link.number], error.reason, error.phrase)
            self._links.tell_gateway(gateway, expelled)
        self._spawn(self._resume(link, resumed, reply))

    async def _resume(self, link: Link, resumed: Resumed, reply: Reply) -> None:
        try:
            await self._arrivals.resume(link, resumed)
        except StoreError:
            # Nothing was shown yet; of one welcomed before, the gateway tells it again.
            reply(UNKNOWN)
            return
        except Exception as error:
            link.fail(error)
        self._settle()
        reply(DONE)

    async def _follow(self, gateway: str, follow: Follow, reply: Reply) -> None:
        """Let a connection go on watching a table that another node had."""
        link = self._links.at(gateway, follow.link)
        answer: Answer = UNKNOWN
        if link is not None:
            answer = DONE
            try:
                away = await self._arrivals.follow(link, follow.table)
                answer = DONE if away is None else Elsewhere(away)
            except StoreError:
                # Nobody can say now; the gateway asks again.
                answer = Elsewhere("")
            except Exception as error:
                link.fail(error)
        self._settle()
        reply(answer)

    def _follow_list(self, link: Link, command: FollowTables | None) -> None:
        if command is None:
            self._feed.leave(link)
        else:
            self._feed.follow(link, command)

    def _gone(self, gateway: str, number: int) -> None:
        """Forget a connection; its player is away now unless they have another."""
        link, last = self._links.remove(gateway, number)
        if link is None:
            return
        self._feed.leave(link)
        if last:
            self._guests.disconnected(link.player.id, self._now())
            self._hints.disconnected(link.player.id)
        self._tables.disconnected(link, present=not last)

    def _presence(self, peer: str, here: bool) -> None:
        if not here:
            self._waiting.pop(peer, None)
            self._detach(peer)
            self._settle()

    def _detach(self, gateway: str) -> None:
        """A gateway is gone or begins anew: so are its connections."""
        for link in self._links.detach(gateway):
            with isolated("going_failed"):
                self._gone(gateway, link.number)
        stream = self._streams.pop(gateway, None)
        if stream is not None:
            self._bus.close_stream(stream)


def _from_gateways(carry_out: Handler[Message]) -> Handler[Message]:
    """Carries out what gateways ask; raises for other peers, and for one that names another."""

    def checked(sender: str, request: Message, reply: Reply) -> None:
        if role_of(sender) != GATEWAY or getattr(request, "gateway", sender) != sender:
            raise PermissionError(f"{sender} is not the gateway that may ask this")
        carry_out(sender, request, reply)

    return checked


def _refused(error: ProtocolError) -> Refused:
    return Refused(error.code, error.reason, error.retry_after, error.phrase)
