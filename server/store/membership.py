"""A node as its event loop uses it: the tables it owns, and whether it may go on."""

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
    """A node's membership, for the event loop that made it; `begin` starts the `keeper`.

    The `lease` may be read in every thread.
    """

    def __init__(self, keeper: "LeaseKeeper") -> None:
        self._loop = asyncio.get_running_loop()
        self._keeper = keeper
        self.lease = keeper.lease
        self._listener: NodeListener | None = None
        self._told = LeaseState.HELD
        self._next: asyncio.TimerHandle | None = None
        self._is_ready = asyncio.Event()

    def begin(self) -> None:
        """Keep the lease, and report its changes."""
        self.lease.on_end = lambda: self._soon(self._look)
        self._keeper.start(
            lambda taken: self._soon(partial(self._took, taken)),
            lambda rows: self._soon(partial(self._looked, rows)),
        )
        self._look()

    def listen(self, listener: NodeListener) -> None:
        """Report to `listener` all tables that the node has, and changes from now on."""
        self._listener = listener
        self._told = LeaseState.HELD
        listener.took(sorted(self.lease.owned))
        self._look()

    async def ready(self) -> None:
        """Wait until the node has the tables without an owner of its start, or it is over."""
        await self._is_ready.wait()

    @property
    def name(self) -> str:
        """The node's own name."""
        return self.lease.name

    @property
    def state(self) -> LeaseState:
        """Whether the node may go on, at this moment."""
        return self.lease.state

    @property
    def takes_tables(self) -> bool:
        """Whether the node takes tables without an owner, also while there are other nodes."""
        return self._keeper.has_tables

    def owns(self, code: str) -> bool:
        """Whether the node may write to a table, as long as its lease is held."""
        return code in self.lease.owned

    async def take(self, *codes: str) -> list[str]:
        """Take tables without an owner; return those of `codes` that this node owns then.

        A table of a node whose lease is over is taken from it. Raises `StoreError` if that is
        unknown.
        """
        return await asyncio.wrap_future(self._keeper.take(codes))

    def stop_taking(self) -> None:
        """Leave tables without an owner to other nodes, if any, from the next renewal on."""
        self._keeper.has_tables = False

    def take_again(self) -> None:
        """Take tables without an owner again, from the next renewal on."""
        self._keeper.has_tables = True

    def end(self) -> None:
        """Stop all reports."""
        self._listener = None
        if self._next is not None:
            self._next.cancel()

    def _look(self) -> None:
        """Report a changed lease, and look again when it may have changed."""
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
