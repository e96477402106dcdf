"""How many watch each table, told to those at it when that changes, and at most once a second."""

from collections import defaultdict
from collections.abc import Callable
from typing import Protocol

from engine import SPECTATOR
from engine.facts import Viewer
from protocol.encode import Plain
from server.connections.connection import Connection
from server.connections.registry import ConnectionRegistry

INTERVAL_SECONDS = 1.0
"""However many come and go meanwhile."""


class Watched(Protocol):
    """The part of the audiences that is needed."""

    def spectators(self, code: str) -> int: ...

    def broadcast(self, code: str, message: Plain) -> None: ...


class SpectatorCounts:
    def __init__(
        self,
        subscribers: Watched,
        connections: ConnectionRegistry,
        now: Callable[[], float],
        wake: Callable[[float], None],
    ) -> None:
        self._subscribers = subscribers
        self._connections = connections
        self._now = now
        self._wake = wake
        self._told: dict[str, int] = {}
        self._not_before: dict[str, float] = {}
        # The tables at which somebody came or went, with those who have not been told anything.
        self._changed: defaultdict[str, set[Connection]] = defaultdict(set)

    def joined(self, code: str, connection: Connection, viewer: Viewer) -> None:
        """Somebody looks at a table, or now as somebody else."""
        if viewer == SPECTATOR or self._told.get(code):
            self._changed[code].add(connection)
            self._wake(self._due(code))

    def left(self, code: str, connection: Connection) -> None:
        """Somebody looks at a table no longer."""
        if self._told.get(code) or code in self._changed:
            self._changed[code].discard(connection)
            self._wake(self._due(code))

    def next_announcement(self) -> float | None:
        """When `look` wants to be called next; None where nobody has come or gone."""
        return min(map(self._due, self._changed), default=None)

    def announce(self) -> None:
        """Tell what has changed at the tables whose turn it is."""
        now = self._now()
        self._not_before = {code: at for code, at in self._not_before.items() if at > now}
        for code in [code for code in self._changed if self._due(code) <= now]:
            newcomers = self._changed.pop(code)
            count, told = self._subscribers.spectators(code), self._told.get(code, 0)
            self._told[code] = count
            notice: Plain = {"type": "notice", "kind": "spectators", "table": code, "count": count}
            if count != told:
                self._not_before[code] = now + INTERVAL_SECONDS
                self._subscribers.broadcast(code, notice)
            elif count:
                for connection in newcomers:
                    self._connections.put(connection, notice)
            if not count:
                del self._told[code]

    def forget(self, code: str) -> None:
        """The table is not in memory any more, and nobody looks at it."""
        for kept in (self._told, self._not_before, self._changed):
            kept.pop(code, None)

    def _due(self, code: str) -> float:
        return self._not_before.get(code, 0.0)
