"""What a client asks for in `hello`, and what it is not sent any more."""

from pathlib import Path
from typing import Any

import pytest

from engine import SPECTATOR
from engine.views import INTERNAL
from protocol.codec import codec_for
from protocol.version import JSON
from server.games.folder import GameFolder
from server.sessions import snapshot_cache
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server
from tests.server.small_descriptions import HIGH

JSON_CODEC = codec_for(JSON)
SLIM = ["legend", "something of tomorrow"]


async def watching(server: ServerHarness, code: str, **hello: Any) -> TestClient:
    """A spectator of a table who has said hello with these fields."""
    client = TestClient(server, JSON)
    await client.hello(name="Wes", **hello)
    await client.ask("watch", table=code)
    return client


@pytest.fixture
def hosted(tmp_path: Path) -> GameFolder:
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "High2.rcy").write_text(HIGH)
    return GameFolder(folder)


async def test_internal_values_come_to_those_who_ask(tmp_path: Path, hosted: GameFolder) -> None:
    """Internal values go to clients that ask, or that name nothing."""
    async with open_server(tmp_path, hosted=hosted) as server:
        code, players = await server.match_of("Ann", "Bea", game="High2.rcy")
        first = await watching(server, code)
        people = await watching(server, code, features=SLIM)
        bot = await watching(server, code, features=["view.play"])
        await server.play(code, 2, *players)
        await people.reconnect(features=SLIM)
        await server.play(code, 1, *players)
        view = server.table(code).game.view(server.state(code).play, SPECTATOR)
        assert first.tables[code].view == bot.tables[code].view == view
        assert people.tables[code].view == view.for_people() != view
        assert INTERNAL in "".join(map(str, first.frames))
        assert INTERNAL not in "".join(map(str, people.frames))


async def test_a_legend_comes_once(tmp_path: Path) -> None:
    """A legend comes once, before the first table that needs it."""
    async with open_server(tmp_path) as server:
        code, _ = await server.match_of("Ann", "Bea")
        other, _ = await server.table_of("Cid")
        client = await watching(server, code, features=SLIM)
        await client.ask("watch", table=other)
        await client.ask("sync", table=code)
        (legend,) = (each for each in client.received if each["type"] == "legend")
        tables = [each for each in client.received if each["type"] == "table"]
        types = [each["type"] for each in client.received if each["type"] != "notice"]
        assert types[:5] == ["welcome", "ok", "legend", "table", "ok"]
        assert {each["digest"] for each in tables} == {legend["digest"]}
        assert not any("legend" in each or "layout" in each for each in tables)
        (card,) = (await client.ask("games", game="black_queen"))["games"]
        assert {name: card[name] for name in ("digest", "legend", "layout")} == {
            name: legend[name] for name in ("digest", "legend", "layout")
        }
        client.new_messages()
        await client.reconnect(features=SLIM, legends=[legend["digest"]], resume={})
        await client.ask("watch", table=code)
        assert not client.new_messages("legend")


async def test_a_legend_that_came_with_the_game_is_not_sent_again(tmp_path: Path) -> None:
    """A legend that came with a game is not sent again."""
    async with open_server(tmp_path) as server:
        code, _ = await server.match_of("Ann", "Bea")
        client = TestClient(server)
        await client.hello(name="Wes", features=SLIM)
        await client.ask("games")
        await client.ask("games", game="black_queen")
        await client.ask("watch", table=code)
        assert not client.new_messages("legend")
        first = await watching(server, code)
        (table,) = first.new_messages("table")
        assert table["legend"]
        assert table["layout"]
        assert "digest" not in table
        assert not first.new_messages("legend")


async def test_a_snapshot_has_as_many_facts_as_are_wanted(tmp_path: Path) -> None:
    """A snapshot has the wanted number of last facts, and how many are left out."""
    async with open_server(tmp_path) as server:
        code, players = await server.match_of("Ann", "Bea")
        await server.play(code, 3, *players)
        whole = (await watching(server, code)).new_messages("table")[0]
        some = (await watching(server, code, facts=2)).new_messages("table")[0]
        none = (await watching(server, code, facts=0)).new_messages("table")[0]
        more = (await watching(server, code, facts=1000)).new_messages("table")[0]
        assert some["facts"] == whole["facts"][-2:]
        assert some["earlier"] == len(whole["facts"]) - 2
        assert (none["facts"], none["earlier"]) == ([], len(whole["facts"]))
        assert more["facts"] == whole["facts"]
        assert "earlier" not in more


async def test_a_snapshot_that_would_be_too_large_has_fewer_facts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A snapshot that would be too large has fewer facts and the whole view."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await server.match_of("Ann", "Bea")
        await server.play(code, 4, ann, bea)
        whole = (await watching(server, code, facts=1000)).new_messages("table")[0]
        size = len(JSON_CODEC.encode_message(whole))
        monkeypatch.setattr(snapshot_cache, "LARGEST", size - 1)
        some = (await watching(server, code, facts=999)).new_messages("table")[0]
        assert 0 < some["earlier"] < len(whole["facts"])
        assert some["facts"] == whole["facts"][some["earlier"] :]
        assert some["view"] == whole["view"]
        monkeypatch.setattr(snapshot_cache, "LARGEST", 1)
        none = (await watching(server, code, facts=998)).new_messages("table")[0]
        assert (none["facts"], none["earlier"]) == ([], len(whole["facts"]))
