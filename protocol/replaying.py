"""A table's log, folded again: what its reader saw after each entry."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.views import EMPTY_VIEW, View
from protocol.connection import Client
from protocol.mirror import TableMirror
from protocol.to_client import Event, LogEntry, LogPage, Question
from protocol.to_server import Log

KEPT_EVERY = 32
"""Of the pictures that are passed every so many is kept, to go on from."""


class TableLog:
    """A log by its pages from the first on, without a gap; `ValueError` if there is one."""

    def __init__(self, pages: Sequence[LogPage]) -> None:
        first = pages[0]
        self.entries: tuple[LogEntry, ...] = tuple(e for page in pages for e in page.entries)
        if [entry.seq for entry in self.entries] != list(range(1, len(self.entries) + 1)):
            raise ValueError("the pages do not follow each other from entry 1 on")
        begin = TableMirror(
            table=first.table,
            seq=0,
            seat=first.seat,
            info=first.info,
            view=EMPTY_VIEW,
            facts=(),
            question=Question(turn=0),
            legend=first.legend,
            labels=first.labels,
            layout=first.layout,
        )
        self._kept = {0: begin}

    def __len__(self) -> int:
        """The number of entries of the log."""
        return len(self.entries)

    def at(self, seq: int) -> TableMirror:
        """The table after entry `seq`; 0 is before the first. `IndexError` beyond the last.

        `OutOfSync` if the server is newer, and an entry holds what this program cannot follow.
        """
        if not 0 <= seq <= len(self.entries):
            raise IndexError(f"the log has {len(self.entries)} entries")
        known = max(kept for kept in self._kept if kept <= seq)
        mirror = self._kept[known]
        for entry in self.entries[known:seq]:
            mirror = _after(mirror, entry)
            if entry.seq % KEPT_EVERY == 0:
                self._kept[entry.seq] = mirror
        return mirror


def _after(mirror: TableMirror, entry: LogEntry) -> TableMirror:
    event = Event(
        table=mirror.table,
        seq=entry.seq,
        facts=entry.facts,
        info=entry.info,
        question=entry.question,
    )
    mirror = mirror.follow(event)
    if not entry.changed:
        return mirror
    view = mirror.view if entry.view is None else entry.view
    return replace(mirror, seat=entry.seat, view=view)


async def read_log(client: Client, table: str, seat: int | None = None) -> TableLog:
    """The whole log of a table, as seen by us or, if we may know that, by `seat`."""
    pages: list[LogPage] = []
    after = 0
    while not pages or after < pages[-1].last:
        page = await client.ask(Log, table=table, after=after, seat=seat)
        pages.append(page)
        after += len(page.entries)
    return TableLog(pages)


def opened(views: Iterable[View]) -> View:
    """One view merged from those of several viewers: each zone as it is known best."""
    together = EMPTY_VIEW
    for view in views:
        zones = dict(together.zones)
        for name, zone in view.zones.items():
            if name not in zones or zone.backs < zones[name].backs:
                zones[name] = zone
        together = View(zones, {**together.values, **view.values})
    return together
