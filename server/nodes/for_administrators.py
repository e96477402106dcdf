"""Carries out administrators' acts at this node, and through it at the others.

Each act is a request of `NodeRequests`, which this node carries out for itself and for the others.
Acts about players are in `kicks_and_bans`.
"""

from protocol.errors import ProtocolError
from protocol.visible_text import SERVER_NAME
from protocol.wire_form import WireForm
from server.names import clean
from server.nodes.admin_errors import (
    CANNOT_DRAIN,
    ELSEWHERE,
    TRY_AGAIN,
    UNKNOWN_TABLE,
    AdminError,
)
from server.nodes.kicks_and_bans import KicksAndBans
from server.nodes.moving import Moving
from server.nodes.node_requests import Body, NodeAnswers, NodeRequests
from server.nodes.player_list import PlayerList
from server.nodes.removals import Removals
from server.nodes.table_finder import TableFinder
from server.ops.isolation import isolated
from server.sessions.registry import ConnectionRegistry
from server.store import Store
from server.tables.registry import TableRegistry

ATTEMPTS = 3
"""How often it is asked whose a table is that changes hands just then."""
ALONE = "this server shares its tables with no other one"


class ForAdministrators:
    """Carries out acts; an act that fails raises `AdminError`."""

    def __init__(
        self,
        store: Store,
        connections: ConnectionRegistry,
        tables: TableRegistry,
        removals: Removals,
        requests: NodeRequests,
        players: KicksAndBans,
        player_list: PlayerList,
    ) -> None:
        self.requests = requests
        self.players = players
        self.player_list = player_list
        self.moving: Moving | None = None
        self.finder: TableFinder | None = None
        self._store = store
        self._connections = connections
        self._tables = tables
        self._removals = removals
        requests.handlers |= {
            "announce": self._announce,
            "balance": self._balance,
            "close": self._close,
            "drain": self._drain,
            "log": self._no_log,
            "undrain": self._undrain,
        }

    # Tables

    async def close(self, code: str) -> None:
        """Close a table at whichever node it is."""
        body = {"table": code}
        for left in reversed(range(ATTEMPTS)):
            node = await self._owner(code)
            if node is None:
                raise AdminError(UNKNOWN_TABLE, f"there is no table {code!r}; `tables` lists them")
            try:
                await (self.requests.at(node, "close", body) if node else self._close(body))
            except AdminError as failed:
                if failed.code != ELSEWHERE or not left:
                    raise
            else:
                return

    async def _owner(self, code: str) -> str | None:
        """Return the other node that has a table, "" if this one has it; None if there is none."""
        if self._tables.has(code):
            return ""
        if self.finder is None:
            return None
        try:
            # What nobody has is this node's then.
            await self.finder.find(code)
            owner = await self._store.owner(code)
        except ProtocolError as error:
            raise AdminError(TRY_AGAIN, f"table {code!r}: {error.reason}") from None
        return None if owner is None else owner.name

    async def _close(self, body: Body) -> Body:
        code = body["table"]
        table = await self._tables.get(code)
        if table is None or table.state.phase == "closed":
            raise AdminError(ELSEWHERE, f"table {code!r} is on its way between nodes; try again")
        self._tables.close(table)
        await self._removals.stored(table)
        if self._tables.has(code):
            raise AdminError(TRY_AGAIN, f"table {code} could not be stored as closed")
        return {}

    async def drain(self, node: str) -> Body:
        """Let a node take no more tables and give away its own; return when it has begun."""
        return await self._at(node, "drain")

    async def undrain(self, node: str) -> Body:
        """Let a node take tables again; those that it gave away come back by `balance`."""
        return await self._at(node, "undrain")

    async def _at(self, node: str, kind: str) -> Body:
        self._moving()
        return await self.requests.at(node, kind, {})

    async def balance(self) -> NodeAnswers:
        """Let all nodes give the others their share of their tables, which then begins."""
        return await self.requests.everywhere("balance", {})

    async def _drain(self, body: Body) -> Body:
        moving, name = self._moving(), self.requests.name
        begun = moving.begin()
        if not begun.others:
            drained = ", ".join(node for node in moving.drained() if node != name)
            why = f" (drained: {drained}; `undrain` ends that)" if drained else ""
            raise AdminError(
                CANNOT_DRAIN, f"there is no other node that could take the tables of {name!r}{why}"
            )
        return {"tables": begun.tables}

    async def _undrain(self, body: Body) -> Body:
        self._moving().undrain()
        return {}

    async def _balance(self, body: Body) -> Body:
        moving = self._moving()
        others = self.requests.others
        if others is None or not others.here():
            raise AdminError(CANNOT_DRAIN, ALONE)
        return {"tables": moving.balance().tables, "drained": moving.drained()}

    def _moving(self) -> Moving:
        if self.moving is None:
            raise AdminError(CANNOT_DRAIN, ALONE)
        return self.moving

    async def _no_log(self, body: Body) -> Body:
        """Return an empty audit log, as this node serves no administrators."""
        return {"log": []}

    # Clients

    async def announce(self, text: str) -> NodeAnswers:
        """Show a text to everybody who is connected to any node."""
        return await self.requests.everywhere("announce", {"text": text})

    async def _announce(self, body: Body) -> Body:
        """Send clients at a table a chat line, which all clients show, and others a notice."""
        text = clean(body["text"])
        line: WireForm = {"type": "chat", "seat": None, "name": SERVER_NAME, "text": text}
        notice: WireForm = {"type": "notice", "kind": "announcement", "reason": text}
        clients = 0
        for connection in self._connections:
            with isolated("announcing_failed"):
                at = connection.tables
                connection.tell({**line, "table": at[0]} if at else notice)
                clients += 1
        self._connections.flush()
        return {"clients": clients}
