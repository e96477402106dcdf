"""A server full of tables: nobody takes them all, and deserted tables make room."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.house import Guest, House, open_house

OTHER = "198.51.100.7"


async def opened(house: House, name: str, *, times: int = 1, **who: Any) -> tuple[Guest, list[str]]:
    """A guest and this many tables of theirs."""
    guest = await house.guest(name, **who)
    return guest, [await guest.open_table() for _ in range(times)]


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """Room for four tables, three of one address in the lobby."""
    async with open_house(tmp_path, max_tables=4, max_lobby_tables_per_address=3) as house:
        yield house


async def test_an_address_does_not_take_all_tables(house: House) -> None:
    """However many guests it has; others find room, and started matches go on."""
    first, (code, _) = await opened(house, "Ann", times=2)
    await opened(house, "Bea")
    cid = await house.guest("Cid")
    answer = await cid.ask("create_table", game="black_queen")
    assert answer["code"] == "too_many_tables"
    assert "from your address" in answer["reason"]
    await first.ask("start", table=code, fill=0)
    assert (await cid.ask("create_table", game="black_queen"))["type"] == "ok"


async def test_limits_by_address_count_addresses(house: House) -> None:
    """Another address has its own three, and none are left over from tables that are gone."""
    ann, codes = await opened(house, "Ann", times=3)
    dan, _ = await opened(house, "Dan", address=OTHER)
    assert len(house.game_server.tables.directory) == 4
    for code in codes:
        await ann.ask("leave", table=code)
    assert await ann.open_table()
    assert await dan.open_table()


async def test_without_the_limit_one_address_may_take_them_all(tmp_path: Path) -> None:
    async with open_house(tmp_path, max_tables=4, max_lobby_tables_per_address=0) as house:
        ann, _ = await opened(house, "Ann", times=4)
        assert await ann.refusal("create_table", game="black_queen") == "too_many_tables"


async def test_deserted_tables_make_room(house: House) -> None:
    """The table that was left first goes first; its host and spectators are told why."""
    ann, (first,) = await opened(house, "Ann")
    bea, (second,) = await opened(house, "Bea")
    _, (third,) = await opened(house, "Cid")
    _, (fourth,) = await opened(house, "Dan", address=OTHER)
    await ann.ask("add_bot", table=first, strength=0)
    watcher = await house.guest("Wim")
    await watcher.ask("watch", table=second)
    bea.lose()
    await house.wait(2)
    ann.lose()
    eve, (fifth,) = await opened(house, "Eve", address=OTHER)
    assert set(house.loaded()) == {first, third, fourth, fifth}
    assert watcher.take("closed") == [{"type": "closed", "table": second, "reason": "evicted"}]
    await bea.back()
    assert bea.take("closed") == [{"type": "closed", "table": second, "reason": "evicted"}]
    sixth = await eve.open_table()
    assert set(house.loaded()) == {third, fourth, fifth, sixth}
    assert await eve.refusal("create_table", game="black_queen") == "too_many_tables"


async def test_a_match_that_was_begun_goes_last(house: House) -> None:
    """Tables in the lobby and finished ones go before it, however long it has been deserted."""
    ann, (playing,) = await opened(house, "Ann")
    await ann.ask("start", table=playing, fill=0)
    ann.lose()
    await house.wait(60)
    assert playing not in house.loaded()
    bea, (waiting,) = await opened(house, "Bea", address=OTHER)
    await opened(house, "Cid", times=2)
    bea.lose()
    dan, _ = await opened(house, "Dan", address=OTHER)
    assert waiting not in house.game_server.tables.directory
    assert playing in house.game_server.tables.directory
    await dan.open_table()
    assert playing not in house.game_server.tables.directory


@pytest.mark.parametrize("restart", [False, True])
async def test_a_match_waits_for_who_lost_the_connection(tmp_path: Path, restart: bool) -> None:
    """As long as elsewhere, even if all connections were lost with the server; then it goes."""
    settings: dict[str, Any] = {"max_tables": 2, "grace_seconds": 30.0}
    async with open_house(tmp_path, **settings) as house:
        ann, (playing,) = await opened(house, "Ann")
        await ann.ask("start", table=playing, fill=0)
        bea, _ = await opened(house, "Bea")
        if not restart:
            ann.lose()
            await _is_spared(house, ann, playing)
    if restart:
        async with open_house(tmp_path, now=house.now + 1, **settings) as house:
            await bea.back(house)
            await _is_spared(house, ann, playing)


async def _is_spared(house: House, ann: Guest, playing: str) -> None:
    """Ann's match is, until she has had time to come back."""
    eve = await house.guest("Eve")
    assert await eve.refusal("create_table", game="black_queen") == "too_many_tables"
    await ann.back(house)
    assert ann.tables[playing].info.phase == "playing"
    ann.lose()
    await house.wait(30)
    await eve.open_table()
    assert playing not in house.game_server.tables.directory


async def test_where_anybody_else_sits_a_table_stays(house: House) -> None:
    """An absent host is not alone if there is another player, even an absent one."""
    ann, (code,) = await opened(house, "Ann")
    bea = await house.guest("Bea")
    await bea.ask("join", table=code)
    await opened(house, "Cid", times=2)
    dan, _ = await opened(house, "Dan", address=OTHER)
    ann.lose()
    bea.lose()
    assert await dan.refusal("create_table", game="black_queen") == "too_many_tables"


async def test_tables_of_before_a_restart_make_room(tmp_path: Path) -> None:
    """They sleep in the store, and are loaded to be closed; those whose hosts came back stay."""
    settings: dict[str, Any] = {"max_tables": 3, "max_lobby_tables_per_address": 0}
    async with open_house(tmp_path, **settings) as house:
        ann, (mine,) = await opened(house, "Ann")
        _, codes = await opened(house, "Bea", times=2)
    async with open_house(tmp_path, now=house.now + 1, **settings) as house:
        await ann.back(house)
        cid, new = await opened(house, "Cid", times=2)
        assert house.loaded() == {mine, *new}
        assert await cid.refusal("create_table", game="black_queen") == "too_many_tables"
        assert not any(code in house.game_server.tables.directory for code in codes)


async def test_a_disk_that_fails_evicts_nobody(house: House) -> None:
    """The table stays, as the others do, and the newcomer hears that nothing has happened."""
    ann, codes = await opened(house, "Ann", times=3)
    _, (other,) = await opened(house, "Bea", address=OTHER)
    ann.lose()
    cid = await house.guest("Cid", address=OTHER)
    house.store.broken = True
    assert await cid.refusal("create_table", game="black_queen") == "try_again"
    house.store.broken = False
    assert set(codes) | {other} == {
        c for c in [*codes, other] if c in house.game_server.tables.directory
    }
    await cid.open_table()
    assert len(house.game_server.tables.directory) == 4


async def test_many_at_once_evict_one_table_each(house: House) -> None:
    """A table that is being closed does not count as room twice."""
    ann, _ = await opened(house, "Ann", times=3)
    bea, (other,) = await opened(house, "Bea", address=OTHER)
    ann.lose()
    house.store.keep_back()
    numbers = [await bea.send("create_table", game="black_queen", seats=2) for _ in range(4)]
    house.store.let_go()
    await house.calm()
    answers = [bea.answers[number][0] for number in numbers]
    assert [answer.get("code") for answer in answers].count("too_many_tables") == 2
    assert len(house.game_server.tables.directory) == 3
    assert other in house.game_server.tables.directory
