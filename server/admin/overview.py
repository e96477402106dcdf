"""What an administrator is shown of a process with tables: how it is, and who and what is there."""

import asyncio
import os
import platform
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import version

from server.admin.answers import (
    AuditLines,
    BanLine,
    BanPage,
    BotLine,
    NodeLine,
    NodePage,
    PlayerLine,
    PlayerPage,
    SeatLine,
    ServerStatus,
    TableLine,
    TablePage,
)
from server.admin.audit import AuditLog
from server.admin.requests import PAGE
from server.admin.whole_log import NAMES_SECONDS, WholeLog
from server.bus.departed import GONE_SECONDS
from server.crossing.names import TABLES, peer_name, role_of
from server.game_server import TablesServer
from server.store import BanKey, BanRow, NodeRow, Store, StoreError


class Overview:
    """Tells of any table what the list of tables tells of it, with players' ids and addresses.

    Lists come in pages of at most `PAGE` lines, sorted by the key that `after` names: code, id,
    kind and subject of a ban, name of a process. `now` gives server time in seconds; `peers`
    returns the names of all processes on the bus, `gone` since when others are not there any more.
    """

    def __init__(
        self,
        server: TablesServer,
        store: Store,
        now: Callable[[], float],
        audit: AuditLog,
        peers: Callable[[], Iterable[str]],
        gone: Callable[[], Mapping[str, float]],
    ) -> None:
        self._server = server
        self._store = store
        self._now = now
        self._log = WholeLog(server, store, audit)
        self._peers = peers
        self._gone = gone
        self._started = now()

    async def status(self) -> ServerStatus:
        """Version, uptime and how full the server is."""
        server, now = self._server, self._now()
        directory = server.tables.directory
        return ServerStatus(
            version=version("blackqueen"),
            python=platform.python_version(),
            pid=os.getpid(),
            uptime=round(now - self._started, 1),
            trouble=await server.ready(),
            connections=len(server.links),
            seated=directory.seated_players(),
            tables=dict(sorted(directory.phases(everywhere=True).items())),
            in_memory=len(server.live),
            bans=len(self.bans_in_force()),
            bots=tuple(
                BotLine(game=game, strength=strength, seats=seats)
                for (game, strength), seats in sorted(server.live.bots().items())
            ),
        )

    def tables(self, after: str) -> TablePage:
        """The open tables of all nodes, private ones too, those included that sleep."""
        codes, more = _page(self._server.tables.directory.everywhere(), after)
        return TablePage(tables=tuple(map(self._table, codes)), next=more)

    def players(self, after: str) -> PlayerPage:
        """Everybody who is connected or has a seat."""
        present = self.present()
        ids, more = _page(present, after)
        return PlayerPage(players=tuple(present[id] for id in ids), next=more)

    def bans(self, after: str) -> BanPage:
        """The bans in force."""
        bans = {f"{ban.kind} {ban.subject}": ban for ban in self.bans_in_force()}
        keys, more = _page(bans, after)
        return BanPage(bans=tuple(ban_line(bans[key]) for key in keys), next=more)

    async def nodes(self, after: str) -> NodePage:
        """Who is on the bus, who has a lease, and who was there a short time ago.

        While the database does not answer, what only it knows is missing.
        """
        lines = {
            name: NodeLine(node=name, role=role_of(name), here=False, gone=since)
            for name, since in self._gone().items()
        } | {name: NodeLine(node=name, role=role_of(name), here=True) for name in self._peers()}
        try:
            async with asyncio.timeout(NAMES_SECONDS):
                shares, rows = await self._store.shares(), await self._store.nodes()
        except (StoreError, TimeoutError) as error:
            unknown = f"the store does not answer: {error or 'time is out'}"
            for name, line in lines.items():
                if line.role == TABLES:
                    lines[name] = line.model_copy(update={"unknown": unknown})
        else:
            told = (self._node(row, shares, lines) for row in rows)
            lines |= {line.node: line for line in told if line is not None}
        names, more = _page(lines, after)
        return NodePage(nodes=tuple(map(self._as_it_is, map(lines.__getitem__, names))), next=more)

    def _node(
        self, row: NodeRow, shares: Mapping[str, int], seen: Mapping[str, NodeLine]
    ) -> NodeLine | None:
        """The line of a node, as the database and the bus know it; None if it ended long ago."""
        name = peer_name(TABLES, row.name)
        line = seen.get(name)
        over = row.expires if not row.lives and row.expires > self._now() - GONE_SECONDS else None
        if line is None and over is None and not row.lives:
            return None
        here = line is not None and line.here
        return NodeLine(
            node=name,
            role=TABLES,
            here=here,
            lease="held" if row.lives else "over",
            epoch=row.epoch,
            tables=shares.get(row.name, 0),
            takes=row.has_tables,
            gone=None if here else over if line is None else line.gone,
        )

    def _as_it_is(self, line: NodeLine) -> NodeLine:
        """What is told of a node, of this one as it knows it itself: it may tell others later."""
        node, moving = self._store.node, self._server.moving
        if node is None or moving is None or line.node != peer_name(TABLES, node.name):
            return line
        return line.model_copy(update={"takes": not moving.drains})

    async def log(self, count: int) -> AuditLines:
        """The last `count` lines of all nodes' audit logs; `NotRecorded` if this one's is lost."""
        return await self._log.last(count)

    def present(self) -> dict[str, PlayerLine]:
        """Everybody who is connected or has a seat, by id."""
        away = dict(self._server.tables.directory.people())
        online = {who[0]: self.player(*who, online=True) for who in self.connected()}
        return {id: self.player(id, away[id]) for id in away.keys() - online.keys()} | online

    def connected(self) -> Iterable[tuple[str, str, str]]:
        """Id, name and address of every player who is connected."""
        for link in self._server.links:
            if not link.leaving:
                yield link.player.id, link.player.name, link.address

    def player(
        self, player: str, name: str = "", address: str = "", *, online: bool = False
    ) -> PlayerLine:
        """The line of one player, with the tables at which they sit."""
        directory = self._server.tables.directory
        tables = sorted(directory.tables_of(player))
        seats = {info["table"]: seat + 1 for seat, info in directory.seats_of(player)}
        return PlayerLine(
            player=player,
            name=name,
            address=address,
            tables=tuple(tables),
            seats=tuple(seats.get(code, 0) for code in tables),
            online=online,
        )

    def bans_in_force(self) -> list[BanRow]:
        """The bans that are not over yet."""
        bans = self._server.bans
        over = set(bans.over(self._now()))
        return [ban for ban in bans if BanKey(ban.kind, ban.subject) not in over]

    def _table(self, code: str) -> TableLine:
        server = self._server
        info = server.tables.directory.info(code)
        assert info is not None, "the code comes from the directory"
        away = server.tables.elsewhere(code)
        own = None if self._store.node is None else self._store.node.name
        players = iter(server.tables.directory.players_at(code))
        seats = tuple(
            SeatLine(
                kind=seat["kind"],
                name=seat.get("name", ""),
                player=next(players, None) if seat["kind"] == "human" else None,
                strength=seat.get("strength"),
                away=seat.get("away", False),
                stand_in=seat.get("stand_in", False),
            )
            for seat in info["seats"]
        )
        return TableLine(
            table=code,
            game=info["game"],
            title=info["title"],
            phase=info["phase"],
            private=info["settings"].get("private", False),
            match=info["match"],
            seats=seats,
            spectators=server.subscribers.spectators(code) if away is None else None,
            in_memory=code in server.live if away is None else None,
            node=own if away is None else away,
        )


def ban_line(ban: BanRow) -> BanLine:
    """A stored ban as administrators are shown it."""
    return BanLine.model_validate(ban._asdict())


def _page(keys: Iterable[str], after: str) -> tuple[list[str], str | None]:
    """The next keys in order, and the one to go on after; None if there are no more."""
    left = sorted(key for key in keys if key > after)
    page = left[:PAGE]
    return page, page[-1] if len(left) > PAGE else None
