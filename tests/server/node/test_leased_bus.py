"""What a node holds back while its lease is not sure, and how much of it."""

from typing import Any, cast

import pytest

from server.bus.bus import Bus
from server.bus.local import Hub
from server.crossing.parcels import Batch, Failed, Message, Parcel, Told
from server.node.leased_bus import LeasedBus
from server.store import LeaseState
from server.tables.links import Links

STREAM = "for/gateway.g/1"
LARGE = 100


class Node:
    """The lease of a node, as a test sets it."""

    def __init__(self) -> None:
        self.state = LeaseState.UNSURE


class Following:
    """A bus on which nothing crosses that is larger than `LARGE` bytes, and what crossed."""

    def __init__(self) -> None:
        hub: Hub[Any] = Hub()
        self.bus = hub.join("tables.t1")
        self.heard: list[Parcel] = []
        self.bus.publish = self._publish  # type: ignore[method-assign, assignment]

    def _publish(self, stream: str, batch: Batch) -> int:
        if any(isinstance(each, Told) and len(each.message) > LARGE for each in batch.parcels):
            raise ValueError("too large")
        self.heard += batch.parcels
        return 1


def told(link: int, size: int) -> Told:
    """A message of so many bytes for a connection."""
    return Told([link], bytes(size), passing=False)


def leased() -> tuple[Following, Node, LeasedBus]:
    """The bus of a node that is not sure of its lease."""
    following, node = Following(), Node()
    bus = LeasedBus(cast(Bus[Message], following.bus), cast(Any, node), Links())
    bus.open_stream(STREAM)
    return following, node, bus


def test_a_message_that_is_too_large_costs_no_other() -> None:
    """Those before and behind it are sent once the lease is sure; its own connection is told."""
    following, node, bus = leased()
    first, last = told(1, LARGE), told(3, 1)
    for parcel in (first, told(2, LARGE + 1), last):
        bus.publish(STREAM, Batch([parcel]))
    assert following.heard == []
    node.state = LeaseState.HELD
    bus.go_on()
    assert following.heard == [first, Failed([2]), last]


def test_what_is_held_back_is_bounded_by_its_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond that its connections have to come in again; what comes then is held back anew."""
    monkeypatch.setattr("server.node.leased_bus.MOST_HELD_BYTES", 150)
    following, node, bus = leased()
    for link in (1, 2):
        bus.publish(STREAM, Batch([told(link, 80)]))
    bus.publish(STREAM, Batch([last := told(3, 80)]))
    node.state = LeaseState.HELD
    bus.go_on()
    assert following.heard == [Failed([1, 2]), last]
