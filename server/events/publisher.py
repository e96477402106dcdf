"""The tables that are told of, and what the broker is to retain of each.

No I/O: messages go to a `Courier`, which never waits. What it loses is said again: after each
connect, and when it had to drop something, `repair` says all that is retained anew, a few tables
at a time, and what stale tables have left at the broker is removed when it is `found`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from protocol.wire_form import WireForm
from server.bus.courier import Courier
from server.events.messages import Payload
from server.events.narrator import Narrator, told_to_spectators
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
    turn: bytes | None = None
    # What the last summary showed.
    shown: tuple[Any, ...] = ()

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that the broker retains for it."""
        return (f"{self.base}/summary", f"{self.base}/turn")


class Publisher:
    """Says what happens at tables, in the order in which it happens. `now` gives server time."""

    def __init__(self, courier: Courier, topics: Topics, now: Callable[[], float]) -> None:
        self._courier = courier
        self._topics = topics
        self._now = now
        self._followed: dict[str, Followed] = {}
        self._by_base: dict[str, Followed] = {}
        # The tables of which the broker may not know what it is to retain.
        self._unsaid: dict[str, None] = {}
        self._removed = 0

    def __len__(self) -> int:
        return len(self._followed)

    def listed(self, code: str, info: WireForm | None) -> None:
        """The list of tables shows a table like this from now on; None: no more.

        `TableDirectory` calls this.
        """
        with isolated("events_failed", table=code):
            if info is None or not is_told(info):
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
            self._summarize(followed)

    def published(self, table: Table, publish: Publish) -> None:
        """New entries of a table were published to those who follow it."""
        followed = self._followed.get(table.code)
        if followed is None:
            return
        with isolated("events_failed", table=table.code):
            now, narrator = self._now(), followed.narrator
            seen = told_to_spectators(table, publish, now)
            for facts in seen.facts:
                for event in narrator.events(facts, table.game.info.legend, now):
                    self._courier.publish(f"{followed.base}/{event.type}", _json(event))
            turn = narrator.turn(seen.question, now)
            if turn is not None:
                followed.turn = _json(turn)
                self._retain(f"{followed.base}/turn", followed.turn)
            self._summarize(followed)

    def repair_all(self) -> None:
        """Whatever the broker was told may be lost: let `repair` say what is retained again."""
        self._unsaid = dict.fromkeys(self._followed)
        self._removed = 0

    def repair(self, most: int) -> bool:
        """Say what is retained of `most` tables again; whether there are more."""
        for code in tuple(self._unsaid)[:most]:
            del self._unsaid[code]
            followed = self._followed[code]
            with isolated("events_failed", table=code):
                self._summarize(followed, anew=True)
                if followed.turn is not None:
                    self._retain(f"{followed.base}/turn", followed.turn)
        return bool(self._unsaid)

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

    def _summarize(self, followed: Followed, anew: bool = False) -> None:
        """Say what the table is like, if that has changed."""
        shown = followed.narrator.shown
        if anew or shown != followed.shown:
            followed.shown = shown
            self._retain(f"{followed.base}/summary", _json(followed.narrator.summary(self._now())))

    def _retain(self, topic: str, payload: bytes) -> None:
        # Before the broker is reached only the last one counts, and `repair` says it then.
        if self._courier.connected:
            self._courier.publish(topic, payload, retain=True)

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


def _json(payload: Payload) -> bytes:
    return payload.model_dump_json().encode()
