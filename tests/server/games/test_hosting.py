"""Described games at tables: opened from a folder, played, stored, and loaded without it."""

import asyncio
import gc
from argparse import ArgumentParser
from pathlib import Path

import pytest
import structlog

from engine import GAMES, Catalogue
from engine.games.black_queen import BlackQueen
from engine.match import Match
from server.games.descriptions import digest_in, name_in
from server.games.folder import FolderScan, GameFolder
from server.replay import add_arguments, run
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server
from tests.server.small_descriptions import BROKEN, ENDLESS, HEAVY, HIGH, LARGE, MOONS, MOVES, STUCK
from tests.server.statements import execute
from tests.server.store.rows import results

Logged = list[structlog.typing.EventDict]


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A folder with one game in it."""
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "High2.rcy").write_text(HIGH)
    return folder


async def play_on(code: str, *clients: TestClient, moves: int = MOVES) -> None:
    """Make this many moves, always the first that is offered."""
    for _ in range(moves):
        await next(client for client in clients if client.tables[code].my_turn).move(code)


async def listed(client: TestClient) -> list[str]:
    answer = await client.ask("games")
    return [name_in(card["id"]) for card in answer["games"]]


def replayed(server: ServerHarness, code: str) -> int:
    parser = ArgumentParser()
    add_arguments(parser)
    return run(parser.parse_args([code, "--database-url", server.settings.database]))


async def test_a_file_is_played_like_any_game(tmp_path: Path, games: Path) -> None:
    """A described game is listed, opened by name, played to its result, and played again."""
    async with open_server(tmp_path, hosted=GameFolder(games)) as server:
        code, (ann, bea) = await server.match_of("Ann", "Bea", game="High2.rcy")
        assert await listed(ann) == [*(info.id for info in GAMES), "High2.rcy"]
        await play_on(code, ann, bea)
        assert ann.tables[code].info.phase == "finished"
        assert ann.tables[code].info.title == "High"
        await ann.ask("rematch", table=code)
        await ann.ask("start", table=code)
        await play_on(code, ann, bea, moves=3)
        assert server.state(code).match == 2
    assert replayed(server, code) == 0


async def test_what_a_client_is_told_of_a_described_game(tmp_path: Path, games: Path) -> None:
    """A described game is marked and told in a sentence; on request it has rules, deck and text."""
    (games / "High.md").write_text("# High\nSuns count.")
    async with open_server(tmp_path, hosted=GameFolder(games)) as server:
        ann = await server.client("Ann")
        *native, card = (await ann.ask("games"))["games"]
        assert card["described"] is True
        assert card["about"] == "Suns count."
        assert (card["title"], card["seats"], card["strengths"]) == ("High", [2], [0, 1, 2])
        assert "description" not in card
        assert not any("described" in each for each in native)
        for id in (card["id"], "High2.rcy"):
            (whole,) = (await ann.ask("games", game=id))["games"]
            assert whole["description"] == HIGH
            assert "Suns count" in whole["rules"]
            assert len(whole["legend"]) == 8
        assert await ann.refusal("games", game="Low2.rcy") == "unknown_game"


async def test_a_changed_file_is_for_new_tables(tmp_path: Path, games: Path) -> None:
    """A changed file is for new tables; old tables keep their text, after a restart too."""
    async with open_server(tmp_path, hosted=GameFolder(games)) as server:
        old, (ann, bea) = await server.match_of("Ann", "Bea", game="High2.rcy")
        await play_on(old, ann, bea, moves=3)
        before = server.state(old).game
        (games / "High2.rcy").write_text(MOONS)
        new, (cem, dee) = await server.match_of("Cem", "Dee", game="High2.rcy")
        assert name_in(server.state(new).game) == name_in(before)
        assert server.state(new).game != before
        await play_on(new, cem, dee)
        for code in (old, new):
            assert server.table(code).described is not None
        answer = await ann.ask("create_table", game=before)
        assert "has changed" in answer["reason"]
    async with open_server(tmp_path, hosted=GameFolder(games)) as server:
        await ann.reconnect(server)
        await bea.reconnect(server)
        await play_on(old, ann, bea, moves=MOVES - 3)
        assert server.state(old).phase == "finished"
    assert [replayed(server, code) for code in (old, new)] == [0, 0]


async def test_a_table_outlives_its_file(tmp_path: Path, games: Path) -> None:
    """A table goes on after its file is gone, and after a restart without the folder."""
    async with open_server(tmp_path, hosted=GameFolder(games)) as server:
        code, (ann, bea) = await server.match_of("Ann", "Bea", game="High2.rcy")
        (games / "High2.rcy").unlink()
        assert "High2.rcy" not in await listed(ann)
        assert await ann.refusal("create_table", game="High2.rcy") == "unknown_game"
        assert (
            "no longer hosted"
            in (await ann.ask("create_table", game=server.state(code).game))["reason"]
        )
        await play_on(code, ann, bea, moves=2)
        (card,) = (await ann.ask("games", game=server.state(code).game))["games"]
        assert card["description"] == HIGH
    async with open_server(tmp_path) as server:
        await ann.reconnect(server)
        await bea.reconnect(server)
        await play_on(code, ann, bea, moves=MOVES - 2)
        assert server.state(code).phase == "finished"
        await ann.ask("rematch", table=code)
        await ann.ask("start", table=code)
        assert server.state(code).match == 2
    assert replayed(server, code) == 0


async def test_errors_are_logged_once_and_told_to_who_asks(
    tmp_path: Path, games: Path, log_events: Logged
) -> None:
    """Errors of a file are logged once and shown on request, and a repaired file is offered."""
    (games / "Broken2.rcy").write_text(BROKEN)
    async with open_server(tmp_path, hosted=GameFolder(games)) as server:
        ann = await server.client("Ann")
        assert "Broken2.rcy" not in await listed(ann)
        await listed(ann)
        answer = await ann.ask("create_table", game="Broken2.rcy")
        assert answer["code"] == "unknown_game"
        assert "cannot be played: 1:2: error" in answer["reason"]
        problems = [e for e in log_events if e["event"] == "description_problem"]
        assert [e["event"] for e in log_events].count("description_skipped") == 1
        assert len(problems) > 2
        assert len({e["reason"] for e in problems}) == len(problems)
        (games / "Broken2.rcy").write_text(MOONS)
        assert "Broken2.rcy" in await listed(ann)
        code = await ann.open_table(game="Broken2.rcy")
        assert digest_in(server.state(code).game)


async def test_ids_never_clash(tmp_path: Path, games: Path) -> None:
    """The id of a described game differs from all others, by name and by text."""
    for name in ("black_queen.rcy", "hearts.rcy"):
        (games / name).write_text(HIGH)
    async with open_server(tmp_path, hosted=GameFolder(games)) as server:
        ann = await server.client("Ann")
        ids = [card["id"] for card in (await ann.ask("games"))["games"]]
        assert len(set(ids)) == len(ids) == len(list(GAMES)) + 3
        native = await ann.open_table(game="hearts", seats=4)
        described = await ann.open_table(game="hearts.rcy")
        titles = [server.table(code).game.info.title for code in (native, described)]
        assert titles == ["Hearts", "hearts"]
        assert server.table(native).described is None


async def test_those_who_ask_at_once_share_a_look(tmp_path: Path, games: Path) -> None:
    """Requests at one time share one look at the folder."""
    looks: list[int] = []

    class Counting(GameFolder):
        def scan(self) -> FolderScan:
            looks.append(1)
            return super().scan()

    async with open_server(tmp_path, hosted=Counting(games)) as server:
        looks.clear()
        await asyncio.gather(*(server.library.refresh() for _ in range(50)))
        assert len(looks) <= 2


async def test_a_game_that_stops_closes_its_table(tmp_path: Path, games: Path) -> None:
    """A game that stops closes its table with reason and place, and its log replays."""
    (games / "Stuck2.rcy").write_text(STUCK)
    async with open_server(tmp_path, hosted=GameFolder(games)) as server:
        code, (ann, bea) = await server.match_of("Ann", "Bea", game="Stuck2.rcy")
        watcher = await server.client("Wim")
        await watcher.ask("watch", table=code)
        await play_on(code, ann, bea)
        for client in (ann, bea, watcher):
            facts = [
                fact for event in client.new_messages("event") for fact in event.get("facts", ())
            ]
            (stopped,) = [fact["args"] for fact in facts if fact["verb"] == "game_stopped"]
            assert stopped["reason"] == "there is nothing to choose from"
            assert stopped["line"] == 7
            assert client.received[-1] == {"type": "closed", "table": code, "reason": "stopped"}
        assert code not in server.game_server.tables.directory
        assert await results(server.store, code) == []
    assert replayed(server, code) == 0


async def test_a_game_that_stops_when_it_is_dealt_closes_its_table(
    tmp_path: Path, games: Path
) -> None:
    """A game that stops while it is dealt closes its table at once."""
    (games / "Endless2.rcy").write_text(ENDLESS)
    async with open_server(tmp_path, hosted=GameFolder(games)) as server:
        code, (ann, _) = await server.match_of("Ann", "Bea", game="Endless2.rcy")
        assert ann.received[-1]["reason"] == "stopped"
        assert server.game_server.live.get(code) is None
        assert await ann.open_table(game="High2.rcy")


async def test_too_much_work_stops_a_game_soon(tmp_path: Path, games: Path) -> None:
    """Too much work in one move stops the game within the time of a disk access."""
    (games / "Heavy2.rcy").write_text(HEAVY)
    async with open_server(tmp_path, hosted=GameFolder(games)) as server:
        ann = await server.client("Ann")
        code = await ann.open_table(game="Heavy2.rcy")
        await ann.ask("start", table=code, fill=0)
        assert ann.received[-1]["reason"] == "stopped"


async def test_a_log_without_its_text_is_one_tables_trouble(
    tmp_path: Path, games: Path, log_events: Logged
) -> None:
    """A log without its description makes only that table fail."""
    async with open_server(tmp_path, hosted=GameFolder(games)) as server:
        code, (ann, _) = await server.match_of("Ann", "Bea", game="High2.rcy")
        other = await ann.open_table()
    execute(server, "DELETE FROM descriptions")
    async with open_server(tmp_path) as server:
        ann = await server.client("Zoe")
        assert await ann.refusal("watch", table=code) == "table_damaged"
        assert (await ann.ask("watch", table=other))["type"] == "ok"
    assert "table_unplayable" in [event["event"] for event in log_events]
    assert replayed(server, code) == 1


async def test_texts_that_nobody_needs_are_let_go(tmp_path: Path, games: Path) -> None:
    """Descriptions that nobody uses are dropped from memory."""
    async with open_server(tmp_path, hosted=GameFolder(games)) as server:
        for number in range(5):
            (games / "High2.rcy").write_text(f";; {number}\n{HIGH}")
            await server.library.refresh()
        gc.collect()
        assert len(server.library._known) == 1


async def test_a_server_without_a_folder_looks_at_none(tmp_path: Path) -> None:
    """A server without a folder offers only the games of the program."""
    catalogue = Catalogue((Match(BlackQueen()),))
    async with open_server(tmp_path, catalogue) as server:
        ann = await server.client("Ann")
        assert await listed(ann) == ["black_queen"]
        answer = await ann.ask("create_table", game="High2.rcy")
        assert answer["reason"] == "there is no game 'High2.rcy'; there are black_queen"


async def test_the_loop_goes_on_while_a_description_is_read(tmp_path: Path, games: Path) -> None:
    """The event loop goes on while a long description is read in a thread."""
    async with open_server(tmp_path, hosted=GameFolder(games)) as server:
        (games / "Large2.rcy").write_text(LARGE)
        turns = 0
        looking = asyncio.ensure_future(server.library.refresh())  # noqa: TID251 - awaited below
        while not looking.done():
            await asyncio.sleep(0.001)
            turns += 1
        await looking
        assert "Large2.rcy" in await listed(await server.client("Ann"))
        assert turns > 5


async def test_a_long_log_is_played_again_with_turns_for_others(
    tmp_path: Path, games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Replaying a long log pauses for others, and loads the table once."""
    async with open_server(tmp_path, hosted=GameFolder(games)) as server:
        code, (ann, bea) = await server.match_of("Ann", "Bea", game="High2.rcy")
        await play_on(code, ann, bea, moves=5)
        before = server.state(code)
    monkeypatch.setattr("server.tables.log_replay.AT_ONCE", -1.0)
    async with open_server(tmp_path) as server:
        first, second = await asyncio.gather(
            *(server.game_server.tables.get(code) for _ in range(2))
        )
        assert first is second is server.game_server.live.get(code)
        assert server.state(code) == before
