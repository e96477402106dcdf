"""Statements that write many rows in one step.

`executemany` would step once a row and give up the interpreter's lock each time; with a busy event
loop every step then waits its turn. One statement of many rows waits once. So as many rows as one
batch usually has go into one statement, and many more are cut into powers of two: there are few
such statements, and each is prepared once and kept by the driver.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

from sqlalchemy import Table

from server.store.transaction import Execute

USUAL = 64
"""Up to so many rows there is a statement for every number of them."""
LARGEST = 512
"""Rows of the largest statement; eight columns of them stay well below SQLite's 32,766 values."""

TRANSACTION = "CAST(CAST(pg_current_xact_id() AS text) AS bigint)"
"""The number of the transaction in PostgreSQL; one that begins to write later has a higher one.

SQLite has none, nor anybody beside the one server who would ask for it.
"""
STAMPS = {"?": "0", "%s": TRANSACTION}
"""What a stamp is, by what stands for a value in a statement of the driver."""


class BulkInsert:
    """Adds rows to `table`, with values for its columns in order, or for the first `columns` only.

    A row whose key, the first columns, exists already overwrites it with `replace`, except for the
    columns that are `fixed`, and is skipped with `keep`. A true value in a column that is `lasting`
    stays true. The column `stamp` gets the number of the transaction.
    """

    def __init__(
        self,
        table: Table,
        *,
        columns: int | None = None,
        replace: bool = False,
        keep: bool = False,
        fixed: frozenset[str] = frozenset(),
        lasting: frozenset[str] = frozenset(),
        stamp: str | None = None,
    ) -> None:
        self._table = table
        self._columns = table.columns[:columns]
        self._replace = replace
        self._keep = keep
        self._fixed = fixed
        self._lasting = lasting
        self._stamp = stamp
        self._keys = len(table.primary_key)
        self._statement = lru_cache(self._build)

    def run(self, execute: Execute, mark: str, rows: Sequence[tuple[object, ...]]) -> None:
        """Write `rows` by `execute`; `mark` is the driver's placeholder for a value."""
        if len(rows) == 1:
            # As a single move at a time is written.
            execute(self._statement(1, mark), rows[0])
            return
        if self._replace:
            rows = self._last_of_each(rows)
        done = 0
        while done < len(rows):
            left = len(rows) - done
            size = left if left <= USUAL else 1 << (min(left, LARGEST).bit_length() - 1)
            values = tuple(chain.from_iterable(rows[done : done + size]))
            execute(self._statement(size, mark), values)
            done += size

    def _last_of_each(self, rows: Sequence[tuple[object, ...]]) -> Sequence[tuple[object, ...]]:
        """Return the last row of each key, of those with true values in `lasting` columns if any.

        All are in one order: else two nodes that write to the same rows wait for each other.
        """
        for at, column in enumerate(self._columns):
            if column.name in self._lasting:
                rows = sorted(rows, key=lambda row: bool(row[at]))
        last = {row[: self._keys]: row for row in rows}
        return [last[key] for key in sorted(last)]

    def _build(self, size: int, mark: str) -> str:
        values = {column.name: mark for column in self._columns}
        if self._stamp is not None:
            values[self._stamp] = STAMPS[mark]
        names = ", ".join(f'"{name}"' for name in values)
        row = f"({', '.join(values.values())})"
        sql = f"INSERT INTO {self._table.name} ({names}) VALUES {', '.join([row] * size)}"
        if self._keep:
            return f"{sql} ON CONFLICT DO NOTHING"
        if not self._replace:
            return sql
        keys = ", ".join(f'"{column.name}"' for column in self._table.primary_key)
        changes = ", ".join(self._change(name) for name in values if name not in self._fixed)
        return f"{sql} ON CONFLICT ({keys}) DO UPDATE SET {changes}"

    def _change(self, name: str) -> str:
        new = f'excluded."{name}"'
        if name in self._lasting:
            new = f'{self._table.name}."{name}" OR {new}'
        return f'"{name}" = {new}'
