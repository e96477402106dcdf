"""What a node holds back while its lease is not sure, and its limits."""

from typing import Any, cast

import pytest

from protocol.codec import codec_for
from protocol.version import MSGPACK
from server.nodes.delayed_messages import DelayedMessages
from server.sessions.connection import Connection, Outboxes
from server.sessions.session import Session
from server.store import LeaseState
from tests.server.client import FakeWire


class Node:
    """The lease of a node, set by a test, with three clients; `sent` is what each gets."""

    def __init__(self) -> None:
        self.state = LeaseState.UNSURE
        self.sent: list[list[bytes | str]] = [[], [], []]
        self.outboxes = Outboxes()
        self.wires = [FakeWire(sent.append) for sent in self.sent]
        self.clients = [
            Connection(wire, Session(codec_for(MSGPACK), 1, 1, 0), 1000, "", False, self.outboxes)
            for wire in self.wires
        ]
        self.delayed = DelayedMessages(cast(Any, self), cast(Any, self))

    def flush(self) -> None:
        for client in self.clients:
            client.flush()

    def count(self) -> list[int]:
        """The number of frames of each client."""
        self.flush()
        return [len(sent) for sent in self.sent]


def test_answers_go_out_and_what_tables_tell_waits() -> None:
    """Answers go out and table events wait until the lease is sure, in order."""
    node = Node()
    first, second, _ = node.clients
    first.tell({"type": "notice"})
    second.put({"type": "pong", "id": 1})
    assert node.count() == [0, 1, 0]
    second.tell_encoded(b"event")
    second.lagging_since = 1.0
    node.state = LeaseState.HELD
    node.delayed.go_on()
    assert node.count() == [1, 1, 0]


def test_what_is_told_first_after_an_unsure_moment_comes_after_what_waited() -> None:
    """What is told first after an unsure moment comes after what waited."""
    node = Node()
    first = node.clients[0]
    first.tell_encoded(b"early")
    node.state = LeaseState.HELD
    first.tell_encoded(b"late")
    node.flush()
    assert node.sent[0] == [first.codec.frame([b"early", b"late"])]


def test_a_moment_in_which_the_lease_is_sure_keeps_the_order() -> None:
    """A short sure moment keeps the order of what waits."""

    class Flickering(Node):
        """A node whose lease is sure for a number of looks."""

        looks = 0

        @property
        def state(self) -> LeaseState:
            self.looks -= 1
            return LeaseState.HELD if self.looks >= 0 else LeaseState.UNSURE

        @state.setter
        def state(self, state: LeaseState) -> None:
            self.looks = 1000 if state is LeaseState.HELD else 0

    for looks in range(1, 7):
        node = Flickering()
        first = node.clients[0]
        for message in (b"one", b"two", b"three"):
            first.tell_encoded(message)
        node.looks = looks
        first.tell_encoded(b"four")
        node.state = LeaseState.HELD
        node.delayed.go_on()
        frames = b"".join(each for each in node.sent[0] if isinstance(each, bytes))
        places = [frames.index(message) for message in (b"one", b"two", b"three", b"four")]
        assert places == sorted(places)


def test_nothing_is_told_after_the_lease() -> None:
    """After the lease is lost nothing is told."""
    node = Node()
    node.clients[0].tell_encoded(b"event")
    node.state = LeaseState.OVER
    node.delayed.end()
    node.clients[1].tell_encoded(b"event")
    node.state = LeaseState.HELD
    node.delayed.go_on()
    assert node.count() == [0, 0, 0]


@pytest.mark.parametrize("limit", ["MOST_HELD", "MOST_HELD_BYTES"])
def test_what_waits_is_bounded(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    """What waits is bounded: beyond that clients are disconnected."""
    monkeypatch.setattr(f"server.nodes.delayed_messages.{limit}", {"MOST_HELD": 1}.get(limit, 150))
    node = Node()
    for client in node.clients:
        client.tell_encoded(bytes(80))
    assert [wire.closed for wire in node.wires] == [(1011, "internal")] * 2 + [None]
    node.state = LeaseState.HELD
    node.delayed.go_on()
    assert node.count() == [0, 0, 1]
