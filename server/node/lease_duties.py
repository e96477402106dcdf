"""What a node does when it gets tables, and when its lease is not sure, sure again, or over.

not sure ─▶ nothing happens at its tables ─▶ for as long as a lease lasts: others may have them,
gateways go on with these ─▶ sure again: the gateways come back
         ─▶ over: the gateways are let go for good
"""

import asyncio
from collections.abc import Callable, Collection, Sequence

import structlog

from server.node.leased_bus import LeasedBus
from server.node.other_nodes import OtherNodes
from server.node.ports import Ports
from server.ops.isolation import Beside
from server.store import LeaseState, StoreError
from server.store.membership import Membership
from server.tables.taken_tables import TakenTables

log = structlog.get_logger()

PATIENCE_SECONDS = 10.0
"""So long, beyond a lease, players stay connected while the database does not answer. It may be
away for all nodes, which nobody can tell."""
AGAIN_SECONDS = 0.5
"""The pause before it is looked again whether other nodes are there, to leave players to them."""


class LeaseDuties:
    """Hears of the lease; `beside` runs what takes time. `on_end` is called when it is over."""

    def __init__(
        self, node: Membership, bus: LeasedBus, taken: TakenTables, beside: Beside
    ) -> None:
        self.on_end: Callable[[], None] = _nothing
        self.ports: Ports | None = None
        self.neighbours: OtherNodes | None = None
        self._node = node
        self._bus = bus
        self._taken = taken
        self._beside = beside
        self._sure = asyncio.Event()
        self._sure.set()
        self._is_away = False
        self._patience: asyncio.TimerHandle | None = None

    @property
    def is_sure(self) -> bool:
        """Whether the tables may go on."""
        return self._sure.is_set()

    async def sure(self) -> None:
        """Return when the tables may go on."""
        await self._sure.wait()

    def took(self, codes: Sequence[str]) -> None:
        """These tables are this node's from now on."""
        self._beside.spawn(self._taken.take(codes))

    def given(self, codes: Collection[str]) -> None:
        """Another node says that it has given these tables to this one."""
        self._beside.spawn(self._look_for(codes))

    async def _look_for(self, codes: Collection[str]) -> None:
        try:
            await self._taken.take(await self._node.take(*codes))
        except StoreError as error:
            # The node finds them by itself, if later.
            log.warning("tables_not_taken", tables=len(codes), reason=str(error))

    def lease(self, state: LeaseState) -> None:
        """Stop, go on, or end."""
        if self._patience is not None:
            self._patience.cancel()
        if state is LeaseState.HELD:
            self._sure.set()
            self._bus.go_on()
            self._bus.tell(pauses=False)
            self._come_back()
            return
        self._sure.clear()
        if state is LeaseState.UNSURE:
            self._bus.tell(pauses=True)
            self._look_away_in(self._node.lasts + PATIENCE_SECONDS)
        else:
            if self.ports is not None:
                self.ports.fence()
            self._bus.end()
            self.on_end()

    def _look_away_in(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        self._patience = loop.call_later(seconds, self._leave_to_others)

    def _leave_to_others(self) -> None:
        """The lease was not renewed for too long: let gateways go on with another node, if any.

        If the database is away for all of them, the last one keeps everybody connected.
        """
        if self.ports is None or self.neighbours is None:
            return
        if not self.neighbours.staying():
            self._look_away_in(AGAIN_SECONDS)
            return
        log.warning("node_leaves_to_others", node=self._node.name)
        self._is_away = True
        self.ports.leave_to_others()

    def _come_back(self) -> None:
        if self._is_away and self.ports is not None:
            self._is_away = False
            self.ports.come_back()


def _nothing() -> None:
    pass
