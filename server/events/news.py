"""The unpublished events of tables: a bounded queue, so that players never wait.

A move only adds its news here. Messages are made from them later, a few at a time.
"""

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from engine.cards import LegendCard
from protocol.wire_form import WireForm
from server.events.narrator import PublishedEntries

MOST_WAITING = 10_000
"""News that may wait; of more the oldest are not told."""


class ListChange(NamedTuple):
    """A table's new entry in the list of tables; None if the table is no longer published.

    `elsewhere`: another node publishes the table from now on, and owns its retained messages.
    """

    code: str
    info: WireForm | None
    elsewhere: bool = False


class TableNews(NamedTuple):
    """New entries of a table, published at `time`, and the cards of its game."""

    code: str
    entries: PublishedEntries
    legend: Sequence[LegendCard]
    time: float


class NewsQueue:
    """A queue of news in their order, at most `most` of them."""

    def __init__(self, most: int = MOST_WAITING) -> None:
        self._most = most
        self._news: deque[ListChange | TableNews] = deque()

    def __len__(self) -> int:
        return len(self._news)

    def put(self, news: ListChange | TableNews) -> ListChange | TableNews | None:
        """Add `news`; return the oldest if it has to be dropped for them."""
        waiting = self._news
        if isinstance(news, ListChange) and waiting and waiting[-1][0] == news.code:
            last = waiting[-1]
            if isinstance(last, ListChange) and last.info is not None and news.info is not None:
                # Nothing happened in between, so nobody misses what the list showed before.
                waiting.pop()
        waiting.append(news)
        return waiting.popleft() if len(waiting) > self._most else None

    def take(self) -> ListChange | TableNews | None:
        """Remove and return the oldest news; None if there are none."""
        return self._news.popleft() if self._news else None
