"""The lists that an administrator sees of a server: status, tables, players, bans, nodes."""

import asyncio
import os
import platform
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from importlib.metadata import version

from pydantic import ValidationError

from server.admin.answers import (
    AuditLine,
    BanLine,
    BanPage,
    BotLine,
    NodeLine,
    NodePage,
    PlayerPage,
    SeatLine,
    ServerStatus,
    TableLine,
    TablePage,
)
from server.admin.audit import AuditLog
from server.admin.requests import PAGE
from server.game_server import GameServer
from server.nodes.admin_errors import NOT_RECORDED, AdminError
from server.store import BanKey, BanRow, NodeRow, Store, StoreError

NAMES_SECONDS = 2.0
"""How long the database may take to name the nodes."""
GONE_SECONDS = 3600.0
"""For so long a node is shown that has no lease any more."""


class Overview:
    """Lists any table with the details of the list of tables, with players' ids and addresses.

    Lists come in pages of at most `PAGE` lines, sorted by the key that `after` names: code, id,
    kind and subject of a ban, name of a node. `now` gives server time in seconds.
    """

    def __init__(
        self,
        server: GameServer,
        store: Store,
        now: Callable[[], float],
        audit: AuditLog,
    ) -> None:
        self._server = server
        self._store = store
        self._now = now
        self._audit = audit
        self._started = now()

    @property
    def _node(self) -> str | None:
        return None if self._store.node is None else self._store.node.name

    async def status(self) -> ServerStatus:
        """Return version, uptime and the use of the server's limits."""
        server, now = self._server, self._now()
        directory = server.tables.directory
        return ServerStatus(
            node=self._node,
            version=version("blackqueen"),
            python=platform.python_version(),
            pid=os.getpid(),
            uptime=round(now - self._started, 1),
            trouble=await server.ready(),
            connections=len(server.connections),
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
        """List the open tables of all nodes, including private and sleeping tables."""
        codes, more = _page(self._server.tables.directory.everywhere(), after)
        return TablePage(tables=tuple(map(self._table, codes)), next=more)

    def players(self, after: str) -> PlayerPage:
        """List all players who are connected to this node, or have a seat at any node."""
        present = self._server.for_administrators.player_list.present()
        ids, more = _page(present, after)
        lines = tuple(present[id] for id in ids)
        return PlayerPage(players=lines, next=more, node=self._node)

    def bans(self, after: str) -> BanPage:
        """List the bans in force."""
        bans = {f"{ban.kind} {ban.subject}": ban for ban in self.bans_in_force()}
        keys, more = _page(bans, after)
        return BanPage(bans=tuple(ban_line(bans[key]) for key in keys), next=more)

    async def nodes(self, after: str) -> NodePage:
        """List the nodes that have a lease, or had one recently; empty for a single process.

        While the database does not answer, what only it knows is missing.
        """
        node, others = self._store.node, self._server.neighbours
        if node is None or others is None:
            return NodePage(nodes=())
        try:
            async with asyncio.timeout(NAMES_SECONDS):
                shares, rows = await self._store.shares(), await self._store.nodes()
        except (StoreError, TimeoutError) as error:
            unknown = f"the store does not answer: {error or 'time is out'}"
            names = (node.name, *others.here())
            lines = {name: NodeLine(node=name, here=True, unknown=unknown) for name in names}
        else:
            long_ago = self._now() - GONE_SECONDS
            lines = {
                row.name: _node_line(row, shares)
                for row in rows
                if row.lives or abs(row.expires) > long_ago
            }
        keys, more = _page(lines, after)
        return NodePage(nodes=tuple(self._as_it_is(lines[key]) for key in keys), next=more)

    def _as_it_is(self, line: NodeLine) -> NodeLine:
        """Return the line of a node, for this node with its own present values."""
        node, moving = self._store.node, self._server.moving
        if node is None or moving is None or line.node != node.name:
            return line
        return line.model_copy(update={"takes": not moving.drains})

    async def log(self, count: int) -> list[dict[str, object]]:
        """Return the last `count` lines of this node's audit log, or raise `AdminError`."""
        read: list[dict[str, object]] = []
        try:
            for line in await self._audit.last(count):
                with suppress(ValidationError):
                    told = AuditLine.model_validate(line)
                    # Nodes with one data folder have one file.
                    if told.node in (None, self._node):
                        read.append({**told.model_dump(mode="json"), "node": self._node})
        except OSError as error:
            raise AdminError(
                NOT_RECORDED, f"the audit log cannot be read ({error.strerror})"
            ) from None
        return read

    def bans_in_force(self) -> list[BanRow]:
        """Return the bans that have not ended."""
        bans = self._server.bans
        over = set(bans.over(self._now()))
        return [ban for ban in bans if BanKey(ban.kind, ban.subject) not in over]

    def _table(self, code: str) -> TableLine:
        server = self._server
        info = server.tables.directory.info(code)
        assert info is not None, "the code comes from the directory"
        away = server.tables.directory.elsewhere(code)
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
            node=self._node if away is None else away,
        )


def _node_line(row: NodeRow, shares: Mapping[str, int]) -> NodeLine:
    """Return the line of a node from the database."""
    return NodeLine(
        node=row.name,
        here=row.lives,
        lease="held" if row.lives else "over",
        epoch=row.epoch,
        tables=shares.get(row.name, 0),
        takes=row.has_tables,
        gone=None if row.lives else abs(row.expires),
    )


def ban_line(ban: BanRow) -> BanLine:
    """Return the line of a stored ban for administrators."""
    return BanLine.model_validate(ban._asdict())


def _page(keys: Iterable[str], after: str) -> tuple[list[str], str | None]:
    """Return the next keys in order, and the last of them; None for it if there are no more."""
    left = sorted(key for key in keys if key > after)
    page = left[:PAGE]
    return page, page[-1] if len(left) > PAGE else None
