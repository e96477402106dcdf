"""Filters, addresses of brokers and waiting messages, without a broker."""

from pathlib import Path

import pytest

from server.events.broker import Broker
from server.events.courier import Letter
from server.events.outbox import OVERHEAD, Outbox
from server.events.subscriptions import Handlers, matches


@pytest.mark.parametrize(
    ("topic_filter", "topic", "expected"),
    [
        ("a/b", "a/b", True),
        ("a/b", "a/b/c", False),
        ("a/+", "a/b", True),
        ("a/+", "a/b/c", False),
        ("+/+", "/a", True),
        ("a/+/c", "a/b/c", True),
        ("a/#", "a/b/c", True),
        ("a/#", "a", True),
        ("a/#", "b", False),
        ("#", "a/b", True),
        ("#", "$SYS/uptime", False),
        ("+/uptime", "$SYS/uptime", False),
        ("$SYS/#", "$SYS/uptime", True),
    ],
)
def test_filters_match_as_the_standard_says(topic_filter: str, topic: str, expected: bool) -> None:
    """The examples of MQTT 5, sections 4.7 and 4.8."""
    assert matches(topic_filter, topic) is expected


def test_every_filter_that_matches_has_its_handler_called() -> None:
    """A topic finds its exact filter and all patterns; a removed filter is found no more."""
    handlers = Handlers()
    called: list[str] = []
    for name in ("a/b", "a/+", "b"):
        handlers.add(name, lambda topic, payload, name=name: called.append(name))  # type: ignore[misc]
    for handler in handlers.of("a/b"):
        handler("a/b", b"")
    assert called == ["a/b", "a/+"]
    handlers.remove("a/b")
    handlers.remove("a/+")
    assert handlers.of("a/b") == []
    assert handlers.filters == ["b"]


def test_an_address_says_all_but_the_password() -> None:
    """Scheme, usual port and credentials are read from the address; the password is never shown."""
    broker = Broker.at("mqtts://house:p%40ss@[::1]", Path("ca.pem"))
    assert (broker.host, broker.port, broker.tls) == ("::1", 8883, True)
    assert (broker.user, broker.password) == ("house", "p@ss")
    assert str(broker) == "mqtts://[::1]:8883"
    assert "p@ss" not in repr(broker)
    assert str(Broker.at("mqtt://localhost/")) == "mqtt://localhost:1883"
    assert Broker.at("mqtt://localhost").tls_context() is None


@pytest.mark.parametrize(
    "url",
    ["", "localhost", "http://s3cret@h", "mqtt://h:s3cret", "mqtt://h/s3cret", "mqtt://:s3cret@"],
)
def test_a_wrong_address_is_refused_without_being_repeated(url: str) -> None:
    """The message says what an address looks like and repeats nothing that may be a password."""
    with pytest.raises(ValueError, match="broker") as refusal:
        Broker.at(url)
    assert "s3cret" not in str(refusal.value)


def test_the_oldest_go_when_too_many_or_too_large_ones_wait() -> None:
    """Messages are bounded by number and by bytes, and taken in their order."""
    outbox = Outbox(messages=3, size=3 * OVERHEAD + 100)
    assert [outbox.put(Letter("a", bytes(size))) for size in (1, 2, 3, 4)] == [0, 0, 0, 1]
    assert outbox.put(Letter("a", bytes(95))) == 2
    assert [len(letter.payload) for letter in outbox.take(5)] == [4, 95]
    assert outbox.put(Letter("a", bytes(1000))) == 1
    assert not outbox
