"""A node's reactions to new tables, and to a lease that is uncertain, sure again, or over.

not sure ─▶ nothing happens at its tables ─▶ for as long as a lease lasts: others may have them,
clients go on with these ─▶ sure again: clients may come back
         ─▶ over: clients are let go for good
"""

import asyncio
from collections.abc import Callable, Sequence

import structlog

from server.commands.handshake import Handshake
from server.nodes.delayed_messages import DelayedMessages
from server.nodes.other_nodes import OtherNodes
from server.nodes.shared_rows import SharedRows
from server.nodes.taken_tables import TakenTables
from server.ops.isolation import BackgroundTasks
from server.store import LeaseState, NodeRow
from server.store.membership import Membership

log = structlog.get_logger()

PATIENCE_SECONDS = 10.0
"""So long, beyond a lease, players stay connected while the database does not answer. It may be
away for all nodes, which nobody can tell."""
AGAIN_SECONDS = 0.5
"""The pause before it is looked again whether other nodes are there, to leave players to them."""


class LeaseDuties:
    """Reacts to the lease; `background` runs slow work.

    `hang_up` closes all connections, and `fenced` is called at the lease's end.
    """

    def __init__(
        self,
        node: Membership,
        delayed: DelayedMessages,
        taken: TakenTables,
        others: OtherNodes,
        rows: SharedRows,
        handshake: Handshake,
        hang_up: Callable[[str], None],
        background: BackgroundTasks,
        fenced: Callable[[], None],
    ) -> None:
        self._fenced = fenced
        self._node = node
        self._delayed = delayed
        self._taken = taken
        self._others = others
        self._rows = rows
        self._handshake = handshake
        self._hang_up = hang_up
        self._background = background
        self._sure = asyncio.Event()
        self._sure.set()
        self._patience: asyncio.TimerHandle | None = None

    @property
    def is_sure(self) -> bool:
        """Whether the tables may go on."""
        return self._sure.is_set()

    async def sure(self) -> None:
        """Wait until the tables may go on."""
        await self._sure.wait()

    def took(self, codes: Sequence[str]) -> None:
        """Record tables that this node owns from now on."""
        self._background.spawn(self._taken.take(codes))

    def looked(self, rows: Sequence[NodeRow]) -> None:
        """React to a new reading of all nodes' rows."""
        self._others.look(rows)
        self._rows.look()

    def lease(self, state: LeaseState) -> None:
        """Stop, go on, or end, according to the state of the lease."""
        if self._patience is not None:
            self._patience.cancel()
        if state is LeaseState.HELD:
            self._sure.set()
            self._delayed.go_on()
            self._handshake.is_away = False
            return
        self._sure.clear()
        if state is LeaseState.UNSURE:
            self._look_away_in(self._node.lease.times.lasts + PATIENCE_SECONDS)
        else:
            self._delayed.end()
            self._shut()
            self._fenced()

    def _look_away_in(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        self._patience = loop.call_later(seconds, self._leave_to_others)

    def _leave_to_others(self) -> None:
        """Let clients go to another node, if any, as the lease was not renewed for too long.

        If the database is away for all nodes, the last one keeps its clients connected.
        """
        if not self._others.staying():
            self._look_away_in(AGAIN_SECONDS)
            return
        log.warning("node_leaves_to_others", node=self._node.name)
        self._shut()

    def _shut(self) -> None:
        """Close all connections, and let no client in until the lease is sure again."""
        self._handshake.is_away = True
        self._hang_up("other servers have the tables")
