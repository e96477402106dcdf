"""A client that follows the list of public tables."""

from collections.abc import Iterable

from protocol.client import ClientSession
from protocol.client_events import Answered, LobbyChanged
from protocol.features import FEATURES
from protocol.lines import record
from protocol.lobby_mirror import LobbyMirror
from protocol.to_client import Error, Lobby, Ok, TableInfo
from protocol.to_server import FollowTables, ToServer, UnfollowTables
from tests.protocol.model_server import INFO, welcome


def rows(*codes: str, phase: str = "lobby") -> tuple[TableInfo, ...]:
    return tuple(INFO.model_copy(update={"table": code, "phase": phase}) for code in codes)


def greet(session: ClientSession, features: Iterable[str] = FEATURES) -> list[ToServer]:
    """Welcome a session on a new connection, and return what it sends then."""
    [hello] = session.connected()
    session.receive(welcome(hello.id).model_copy(update={"features": tuple(features)}))
    return session.take_outbox()


def following() -> ClientSession:
    """A session that follows the tables A and B."""
    session = ClientSession()
    greet(session)
    command = session.command(FollowTables, free=1, size=2)
    told = Lobby(id=command.id, tables=rows("A", "B"), order=("A", "B"))
    events = session.receive(told)
    lobby = LobbyMirror(rows("A", "B"))
    assert events == [Answered(command, told), LobbyChanged(lobby)]
    assert session.lobby == lobby
    session.take_outbox()
    return session


def test_what_is_told_is_folded() -> None:
    """Rows of the list are added, changed and removed; without an order it stays."""
    session = following()
    [changed] = session.receive(Lobby(tables=rows("B", phase="playing")))
    assert changed == LobbyChanged(LobbyMirror((*rows("A"), *rows("B", phase="playing"))))
    session.receive(Lobby(tables=rows("C"), order=("B", "C"), more=True))
    assert session.lobby == LobbyMirror((*rows("B", phase="playing"), *rows("C")), True)
    session.receive(Lobby(order=()))
    assert session.lobby == LobbyMirror()


def test_a_row_that_could_not_be_read_is_left_out() -> None:
    """A row that this client cannot read is left out of the list."""
    assert LobbyMirror().follow(Lobby(order=("A", "B"), tables=rows("B"))).tables == rows("B")


def test_it_is_followed_again_after_a_lost_connection() -> None:
    """After reconnecting the list is followed again with its filters, and only changes are told."""
    session = following()
    session.disconnected()
    [again] = greet(session)
    assert isinstance(again, FollowTables)
    assert (again.free, again.size) == (1, 2)
    [changed] = session.receive(Lobby(id=again.id, tables=rows("C"), order=("C",)))
    assert changed == LobbyChanged(LobbyMirror(rows("C")))
    # A connection that is lost before the answer has come asks only once, too.
    session.disconnected()
    greet(session)
    session.disconnected()
    assert [command.type for command in greet(session)] == ["follow_tables"]


def test_a_wish_that_is_not_answered_yet_counts() -> None:
    """An unanswered `follow_tables` is sent again, and the one before it is not."""
    session = following()
    wanted = session.command(FollowTables, phase="playing")
    session.disconnected()
    assert greet(session) == [wanted]
    session.receive(Lobby(id=wanted.id, order=()))
    assert session.lobby == LobbyMirror()


def test_unfollowing_ends_it() -> None:
    """After unfollowing late news is ignored, and a new connection follows nothing."""
    session = following()
    command = session.command(UnfollowTables)
    session.receive(Ok(id=command.id))
    assert session.lobby is None
    assert session.receive(Lobby(tables=rows("C"), order=("C",))) == []
    session.disconnected()
    assert greet(session) == []


def test_a_server_that_has_become_older_is_not_asked() -> None:
    """A server without the feature is not asked, and the last list stays."""
    session = following()
    session.disconnected()
    assert greet(session, ()) == []
    assert session.lobby == LobbyMirror(rows("A", "B"))


def test_a_refusal_leaves_what_was_seen() -> None:
    """A refused command of the owner is reported, and the last list stays."""
    session = following()
    command = session.command(FollowTables, text="x")
    error = Error(id=command.id, code="bad_message", reason="no")
    assert session.receive(error) == [Answered(command, error)]
    assert session.lobby == LobbyMirror(rows("A", "B"))


def test_scripts_read_the_whole_list() -> None:
    """With `--json` each change of the list prints one line with the whole list."""
    line = record(LobbyChanged(LobbyMirror(rows("A"), True)))
    assert (line["type"], line["more"], [row["table"] for row in line["tables"]]) == (
        "lobby",
        True,
        ["A"],
    )
    assert record(LobbyChanged(LobbyMirror())) == {"type": "lobby", "more": False}
