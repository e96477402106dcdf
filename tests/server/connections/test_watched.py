"""What a gateway remembers of the tables that its connections watch, and of where tables are."""

import pytest

from protocol.to_server import Leave, Watch
from server.connections import tables_nodes
from server.crossing.names import Key
from tests.server.commands.gateway import LoneGateway


@pytest.mark.parametrize(
    ("code", "left_code", "watched"),
    [("unknown_table", "not_seated", ()), ("try_again", "try_again", ("AAAAA", "BBBBB"))],
)
async def test_a_refusal_settles_what_is_watched(
    code: str, left_code: str, watched: tuple[str, ...]
) -> None:
    """A table that may not be watched is forgotten; one that is only refused for now is not."""
    gateway = LoneGateway()
    connections, connection = gateway.connections, gateway.connect("ann")
    connections.watched.resume(connection.number, ("BBBBB",))
    watch, leave = Watch(id=1, table="AAAAA"), Leave(id=2, table="BBBBB")
    for command in (watch, leave):
        key = Key("ann", "laptop", command.id)
        assert connections.begin_command(key, command, gateway.now, connection)
    refusal = {"type": "error", "id": 1, "code": code, "message": "no"}
    connections.answer_read(connection.number, Key("ann", "laptop", 1), refusal)
    connections.answer(Key("ann", "laptop", 2), {**refusal, "id": 2, "code": left_code})
    assert connections.watched.tables_of(connection.number) == watched


async def test_the_table_that_was_asked_longest_ago_is_forgotten_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However early it became known where the others are."""
    monkeypatch.setattr(tables_nodes, "MOST_ROUTES", 2)
    nodes = LoneGateway("a", "b").nodes
    for table in ("AAAAA", "BBBBB", "AAAAA", "CCCCC"):
        nodes.note(table, "tables.a")
    assert [nodes.route(table) for table in ("AAAAA", "BBBBB", "CCCCC")] == [
        "tables.a",
        None,
        "tables.a",
    ]
    # To be asked is to be used.
    assert nodes.node_of_table("AAAAA", "ann") == "tables.a"
    nodes.note("DDDDD", "tables.a")
    assert [nodes.route(table) for table in ("AAAAA", "CCCCC")] == ["tables.a", None]
