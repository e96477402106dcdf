"""A bus of values on a bus of bytes: what cannot be decoded is a failure, and nothing more."""

from collections.abc import Callable
from typing import Any

from server.bus.bus import Failure
from server.bus.encoded import EncodedBus
from server.bus.local import Hub, LocalBus


def number_of(data: bytes) -> int:
    """What `bytes_of` was given; anything else raises."""
    return int(data.decode())


def bytes_of(number: int) -> bytes:
    """A number in digits."""
    return b"%d" % number


def peers() -> tuple[EncodedBus[int], EncodedBus[int], LocalBus[bytes]]:
    """Two peers that say numbers, and one that says any bytes."""
    hub: Hub[bytes] = Hub()
    one, two = (EncodedBus(hub.join(name), bytes_of, number_of) for name in ("one", "two"))
    return one, two, hub.join("rough")


class Numbers:
    """Follows a stream and keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[int] = []
        self.cuts: list[int] = []
        self.over = False

    def event(self, number: int, payload: int) -> None:
        self.heard.append(payload)

    def missed(self, last: int) -> None:
        self.cuts.append(last)

    def ended(self) -> None:
        self.over = True


def test_values_cross_as_bytes() -> None:
    """Requests, answers and events are values on both sides."""
    one, two, _ = peers()
    answers: list[int | Failure] = []

    def double(request: int, reply: Callable[[int], None]) -> None:
        reply(2 * request)

    two.handle("double", lambda sender, request, reply: double(request, reply))
    one.send("two", "double", 21, answers.append, 1.0)
    assert answers == [42]
    numbers = Numbers()
    two.open_stream("count", 3)
    one.follow("two", "count", 3, numbers)
    assert two.publish("count", 5) == 4
    one.unfollow("two", "count")
    two.publish("count", 6)
    one.follow("two", "count", 0, numbers)
    two.close_stream("count")
    assert (numbers.heard, numbers.cuts, numbers.over) == ([5], [5], True)
    assert (one.name, set(one.alive)) == ("one", {"two", "rough"})


def test_presence_is_that_of_the_bus_below() -> None:
    """Who comes and who goes is told."""
    hub: Hub[bytes] = Hub()
    one = EncodedBus(hub.join("one"), bytes_of, number_of)
    told: list[tuple[str, bool]] = []
    one.on_presence(lambda peer, here: told.append((peer, here)))
    hub.join("two")
    hub.leave("two")
    assert told == [("two", True), ("two", False)]


def test_what_cannot_be_decoded_fails(log_events: list[Any]) -> None:
    """A request is not carried out, an answer is a fault, an event is left out and logged."""
    one, two, rough = peers()
    carried_out: list[int] = []
    two.handle("note", lambda sender, request, reply: carried_out.append(request))
    rough.handle("any", lambda sender, request, reply: reply(b"no number"))
    rough_answers: list[bytes | Failure] = []
    rough.send("two", "note", b"no number", rough_answers.append, 1.0)
    answers: list[int | Failure] = []
    one.send("rough", "any", 1, answers.append, 1.0)
    assert (carried_out, rough_answers, answers) == ([], [Failure.FAULT], [Failure.FAULT])
    numbers = Numbers()
    rough.open_stream("count")
    one.follow("rough", "count", 0, numbers)
    rough.publish("count", b"no number")
    rough.publish("count", b"2")
    assert numbers.heard == [2]
    assert [event["event"] for event in log_events] == ["request_failed", "listener_failed"]
