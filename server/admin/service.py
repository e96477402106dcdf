"""Carries out administrators' requests; requests that only show something are in `overview`.

It has no access to sockets: a request goes in, and an answer comes out, or `AdminError`. It acts as
players do, and reads no match. Acts at all nodes, or at another node, are in `ForAdministrators`.
"""

import asyncio
from collections.abc import Callable

from server.admin.answers import (
    AdminAnswer,
    Announced,
    AuditLine,
    AuditLines,
    Balancing,
    Banned,
    ClosedTable,
    Draining,
    Kicked,
    LinkMade,
    NodeFailure,
    ServerStatus,
    Unbanned,
    Undrained,
)
from server.admin.audit import AuditLog
from server.admin.browser_keys import LINK_SECONDS, BrowserKeys
from server.admin.merged import merged
from server.admin.overview import Overview, ban_line
from server.admin.requests import (
    Announce,
    AnyRequest,
    BalanceTables,
    Ban,
    CloseTable,
    Drain,
    KickPlayer,
    ListBans,
    ListPlayers,
    Nodes,
    PagesLink,
    ReadLog,
    Status,
    Tables,
    Unban,
    Undrain,
)
from server.admin.wide_bans import confirm
from server.game_server import GameServer
from server.names import clean
from server.nodes.admin_errors import (
    AMBIGUOUS_PLAYER,
    NOT_BANNED,
    TRY_AGAIN,
    UNKNOWN_PLAYER,
    AdminError,
)
from server.nodes.node_requests import Body, NodeAnswers
from server.nodes.player_list import PlayerInfo
from server.players.bans import ADDRESS, PLAYER, network_of
from server.store import BanKey, BanRow, Deletion, Store, StoreError, Write

HOUR_SECONDS = 3600.0
ACT_SECONDS = 15.0
"""How long an act may wait for the disk, and for other nodes."""
NAMED = 10
"""At most so many players of one name are listed."""


class Administration:
    """Carries out requests. `now` returns server time in seconds.

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
        self._all = server.for_administrators
        self._all.requests.handlers |= {"log": self._log_here, "status": self._status_here}

    async def carry_out(self, request: AnyRequest) -> AdminAnswer:
        """Carry out a request; raise `AdminError` if it cannot be done."""
        try:
            async with asyncio.timeout(ACT_SECONDS):
                return await self._carry_out(request)
        except StoreError as error:
            raise AdminError(TRY_AGAIN, f"the store does not answer: {error}") from None
        except TimeoutError:
            raise AdminError(
                TRY_AGAIN,
                "the store or other nodes do not answer in time; a part may have been done",
            ) from None

    async def _carry_out(self, request: AnyRequest) -> AdminAnswer:
        match request:
            case Status(node=node):
                return await self._status(node)
            case Tables(after=after):
                return self._overview.tables(after)
            case ListPlayers(after=after):
                return self._overview.players(after)
            case Nodes(after=after):
                return await self._overview.nodes(after)
            case ListBans(after=after):
                return self._overview.bans(after)
            case ReadLog(lines=count):
                return await self._log(count)
            case PagesLink():
                return LinkMade(url=f"{self.page}#{self._keys.new_link()}", seconds=LINK_SECONDS)
            case KickPlayer(player=named, reason=reason):
                return await self._kick(named, reason)
            case Ban():
                return await self._ban(request)
            case Unban(subject=subject):
                return await self._unban(subject)
            case Drain(node=node):
                return Draining(node=node, **await self._all.drain(node))
            case Undrain(node=node):
                return Undrained(node=node, **await self._all.undrain(node))
            case BalanceTables():
                return self._balanced(await self._all.balance())
            case Announce(text=text):
                told = await self._all.announce(text)
                clients = sum(each["clients"] for each in told.answers.values())
                return Announced(clients=clients, failed=_failed(told))
            case CloseTable(table=code):
                await self._all.close(code.upper())
                return ClosedTable(table=code.upper())

    async def _status(self, node: str) -> ServerStatus:
        if not node:
            return await self._overview.status()
        return ServerStatus.model_validate(await self._all.requests.at(node, "status", {}))

    async def _status_here(self, body: Body) -> Body:
        return (await self._overview.status()).model_dump(mode="json")

    async def _log(self, count: int) -> AuditLines:
        told = await self._all.requests.everywhere("log", {"lines": count})
        lines = [line for each in told.answers.values() for line in each["log"]]
        if len(told.answers) > 1:
            lines.sort(key=lambda line: str(line["time"]))
        log = tuple(AuditLine.model_validate(line) for line in lines[-count:])
        return AuditLines(log=log, failed=_failed(told))

    async def _log_here(self, body: Body) -> Body:
        return {"log": await self._overview.log(body["lines"])}

    def _balanced(self, told: NodeAnswers) -> Balancing:
        answers = told.answers.values()
        drained = sorted({node for each in answers for node in each["drained"]})
        tables = sum(each["tables"] for each in answers)
        return Balancing(tables=tables, drained=tuple(drained), failed=_failed(told))

    async def _kick(self, named: str, reason: str | None) -> Kicked:
        told = await self._all.players.kick(await self._player(named), reason or "")
        return Kicked(kicked=tuple(merged(told.answers).values()), failed=_failed(told))

    async def _ban(self, request: Ban) -> Banned:
        now = self._now()
        until = None if request.hours is None else now + request.hours * HOUR_SECONDS
        network = network_of(request.subject)
        if network is None:
            kind, subject = PLAYER, await self._player(request.subject, ", and it is no address")
        else:
            kind, subject = ADDRESS, network
            if not request.yes:
                confirm(network, await self._all.players.hits(network), request.own)
        reason = "" if request.reason is None else clean(request.reason)
        ban = BanRow(kind, subject, until, reason, now)
        told = await self._all.players.ban(ban)
        return Banned(
            ban=ban_line(ban), kicked=tuple(merged(told.answers).values()), failed=_failed(told)
        )

    async def _unban(self, subject: str) -> Unbanned:
        wanted = {network_of(subject), subject}
        found = next((ban for ban in self._overview.bans_in_force() if ban.subject in wanted), None)
        if found is None:
            raise AdminError(NOT_BANNED, f"{subject!r} is not banned; `bans` lists who is")
        key = BanKey(found.kind, found.subject)
        told = await self._all.players.unban(Write(deleted=Deletion(bans=(key,))))
        return Unbanned(ban=ban_line(found), failed=_failed(told))

    async def _player(self, named: str, but: str = "") -> str:
        """Return the id of a player from an id, or from a name that exactly one player has.

        If no player has it, `but` says what else it is not.
        """
        if self._server.connections.is_here(named) or named in self._server.guests:
            return named
        if await self._store.player(named) is not None:
            return named
        told = await self._all.players.who(named)
        found = merged(told.answers)
        if named in found:
            return named
        if len(found) > 1:
            lines = [_who(found[id]) for id in sorted(found)[:NAMED]]
            more = [] if len(found) <= NAMED else ["…"]
            many = f"{len(found)} players have this name; name one by the id that begins its line:"
            raise AdminError(AMBIGUOUS_PLAYER, "\n".join([many, *lines, *more]))
        for failure in _failed(told):
            # Somebody of this name may be there.
            raise AdminError(failure.code, failure.reason)
        if not found:
            raise AdminError(
                UNKNOWN_PLAYER, f"there is no player {named!r}{but}; `players` lists who is here"
            )
        return next(iter(found))


def _failed(told: NodeAnswers) -> tuple[NodeFailure, ...]:
    """Return the nodes that have failed, by name."""
    failed = sorted(told.failed.items())
    return tuple(
        NodeFailure(node=node, code=error.code, reason=str(error)) for node, error in failed
    )


def _who(line: PlayerInfo) -> str:
    """Describe a player so that they differ from others of their name."""
    seats = zip(line.seats, line.tables, strict=True)
    sits = ", ".join(f"seat {seat} at {code}" for seat, code in seats) or "at no table"
    return f"{line.player}  {sits}, {line.address if line.online else 'away'}"
