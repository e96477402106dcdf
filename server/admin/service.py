"""Carries out what an administrator asks; what only shows something is in `overview`.

It knows no socket: a request goes in, an answer comes out, or an `AdminError`. It acts as players
do, and looks into no match.
"""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress

from protocol.errors import ProtocolError
from server.admin.answers import (
    Announced,
    AnyAnswer,
    Banned,
    Kicked,
    LinkMade,
    PlayerLine,
    TableClosed,
    Unbanned,
)
from server.admin.audit import AuditLog
from server.admin.browser_keys import LINK_SECONDS, BrowserKeys
from server.admin.draining import balance, drain, undrain
from server.admin.errors import AmbiguousPlayer, NotBanned, TryAgain, UnknownPlayer, UnknownTable
from server.admin.overview import Overview, ban_line
from server.admin.requests import (
    Announce,
    AnyRequest,
    BalanceTables,
    Ban,
    CloseTable,
    Drain,
    Kick,
    Link,
    ListBans,
    Log,
    Nodes,
    Players,
    Status,
    Tables,
    Unban,
    Undrain,
)
from server.admin.wide_bans import confirm
from server.crossing.bans import ADDRESS, PLAYER, banned, network_of
from server.crossing.names import clean
from server.crossing.refusals import refusal
from server.game_server import GameServer
from server.store import BanKey, BanRow, Deletion, Store, StoreError, Write
from server.table.table import Table

HOUR_SECONDS = 3600.0
ACT_SECONDS = 10.0
"""How long an act may wait for the disk."""
NAMED = 10
"""At most so many players of one name are listed."""


class Administration:
    """`now` gives server time in seconds.

    `page` is the address of the administrator's pages, once the server listens.
    """

    def __init__(
        self,
        server: GameServer,
        store: Store,
        now: Callable[[], float],
        audit: AuditLog,
        keys: BrowserKeys,
    ) -> None:
        self.page = ""
        self._server = server
        self._store = store
        self._now = now
        self._overview = Overview(server, store, now, audit)
        self._keys = keys

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
                return await self._overview.status()
            case Tables(after=after):
                return self._overview.tables(after)
            case Players(after=after):
                return self._overview.players(after)
            case Nodes(after=after):
                return await self._overview.nodes(after)
            case ListBans(after=after):
                return self._overview.bans(after)
            case Log(lines=count):
                return await self._overview.log(count)
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
            case Undrain(node=node):
                return await undrain(self._server, self._store, node)
            case BalanceTables():
                return balance(self._server)
            case Announce(text=text):
                clients = self._server.for_administrators.announce(clean(text))
                return Announced(clients=clients)
            case CloseTable(table=code):
                return await self._close(code.upper())

    async def _kick(self, named: str, reason: str | None) -> Kicked:
        player = await self._player(named)
        why = clean(reason or "").removesuffix(".")
        told = refusal("forbidden", "refused_expelled", {"given": bool(why), "why": why})
        return Kicked(kicked=await self._remove([player], told))

    async def _ban(self, request: Ban) -> Banned:
        now = self._now()
        until = None if request.hours is None else now + request.hours * HOUR_SECONDS
        network = network_of(request.subject)
        if network is None:
            kind, subject = PLAYER, await self._player(request.subject, ", and it is no address")
        else:
            kind, subject = ADDRESS, network
            if not request.yes:
                addresses = [address for _, _, address in self._overview.connected()]
                confirm(network, addresses, request.own)
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
                for player, _, address in self._overview.connected()
                if bans.of_address(address, now) is not None
            ]
        return Banned(ban=ban_line(ban), kicked=await self._remove(concerned, banned(ban)))

    async def _unban(self, subject: str) -> Unbanned:
        bans = self._server.bans
        wanted = {network_of(subject), subject}
        found = next((ban for ban in self._overview.bans_in_force() if ban.subject in wanted), None)
        if found is None:
            raise NotBanned(f"{subject!r} is not banned; `bans` lists who is")
        key = BanKey(found.kind, found.subject)
        await self._store.save(Write(deleted=Deletion(bans=(key,))))
        bans.lift(key)
        self._server.settle()
        return Unbanned(ban=ban_line(found))

    async def _close(self, code: str) -> TableClosed:
        ended = await self._server.for_administrators.close(code)
        match ended.code:
            case "":
                return TableClosed(table=code)
            case UnknownTable.code:
                raise UnknownTable(ended.reason)
            case _:
                raise TryAgain(ended.reason)

    async def _remove(self, players: Iterable[str], why: ProtocolError) -> tuple[PlayerLine, ...]:
        """Disconnect players, and take their seats away."""
        # All are disconnected before anything waits: whatever fails below, nobody stays.
        lines = tuple([self._disconnect(player, why) for player in players])
        left = await self._take_seats(lines)
        if left:
            seats = ", ".join(f"{player} at table {code}" for player, code in left)
            raise TryAgain(f"these seats could not be taken away, `kick` them again: {seats}")
        return lines

    def _disconnect(self, player: str, why: ProtocolError) -> PlayerLine:
        """Close a player's connection; returns who they are and where they sit."""
        links = [link for link in self._server.links.of(player) if not link.leaving]
        if links:
            line = self._overview.player(
                player, links[0].player.name, links[0].address, online=True
            )
        else:
            line = self._overview.player(
                player, dict(self._server.tables.directory.people()).get(player, "")
            )
        self._server.links.expel(player, why)
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
            for player in {player for player, _ in seats}:
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
                await self._server.for_administrators.settled(table)
        return [
            (player, code)
            for player, code in seats
            if tables.has(code) and not tables.is_damaged(code)
            if tables.directory.sits(player, code)
        ]

    async def _player(self, named: str, but: str = "") -> str:
        """The id of a player who is named by it, or by a name that one player here has.

        If nobody is, `but` says what else it is not.
        """
        if self._server.links.is_here(named) or named in self._server.guests:
            return named
        if await self._store.player(named) is not None:
            return named
        present = self._overview.present()
        found = sorted(id for id, line in present.items() if line.name == clean(named))
        if len(found) > 1:
            lines = [_who(present[id]) for id in found[:NAMED]]
            more = [] if len(found) <= NAMED else ["…"]
            many = f"{len(found)} players have this name; name one by the id that begins its line:"
            raise AmbiguousPlayer("\n".join([many, *lines, *more]))
        if not found:
            raise UnknownPlayer(f"there is no player {named!r}{but}; `players` lists who is here")
        return found[0]


def _who(line: PlayerLine) -> str:
    """A player, by what tells them from others of their name."""
    seats = zip(line.seats, line.tables, strict=True)
    sits = ", ".join(f"seat {seat} at {code}" for seat, code in seats) or "at no table"
    return f"{line.player}  {sits}, {line.address if line.online else 'away'}"
