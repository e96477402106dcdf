"""Nodes on one database offer equal games, whatever is in their folders."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import structlog

from engine import GAMES
from engine.catalogue import UnknownGame
from server.games import library as library_module
from server.games import shared_games
from server.games.descriptions import described_id
from server.games.folder import GameFolder
from server.games.library import Library
from server.games.shared_games import SharedGames
from server.store import HostedFile, StoreUnavailable, Write
from tests.server.controllable_store import ControllableStore
from tests.server.small_descriptions import BROKEN, HIGH, MOONS

Logged = list[structlog.typing.EventDict]


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[ControllableStore]:
    """The database of all nodes, a file in these tests."""
    opened = await ControllableStore.open(f"sqlite:///{tmp_path / 'cards.sqlite3'}")
    yield opened
    await opened.close()


class Nodes:
    """Starts nodes; each has a folder of its own name."""

    def __init__(self, store: ControllableStore, path: Path) -> None:
        self.libraries: list[Library] = []
        self._store = store
        self._path = path

    def folder(self, name: str, **texts: str) -> Path:
        """The folder of a node, with these texts in it."""
        folder = self._path / name
        folder.mkdir(exist_ok=True)
        for stem, text in texts.items():
            (folder / f"{stem}.rcy").write_text(text)
        return folder

    async def begin(self, name: str, folder: Path | None = None) -> Library:
        """Start a node, perhaps again."""
        games = None if folder is None else GameFolder(folder)
        library = Library(GAMES, self._store.description, games, SharedGames(self._store, name))
        self.libraries.append(library)
        await library.refresh()
        return library


@pytest.fixture
async def nodes(store: ControllableStore, tmp_path: Path) -> AsyncIterator[Nodes]:
    """Nodes whose threads end with the test."""
    found = Nodes(store, tmp_path)
    yield found
    for library in found.libraries:
        library.close()


async def offered(library: Library) -> list[str]:
    """The described games that a node offers."""
    await library.refresh()
    native = {info.id for info in GAMES}
    return [info.id for info in library if info.id not in native]


async def test_all_nodes_offer_what_one_folder_has(nodes: Nodes) -> None:
    """All nodes offer the games of one folder, until they are removed from it."""
    folder = nodes.folder("a", High2=HIGH)
    (folder / "High.md").write_text("# High\nSuns count.")
    first, second = await nodes.begin("a", folder), await nodes.begin("b")
    id = described_id("High2.rcy", HIGH)
    assert await offered(first) == await offered(second) == [id]
    assert second.for_new_table("High2.rcy").info.id == id
    assert first.card(id, whole=True) == second.card(id, whole=True)
    first.close()
    third = await nodes.begin("c", nodes.folder("c", Low2=MOONS))
    assert await offered(second) == await offered(third) == [id, described_id("Low2.rcy", MOONS)]
    (folder / "High2.rcy").unlink()
    first = await nodes.begin("a", folder)
    for library in (first, second, third):
        assert await offered(library) == [described_id("Low2.rcy", MOONS)]
        with pytest.raises(UnknownGame, match="no longer hosted"):
            library.for_new_table(id)


async def test_of_two_texts_of_a_name_the_one_brought_last_is_offered(
    nodes: Nodes, log_events: Logged
) -> None:
    """Of two texts of one name the latest is offered, and all nodes report the difference once."""
    high, moons = described_id("High2.rcy", HIGH), described_id("High2.rcy", MOONS)
    old, new = nodes.folder("a", High2=HIGH), nodes.folder("b", High2=MOONS)
    first, second = await nodes.begin("a", old), await nodes.begin("b", new)
    for _ in range(2):
        assert await offered(first) == await offered(second) == [moons]
    differing = [each for each in log_events if each["event"] == "game_differs"]
    assert [each["node"] for each in differing] == ["b", "b"]
    assert differing[0]["reason"] == "another text or other rules at a"
    first = await nodes.begin("a", old)
    assert await offered(first) == await offered(second) == [moons]
    (old / "High2.rcy").write_text(HIGH + "\n")
    changed = described_id("High2.rcy", HIGH + "\n")
    assert await offered(first) == await offered(second) == [changed]
    (old / "High2.rcy").unlink()
    assert await offered(first) == await offered(second) == [moons]
    nodes.folder("a", High2=MOONS)
    assert await offered(first) == await offered(second) == [moons]
    # A node that is new to the database brings its text later than all before.
    third = await nodes.begin("c", nodes.folder("c", High2=HIGH))
    assert await offered(third) == await offered(first) == [high]


async def test_a_mistake_at_one_node_reaches_no_other(nodes: Nodes, log_events: Logged) -> None:
    """A broken file at one node does not replace a working one of another."""
    folder = nodes.folder("a", High2=HIGH)
    first, second = await nodes.begin("a", folder), await nodes.begin("b")
    nodes.folder("a", High2=BROKEN)
    assert await offered(first) == await offered(second) == []
    with pytest.raises(UnknownGame, match="cannot be played"):
        first.for_new_table("High2.rcy")
    with pytest.raises(UnknownGame):
        second.for_new_table("High2.rcy")
    third = await nodes.begin("c", nodes.folder("c", High2=MOONS))
    for library in (first, second, third):
        assert await offered(library) == [described_id("High2.rcy", MOONS)]
        assert library.for_new_table("High2.rcy").info.id == described_id("High2.rcy", MOONS)
    assert [each["game"] for each in log_events if each["event"] == "description_skipped"] == [
        "High2.rcy"
    ]


async def test_a_text_of_a_newer_program_is_left_out(
    nodes: Nodes, store: ControllableStore
) -> None:
    """A text of a newer program is left out by nodes that cannot play it."""
    newer = HostedFile("Newer2.rcy", "z", "d", "r", 1.0, "(game (of another kind))", "")
    await store.save(Write(hosted=(newer,)))
    library = await nodes.begin("a", nodes.folder("a", High2=HIGH))
    assert await offered(library) == [described_id("High2.rcy", HIGH)]
    with pytest.raises(UnknownGame, match="cannot be played"):
        library.for_new_table("Newer2.rcy")


async def test_a_folder_that_cannot_be_read_takes_nothing_away(nodes: Nodes) -> None:
    """A folder that cannot be read removes no games; an empty folder does."""
    folder = nodes.folder("a", High2=HIGH, Low2=MOONS)
    first, second = await nodes.begin("a", folder), await nodes.begin("b")
    aside = folder.rename(folder.with_name("aside"))
    assert len(await offered(first)) == len(await offered(second)) == 2
    aside.rename(folder)
    (folder / "Low2.rcy").unlink()
    assert await offered(first) == await offered(second) == [described_id("High2.rcy", HIGH)]
    first = await nodes.begin("a")
    assert await offered(first) == await offered(second) == []


async def test_games_stay_while_the_database_is_away(
    nodes: Nodes, store: ControllableStore, log_events: Logged, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the database is away the last known games stay, and changes are stored later."""
    folder = nodes.folder("a", High2=HIGH)
    library = await nodes.begin("a", folder)
    high, moons = described_id("High2.rcy", HIGH), described_id("High2.rcy", MOONS)

    async def nothing() -> None:
        raise StoreUnavailable("away")

    async def never() -> None:
        await asyncio.Event().wait()

    with monkeypatch.context() as patched:
        patched.setattr(shared_games, "PATIENCE_SECONDS", 0.0)
        patched.setattr(store, "hosted_games", never)
        assert await offered(library) == [high]
    assert await offered(library) == [high]
    with monkeypatch.context() as patched:
        patched.setattr(store, "hosted_games", nothing)
        nodes.folder("a", High2=MOONS)
        assert await offered(library) == await offered(library) == [high]
        beside = await nodes.begin("b", nodes.folder("b", Low2=HIGH))
        assert await offered(beside) == [described_id("Low2.rcy", HIGH)]
    unknown = [each for each in log_events if each["event"] == "shared_games_unknown"]
    assert [each["reason"] for each in unknown] == ["it takes too long", "away", "away"]
    store.broken = True
    assert await offered(library) == [high]
    store.broken = False
    assert await offered(library) == [moons]


async def test_no_more_games_are_brought_than_a_server_hosts(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All nodes together offer no more games than a server hosts."""
    monkeypatch.setattr(shared_games, "MOST_FILES", 2)
    first = await nodes.begin("a", nodes.folder("a", B2=HIGH, C2=HIGH))
    second = await nodes.begin("b", nodes.folder("b", A2=HIGH, C2=MOONS))
    for library in (first, second):
        assert await offered(library) == [
            described_id("B2.rcy", HIGH),
            described_id("C2.rcy", MOONS),
        ]
    with pytest.raises(UnknownGame, match="more than 2 games"):
        second.for_new_table("A2.rcy")


async def test_a_folder_is_looked_into_though_nobody_asks(
    nodes: Nodes, store: ControllableStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node checks its folder regularly without requests."""
    monkeypatch.setattr(library_module, "LOOK_SECONDS", 0.0)
    library = await nodes.begin("a", nodes.folder("a"))
    async with asyncio.timeout(60), asyncio.TaskGroup() as tasks:
        keeping = tasks.create_task(library.keep_shared())
        nodes.folder("a", High2=HIGH)
        while not await store.hosted_games():
            pass
        keeping.cancel()
