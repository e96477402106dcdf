"""The latest chat of tables, for players whose connections have missed it.

It is kept in this process's memory: until the table is closed, goes to another node, or the server
restarts. Lines for all and those among spectators have numbers of their own, so that no number
reveals to a player that spectators have chatted.
"""

import json
from collections import deque
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from engine.facts import SPECTATOR, Viewer
from protocol.features import APART
from protocol.wire_form import WireForm

MOST_LINES = 50
MOST_BYTES = 8000
"""So much is kept of one table, as JSON."""
MOST_WATCHERS = 1000
"""Of so many spectators of one table it is known since when they watch."""
NOTHING_HEARD = (0, 0)
"""The numbers of the last lines that somebody was told who was told none: for all, and apart."""


class _Line(NamedTuple):
    """A line, its length, the number of lines before it, and the players at the table then."""

    message: WireForm
    size: int
    place: int
    players: Collection[str]


class _Table:
    """The lines of one table; `watching` has the number of lines when each spectator came."""

    def __init__(self) -> None:
        self.lines: deque[_Line] = deque()
        self.size = 0
        self.said = 0
        self.numbers = {False: 0, True: 0}
        self.watching: dict[str, int] = {}

    def add(self, line: _Line) -> None:
        self.lines.append(line)
        self.size += line.size
        self.said += 1
        while len(self.lines) > MOST_LINES or self.size > MOST_BYTES:
            self.size -= self.lines.popleft().size

    def since_seated(self, player: str) -> list[WireForm]:
        """Return the lines to all since a player sat down."""
        told: list[WireForm] = []
        for line in reversed(self.lines):
            if line.message.get("apart"):
                continue
            if player not in line.players:
                break
            told.append(line.message)
        return told[::-1]

    def since_watching(self, player: str) -> list[WireForm]:
        """Return the lines to all and among spectators since a player began to watch."""
        since = self.watching.get(player, self.said)
        return [line.message for line in self.lines if line.place >= since]


class ChatHistory:
    """The lines of every table, by its code. `now` returns server time in seconds."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._tables: dict[str, _Table] = {}

    def keep(self, code: str, message: WireForm, players: Collection[str]) -> WireForm:
        """Keep a line of chat with the players seated then; return it with its number.

        Numbers grow over a restart, too, unless the clock is set back.
        """
        table = self._tables.setdefault(code, _Table())
        apart = bool(message.get("apart"))
        number = max(table.numbers[apart] + 1, int(1000 * self._now()))
        table.numbers[apart] = number
        numbered = {**message, "number": number}
        table.add(_Line(numbered, len(json.dumps(numbered)), table.said, players))
        return numbered

    def follows(self, code: str, player: str, viewer: Viewer) -> None:
        """Record a follower as `viewer`; spectators may get the lines from now on."""
        if viewer != SPECTATOR:
            self.left(code, player)
            return
        table = self._tables.setdefault(code, _Table())
        table.watching.setdefault(player, table.said)
        if len(table.watching) > MOST_WATCHERS:
            del table.watching[next(iter(table.watching))]

    def left(self, code: str, player: str) -> None:
        """Record that a player watches a table no longer, or from a seat."""
        if code in self._tables:
            self._tables[code].watching.pop(player, None)

    def missed(
        self,
        code: str,
        player: str,
        viewer: Viewer,
        features: Collection[str],
        heard: Sequence[int] = NOTHING_HEARD,
    ) -> list[WireForm]:
        """Return the earlier lines, marked so, that a connection may get and has not `heard`."""
        table = self._tables.get(code)
        if table is None or not table.lines:
            return []
        seated = viewer != SPECTATOR
        told = table.since_seated(player) if seated else table.since_watching(player)
        return [
            {**message, "earlier": True}
            for message in told
            if message["number"] > heard[bool(message.get("apart"))]
            and (APART in features or not message.get("apart"))
        ]

    def forget(self, code: str) -> None:
        """Forget a table that is closed or at another node."""
        self._tables.pop(code, None)
