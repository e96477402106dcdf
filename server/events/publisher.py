"""The tables that are told of, and what the broker is to retain of each.

No I/O: messages go to a `Courier`, which never waits. What happens waits in a bounded queue until
`tell` makes messages of it, a few at a time. Of what the broker retains of a table only the newest
is said. What the courier loses is said again: after each connect, and when it had to drop
something, `repair_all` has all that is retained said anew, and what stale tables have left at the
broker is removed when it is `found`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from protocol.wire_form import WireForm
from server.bus.courier import Courier
from server.events.narrator import Narrator, captured, told_to_spectators
from server.events.news import MOST_WAITING, Happened, Listed, NewsQueue
from server.events.topics import Topics
from server.ops.isolation import isolated
from server.table.effects import Publish
from server.table.table import Table

MOST_REMOVED = 10_000
"""Stale topics that are removed after one connect: the broker may be lying."""


@dataclass(slots=True)
class Followed:
    """A table that is told of, by topics that begin with `base`, and what it retains."""

    narrator: Narrator
    base: str
    # What the broker was last told to retain; for a summary, what it showed.
    turn: bytes | None = None
    shown: tuple[Any, ...] = ()

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that the broker retains for it."""
        return (f"{self.base}/summary", f"{self.base}/turn")


class Publisher:
    """Says what happens at tables, in the order in which it happens. `now` gives server time.

    `wake` is called whenever there is something to `tell`.
    """

    def __init__(
        self,
        courier: Courier,
        topics: Topics,
        now: Callable[[], float],
        wake: Callable[[], None],
        most_waiting: int = MOST_WAITING,
    ) -> None:
        self._courier = courier
        self._topics = topics
        self._now = now
        self._wake = wake
        self.dropped = 0
        """News that were not told, because too many waited."""
        # The tables that are told of, as far as news were put into the queue.
        self._told: set[str] = set()
        self._news = NewsQueue(most_waiting)
        # The same as far as news were taken out of it.
        self._followed: dict[str, Followed] = {}
        self._by_base: dict[str, Followed] = {}
        # The tables of which the broker may not know what it is to retain; True: whatever it was
        # told before.
        self._unsaid: dict[str, bool] = {}
        self._removed = 0

    def __len__(self) -> int:
        return len(self._told)

    def listed(self, code: str, info: WireForm | None) -> None:
        """The list of tables shows a table like this from now on; None: no more.

        `TableDirectory` calls this.
        """
        with isolated("events_failed", table=code):
            if info is not None and is_told(info):
                self._told.add(code)
                self._put(Listed(code, info))
            elif code in self._told:
                self._told.remove(code)
                self._put(Listed(code, None))

    def published(self, table: Table, publish: Publish) -> None:
        """New entries of a table were published to those who follow it."""
        if table.code in self._told:
            with isolated("events_failed", table=table.code):
                now = self._now()
                entries = captured(table, publish, now)
                self._put(Happened(table.code, entries, table.game.info.legend, now))

    def tell(self, most: int) -> bool:
        """Say about `most` messages of what is to be said; whether there is more.

        Without a connection everything waits: it would only wait elsewhere.
        """
        if not self._courier.connected:
            return False
        left = most
        while left > 0 and (news := self._news.take()) is not None:
            left -= self._tell(news)
        # Neither waits for ever for the other.
        for code in tuple(islice(self._unsaid, max(left, 1 + most // 4))):
            anew = self._unsaid.pop(code)
            with isolated("events_failed", table=code):
                self._retain(self._followed[code], anew)
        return bool(self._news or self._unsaid)

    def repair_all(self) -> None:
        """Whatever the broker was told may be lost: say what is retained again."""
        self._unsaid = dict.fromkeys(self._followed, True)
        self._removed = 0
        self._wake()

    def found(self, topic: str, payload: bytes) -> None:
        """The broker retains something here: remove it unless it is of a table that is told of.

        What it says is not looked at, because anybody may have written it.
        """
        if not payload or self._removed >= MOST_REMOVED:
            return
        base, _, kind = topic.rpartition("/")
        followed = self._by_base.get(base)
        if followed is None or (kind == "turn" and followed.turn is None):
            self._removed += 1
            self._courier.publish(topic, b"", retain=True)

    def _put(self, news: Listed | Happened) -> None:
        if isinstance(news, Listed) and not self._news:
            self._list(news)
            self._wake()
            return
        oldest = self._news.put(news)
        if oldest is not None:
            with isolated("events_failed", table=oldest.code):
                self._skip(oldest)
        self._wake()

    def _tell(self, news: Listed | Happened) -> int:
        """Say what happened; returns how many messages, or 1 if there are none."""
        said = 0
        with isolated("events_failed", table=news.code):
            if isinstance(news, Listed):
                self._list(news)
            elif (followed := self._followed.get(news.code)) is not None:
                self._unsaid.setdefault(news.code, False)
                view = told_to_spectators(news.entries)
                for facts in view.facts:
                    for event in followed.narrator.events(facts, news.legend, news.time):
                        self._courier.publish(f"{followed.base}/{event.type}", event.payload)
                        said += 1
                followed.narrator.asked(view.question, news.time)
        return max(1, said)

    def _skip(self, news: Listed | Happened) -> None:
        """Leave news untold; only what they change is kept."""
        if isinstance(news, Listed):
            self._list(news)
        elif (followed := self._followed.get(news.code)) is not None:
            self.dropped += 1
            self._unsaid.setdefault(news.code, False)
            view = told_to_spectators(news.entries)
            followed.narrator.skip(view.facts)
            followed.narrator.asked(view.question, news.time)

    def _list(self, news: Listed) -> None:
        code, info = news
        if info is None:
            self._forget(code)
            return
        name = self._topics.alias(code) if info["settings"].get("private") else code
        followed = self._followed.get(code)
        if followed is not None and followed.narrator.name != name:
            self._forget(code)
            followed = None
        if followed is None:
            followed = Followed(Narrator(name, info), self._topics.table(info["game"], name))
            self._followed[code] = followed
            self._by_base[followed.base] = followed
        else:
            followed.narrator.listed(info)
        self._unsaid.setdefault(code, False)

    def _retain(self, followed: Followed, anew: bool) -> None:
        """Say what the table is like and whose turn it is, if that has changed."""
        narrator, (summary, turn) = followed.narrator, followed.topics
        shown = narrator.shown
        if anew or shown != followed.shown:
            followed.shown = shown
            self._courier.publish(summary, narrator.summary(self._now()), retain=True)
        changed = narrator.turn()
        if changed is not None:
            followed.turn = changed
        if followed.turn is not None and (anew or changed is not None):
            self._courier.publish(turn, followed.turn, retain=True)

    def _forget(self, code: str) -> None:
        followed = self._followed.pop(code, None)
        if followed is None:
            return
        self._by_base.pop(followed.base, None)
        self._unsaid.pop(code, None)
        for topic in followed.topics:
            self._courier.publish(topic, b"", retain=True)


def is_told(info: WireForm) -> bool:
    """Whether public events tell of a table: anybody may watch it, and its host allows it.

    Hosts who say nothing allow it where the table is listed for everybody anyway.
    """
    settings = info["settings"]
    allowed = settings.get("events")
    if allowed is None:
        allowed = not settings.get("private", False)
    return bool(allowed and settings.get("watchable", True))
