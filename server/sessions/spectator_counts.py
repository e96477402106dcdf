"""Sends a table's clients its number of spectators after changes, at most once a second."""

from collections import defaultdict
from collections.abc import Callable

from engine import SPECTATOR
from engine.facts import Viewer
from protocol.wire_form import WireForm
from server.sessions.subscriber import Subscriber

INTERVAL_SECONDS = 1.0
"""Between two counts of one table, however many spectators come and go."""


class SpectatorCounts:
    """The counts that were sent last. `wake` requests a call of `announce` at a time.

    `spectators` counts those of a table, and `broadcast` sends all its clients a message.
    """

    def __init__(
        self,
        spectators: Callable[[str], int],
        broadcast: Callable[[str, WireForm], None],
        now: Callable[[], float],
        wake: Callable[[float], None],
    ) -> None:
        self._spectators = spectators
        self._broadcast = broadcast
        self._now = now
        self._wake = wake
        self._told: dict[str, int] = {}
        self._not_before: dict[str, float] = {}
        # The tables where the count may have changed, with the newcomers who were told none yet.
        self._changed: defaultdict[str, set[Subscriber]] = defaultdict(set)

    def joined(self, code: str, connection: Subscriber, viewer: Viewer) -> None:
        """Record that a connection follows a table, or follows it as another viewer."""
        if viewer == SPECTATOR or self._told.get(code):
            self._changed[code].add(connection)
            self._wake(self._due(code))

    def left(self, code: str, connection: Subscriber) -> None:
        """Record that a connection follows a table no longer."""
        if self._told.get(code) or code in self._changed:
            self._changed[code].discard(connection)
            self._wake(self._due(code))

    def next_announcement(self) -> float | None:
        """Return the time of the next call of `announce`; None if no count can have changed."""
        return min(map(self._due, self._changed), default=None)

    def announce(self) -> None:
        """Send the changed counts of tables whose interval is over."""
        now = self._now()
        self._not_before = {code: at for code, at in self._not_before.items() if at > now}
        for code in [code for code in self._changed if self._due(code) <= now]:
            newcomers = self._changed.pop(code)
            count, told = self._spectators(code), self._told.get(code, 0)
            self._told[code] = count
            notice: WireForm = {
                "type": "notice",
                "kind": "spectators",
                "table": code,
                "count": count,
            }
            if count != told:
                self._not_before[code] = now + INTERVAL_SECONDS
                self._broadcast(code, notice)
            elif count:
                for connection in newcomers:
                    connection.tell(notice)
            if not count:
                del self._told[code]

    def forget(self, code: str) -> None:
        """Forget a table that is not in memory any more and has no followers."""
        for kept in (self._told, self._not_before, self._changed):
            kept.pop(code, None)

    def _due(self, code: str) -> float:
        return self._not_before.get(code, 0.0)
