"""Recognising commands that may have been sent before and must not be carried out twice."""

from protocol.codec import codec_for
from protocol.to_server import Leave
from protocol.version import JSON
from server.connections.session import Identity, Session
from server.table.decide import Player


def greeted(*, hello: int, stored: int) -> Session:
    """A session whose hello has number `hello`, of a client with answers up to `stored`."""
    session = Session(codec_for(JSON), rate=10, burst=10, now=0.0)
    session.receive(f'{{"type":"hello","id":{hello},"version":1,"client":"c"}}', 0.0)
    session.welcome(Identity(Player("ann", "Ann"), "c"), stored)
    return session


def test_a_number_below_that_of_hello_may_be_a_repetition() -> None:
    """A command made before this connection may just be being committed, unknown to the store."""
    session = greeted(hello=9, stored=7)
    assert not session.is_new(Leave(id=8, table="T"))
    assert session.is_new(Leave(id=10, table="T"))


def test_a_number_the_store_knows_may_be_a_repetition() -> None:
    """A client that restarts its numbers with every hello is recognised by its earlier answers."""
    session = greeted(hello=1, stored=7)
    assert not session.is_new(Leave(id=7, table="T"))
    assert session.is_new(Leave(id=8, table="T"))


def test_a_number_is_new_once() -> None:
    """A command sent again is a repetition, and so is one that comes out of order."""
    session = greeted(hello=1, stored=0)
    assert session.is_new(Leave(id=5, table="T"))
    assert not session.is_new(Leave(id=5, table="T"))
    assert not session.is_new(Leave(id=4, table="T"))
