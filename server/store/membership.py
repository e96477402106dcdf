"""A node as its event loop sees it: what it owns, and whether it may go on."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import structlog

from server.store.lease import LeaseState, NodeListener
from server.store.nodes import NodeRow

if TYPE_CHECKING:
    # It needs PostgreSQL's driver, which servers with a file of their own have not installed.
    from server.store.lease_keeper import LeaseKeeper

AGAIN_SECONDS = 0.05
"""How often a node that is not sure looks whether it is again."""

log = structlog.get_logger()


class Membership:
    """Belongs to the event loop that made it; `begin` starts the thread of `keeper`.

    The `lease` may be looked at in every thread.
    """

    def __init__(self, keeper: "LeaseKeeper", listener: NodeListener | None) -> None:
        self._loop = asyncio.get_running_loop()
        self._keeper = keeper
        self.lease = keeper.lease
        self._listener = listener
        self._told = LeaseState.HELD
        self._next: asyncio.TimerHandle | None = None
        self._is_ready = asyncio.Event()

    def begin(self) -> None:
        """Keep the lease, and tell what becomes of it."""
        self.lease.on_end = lambda: self._soon(self._look)
        self._keeper.start(
            lambda taken: self._soon(partial(self._took, taken)),
            lambda rows: self._soon(partial(self._looked, rows)),
        )
        self._look()

    def listen(self, listener: NodeListener) -> None:
        """Tell `listener` of all tables that the node has, and from now on what becomes of it."""
        self._listener = listener
        self._told = LeaseState.HELD
        listener.took(sorted(self.lease.owned))
        self._look()

    async def ready(self) -> None:
        """Return once the node has the tables that nobody owned when it began, or it is over."""
        await self._is_ready.wait()

    @property
    def name(self) -> str:
        """The node's own."""
        return self.lease.name

    @property
    def state(self) -> LeaseState:
        """Whether the node may go on, at this moment."""
        return self.lease.state

    @property
    def takes_tables(self) -> bool:
        """Whether the node takes tables that nobody owns, also while there are others."""
        return self._keeper.has_tables

    def owns(self, code: str) -> bool:
        """Whether a table is this node's to write to, as long as its lease is held."""
        return code in self.lease.owned

    async def take(self, *codes: str) -> list[str]:
        """Take tables that nobody owns; those of `codes` that this node owns then.

        A table of a node whose lease is over is taken from it. `StoreError` if that is not known.
        """
        return await asyncio.wrap_future(self._keeper.take(codes))

    def stop_taking(self) -> None:
        """Leave tables that nobody owns to the other nodes, if any, from the next renewal on."""
        self._keeper.has_tables = False

    def take_again(self) -> None:
        """Take tables that nobody owns again, from the next renewal on."""
        self._keeper.has_tables = True

    def end(self) -> None:
        """Tell nobody of anything any more."""
        self._listener = None
        if self._next is not None:
            self._next.cancel()

    def _look(self) -> None:
        """Tell of the lease if something has changed, and look again when something may have."""
        if self._next is not None:
            self._next.cancel()
        state = self.lease.state
        if state is LeaseState.OVER:
            self._is_ready.set()
        if state is LeaseState.HELD:
            left = self.lease.sure_until - self.lease.clock()
            self._next = self._loop.call_later(max(0.0, left), self._look)
        elif state is LeaseState.UNSURE:
            self._next = self._loop.call_later(AGAIN_SECONDS, self._look)
        if state is not self._told and self._listener is not None:
            self._told = state
            log.warning(
                "lease_changed", node=self.name, epoch=self.lease.epoch, state=state.name.lower()
            )
            self._listener.lease(state)

    def _took(self, codes: Sequence[str]) -> None:
        if self._listener is not None:
            self._listener.took(codes)

    def _looked(self, rows: Sequence[NodeRow]) -> None:
        self._is_ready.set()
        if self._listener is not None:
            self._listener.looked(rows)

    def _soon(self, call: Callable[[], None]) -> None:
        # A loop that is closed hears nothing more.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(call)
