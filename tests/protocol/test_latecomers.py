"""Requests to join a running match, on both sides of the session."""

from protocol.client import ClientSession
from protocol.client_events import Answered, Noticed, TableSnapshot
from protocol.to_client import Asked, Notice, Ok
from protocol.to_server import Join
from tests.protocol.model_server import TABLE, ModelServer, online, seated

BOB = Notice(kind="latecomer", table=TABLE, request=3, name="Bob")
GONE = Notice(kind="latecomer_gone", table=TABLE, request=3, name="Bob", reason="too_late")


def waiting(session: ClientSession) -> dict[int, str]:
    return dict(session.tables[TABLE].latecomers)


def test_asked_is_the_answer() -> None:
    """The request is answered, and the client follows no table until a snapshot comes."""
    session, server = online(), ModelServer(seat=0)
    join = session.command(Join, table=TABLE)
    session.take_outbox()
    asked = Asked(id=join.id, table=TABLE, request=3, seconds=60.0)
    assert session.receive(asked) == [Answered(join, asked)]
    assert session.outbox == []
    assert session.tables == {}
    assert session.receive(server.snapshot()) == [TableSnapshot(server.truth())]


def test_the_host_sees_who_asks() -> None:
    """The host's mirror has the open requests by number, until each is over."""
    session, server = seated(after=1)
    zoe = Notice(kind="latecomer", table=TABLE, request=4)
    assert session.receive(BOB) == [Noticed(BOB, session.tables[TABLE])]
    session.receive(zoe)
    assert waiting(session) == {3: "Bob", 4: ""}
    server.happens()
    session.receive(*server.events(1))
    session.receive(server.snapshot())
    assert waiting(session) == {3: "Bob", 4: ""}
    assert session.receive(GONE) == [Noticed(GONE, session.tables[TABLE])]
    assert waiting(session) == {4: ""}
    session.receive(GONE, Notice(kind="latecomer", table=TABLE), Notice(kind="new_moon"))
    assert waiting(session) == {4: ""}


def test_nobody_waits_for_a_host_who_was_away() -> None:
    """Requests are gone from the mirror of a host that reconnects."""
    session, _ = seated(after=1)
    session.receive(BOB)
    session.disconnected()
    assert waiting(session) == {}


def test_requests_at_a_table_that_is_not_followed() -> None:
    """Requests at a table that is not followed are reported and change nothing."""
    session = online()
    assert session.receive(BOB) == [Noticed(BOB)]
    assert session.receive(Ok(id=99)) == []
    assert session.tables == {}
