"""The published tables, and the retained messages of each.

It does no I/O: `publish` takes messages and never waits. News wait in a bounded queue until `tell`
makes messages of them, a few at a time. Of a table's retained messages only the newest is sent.
Messages that a broker loses are sent again: after each connect `repair_all` sends all retained
messages anew, and those of stale tables are removed from the broker when they are `found`.

Nodes that share a database publish their own tables each (`share`). A table's retained messages
belong to its owner: a node that gives a table away leaves them to the next owner, which sends them
anew.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import islice
from typing import Any

from engine.facts import Fact
from protocol.wire_form import WireForm
from server.events.narrator import Narrator, captured, told_to_spectators
from server.events.news import ListChange, NewsQueue, TableNews
from server.events.topics import Topics
from server.ops.isolation import isolated
from server.table.effects import Publish
from server.table.table import Table

MOST_REMOVED = 10_000
"""Stale topics that are removed after one connect: the broker may be lying."""


@dataclass(slots=True)
class PublishedTable:
    """A published table with topics below `base`, and its retained messages."""

    narrator: Narrator
    base: str
    # What the broker was last told to retain; for a summary, what it showed.
    turn: bytes | None = None
    shown: tuple[Any, ...] = ()
    # Whether the broker may retain a turn that another node has said, and whether it is known here
    # whose turn it is.
    has_old_turn: bool = False
    has_happened: bool = False

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that the broker retains for the table."""
        return (f"{self.base}/summary", f"{self.base}/turn")


class Publisher:
    """Publishes the events of tables in order. `now` returns server time.

    `publish` gets topic, payload, and whether the broker is to retain it; `wake` is called whenever
    there is something to `tell`.
    """

    def __init__(
        self,
        publish: Callable[[str, bytes, bool], None],
        topics: Topics,
        now: Callable[[], float],
        wake: Callable[[], None],
    ) -> None:
        self._publish = publish
        self._topics = topics
        self._now = now
        self._wake = wake
        self.dropped = 0
        """News that were not told, because too many waited."""
        # The tables that are told of, as far as news were put into the queue.
        self._told: set[str] = set()
        self._news = NewsQueue()
        # The same as far as news were taken out of it.
        self._followed: dict[str, PublishedTable] = {}
        self._by_base: dict[str, PublishedTable] = {}
        # The tables of which the broker may not know what it is to retain; True: whatever it was
        # told before.
        self._unsaid: dict[str, bool] = {}
        self._removed = 0
        self._has_removed = False
        self._may_tell: Callable[[], bool] = lambda: True
        # With other nodes: the tables that these have; None if that is not known just now.
        self._elsewhere: Callable[[], Collection[str] | None] | None = None
        # The tables that were given to them, while news of these wait.
        self._given: set[str] = set()
        # What the broker retains that is not known here, since the last look and before it.
        self._found: set[str] = set()
        self._unknown: set[str] = set()

    def __len__(self) -> int:
        return len(self._told)

    def share(
        self, may_tell: Callable[[], bool], elsewhere: Callable[[], Collection[str] | None]
    ) -> None:
        """Share the prefix with nodes that own the tables `elsewhere`; publish only if `may_tell`.

        While the others' tables are not known, `elsewhere` returns None.
        """
        self._may_tell = may_tell
        self._elsewhere = elsewhere

    @property
    def may_tell(self) -> bool:
        """Whether this process owns the tables at this moment."""
        return self._may_tell()

    def listed(self, code: str, info: WireForm | None) -> None:
        """Update a table's entry in the list of tables; None removes it.

        `TableDirectory` calls this.
        """
        with isolated("events_failed", table=code):
            if info is not None and is_told(info):
                self._told.add(code)
                self._put(ListChange(code, info))
            elif code in self._told:
                self._told.remove(code)
                self._put(ListChange(code, None))

    def handed_over(self, code: str) -> None:
        """Leave a table to another node: send its waiting news, but retain nothing more."""
        if code in self._told:
            self._told.remove(code)
            self._given.add(code)
            self._put(ListChange(code, None, elsewhere=True))

    def taken(self, table: Table) -> None:
        """Publish the players to act of a loaded table that another node published before."""
        self.published(table, Publish((), info=False))

    def published(self, table: Table, publish: Publish) -> None:
        """Add new entries of a table that were published to its clients."""
        if table.code in self._told:
            with isolated("events_failed", table=table.code):
                now = self._now()
                entries = captured(table, publish, now)
                self._put(TableNews(table.code, entries, table.game.info.legend, now))

    def tell(self, most: int) -> bool:
        """Send about `most` waiting messages; return whether there are more.

        Everything waits while another node may own the tables.
        """
        if not self.may_tell:
            return False
        left = most
        while left > 0 and (news := self._news.take()) is not None:
            left -= self._tell(news)
        # Neither waits for ever for the other.
        for code in tuple(islice(self._unsaid, max(left, 1 + most // 4))):
            anew = self._unsaid.pop(code)
            if code in self._given:
                continue
            with isolated("events_failed", table=code):
                self._retain(self._followed[code], anew)
        return bool(self._news or self._unsaid)

    def repair_all(self) -> None:
        """Send all retained messages again, as the broker may have lost any of them."""
        self._unsaid = dict.fromkeys(self._followed, True)
        self._removed = 0
        self._wake()

    def found(self, topic: str, payload: bytes) -> None:
        """Handle a retained message at the broker: remove it unless its table is published.

        Its payload is ignored, because anybody may have written it. With other nodes it may be of a
        table that one of them has just opened or taken, so `remove_unknown` decides later.
        """
        if not payload or self._removed >= MOST_REMOVED or not self._is_stale(topic):
            return
        self._removed += 1
        if self._elsewhere is None:
            self._remove(topic)
        else:
            self._found.add(topic)

    def remove_unknown(self) -> None:
        """Remove messages found before the last call of tables neither here nor elsewhere.

        Call it so seldom that this node has read the others' tables in between.
        """
        if self._elsewhere is None or not self.may_tell:
            return
        codes = self._elsewhere()
        if codes is None:
            return
        unknown, self._unknown, self._found = self._unknown, self._found, set()
        if not unknown:
            return
        names = {*codes, *map(self._topics.alias, codes)}
        for topic in filter(self._is_stale, unknown):
            if topic.split("/")[-2] not in names:
                self._remove(topic)

    def has_removed(self) -> bool:
        """Whether anything stale was removed since the last call: there may be more of it."""
        removed, self._has_removed = self._has_removed, False
        return removed

    def _remove(self, topic: str) -> None:
        self._has_removed = True
        self._publish(topic, b"", True)

    def _is_stale(self, topic: str) -> bool:
        base, _, kind = topic.rpartition("/")
        followed = self._by_base.get(base)
        return followed is None or (kind == "turn" and followed.turn is None)

    def _put(self, news: ListChange | TableNews) -> None:
        if isinstance(news, ListChange) and not self._news and self.may_tell:
            self._list(news)
            self._wake()
            return
        oldest = self._news.put(news)
        if oldest is not None:
            with isolated("events_failed", table=oldest.code):
                self._skip(oldest)
        self._wake()

    def _tell(self, news: ListChange | TableNews) -> int:
        """Send the messages of one news; return their number, or 1 if there are none."""
        said = 0
        with isolated("events_failed", table=news.code):
            if isinstance(news, ListChange):
                self._list(news)
            elif (followed := self._followed.get(news.code)) is not None:
                for facts in self._noted(followed, news):
                    for event in followed.narrator.events(facts, news.legend, news.time):
                        self._publish(f"{followed.base}/{event.type}", event.payload, False)
                        said += 1
        return max(1, said)

    def _skip(self, news: ListChange | TableNews) -> None:
        """Skip news, and only record what they change."""
        if isinstance(news, ListChange):
            self._list(news)
        elif (followed := self._followed.get(news.code)) is not None:
            self.dropped += 1
            followed.narrator.skip(self._noted(followed, news))

    def _noted(self, followed: PublishedTable, news: TableNews) -> tuple[tuple[Fact, ...], ...]:
        """Note whose turn it is after new entries; return the facts that spectators see."""
        self._unsaid.setdefault(news.code, False)
        followed.has_happened = True
        view = told_to_spectators(news.entries)
        followed.narrator.asked(view.question, news.time)
        return view.facts

    def _list(self, news: ListChange) -> None:
        code, info, elsewhere = news
        if info is None:
            self._given.discard(code)
            self._forget(code, elsewhere)
            return
        name = self._topics.alias(code) if info["settings"].get("private") else code
        followed = self._followed.get(code)
        if followed is not None and followed.narrator.name != name:
            self._forget(code)
            followed = None
        if followed is None:
            followed = PublishedTable(
                Narrator(name, info),
                self._topics.table(info["game"], name),
                has_old_turn=self._elsewhere is not None,
            )
            self._followed[code] = followed
            self._by_base[followed.base] = followed
        else:
            followed.narrator.listed(info)
        self._unsaid.setdefault(code, False)

    def _retain(self, followed: PublishedTable, anew: bool) -> None:
        """Send the table's summary and the players to act, if they have changed."""
        narrator, (summary, turn) = followed.narrator, followed.topics
        shown = narrator.shown
        if anew or shown != followed.shown:
            followed.shown = shown
            self._publish(summary, narrator.summary(self._now()), True)
        changed = narrator.turn()
        if changed is not None:
            followed.turn = changed
        if followed.turn is not None:
            followed.has_old_turn = False
            if anew or changed is not None:
                self._publish(turn, followed.turn, True)
        elif followed.has_old_turn and (followed.has_happened or not narrator.is_playing):
            followed.has_old_turn = False
            self._publish(turn, b"", True)

    def _forget(self, code: str, elsewhere: bool = False) -> None:
        followed = self._followed.pop(code, None)
        if followed is None:
            return
        self._by_base.pop(followed.base, None)
        self._unsaid.pop(code, None)
        # Without the lease it may be another node's by now, too.
        for topic in followed.topics if self.may_tell and not elsewhere else ():
            self._publish(topic, b"", True)


def is_told(info: WireForm) -> bool:
    """Whether a table is published: anybody may watch it, and its host allows it.

    By default hosts allow it if the table is listed for everybody anyway.
    """
    settings = info["settings"]
    allowed = settings.get("events")
    if allowed is None:
        allowed = not settings.get("private", False)
    return bool(allowed and settings.get("watchable", True))
