"""The tables that a client follows: a mirror of each, and which of them have lost the sequence."""

from collections.abc import Iterable, Sequence

from protocol.client_events import (
    ClientEvent,
    Noticed,
    PresenceChanged,
    TableClosed,
    TableEvent,
    TableSnapshot,
    TableUnchanged,
)
from protocol.mirror import TableMirror
from protocol.to_client import (
    ChatNotice,
    Event,
    GameCard,
    Legend,
    Notice,
    Presence,
    Snapshot,
    Unchanged,
)
from protocol.to_server import MAX_DIGEST, MAX_LEGENDS, MAX_RESUMED


class FollowedTables:
    """The followed tables: `mirrors` by table, frozen so that they may be kept."""

    def __init__(self) -> None:
        self.mirrors: dict[str, TableMirror] = {}
        self._legends: dict[str, Legend] = {}
        # Seats whose players a newer snapshot shows as away: nobody was told that they went.
        self._arriving: dict[str, set[int]] = {}
        # Tables of which an event could not be followed though none was missing.
        self._misfits: set[str] = set()
        # The last lines of chat that were told at each table: for all, and among spectators.
        self._heard: dict[str, list[int]] = {}

    def seated(self) -> bool:
        """Whether the session has a seat at any table."""
        return any(mirror.seat is not None for mirror in self.mirrors.values())

    def resumed(self, tables: Sequence[str]) -> dict[str, int]:
        """The last event numbers of `tables`, latest entered first, as many as fit into hello."""
        return {table: self.mirrors[table].seq for table in tables[-MAX_RESUMED:]}

    def heard(self, tables: Iterable[str]) -> dict[str, list[int]]:
        """The numbers of the last chat lines at these tables."""
        return {table: self._heard[table] for table in tables if table in self._heard}

    def hears(self, chat: ChatNotice) -> bool:
        """Record a line of chat; False if it was told before."""
        heard = self._heard.setdefault(chat.table, [0, 0])
        if chat.earlier and chat.number <= heard[chat.apart]:
            return False
        if chat.number:
            heard[chat.apart] = chat.number
        return True

    def disconnected(self, tables: Iterable[str]) -> None:
        """Handle the loss of the connection to these tables, or their move elsewhere."""
        for table in tables:
            if (mirror := self.mirrors.get(table)) is not None:
                # Who asks a host who is away is refused.
                self.mirrors[table] = mirror.alone()

    def legend(self, legend: Legend) -> None:
        """Store the legend of a game."""
        self._legends[legend.digest] = legend

    def games(self, cards: Iterable[GameCard]) -> None:
        """Store the legends that came with games, since the server does not send them again."""
        for card in cards:
            if card.legend is not None and card.digest:
                self.legend(
                    Legend(
                        digest=card.digest,
                        legend=card.legend,
                        labels=card.labels,
                        layout=card.layout,
                    )
                )

    def known_legends(self) -> list[str]:
        """The digests of the stored legends, the latest ones."""
        told = [digest for digest in self._legends if len(digest) <= MAX_DIGEST]
        return told[-MAX_LEGENDS:]

    def snapshot(self, snapshot: Snapshot) -> TableSnapshot:
        """Replace a table's mirror by a snapshot, with the legend to which it refers."""
        if (legend := self._legends.get(snapshot.digest)) is not None:
            common = {"legend": legend.legend, "labels": legend.labels, "layout": legend.layout}
            snapshot = snapshot.model_copy(update=common)
        before = self.mirrors.get(snapshot.table)
        mirror = self.mirrors[snapshot.table] = TableMirror.of(snapshot, before)
        if before is not None:
            # Where the server has loaded the table just now, all come back one after another.
            known = self._arriving.get(mirror.table, set())
            seats = enumerate(zip(before.info.seats, mirror.info.seats, strict=False))
            self._arriving[mirror.table] = {
                seat for seat, (old, new) in seats if new.away and (seat in known or not old.away)
            }
        return TableSnapshot(mirror)

    def event(self, event: Event) -> TableEvent | None:
        """Apply an event; None if its number was seen before, or its table is not followed.

        `OutOfSync` if events are missing before it, `UnsupportedEvent` if it cannot be read.
        """
        before = self.mirrors.get(event.table)
        if before is None or event.seq <= before.seq:
            return None
        mirror = self.mirrors[event.table] = before.follow(event)
        return TableEvent(mirror, event, before)

    def misfits_again(self, table: str) -> bool:
        """Record a `UnsupportedEvent` at a table; False the first time."""
        again = table in self._misfits
        self._misfits.add(table)
        return again

    def presence(self, presence: Presence) -> list[ClientEvent]:
        """Record that a player at a table came or went."""
        before = self.mirrors.get(presence.table)
        if before is None:
            return []
        mirror = self.mirrors[presence.table] = before.with_presence(presence.seat, presence.away)
        arriving = self._arriving.get(presence.table, set())
        is_news = presence.seat not in arriving
        arriving.discard(presence.seat)
        return [PresenceChanged(mirror, presence, is_news=is_news)]

    def unchanged(self, unchanged: Unchanged) -> list[ClientEvent]:
        """Record that nothing was missed at a table, except perhaps who came or went."""
        before = self.mirrors.get(unchanged.table)
        if before is None:
            return []
        mirror = self.mirrors[unchanged.table] = before.with_times(unchanged)
        seats = enumerate(zip(before.info.seats, mirror.info.seats, strict=False))
        came_or_went = [
            Presence(table=mirror.table, seat=seat, away=new.away)
            for seat, (old, new) in seats
            if old.away != new.away and seat != mirror.seat
        ]
        told = [PresenceChanged(mirror, presence) for presence in came_or_went]
        return [*told, TableUnchanged(mirror, unchanged)]

    def noticed(self, notice: Notice) -> list[ClientEvent]:
        """The client event of a notice, with the table it is about; None if it was told before."""
        before = self.mirrors.get(notice.table or "")
        if before is None:
            return [Noticed(notice)]
        mirror = self.mirrors[before.table] = before.with_notice(notice)
        repeated = notice.kind == "time_up" and mirror is before
        return [] if repeated else [Noticed(notice, mirror)]

    def close(self, table: str, reason: str) -> list[ClientEvent]:
        """Stop following a table."""
        mirror = self.mirrors.pop(table, None)
        self._heard.pop(table, None)
        self._misfits.discard(table)
        self._arriving.pop(table, None)
        return [] if mirror is None else [TableClosed(mirror, reason)]
