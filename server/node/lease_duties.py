"""What a node does when it gets tables, and when its lease is not sure, sure again, or over."""

import asyncio
from collections.abc import Callable, Collection, Sequence

import structlog

from server.node.leased_bus import LeasedBus
from server.node.ports import Ports
from server.ops.isolation import Beside
from server.store import LeaseState, StoreError
from server.store.membership import Membership
from server.tables.taken_tables import TakenTables

log = structlog.get_logger()


class LeaseDuties:
    """Hears of the lease; `beside` runs what takes time. `on_end` is called when it is over."""

    def __init__(
        self, node: Membership, bus: LeasedBus, taken: TakenTables, beside: Beside
    ) -> None:
        self.on_end: Callable[[], None] = _nothing
        self.ports: Ports | None = None
        self._node = node
        self._bus = bus
        self._taken = taken
        self._beside = beside
        self._sure = asyncio.Event()
        self._sure.set()

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
        if state is LeaseState.HELD:
            self._sure.set()
            self._bus.go_on()
            return
        self._sure.clear()
        if state is LeaseState.OVER:
            if self.ports is not None:
                self.ports.fence()
            self._bus.end()
            self.on_end()


def _nothing() -> None:
    pass
