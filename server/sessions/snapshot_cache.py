"""A cache of snapshots, made and encoded once for all viewers with equal views of an entry.

A snapshot takes some 26 kB and 0.25 ms of work, and hundreds may ask for one at a time: the
spectators of a table after a lost connection, or an attacker.
"""

from collections import OrderedDict
from collections.abc import Set
from typing import NamedTuple, TypeAlias

from engine.facts import Viewer
from protocol.codec import Codec
from protocol.features import FIRST_FORM
from server.table.messages import snapshot_for
from server.table.state import TableState
from server.table.table import Table

MOST = 32
"""Snapshots that are kept; the one that was not asked for longest goes first. A burst asks for the
same few again and again, and those that nobody asks for twice only fill memory."""
LARGEST = 256 * 1024
"""Bytes of a snapshot with more than its view: of a longer deal the first facts are left out."""
CLOCK_SECONDS = 0.25
"""How much more time than is left the clock in a snapshot may show."""

SnapshotKey: TypeAlias = tuple[str, Viewer, str, Set[str], int | None]


class Stamp(NamedTuple):
    """All values of a snapshot beside its table's code, its viewer and its encoding."""

    state: TableState
    away: tuple[bool, ...]
    clock: int | None
    reserves: tuple[int, ...]

    def same(self, other: "Stamp") -> bool:
        """Whether two snapshots with these stamps are equal."""
        # A state is replaced at every entry; comparing two of them would cost more than encoding.
        return self.state is other.state and self[1:] == other[1:]


class Snapshots:
    """The snapshots that were requested last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[SnapshotKey, tuple[Stamp, bytes]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def encoded(
        self,
        table: Table,
        viewer: Viewer,
        codec: Codec,
        now: float,
        features: Set[str] = FIRST_FORM,
        most: int | None = None,
    ) -> bytes:
        """Return an encoded `snapshot_for`, whose clock may be `CLOCK_SECONDS` old."""
        key = (table.code, viewer, codec.subprotocol, features, most)
        stamp = _stamp(table, now)
        kept = self._kept.get(key)
        if kept is None or not kept[0].same(stamp):
            snapshot = snapshot_for(table, viewer, now, features, most)
            encoded = codec.encode_message(snapshot)
            while len(encoded) > LARGEST and snapshot["facts"]:
                fewer = len(snapshot["facts"]) // 2
                snapshot = snapshot_for(table, viewer, now, features, fewer)
                encoded = codec.encode_message(snapshot)
            kept = self._kept[key] = stamp, encoded
        self._kept.move_to_end(key)
        if len(self._kept) > MOST:
            self._kept.popitem(last=False)
        return kept[1]

    def forget(self, code: str) -> None:
        """Forget a table that is not in memory any more."""
        for key in [key for key in self._kept if key[0] == code]:
            del self._kept[key]


def _stamp(table: Table, now: float) -> Stamp:
    left = table.clocks.seconds_left(table.state, now)
    return Stamp(
        table.state,
        tuple(table.clocks.is_away(seat) for seat in range(len(table.state.chairs))),
        None if left is None else int(left / CLOCK_SECONDS),
        table.clocks.reserves(table.state, now),
    )
