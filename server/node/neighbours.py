"""The other nodes with tables: what they tell of theirs, and what they are told.

Each node follows each other one, so that any of them can list all tables, hold limits over all of
them, and say where a table is. What a lost node told stays until another one has its tables.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Sequence

from server.bus.bus import Bus, Failure, ask
from server.crossing.encoding import Message
from server.crossing.names import TABLES, node_of, peer_name, role_of
from server.crossing.neighbours import (
    NEIGHBOURS,
    AmongNodes,
    Announce,
    AtTables,
    AuditRead,
    Balance,
    Chatted,
    CloseTable,
    Drain,
    Draining,
    Ended,
    Handed,
    Meet,
    MoreTables,
    News,
    OpenTable,
    ReadAudit,
    Tables,
    Undrain,
    Unseat,
    stream_beside,
)
from server.crossing.requests import DONE, SECONDS
from server.node.neighbour import Neighbour
from server.ops.isolation import isolated
from server.players.shared_bans import SharedBans
from server.rendezvous import heir
from server.tables.directory import TableDirectory

BEAT_SECONDS = 0.05
"""How long what changes is gathered before the other nodes are told."""
APART_SECONDS = 0.5
"""The pause between nodes that leave their players to the others: the last of them stays."""
AT_ONCE = 40
"""Tables in one message: some 40 KiB."""
PLAYERS_AT_ONCE = 500
"""Players in one message, with what they have said."""


class Neighbours:
    """The nodes beside this one on `bus`; `given` is told which tables others say are its own.

    `met` is called when another one is followed from now on, and may have told others before.
    """

    def __init__(
        self,
        bus: Bus[Message],
        directory: TableDirectory,
        bans: SharedBans,
        given: Callable[[Collection[str]], None],
        met: Callable[[], None],
    ) -> None:
        self._bus = bus
        self._directory = directory
        self._bans = bans
        self._given = given
        self._told_met = met
        self._met: dict[str, Neighbour] = {}
        self.on_drain: Callable[[], Draining] = lambda: Draining(0, 0)
        self.on_undrain: Callable[[], Ended] = Ended
        self.on_balance: Callable[[], Draining] = lambda: Draining(0, 0)
        self.on_unseat: Callable[[str], None] = lambda player: None
        self.on_close: Callable[[str, Callable[[Message], None]], None] = lambda code, reply: None
        self.on_announce: Callable[[str], AtTables] = lambda text: AtTables({})
        self.on_audit: Callable[[int, Callable[[Message], None]], None]
        self.on_audit = lambda most, reply: reply(AuditRead(is_kept=False))
        self.on_revoked: Callable[[str], None] = lambda token: None
        self.on_chatted: Callable[[Chatted], None] = lambda chatted: None
        self.all_chatted: Callable[[], Sequence[Chatted]] = tuple
        self.on_homes_changed: Callable[[], None] = lambda: None
        self.on_lost: Sequence[Callable[[str], None]] = ()
        self._turn = 0
        self._leaving = self._away = False
        # The streams with news, by who follows them.
        self._streams: dict[str, str] = {}
        self._changed: set[str] = set()
        self._beat: asyncio.TimerHandle | None = None
        bus.handle(NEIGHBOURS, self._asked)
        bus.on_presence(self._presence)
        directory.on_change = self._note
        bans.on_put = lambda ban: self._tell(News(banned=(ban,)))
        bans.on_lift = lambda key: self._tell(News(unbanned=(key,)))
        for peer in bus.alive:
            self._presence(peer, True)

    def met(self) -> list[str]:
        """The names of the other nodes that could be reached at some time."""
        return [each.name for each in self._met.values()]

    def here(self) -> list[str]:
        """The names of the other nodes that can be reached."""
        return [each.name for each in self._met.values() if each.is_here]

    def staying(self) -> list[str]:
        """The names of the other nodes that can be reached and take tables."""
        return [each.name for each in self._met.values() if each.is_staying]

    def leaving(self) -> list[str]:
        """The names of the other nodes that can be reached and give their tables away."""
        return [each.name for each in self._met.values() if each.is_here and each.is_leaving]

    def is_home(self, of: str) -> bool:
        """Whether this node is a player's home, or a code's by its hash, as gateways see it."""
        peers = [each.peer for each in self._met.values() if each.is_staying]
        if not (self._leaving or self._away):
            peers.append(self._bus.name)
        return not peers or heir(of, peers) == self._bus.name

    def leave(self) -> None:
        """Tell the others that this node gives its tables away, and is nobody's home."""
        self._leaving = True
        self._tell(News(leaving=True))
        self.on_homes_changed()

    def stay(self) -> None:
        """Tell the others that this node takes tables again, and is players' home."""
        self._leaving = False
        if not self._away:
            # Else they meet it anew when it comes back.
            self._tell(News(staying=True))
        self.on_homes_changed()

    @property
    def patience(self) -> float:
        """For how many seconds, beyond a lease, a node that is not sure of its own keeps players.

        Longer than those that take tables and come before it by their names.
        """
        own = node_of(self._bus.name)
        return APART_SECONDS * sum(name < own for name in self.staying())

    def leave_to_others(self) -> None:
        """Tell the others to take no notice of this node until `come_back`."""
        self._away = True
        self._tell(News(leaving=True))
        self.on_homes_changed()

    def come_back(self) -> None:
        """Let the others meet this node anew."""
        self._away = False
        self.close()
        self.on_homes_changed()

    def give(self, node: str, codes: Iterable[str]) -> None:
        """Tell another node at once that it has these tables, by the database."""
        for neighbour in self._met.values():
            if neighbour.name == node and neighbour.is_here:
                request = Handed(tuple(codes))
                self._bus.send(neighbour.peer, NEIGHBOURS, request, _nobody_waits, SECONDS)

    def unseat(self, player: str) -> None:
        """Take away a player's seats at the tables of all nodes, of this one too."""
        self.on_unseat(player)
        for neighbour in self._met.values():
            if neighbour.is_here:
                self._bus.send(neighbour.peer, NEIGHBOURS, Unseat(player), _nobody_waits, SECONDS)

    def revoke(self, token: str) -> None:
        """Tell the other nodes that a token, by its hash, is of no use any more."""
        self._tell(News(revoked=(token,)))

    def chatted(self, chatted: Chatted) -> None:
        """Tell the other nodes at once what a player said."""
        self._tell(News(chatted=(chatted,)))

    async def ask(self, node: str, request: AmongNodes, seconds: float) -> Message:
        """What another node answers; `BusError` if it is not there or says nothing."""
        return await ask(self._bus, peer_name(TABLES, node), NEIGHBOURS, request, seconds)

    def close(self) -> None:
        """Tell what has changed, and nothing more."""
        self._flush()
        for stream in self._streams.values():
            self._bus.close_stream(stream)
        self._streams.clear()

    # What they ask

    def _asked(self, peer: str, request: Message, reply: Callable[[Message], None]) -> None:
        if role_of(peer) != TABLES:
            raise PermissionError(f"{peer} has no tables")
        match request:
            case Meet(turn=turn):
                before = self._streams.pop(peer, None)
                if before is not None:
                    self._bus.close_stream(before)
                self._streams[peer] = stream = stream_beside(peer, turn)
                self._bus.open_stream(stream, reader=peer)
                chatted = self.all_chatted()
                for start in range(0, len(chatted), PLAYERS_AT_ONCE):
                    news = News(chatted=tuple(chatted[start : start + PLAYERS_AT_ONCE]))
                    self._bus.publish(stream, news)
                reply(DONE)
            case MoreTables(after=after):
                codes = sorted(code for code in self._directory if code > after)
                page = tuple(self._described(codes[:AT_ONCE]))
                reply(Tables(page, len(codes) > AT_ONCE, self._leaving or self._away))
            case Handed(codes=codes):
                self._given(codes)
                reply(DONE)
            case Drain():
                reply(self.on_drain())
            case Undrain():
                reply(self.on_undrain())
            case Balance():
                reply(self.on_balance())
            case Unseat(player=player):
                self.on_unseat(player)
                reply(DONE)
            case CloseTable(table=code):
                self.on_close(code, reply)
            case Announce(text=text):
                reply(self.on_announce(text))
            case ReadAudit(most=most):
                self.on_audit(most, reply)
            case _:
                raise TypeError(type(request).__name__)

    # What they are told

    def _note(self, code: str) -> None:
        """A table here has changed."""
        if not self._streams:
            return
        self._changed.add(code)
        if self._beat is None:
            loop = asyncio.get_running_loop()
            self._beat = loop.call_later(BEAT_SECONDS, self._flush)

    def _flush(self) -> None:
        if self._beat is not None:
            self._beat.cancel()
            self._beat = None
        changed, self._changed = sorted(self._changed), set()
        for start in range(0, len(changed), AT_ONCE):
            codes = changed[start : start + AT_ONCE]
            closed = tuple(code for code in codes if self._directory.info(code) is None)
            self._tell(News(tuple(self._described(codes)), closed))

    def _described(self, codes: Iterable[str]) -> Iterable[OpenTable]:
        directory = self._directory
        for code in codes:
            info = directory.info(code)
            if info is not None and directory.is_here(code):
                opener = directory.openers.of(code)
                yield OpenTable(code, info, directory.players_at(code), opener)

    def _tell(self, news: News) -> None:
        for stream in self._streams.values():
            with isolated("neighbour_not_told"):
                self._bus.publish(stream, news)

    # Who is there

    def _presence(self, peer: str, here: bool) -> None:
        if role_of(peer) != TABLES or peer == self._bus.name:
            return
        neighbour = self._met.get(peer)
        if not here:
            stream = self._streams.pop(peer, None)
            if stream is not None:
                self._bus.close_stream(stream)
            if neighbour is not None:
                neighbour.lose()
                for call in self.on_lost:
                    call(neighbour.name)
            return
        if neighbour is None:
            neighbour = self._met[peer] = Neighbour(
                peer,
                self._bus,
                self._directory,
                self._bans,
                lambda token: self.on_revoked(token),
                lambda chatted: self.on_chatted(chatted),
                self._next_turn,
                self._told_met,
                lambda: self.on_homes_changed(),
            )
        neighbour.meet()

    def _next_turn(self) -> int:
        self._turn += 1
        return self._turn


def _nobody_waits(answer: Message | Failure) -> None:
    pass
