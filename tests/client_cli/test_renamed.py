"""A player whose name is no longer accepted chooses another one and stays the same player."""

from pathlib import Path

from client_cli.identity import identity
from client_cli.run_table import connected
from server.names import hashed
from server.ops.settings import Settings
from server.store import PlayerRow, Store, Write
from tests.server.socket_server import open_socket_server

OLD = "S\u0435rver"


async def test_a_person_is_asked_once_and_a_program_never(tmp_path: Path) -> None:
    """A person is asked once for a new name, and a program is not asked."""
    data = tmp_path / "data"
    data.mkdir()
    store = await Store.open(Settings(data=data).database)
    await store.save(Write(players=(PlayerRow("p1", OLD, hashed("secret"), 1.0, seen=1.0),)))
    await store.close()
    questions: list[str] = []

    async def ask(question: str) -> str:
        questions.append(question)
        return "Zoe"

    async with open_socket_server(data) as server:

        async def name_of(asks: bool) -> str | None:
            with identity(server.url, OLD, tmp_path) as who:
                async with connected(server.url, OLD, who, ask=ask if asks else None) as client:
                    assert client.session.player == "p1"
                    return client.session.name

        with identity(server.url, OLD, tmp_path) as who:
            who.keep("secret")
        assert await name_of(asks=False) == "player"
        assert questions == []
        assert [await name_of(asks=True) for _ in range(2)] == ["Zoe", "Zoe"]
        assert len(questions) == 1
        assert "Another name" in questions[0]
