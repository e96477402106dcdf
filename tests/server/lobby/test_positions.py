"""A finished match goes on from one of its positions, at a new table with bots for practice."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from protocol.errors import ProtocolError
from protocol.table_settings import TableSettings
from protocol.to_server import Position
from server.names import CommandKey, Player
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server
from tests.server.tables.test_practice import number_of_results

MATCH: dict[str, Any] = {"seats": 3, "options": {"deals": 1}}


async def finished(server: ServerHarness, **settings: Any) -> tuple[str, TestClient, list[Any]]:
    """A finished match of Ann's against bots, and what its log tells everybody of her seat."""
    code, (ann,) = await server.match_of("Ann", **MATCH, settings=settings)
    await server.play(code, 1000, ann)
    assert ann.tables[code].info.phase == "finished"
    log = await log_of(ann, code)
    return code, ann, log


async def log_of(client: TestClient, code: str, seat: int = 0) -> list[Any]:
    """The log of a table as the seat was told it."""
    entries: list[Any] = []
    last = 1
    while len(entries) < last:
        page = await client.ask("log", table=code, after=len(entries), seat=seat)
        last = page["last"]
        entries += page["entries"]
    return entries


def moves_in(log: list[Any], until: int) -> list[Any]:
    """The cards that were played up to an entry."""
    facts = [fact for entry in log[:until] for fact in entry.get("facts", ())]
    return [fact["args"] for fact in facts if fact["verb"] == "card_played"]


async def test_a_match_goes_on_from_a_position(tmp_path: Path) -> None:
    """Whoever goes on has the cards of the seat then, and bots play the other seats to the end."""
    async with open_server(tmp_path) as server:
        code, _, log = await finished(server)
        eve = await server.client("Eve")
        at = len(log) // 2
        position = {"table": code, "entry": at, "seat": 1}
        again = await eve.open_table(game="black_queen", position=position)
        mirror = eve.tables[again]
        assert (mirror.seat, mirror.info.phase) == (1, "playing")
        assert (mirror.info.practice, mirror.info.seeded) == (True, True)
        assert [chair.kind for chair in mirror.info.seats] == ["bot", "human", "bot"]
        copied = await log_of(eve, again, 1)
        there = await log_of(eve, code, 1)
        assert moves_in(copied, len(copied))[: len(moves_in(there, at))] == moves_in(there, at)
        await server.play(again, 1000, eve)
        assert eve.tables[again].info.phase == "finished"


async def test_the_match_that_goes_on_is_its_log(tmp_path: Path) -> None:
    """After a restart the table goes on from where it was, and has no result."""
    async with open_server(tmp_path) as server:
        code, ann, log = await finished(server)
        again = await ann.open_table(position={"table": code, "entry": len(log) // 2, "seat": 0})
        await ann.move(again)
        before = ann.tables[again].view
    async with open_server(tmp_path) as server:
        back = TestClient(server)
        await back.hello(token=ann.token)
        assert back.tables[again].view == before
        await server.play(again, 1000, back)
        assert back.tables[again].info.phase == "finished"
        assert await number_of_results(server, again) == 0


@pytest.mark.parametrize(
    ("wanted", "phrase"),
    [
        ({"entry": 10_000}, "refused_position_closed"),
        ({"entry": 1}, "refused_position_closed"),
        ({"seat": 7}, "no_such_seat"),
        ({"entry": -1}, "refused_position_over"),
        ({"table": "NONE"}, "refused_no_log"),
    ],
)
async def test_what_is_no_position(tmp_path: Path, wanted: dict[str, Any], phrase: str) -> None:
    """An entry outside the match, its end, a seat or a table that there is not are refused."""
    async with open_server(tmp_path) as server:
        code, ann, log = await finished(server)
        if wanted.get("entry") == -1:
            wanted = {"entry": len(log)}
        position = {"table": code, "entry": len(log) // 2, "seat": 0, **wanted}
        answer = await ann.ask("create_table", game="black_queen", position=position)
        assert answer["phrase"]["code"] == phrase
        assert len((await ann.ask("my_tables"))["tables"]) == 1


async def test_cards_that_not_everybody_may_see_stay_hidden(tmp_path: Path) -> None:
    """Nobody goes on in a match that is being played, or that could not be watched."""
    async with open_server(tmp_path) as server:
        closed, ann, log = await finished(server, watchable=False)
        playing, _ = await server.match_of("Bob", **MATCH)
        for code in (closed, playing):
            position = Position(table=code, entry=min(len(log) // 2, 8), seat=0)
            answer = await ann.ask(
                "create_table", game="black_queen", position=position.model_dump()
            )
            assert answer["phrase"]["code"] == "refused_position_closed"


@pytest.mark.parametrize(
    ("address", "admitted"), [("198.51.100.{}", 4), ("198.51.100.1", 2)], ids=["many", "one"]
)
async def test_a_crowd_that_plays_on_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, admitted: int
) -> None:
    """Of many who play on at once some are asked to try again, of one address most."""
    monkeypatch.setattr("server.tables.resting.AT_ONCE", -1.0)
    async with open_server(tmp_path) as server:
        code, _, log = await finished(server)
        lobby: Any = server.game_server.lobby
        wanted = Position(table=code, entry=len(log) // 2, seat=0)
        opened = await asyncio.gather(
            *(
                lobby._positions.opening(
                    wanted,
                    TableSettings(),
                    Player(f"p{at}", f"Guest {at}"),
                    CommandKey(f"p{at}", "laptop", 1),
                    0.0,
                    address.format(at),
                )
                for at in range(1, 13)
            ),
            return_exceptions=True,
        )
        refused = [each for each in opened if isinstance(each, ProtocolError)]
        assert {error.code for error in refused} == {"try_again"}
        assert len(opened) - len(refused) == admitted


async def test_a_long_log_costs_more_than_a_new_table(tmp_path: Path) -> None:
    """Who goes on pays for each entry that is written, by waiting with what they send next."""
    async with open_server(tmp_path) as server:
        code, ann, log = await finished(server)
        position = {"table": code, "entry": len(log) // 2, "seat": 0}
        connection = server.game_server.connections.newest(ann.player)
        assert connection is not None
        session = connection.session
        before = session._bucket.spent(server.now)
        again = await ann.open_table(game="black_queen", position=position)
        price = session._bucket.spent(server.now) - before
        written = len(await server.store.entries(again, 0))
        assert price >= 10 + written // 8
