"""Housekeeping deletes in time what is no longer needed, and nothing else."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from server.housekeeping import AT_ONCE, ROWS_AT_ONCE, Housekeeping
from server.ops.metrics import Metrics
from server.ops.settings import Settings
from server.players.bans import Bans
from server.sessions.registry import ConnectionRegistry
from server.sessions.slow_readers import SlowReaders
from server.store import (
    CLOSED,
    AnswerRow,
    Deletion,
    DescriptionRow,
    ForgottenAnswers,
    PlayerRow,
    ResultRow,
    Store,
    Write,
)
from server.store.database import database_url, open_engine
from server.tables.guests import DAY_SECONDS, Guests
from tests.server.store.databases import on_postgresql
from tests.server.store.migrated import migrated
from tests.server.store.nodes import opened_node
from tests.server.store.rows import entry, results, seated, table

NOW = 1_000_000_000.0


class House:
    """Housekeeping on a store, with a manual time."""

    def __init__(self, store: Store, now: float = NOW, **settings: Any) -> None:
        self.store = store
        self.guests = Guests()
        slow = SlowReaders(lambda _: None, Metrics(), lambda: now, lambda _: None)
        nobody = ConnectionRegistry(slow, lambda *_: None, lambda: now)
        chosen = Settings(**{"answer_days": 0, "guest_days": 0, **settings})
        self._keeping = Housekeeping(chosen, store, nobody, self.guests, Bans(), lambda: now)

    async def is_to_tidy(self) -> bool:
        return await self._keeping._is_ours()

    async def tidy(self) -> dict[str, int]:
        return dict(await self._keeping.tidy())


def ago(days: float) -> float:
    return NOW - days * DAY_SECONDS


async def add(store: Store, code: str, phase: str, *times: float, game: str = "x") -> None:
    """Add a table with an entry at each of these times."""
    row = table(code, phase)._replace(seq=len(times), game=game)
    entries = tuple(entry(seq, code)._replace(time=time) for seq, time in enumerate(times, start=1))
    result = ResultRow(code, 1, "black_queen", times[-1], "{}")
    await store.save(Write(tables=(row,), entries=entries, results=(result,)))


def player(id: str, seen: float, *, sat: bool = True) -> PlayerRow:
    return PlayerRow(id, id.title(), f"hash of {id}", 0.0, seen, sat)


def answer(number: int, time: float, player: str = "ann") -> AnswerRow:
    return AnswerRow(player, "laptop", number, "{}", time)


@pytest.mark.parametrize(
    ("phase", "times", "stays"),
    [
        (CLOSED, (ago(90), ago(11)), False),
        (CLOSED, (ago(90), ago(9)), True),
        ("finished", (ago(90), ago(11)), True),
        ("paused", (ago(90),), True),
    ],
)
async def test_only_tables_closed_before_the_moment_go(
    store: Store, phase: str, times: tuple[float, ...], stays: bool
) -> None:
    """Only tables closed before the moment are deleted, whenever opened."""
    await add(store, "ABCD", phase, *times)
    assert await House(store).tidy() == {}
    assert await House(store, keep_days=10).tidy() == ({} if stays else {"tables": 1})
    assert (await store.load("ABCD") is not None) == stays
    assert bool(await results(store, "ABCD")) == stays


async def test_more_than_one_commit_takes_go_as_well(store: Store) -> None:
    """More tables than one commit takes are deleted too."""
    old = 2 * AT_ONCE + 1
    for number in range(old):
        await add(store, f"OLD{number}", CLOSED, 1.0)
    await add(store, "YOUNG", CLOSED, NOW)
    assert await House(store, keep_days=10).tidy() == {"tables": old}
    assert await House(store, keep_days=10).tidy() == {}
    assert await store.load("OLD0") is None
    assert await store.load("YOUNG") is not None


async def test_of_old_answers_the_highest_number_is_known(store: Store) -> None:
    """After old answers are deleted, their highest number is known."""
    answers = (answer(9, ago(31)), answer(7, ago(40)), answer(10, ago(29)))
    await store.save(Write(answers=answers, players=(player("ann", NOW),)))
    house = House(store, answer_days=30)
    assert await house.tidy() == {"answers": 2}
    assert await house.tidy() == {}
    for number in (1, 7, 8, 9):
        assert await store.answer("ann", "laptop", number, ()) == ForgottenAnswers(9)
    assert await store.answer("ann", "laptop", 10, ()) == answers[2]
    assert await store.answer("ann", "laptop", 11, ()) is None
    assert await store.answer("ann", "phone", 7, ()) is None
    assert await store.answer("bea", "laptop", 7, ()) is None
    assert await store.last_command("ann", "laptop", ()) == 10
    assert await store.last_command("ann", "phone", ()) == 0


async def test_the_highest_number_never_falls(store: Store) -> None:
    """The highest number of deleted answers never falls."""
    await store.save(Write(answers=(answer(9, ago(31)),), players=(player("ann", NOW),)))
    await House(store, answer_days=30).tidy()
    await store.save(Write(answers=(answer(4, ago(31)),)))
    await House(store, answer_days=30).tidy()
    assert await store.last_command("ann", "laptop", ()) == 9


async def test_a_deleted_log_leaves_the_numbers_of_its_commands(store: Store) -> None:
    """The command numbers of a deleted log are kept."""
    await add(store, "ABCD", CLOSED, ago(90), ago(80))
    named = [
        entry(3, command=12)._replace(time=ago(80)),
        entry(4, command=15, kind="act")._replace(time=ago(80)),
    ]
    row = table("ABCD", CLOSED)._replace(seq=4)
    await store.save(Write(entries=tuple(named), tables=(row,), players=(player("ann", NOW),)))
    assert await House(store, keep_days=10).tidy() == {"tables": 1}
    assert await store.answer("ann", "laptop", 12, ()) == ForgottenAnswers(15)
    assert await store.last_command("ann", "laptop", ()) == 15


async def test_many_old_answers_go_piece_by_piece(store: Store, url: str) -> None:
    """Old answers are deleted in bounded pieces, and young ones stay."""
    count = 2 * ROWS_AT_ONCE + 3
    times = [ago(29 if number % 3 else 31) for number in range(count)]
    rows = tuple(answer(number, time) for number, time in enumerate(times, start=1))
    await store.save(Write(answers=rows, players=(player("ann", NOW),)))
    deleted = await House(store, answer_days=30).tidy()
    assert deleted == {"answers": sum(time == ago(31) for time in times)}
    assert number_of(url, "answers") == count - deleted["answers"]


async def test_guests_who_are_known_stay(store: Store) -> None:
    """The highest number is kept for guests who may come back."""
    guest = player("ann", ago(31), sat=False)
    await store.save(
        Write(players=(guest,), answers=(answer(9, ago(31)), answer(3, ago(31), "gone")))
    )
    house = House(store, answer_days=30)
    house.guests.add(guest, NOW)
    assert await house.tidy() == {"answers": 2}
    assert await store.answer("ann", "laptop", 9, ()) == ForgottenAnswers(9)
    assert await store.answer("gone", "laptop", 3, ()) is None


async def test_players_go_who_did_not_come_back(store: Store, url: str) -> None:
    """Players who never sat are deleted after a day, others after the set days."""
    rows = (
        player("away", ago(366)),
        player("back", ago(364)),
        player("looked", ago(1.5), sat=False),
        player("looks", ago(0.5), sat=False),
        player("sits", ago(500)),
    )
    await store.save(Write(players=rows, answers=(answer(4, ago(400), "away"),)))
    house = House(store, guest_days=365, answer_days=30)
    await store.save(seated("ABCD", "sits"))
    assert await house.tidy() == {"players": 2, "answers": 1}
    assert await house.tidy() == {}
    left = [row.id for row in rows if await store.player_by_token(row.token_hash) is not None]
    assert left == ["back", "looks", "sits"]
    # Nothing is left of who is gone.
    assert number_of(url, "forgotten_commands") == 0
    assert await House(store).tidy() == {}


async def test_an_older_database_is_tidied_like_a_new_one(url: str) -> None:
    """In an older database everybody is kept at first, and then deleted in time."""
    engine = open_engine(database_url(url), writes=True)
    migrated(engine, "0003")
    with engine.begin() as connection:
        for statement in (
            "INSERT INTO players VALUES ('sat', 'Sam', 'h1', 1), ('looked', 'Lou', 'h2', 1)",
            "INSERT INTO tables VALUES"
            " ('ABCD', 'High2.rcy@aa', 1, false, 'closed', NULL, 1, 1, '{}')",
            "INSERT INTO entries VALUES ('ABCD', 1, 'closed', 1, '{}', 'sat', 'laptop', 3)",
            "INSERT INTO answers VALUES ('sat', 'laptop', 2, '{}', 1)",
            "INSERT INTO descriptions VALUES ('aa', 'text')",
        ):
            connection.exec_driver_sql(statement)
    store = await Store.open(url)
    now, keep = time.time(), {"keep_days": 10, "answer_days": 30, "guest_days": 365}
    first = await House(store, now, **keep).tidy()
    assert first == {"tables": 1, "answers": 1, "descriptions": 1}
    assert await store.last_command("sat", "laptop", ()) == 3
    assert await House(store, now + 2 * DAY_SECONDS, **keep).tidy() == {"players": 1}
    assert await store.player_by_token("h1") is not None
    assert await House(store, now + 366 * DAY_SECONDS, **keep).tidy() == {"players": 1}
    await store.close()


@pytest.mark.parametrize(
    "meanwhile",
    [Write(players=(player("ann", NOW),)), seated("ABCD", "ann")],
    ids=["hello", "seat"],
)
async def test_who_is_seen_meanwhile_stays(store: Store, meanwhile: Write) -> None:
    """A player seen between the query and the deletion stays, at whatever node."""
    await store.save(Write(players=(player("ann", ago(366)),)))
    write = Write(deleted=Deletion(players=("ann",), unseen_since=ago(365)))
    await store.save(meanwhile)
    await store.save(write)
    assert await store.player_by_token("hash of ann") is not None


@on_postgresql
async def test_one_of_several_nodes_tidies(url: str) -> None:
    """One of several nodes does the housekeeping, until another takes over."""
    async with opened_node(url, "a") as first, opened_node(url, "b") as second:
        guests = (player("looked", ago(2), sat=False), player("sits", ago(2), sat=False))
        await first.save(Write(players=guests))
        await first.save(seated("AAAA", "sits"))
        await second.save(seated("BBBB", "sits"))
        tidies, waits = first, second
        if not await House(first).is_to_tidy():
            tidies, waits = second, first
        assert await House(tidies).is_to_tidy()
        assert not await House(waits).is_to_tidy()
        assert await House(tidies).tidy() == {"players": 1}
        assert await waits.player("sits") is not None
        await tidies.close()
        assert await House(waits).is_to_tidy()


async def test_more_players_than_are_read_at_a_time(store: Store, url: str) -> None:
    """Needed players do not keep others from being deleted."""
    number = 2 * ROWS_AT_ONCE + 1
    rows = tuple(player(f"p{place:05}", ago(366)) for place in range(number))
    await store.save(Write(players=rows))
    house = House(store, guest_days=365)
    await store.save(seated("ABCD", *(row.id for row in rows[:ROWS_AT_ONCE])))
    assert await house.tidy() == {"players": number - ROWS_AT_ONCE}
    assert number_of(url, "players") == ROWS_AT_ONCE


async def test_descriptions_go_with_their_last_table(store: Store, url: str) -> None:
    """A description is deleted with the last table that uses it."""
    texts = tuple(DescriptionRow(digest, "text") for digest in ("aa", "bb", "cc"))
    await store.save(Write(descriptions=texts))
    await add(store, "ONE", CLOSED, ago(50), game="High2.rcy@aa")
    await add(store, "TWO", CLOSED, ago(5), game="Other2.rcy@aa")
    await add(store, "THREE", CLOSED, ago(50), game="High2.rcy@bb")
    assert await House(store, keep_days=10).tidy() == {"tables": 2, "descriptions": 2}
    assert await store.description("aa") == "text"
    assert await store.unused_descriptions() == []
    assert await House(store, keep_days=1).tidy() == {"tables": 1, "descriptions": 1}
    assert number_of(url, "descriptions") == 0


async def test_a_description_that_is_wanted_again_stays(store: Store) -> None:
    """A description used again between the query and the deletion stays."""
    await store.save(Write(descriptions=(DescriptionRow("aa", "text"),)))
    await add(store, "NEW", "lobby", NOW, game="High2.rcy@aa")
    await store.save(Write(deleted=Deletion(descriptions=("aa",))))
    assert await store.description("aa") == "text"


def number_of(url: str, rows: str) -> int:
    with open_engine(database_url(url), writes=False).begin() as connection:
        number = connection.exec_driver_sql(f"select count(*) from {rows}").scalar()
    return int(number or 0)


async def test_a_disk_that_fails_is_told_and_tried_again(
    store: Store, log_events: list[dict[str, object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a disk error housekeeping is logged and tried again an hour later."""
    slept: list[float] = []

    class Enough(Exception):
        pass

    def sleeping(then: Callable[[], None]) -> Callable[[float], Any]:
        async def sleep(seconds: float) -> None:
            slept.append(seconds)
            then()
            if len(slept) == 3:
                raise Enough

        return sleep

    await add(store, "ABCD", CLOSED, ago(90))
    house = House(store, keep_days=10)
    # Not `asyncio.sleep` itself: loops of other libraries in this process sleep, too.
    monkeypatch.setattr("server.housekeeping.sleep", sleeping(lambda: None))
    with pytest.raises(Enough):
        await house._keeping.run()
    told = [event for event in log_events if str(event["event"]).endswith("_deleted")]
    assert [(event["event"], event.get("count")) for event in told] == [("tables_deleted", 1)]
    assert slept == [3600.0] * 3
    await store.close()
    slept.clear()
    with pytest.raises(Enough):
        await house._keeping.run()
    assert [event["event"] for event in log_events][-3:] == ["rows_not_deleted"] * 3
