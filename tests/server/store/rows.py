"""Rows for tests: a table called by its code, its entries by number."""

from server.store import EntryRow, ResultRow, Seats, Store, TableRow, Write
from server.store.reader import Reader


def table(
    code: str = "ABCD", phase: str = "lobby", due: float | None = None, created: float = 1000.0
) -> TableRow:
    return TableRow(code, "black_queen", 1, False, phase, due, 0, created, '{"seats": 4}')


def entry(
    seq: int, code: str = "ABCD", command: int | None = None, kind: str = "ready"
) -> EntryRow:
    """Entry `seq` of a table; with `command`, one that ann's client asked for."""
    row = EntryRow(code, seq, kind, 1000.0 + seq, f'{{"number": {seq}}}')
    return row if command is None else row._replace(player="ann", client="laptop", command=command)


def opened(code: str = "ABCD") -> Write:
    """The write that opens a table."""
    return Write(tables=(table(code),), entries=(entry(1, code),))


def log(*seqs: int, code: str = "ABCD") -> Write:
    return Write(entries=tuple(entry(seq, code) for seq in seqs))


def seated(code: str, *players: str, phase: str = "lobby") -> Write:
    """The write after which these players sit at a table."""
    return Write(tables=(table(code, phase),), seats=(Seats(code, frozenset(players)),))


async def results(store: Store, code: str) -> list[ResultRow]:
    """The stored results of a table's matches, in order."""
    loaded = await store._read(Reader.load_with_results, code)
    return [] if loaded is None else loaded[2]
