"""A server that shares its database with others: each has an address of its own for clients."""

from server.game_server import GameServer, ServerParts
from server.nodes.delayed_messages import DelayedMessages
from server.nodes.lease_duties import LeaseDuties
from server.nodes.moving import Moving
from server.nodes.moving_clients import MovingClients
from server.nodes.other_nodes import OtherNodes
from server.nodes.shared_rows import SharedRows
from server.nodes.table_finder import TableFinder
from server.nodes.taken_tables import TakenTables
from server.ops.isolation import BackgroundTasks
from server.store import LeaseState


class NodeServer(GameServer):
    """A `GameServer` with the parts for sharing its database."""

    neighbours: OtherNodes
    moving: Moving

    def __init__(self, parts: ServerParts) -> None:
        super().__init__(parts)
        store, now = parts.store, parts.now
        assert store.node is not None, "the store is opened as that of a node"
        self._node = node = store.node
        spawn, tables = self.background.spawn, self.tables
        connections, directory = self.connections, self.live.directory
        publisher = None if parts.events is None else parts.events.publisher
        taken = TakenTables(store, connections, tables, self.effects, self.removals, publisher, now)
        admin = self.for_administrators
        rows = SharedRows(store, directory, self.timing.rule, admin, taken, spawn)
        self.neighbours = self.requests.others = others = OtherNodes(node)
        self.lease = LeaseDuties(
            node,
            DelayedMessages(node, connections),
            taken,
            others,
            rows,
            self.handshake,
            self.hang_up,
            BackgroundTasks("takeover_failed"),
            parts.fenced,
        )
        finder = TableFinder(node, store, tables, taken, others, now)
        self.dispatcher.finder = self.resume.finder = admin.finder = finder
        clients = MovingClients(
            node.name,
            connections,
            others,
            self.players,
            self.subscribers,
            self.resume,
            spawn,
        )
        self.moving = admin.moving = Moving(
            node, store, connections, tables, taken, others, clients
        )
        if publisher is not None:
            publisher.share(lambda: node.state is LeaseState.HELD, rows.tables)

    async def open(self) -> None:
        """Read the values from the store that are needed before the first client connects."""
        await self._node.ready()
        await super().open()
        self._node.listen(self.lease)

    async def tick(self) -> bool:
        """Do what is due; return False, doing nothing, while other nodes may own the tables."""
        if self.lease.is_sure:
            return await super().tick()
        self.look_at_slow_readers()
        return False

    async def wake_one(self) -> None:
        """Load the sleeping table that is first in line, once this node surely owns it."""
        await self.lease.sure()
        await super().wake_one()

    async def ready(self) -> str:
        """Return why no games can be played here now; "" if they can."""
        return "draining" if self.moving.drains else await super().ready()

    async def why_away(self) -> str:
        """Return why no moves can be saved, also while this node may not own the tables."""
        is_sure = self._node.state is LeaseState.HELD
        return await super().why_away() if is_sure else await self._trouble()

    def drain(self) -> None:
        """Open no more tables; tell all clients, unless other nodes can continue their tables."""
        if self.neighbours.staying():
            self.lobby.draining = True
        else:
            super().drain()
