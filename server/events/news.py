"""What has happened at tables and is not told yet: a bounded queue, so that players never wait.

A move only puts its news here. Making messages of them is work for later, a little at a time.
"""

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from engine.cards import LegendCard
from protocol.wire_form import WireForm
from server.events.narrator import Captured

MOST_WAITING = 10_000
"""News that may wait; of more the oldest are not told."""


class Listed(NamedTuple):
    """The list of tables shows a table like this; None: it is told of no more.

    `elsewhere`: another node tells of it from now on, and has what the broker retains of it.
    """

    code: str
    info: WireForm | None
    elsewhere: bool = False


class Happened(NamedTuple):
    """New entries of a table, published at `time`, and the cards of its game."""

    code: str
    entries: Captured
    legend: Sequence[LegendCard]
    time: float


class NewsQueue:
    """News in the order in which they happened, at most `most` of them."""

    def __init__(self, most: int = MOST_WAITING) -> None:
        self._most = most
        self._news: deque[Listed | Happened] = deque()

    def __len__(self) -> int:
        return len(self._news)

    def put(self, news: Listed | Happened) -> Listed | Happened | None:
        """Let `news` wait; returns the oldest if it has to go for them."""
        waiting = self._news
        if isinstance(news, Listed) and waiting and waiting[-1][0] == news.code:
            last = waiting[-1]
            if isinstance(last, Listed) and last.info is not None and news.info is not None:
                # Nothing happened in between, so nobody misses what the list showed before.
                waiting.pop()
        waiting.append(news)
        return waiting.popleft() if len(waiting) > self._most else None

    def take(self) -> Listed | Happened | None:
        """The oldest news, which no longer wait; None if there are none."""
        return self._news.popleft() if self._news else None
