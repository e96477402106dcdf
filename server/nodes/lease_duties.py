"""What a node does when it gets tables, and when its lease is not sure, sure again, or over.

not sure ─▶ nothing happens at its tables ─▶ for as long as a lease lasts: others may have them,
clients go on with these ─▶ sure again: clients may come back
         ─▶ over: clients are let go for good
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol

import structlog

from server.nodes.held_back import HeldBack
from server.nodes.other_nodes import OtherNodes
from server.nodes.shared_rows import SharedRows
from server.nodes.taken_tables import TakenTables
from server.ops.isolation import Beside
from server.store import LeaseState, NodeRow
from server.store.membership import Membership

log = structlog.get_logger()

PATIENCE_SECONDS = 10.0
"""So long, beyond a lease, players stay connected while the database does not answer. It may be
away for all nodes, which nobody can tell."""
AGAIN_SECONDS = 0.5
"""The pause before it is looked again whether other nodes are there, to leave players to them."""


class Doors(Protocol):
    """Whether clients may be connected."""

    def shut(self) -> None:
        """Hang up on everybody, and let nobody in until `open_again`."""

    def open_again(self) -> None:
        """Let clients in again."""


class LeaseDuties:
    """Hears of the lease; `beside` runs what takes time. `fenced` is called when it is over."""

    def __init__(
        self,
        node: Membership,
        held_back: HeldBack,
        taken: TakenTables,
        others: OtherNodes,
        rows: SharedRows,
        doors: Doors,
        beside: Beside,
        fenced: Callable[[], None],
    ) -> None:
        self._fenced = fenced
        self._node = node
        self._held_back = held_back
        self._taken = taken
        self._others = others
        self._rows = rows
        self._doors = doors
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

    def looked(self, rows: Sequence[NodeRow]) -> None:
        """The rows of all nodes were read."""
        self._others.look(rows)
        self._rows.look()

    def lease(self, state: LeaseState) -> None:
        """Stop, go on, or end."""
        if self._patience is not None:
            self._patience.cancel()
        if state is LeaseState.HELD:
            self._sure.set()
            self._held_back.go_on()
            if self._is_away:
                self._is_away = False
                self._doors.open_again()
            return
        self._sure.clear()
        if state is LeaseState.UNSURE:
            self._look_away_in(self._node.lease.times.lasts + PATIENCE_SECONDS)
        else:
            self._held_back.end()
            self._doors.shut()
            self._fenced()

    def _look_away_in(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        self._patience = loop.call_later(seconds, self._leave_to_others)

    def _leave_to_others(self) -> None:
        """The lease was not renewed for too long: let clients go on with another node, if any.

        If the database is away for all of them, the last one keeps everybody connected.
        """
        if not self._others.staying():
            self._look_away_in(AGAIN_SECONDS)
            return
        log.warning("node_leaves_to_others", node=self._node.name)
        self._is_away = True
        self._doors.shut()
