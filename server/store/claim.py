"""One server to a database file: two would each think that the tables are theirs."""

import sqlite3
from pathlib import Path

from server.store.errors import DatabaseInUse


class Claim:
    """Holds a lock beside the database file `path`, until `release` or the end of the process.

    The lock is SQLite's own on an empty file: it works wherever SQLite does, dies with its process,
    and leaves the database itself open to backups and to `blackqueen replay`.
    """

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(
            f"{path}.lock", timeout=0, isolation_level=None, check_same_thread=False
        )
        try:
            self._connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            self._connection.close()
            raise DatabaseInUse(
                f"{path}: another server uses this database ({error}); stop it, or give this one "
                "a data folder of its own"
            ) from None

    def release(self) -> None:
        self._connection.close()
