"""The rows of a transaction's writes, those of one kind in few statements."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from server.store.bulk import BulkInsert
from server.store.deletions import deleting
from server.store.rows import (
    DeviceCodeRow,
    DeviceRow,
    HostedFile,
    NodeRequest,
    RedeemedCode,
    Seats,
    TableRow,
    Write,
)
from server.store.schema import (
    ANSWERS,
    BANS,
    DESCRIPTIONS,
    DEVICE_CODES,
    ENTRIES,
    NODE_ANSWERS,
    NODE_REQUESTS,
    PLAYERS,
    RESULTS,
    REVIEWS,
    SEATS,
    TABLES,
)
from server.store.transaction import DriverTransaction, Execute

_ROWS = {
    # Another node may have revoked the token since the row was read.
    "players": BulkInsert(
        PLAYERS, replace=True, fixed=frozenset({"token_hash"}), lasting=frozenset({"sat"})
    ),
    "descriptions": BulkInsert(DESCRIPTIONS, keep=True),
    # Seats, entries and results refer to tables, which therefore come before them.
    "tables": BulkInsert(TABLES, columns=len(TableRow._fields), replace=True, stamp="changed"),
    "entries": BulkInsert(ENTRIES),
    "answers": BulkInsert(ANSWERS),
    "results": BulkInsert(RESULTS),
    "bans": BulkInsert(BANS, replace=True),
    "reviews": BulkInsert(REVIEWS, replace=True),
    "node_answers": BulkInsert(NODE_ANSWERS, keep=True),
}
"""The kinds of rows of a write that go into a table as they are, in this order."""
_requests = BulkInsert(NODE_REQUESTS, columns=len(NodeRequest._fields) - 1, stamp="changed")
_seats = BulkInsert(SEATS)
_codes = BulkInsert(DEVICE_CODES)

_UNSEAT = "DELETE FROM seats WHERE table_code = {0}"

_SEEN = "UPDATE devices SET name = {0}, seen = {0} WHERE token_hash = {0}"
# Locks the player's row, so that a token is not revoked elsewhere before its device is added.
_LOCK = "UPDATE players SET token_hash = token_hash WHERE token_hash = {0}"
_ADD = (
    "INSERT INTO devices (token_hash, player, device, name, created, seen)"
    " SELECT token_hash, id, CAST({0} AS VARCHAR), CAST({0} AS VARCHAR), created,"
    " CAST({0} AS DOUBLE PRECISION) FROM players WHERE token_hash = {0} ON CONFLICT DO NOTHING"
)

_NO_CODE = "DELETE FROM device_codes WHERE player = {0}"
# Two nodes that redeem a code at once do so one after the other: the second one is not told `lost`.
_REDEEM = (
    "UPDATE device_codes SET token_hash = {0}"
    " WHERE code_hash = {0} AND token_hash = {0} AND until > {0}"
)
_LOST = (
    "DELETE FROM devices WHERE token_hash = {0}"
    " AND EXISTS (SELECT 1 FROM device_codes WHERE token_hash = {0})"
)
_OPEN = (
    "INSERT INTO devices (token_hash, player, device, name, created, seen)"
    " SELECT token_hash, player, CAST({0} AS VARCHAR), CAST({0} AS VARCHAR),"
    " CAST({0} AS DOUBLE PRECISION), CAST({0} AS DOUBLE PRECISION)"
    " FROM device_codes WHERE token_hash = {0} ON CONFLICT DO NOTHING"
)

_KEEP = (
    "INSERT INTO preferences (player, kept) SELECT id, CAST({0} AS TEXT) FROM players"
    " WHERE id = {0} ON CONFLICT (player) DO UPDATE SET kept = excluded.kept"
)

# The clocks of nodes differ; what comes later is later all the same.
_HOST = (
    "INSERT INTO hosted_games (name, source, digest, rules_digest, brought, text, rules)"
    " VALUES ({0}, {0}, {0}, {0}, (SELECT CASE WHEN max(brought) >= CAST({0} AS DOUBLE PRECISION)"
    " THEN max(brought) + 0.001 ELSE CAST({0} AS DOUBLE PRECISION) END FROM hosted_games),"
    " {0}, {0}) ON CONFLICT (name, source) DO UPDATE SET digest = excluded.digest,"
    " rules_digest = excluded.rules_digest, brought = excluded.brought, text = excluded.text,"
    " rules = excluded.rules"
)


def _in_one_piece(writes: Sequence[Write]) -> Write | None:
    """Merge all of `writes`; None if one of them deletes, since their order matters then."""
    if len(writes) == 1:
        return None if writes[0].deleted else writes[0]
    # One step for each kind: a loop over many writes would take as long as some disks.
    *kinds, deletions = zip(*writes, strict=True)
    return None if any(deletions) else Write._make([*map(_joined, kinds), None])


def _insert(execute: Execute, mark: str, write: Write) -> int:
    """Store the rows of `write`, without its deletions; return the number of added entries."""
    for kind, bulk in _ROWS.items():
        if rows := getattr(write, kind):
            bulk.run(execute, mark, rows)
    if write.seats:
        _seat(execute, mark, list({row.table: row for row in write.seats}.values()))
    for code in write.codes:
        _make_code(execute, mark, code)
    for redeemed in write.redeemed:
        _redeem(execute, mark, redeemed)
    for device in write.arrived:
        _arrive(execute, mark, device)
    for preferences in write.preferences:
        execute(_KEEP.format(mark), (preferences.kept, preferences.player))
    for file in write.hosted:
        _host(execute, mark, file)
    if write.requests:
        _requests.run(execute, mark, [row[:-1] for row in write.requests])
    return len(write.entries)


def _seat(execute: Execute, mark: str, seats: Sequence[Seats]) -> None:
    """Store the seats of these tables, replacing the earlier ones."""
    for row in seats:
        execute(_UNSEAT.format(mark), (row.table,))
    _seats.run(execute, mark, [(row.table, player) for row in seats for player in row.players])


def _make_code(execute: Execute, mark: str, code: DeviceCodeRow) -> None:
    """Store a code, replacing the player's last one."""
    execute(_NO_CODE.format(mark), (code.player,))
    _codes.run(execute, mark, [code])


def _redeem(execute: Execute, mark: str, row: RedeemedCode) -> None:
    """Add the device of a code, replacing a lost one; do nothing if the code is not valid."""
    execute(_REDEEM.format(mark), (row.token_hash, row.code_hash, row.lost, row.moment))
    if row.lost:
        execute(_LOST.format(mark), (row.lost, row.token_hash))
    execute(_OPEN.format(mark), (row.device, row.name, row.moment, row.moment, row.token_hash))


def _arrive(execute: Execute, mark: str, row: DeviceRow) -> None:
    """Record the use of a device; do nothing if its token was revoked."""
    execute(_SEEN.format(mark), (row.name, row.seen, row.token_hash))
    execute(_LOCK.format(mark), (row.token_hash,))
    execute(_ADD.format(mark), (row.device, row.name, row.seen, row.token_hash))


def _host(execute: Execute, mark: str, file: HostedFile) -> None:
    """Put a game on offer, as the latest of its name."""
    values = (*file[:5], file.brought, *file[5:])
    execute(_HOST.format(mark), values)


def write_all(transaction: DriverTransaction, writes: Sequence[Write]) -> int:
    """Store and delete the rows of `writes`; return the number of added entries."""
    execute, mark = transaction.execute, transaction.mark
    whole = _in_one_piece(writes)
    if whole is not None:
        return _insert(execute, mark, whole)
    added = 0
    for group in _until_deletion(writes):
        *kept, last = group
        whole = _in_one_piece([*kept, last._replace(deleted=None)])
        assert whole is not None, "no other write of a group deletes"
        added += _insert(execute, mark, whole)
        if last.deleted is not None:
            for statement in deleting(last.deleted):
                transaction.run(statement)
    return added


def _joined(rows: Sequence[Iterable[object]]) -> tuple[object, ...]:
    # Of most kinds no write has any.
    return tuple(chain.from_iterable(rows)) if any(rows) else ()


def _until_deletion(writes: Sequence[Write]) -> Iterator[Sequence[Write]]:
    """Split the writes after each deletion, so that later writes may use deleted keys again."""
    begin = 0
    for end, write in enumerate(writes, 1):
        if write.deleted is not None:
            yield writes[begin:end]
            begin = end
    if begin < len(writes):
        yield writes[begin:]
