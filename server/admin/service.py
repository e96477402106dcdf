"""Carries out what an administrator asks: reads what is in memory, and acts as players do.

It knows no socket: a request goes in, an answer comes out, or an `AdminError`. What it tells is
what the list of tables tells of any table, with the ids and addresses of players. It looks into no
match.
"""

import asyncio
import os
import platform
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib.metadata import version

from pydantic import ValidationError

from protocol.visible_text import SERVER_NAME
from protocol.wire_form import WireForm
from server.admin.audit import AuditLog
from server.admin.browser_keys import LINK_SECONDS, BrowserKeys
from server.admin.draining import drain
from server.admin.errors import (
    AmbiguousPlayer,
    NotBanned,
    NotRecorded,
    TryAgain,
    UnknownPlayer,
    UnknownTable,
)
from server.admin.messages import (
    PAGE,
    Announce,
    Announced,
    AnyAnswer,
    AnyRequest,
    AuditLine,
    AuditLines,
    Ban,
    BanLine,
    Banned,
    BanPage,
    BotLine,
    CloseTable,
    Drain,
    Kick,
    Kicked,
    Link,
    LinkMade,
    ListBans,
    Log,
    NodeLine,
    NodePage,
    Nodes,
    PlayerLine,
    PlayerPage,
    Players,
    SeatLine,
    ServerStatus,
    Status,
    TableClosed,
    TableLine,
    TablePage,
    Tables,
    Unban,
    Unbanned,
)
from server.crossing.bans import ADDRESS, PLAYER, network_of, told
from server.crossing.names import TABLES, clean, peer_name, role_of
from server.game_server import TablesServer
from server.ops.isolation import isolated
from server.store import BanKey, BanRow, Deletion, Store, StoreError, Write
from server.table.table import Table

HOUR_SECONDS = 3600.0
ACT_SECONDS = 10.0
"""How long an act may wait for the disk."""
NAMED = 10
"""At most so many players of one name are listed."""


class Administration:
    """`now` gives server time in seconds.

    `peers` returns the names of all processes on the bus, this one among them; there are none if
    this process is the whole server. `page` is the address of the administrator's pages, once the
    server listens.
    """

    def __init__(
        self,
        server: TablesServer,
        store: Store,
        now: Callable[[], float],
        audit: AuditLog,
        keys: BrowserKeys,
        peers: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        self.page = ""
        self._server = server
        self._store = store
        self._now = now
        self._audit = audit
        self._keys = keys
        self._peers = peers
        self._started = now()

    async def carry_out(self, request: AnyRequest) -> AnyAnswer:
        """Do what is asked; `AdminError` if it cannot be done."""
        try:
            async with asyncio.timeout(ACT_SECONDS):
                return await self._carry_out(request)
        except StoreError as error:
            raise TryAgain(f"the store does not answer: {error}") from None
        except TimeoutError:
            raise TryAgain("the store does not answer in time") from None

    async def _carry_out(self, request: AnyRequest) -> AnyAnswer:
        match request:
            case Status():
                return await self._status()
            case Tables(after=after):
                codes, more = _page(self._server.tables.directory, after)
                return TablePage(tables=tuple(map(self._table_line, codes)), next=more)
            case Players(after=after):
                known = self._known()
                ids, more = _page(known, after)
                return PlayerPage(players=tuple(known[id] for id in ids), next=more)
            case Nodes(after=after):
                return await self._nodes(after)
            case ListBans(after=after):
                return self._bans(after)
            case Log(lines=count):
                return await self._log(count)
            case Link():
                return LinkMade(url=f"{self.page}#{self._keys.new_link()}", seconds=LINK_SECONDS)
            case Kick(player=named, reason=reason):
                return await self._kick(named, reason)
            case Ban():
                return await self._ban(request)
            case Unban(subject=subject):
                return await self._unban(subject)
            case Drain(node=node):
                return await drain(self._server, self._store, node)
            case Announce(text=text):
                return self._announce(clean(text))
            case CloseTable(table=code):
                return await self._close(code.upper())

    # Reading

    async def _status(self) -> ServerStatus:
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
            tables=dict(sorted(directory.phases().items())),
            in_memory=len(server.live),
            bans=len(self._holding()),
            bots=tuple(
                BotLine(game=game, strength=strength, seats=seats)
                for (game, strength), seats in sorted(server.live.bots().items())
            ),
        )

    def _table_line(self, code: str) -> TableLine:
        server = self._server
        info = server.tables.directory.info(code)
        assert info is not None, "the code comes from the directory"
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
            spectators=server.subscribers.spectators(code),
            in_memory=code in server.live,
        )

    def _known(self) -> dict[str, PlayerLine]:
        """Everybody who is connected or has a seat, by id."""
        away = dict(self._server.tables.directory.people())
        online = {who[0]: self._line(*who, online=True) for who in self._connected()}
        return {id: self._line(id, away[id]) for id in away.keys() - online.keys()} | online

    def _connected(self) -> Iterable[tuple[str, str, str]]:
        """Id, name and address of every player who is connected."""
        for link in self._server.links:
            if not link.leaving:
                yield link.player.id, link.player.name, link.address

    def _line(
        self, player: str, name: str = "", address: str = "", *, online: bool = False
    ) -> PlayerLine:
        tables = sorted(self._server.tables.directory.tables_of(player))
        return PlayerLine(
            player=player, name=name, address=address, tables=tuple(tables), online=online
        )

    def _bans(self, after: str) -> BanPage:
        bans = {f"{ban.kind} {ban.subject}": ban for ban in self._holding()}
        keys, more = _page(bans, after)
        return BanPage(bans=tuple(_ban_line(bans[key]) for key in keys), next=more)

    async def _nodes(self, after: str) -> NodePage:
        """Who is on the bus, and who has a lease; one that is neither has ended."""
        lines = {name: NodeLine(node=name, role=role_of(name), here=True) for name in self._peers()}
        shares = await self._store.shares()
        for row in await self._store.nodes():
            name = peer_name(TABLES, row.name)
            if row.lives or name in lines:
                lines[name] = NodeLine(
                    node=name,
                    role=TABLES,
                    here=name in lines,
                    lease="held" if row.lives else "over",
                    epoch=row.epoch,
                    tables=shares.get(row.name, 0),
                )
        names, more = _page(lines, after)
        return NodePage(nodes=tuple(lines[name] for name in names), next=more)

    async def _log(self, count: int) -> AuditLines:
        try:
            lines = await self._audit.last(count)
        except OSError as error:
            raise NotRecorded(f"the audit log cannot be read ({error.strerror})") from None
        read: list[AuditLine] = []
        for line in lines:
            with suppress(ValidationError):
                read.append(AuditLine.model_validate(line))
        return AuditLines(log=tuple(read))

    def _holding(self) -> list[BanRow]:
        """The bans that hold now."""
        bans = self._server.bans
        over = set(bans.over(self._now()))
        return [ban for ban in bans if BanKey(ban.kind, ban.subject) not in over]

    # Acting

    async def _kick(self, named: str, reason: str | None) -> Kicked:
        player = await self._player(named)
        words = "an administrator removed you from this server"
        return Kicked(kicked=await self._remove([player], _with(words, reason)))

    async def _ban(self, request: Ban) -> Banned:
        now = self._now()
        until = None if request.hours is None else now + request.hours * HOUR_SECONDS
        network = network_of(request.subject)
        if network is None:
            kind, subject = PLAYER, await self._player(request.subject)
        else:
            kind, subject = ADDRESS, network
        reason = "" if request.reason is None else clean(request.reason)
        ban = BanRow(kind, subject, until, reason, now)
        await self._store.save(Write(bans=(ban,)))
        bans = self._server.bans
        bans.put(ban)
        self._server.settle()
        if kind == PLAYER:
            concerned = [subject]
        else:
            concerned = [
                player
                for player, _, address in self._connected()
                if bans.of_address(address, now) is not None
            ]
        return Banned(ban=_ban_line(ban), kicked=await self._remove(concerned, told(ban)))

    async def _unban(self, subject: str) -> Unbanned:
        bans = self._server.bans
        wanted = {network_of(subject), subject}
        found = next((ban for ban in self._holding() if ban.subject in wanted), None)
        if found is None:
            raise NotBanned(f"{subject!r} is not banned; `bans` lists who is")
        key = BanKey(found.kind, found.subject)
        await self._store.save(Write(deleted=Deletion(bans=(key,))))
        bans.lift(key)
        self._server.settle()
        return Unbanned(ban=_ban_line(found))

    def _announce(self, text: str) -> Announced:
        """Tell clients at a table by a line of chat, which those of any age show; else a notice."""
        clients = 0
        notice: WireForm = {"type": "notice", "kind": "announcement", "reason": text}
        line: WireForm = {"type": "chat", "seat": None, "name": SERVER_NAME, "text": text}
        at_tables = self._server.subscribers.table_of_each()
        for link in self._server.links:
            with isolated("announcing_failed"):
                table = at_tables.get((link.mail.gateway, link.number))
                link.put(notice if table is None else {**line, "table": table})
                clients += 1
        self._server.settle()
        return Announced(clients=clients)

    async def _close(self, code: str) -> TableClosed:
        table = await self._server.tables.get(code)
        if node := self._server.tables.elsewhere(code):
            raise UnknownTable(f"table {code!r} is at the node {node!r}; ask that one")
        if table is None or table.state.phase == "closed":
            raise UnknownTable(f"there is no table {code!r}; `tables` lists them")
        self._server.tables.close(table)
        await self._settled(table)
        if self._server.tables.has(code):
            raise TryAgain(f"table {code} could not be stored as closed")
        return TableClosed(table=code)

    async def _remove(self, players: Iterable[str], words: str) -> tuple[PlayerLine, ...]:
        """Disconnect players, and take their seats away."""
        # All are disconnected before anything waits: whatever fails below, nobody stays.
        lines = tuple([self._disconnect(player, words) for player in players])
        left = await self._take_seats(lines)
        if left:
            seats = ", ".join(f"{player} at table {code}" for player, code in left)
            raise TryAgain(f"these seats could not be taken away, `kick` them again: {seats}")
        return lines

    def _disconnect(self, player: str, words: str) -> PlayerLine:
        """Close a player's connection; returns who they are and where they sit."""
        links = [link for link in self._server.links.of(player) if not link.leaving]
        if links:
            line = self._line(player, links[0].player.name, links[0].address, online=True)
        else:
            line = self._line(player, dict(self._server.tables.directory.people()).get(player, ""))
        self._server.links.expel(player, words)
        self._server.settle()
        return line

    async def _take_seats(self, lines: Iterable[PlayerLine]) -> list[tuple[str, str]]:
        """Take away the seats of players; returns the player and the table where that failed.

        Other nodes do so at their tables.
        """
        tables = self._server.tables
        seats = [(line.player, code) for line in lines for code in line.tables]
        told: list[Table] = []
        if (neighbours := self._server.neighbours) is not None:
            for player in {player for player, code in seats if not tables.has(code)}:
                neighbours.unseat(player)
        for player, code in seats:
            with suppress(StoreError):
                if (table := await tables.get(code)) is not None:
                    tables.remove_player(table, player)
                    self._server.settle()
                    told.append(table)
        # Only now: one wait for the disk is then enough for many tables.
        for table in told:
            with suppress(StoreError):
                await self._settled(table)
        return [
            (player, code)
            for player, code in seats
            if tables.has(code) and not tables.is_damaged(code)
            if tables.directory.sits(player, code)
        ]

    async def _settled(self, table: Table) -> None:
        """Wait until what a table was told to do is on the disk, or has failed."""
        self._server.settle()
        while table.busy:
            # Writes are made in order: when this one is done, all before it are.
            await self._store.save(Write())

    async def _player(self, named: str) -> str:
        """The id of a player who is named by it, or by a name that one player here has."""
        if self._server.links.is_here(named) or named in self._server.guests:
            return named
        if await self._store.player(named) is not None:
            return named
        found = sorted(id for id, line in self._known().items() if line.name == clean(named))
        if len(found) > 1:
            more = "" if len(found) <= NAMED else ", …"
            ids = ", ".join(found[:NAMED]) + more
            raise AmbiguousPlayer(f"{len(found)} players have this name, use an id: {ids}")
        if not found:
            raise UnknownPlayer(f"there is no player {named!r}; `players` lists who is here")
        return found[0]


def _ban_line(ban: BanRow) -> BanLine:
    return BanLine.model_validate(ban._asdict())


def _with(words: str, reason: str | None) -> str:
    return words if reason is None else f"{words}: {clean(reason)}"


def _page(keys: Iterable[str], after: str) -> tuple[list[str], str | None]:
    """The next keys in order, and the one to go on after; None if there are no more."""
    left = sorted(key for key in keys if key > after)
    page = left[:PAGE]
    return page, page[-1] if len(left) > PAGE else None
