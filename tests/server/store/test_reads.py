"""Reads of the store, which agree with what was written."""

import asyncio

from server.store import (
    CLOSED,
    AnswerRow,
    DescriptionRow,
    EntryRow,
    PlayerRow,
    ResultRow,
    Store,
    TableRow,
    Write,
)
from tests.counts import count
from tests.server.store.rows import entry, log, opened, results, table


async def test_unknown_things_are_none(store: Store) -> None:
    """Unknown things are None in a new database."""
    assert await store.player_by_token("hash") is None
    assert await store.load("ABCD") is None
    assert await store.answer("ann", "laptop", 1, ()) is None
    assert await store.last_command("ann", "laptop", ()) == 0
    assert await store.open_tables() == []
    assert await results(store, "ABCD") == []
    assert await store.description("d1") is None


async def test_table_comes_back_with_its_whole_log(store: Store) -> None:
    """Every field of a table and its entries is read back, in order."""
    row = TableRow("ABCD", "whist", 3, True, "playing", 12.5, 2, 1000.25, '{"names": ["Änne"]}')
    entries = (
        EntryRow("ABCD", 2, "act", 1001.5, '{"action": "play QS"}', "ann", "laptop", 2**53),
        EntryRow("ABCD", 1, "opened", 1000.25, "{}"),
    )
    await store.save(Write(tables=(row,), entries=entries))
    loaded = await store.load("ABCD")
    assert loaded == (row, [entries[1], entries[0]])
    assert isinstance(loaded[0], TableRow)
    assert loaded[0].private is True


async def test_a_player_is_found_by_the_hash_of_their_token(store: Store) -> None:
    """A player is found by their token's hash; a later row replaces the name only."""
    await store.save(Write(players=(PlayerRow("p1", "Ann", "h1", 1.0),)))
    await store.save(Write(players=(PlayerRow("p2", "Bob", "h2", 2.0),)))
    await store.save(Write(players=(PlayerRow("p1", "Anna", "h3", 1.0),)))
    assert await store.player_by_token("h1") == PlayerRow("p1", "Anna", "h1", 1.0)
    assert await store.player_by_token("h2") == PlayerRow("p2", "Bob", "h2", 2.0)
    assert await store.player_by_token("h3") is None


async def test_command_is_answered_by_its_entry_or_its_answer(store: Store) -> None:
    """A command is found by (player, client, id), as an entry or a stored answer."""
    written = entry(2, command=7)
    refused = AnswerRow("ann", "laptop", 8, '{"code": "illegal_action"}', 5.0)
    await store.save(opened())
    await store.save(Write(entries=(written,), answers=(refused,)))
    assert await store.answer("ann", "laptop", 7, ()) == written
    assert await store.answer("ann", "laptop", 8, ()) == refused
    assert await store.answer("ann", "phone", 7, ()) is None
    assert await store.answer("bob", "laptop", 8, ()) is None
    assert await store.last_command("ann", "laptop", ()) == 8
    assert await store.last_command("ann", "phone", ()) == 0


async def test_move_is_found_in_the_log_of_its_table(store: Store) -> None:
    """A move is found in the named logs only."""
    move = entry(2, "ABCD", command=9, kind="act")
    for code in ("ABCD", "WXYZ"):
        await store.save(opened(code))
    await store.save(Write(entries=(move, entry(3, "ABCD", command=4))))
    assert await store.answer("ann", "laptop", 9, {"WXYZ", "ABCD"}) == move
    assert await store.answer("ann", "laptop", 9, {"WXYZ"}) is None
    assert await store.answer("ann", "laptop", 4, {"ABCD"}) == entry(3, "ABCD", command=4)
    assert await store.last_command("ann", "laptop", {"ABCD"}) == 9
    assert await store.last_command("ann", "laptop", {"WXYZ"}) == 4


async def test_open_tables_leave_out_closed_ones(store: Store) -> None:
    """Open tables are listed without closed ones, the oldest first."""
    rows = (
        table("NEW1", created=30.0),
        table("OLD1", created=10.0, phase="playing"),
        table("GONE", created=20.0, phase=CLOSED),
    )
    await store.save(Write(tables=rows))
    assert [row.code for row in await store.open_tables()] == ["OLD1", "NEW1"]


async def test_results_come_by_match(store: Store) -> None:
    """The results of a table come in the order of its matches."""
    await store.save(Write(tables=(table("ABCD"), table("WXYZ"))))
    first, second, third = (
        ResultRow("ABCD", 1, "black_queen", 10.0, '{"totals": [1, -2]}'),
        ResultRow("WXYZ", 1, "black_queen", 20.0, "{}"),
        ResultRow("ABCD", 2, "black_queen", 30.0, "{}"),
    )
    await store.save(Write(results=(third, first, second)))
    assert await results(store, "ABCD") == [first, third]


async def test_everything_is_there_after_reopening(url: str) -> None:
    """Everything is read back after closing and opening the store."""
    store = await Store.open(url)
    await store.save(opened())
    await store.save(log(2))
    await store.close()
    store = await Store.open(url)
    loaded = await store.load("ABCD")
    assert loaded == (table(), [entry(1), entry(2)])
    await store.close()


async def test_reading_sees_whole_writes_while_others_are_made(store: Store) -> None:
    """Readers see whole writes only, while others are made."""
    await store.save(Write(tables=(table(),)))
    writes = count(100)
    remaining = writes
    every_one = asyncio.Event()

    def done(error: Exception | None) -> None:
        nonlocal remaining
        assert error is None
        remaining -= 1
        if not remaining:
            every_one.set()

    lengths = [0]
    for pair in range(writes):
        store.commit(log(2 * pair + 1, 2 * pair + 2), done)
        if pair % 5 == 0:
            loaded = await store.load("ABCD")
            assert loaded is not None
            assert [row.seq for row in loaded[1]] == list(range(1, len(loaded[1]) + 1))
            lengths.append(len(loaded[1]))
    await every_one.wait()
    assert all(length % 2 == 0 for length in lengths)
    assert lengths == sorted(lengths)
    loaded = await store.load("ABCD")
    assert loaded is not None
    assert len(loaded[1]) == 2 * writes


async def test_ping_touches_both_ends(store: Store) -> None:
    """A ping of a working store succeeds."""
    await store.ping()
    await store.save(opened())
    await store.ping()


async def test_a_description_is_kept_once(store: Store) -> None:
    """A description is stored once under its digest."""
    text = "(game\n ;; Ännes Spiel ♠\n)"
    await store.save(Write(descriptions=(DescriptionRow("d1", text), DescriptionRow("d2", "b"))))
    await store.save(Write(descriptions=(DescriptionRow("d1", "other"),)))
    assert await store.description("d1") == text
    assert await store.description("d2") == "b"
