"""A claim on a database file, which keeps a second server from using its tables."""

import fcntl
import os
import sqlite3
import sys
from contextlib import suppress
from pathlib import Path

from server.store.errors import BadDatabase, DatabaseInUse
from server.store.files import lock_file


class Claim:
    """Holds the database file `path`, which has no symbolic link in it, until `release`.

    A lock beside the file, SQLite's own on an empty file, works wherever SQLite does. On Linux the
    file itself is locked too, whatever name it is reached by (a hard link, a bind mount); SQLite's
    locks are of another kind there, so backups and `blackqueen replay` are not in the way.
    Both end with the process.

    `file` is a descriptor of the database. It is to be closed after all of SQLite's own: closing
    any descriptor of a file gives up the process's locks on it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with suppress(OSError):
            # Whoever may read it may lock it, too. SQLite says what is wrong with it.
            os.close(os.open(lock_file(path), os.O_CREAT | os.O_RDWR, 0o600))
        self._connection = sqlite3.connect(
            lock_file(path), timeout=0, isolation_level=None, check_same_thread=False
        )
        try:
            self._connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            self._connection.close()
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise self._in_use(str(error)) from None
            lock = lock_file(path)
            raise BadDatabase(
                f"{lock}: cannot be locked ({error}); if no server runs here, delete it"
            ) from None
        self.file = os.open(path, os.O_RDWR)
        if sys.platform == "linux":
            try:
                fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self.release()
                raise self._in_use("the file is locked, perhaps by another name") from None
            except OSError:
                # A file system without such locks: the lock beside the file has to do.
                pass

    def release(self) -> None:
        """Release the database for others; SQLite must have closed it."""
        os.close(self.file)
        self._connection.close()

    def _in_use(self, reason: str) -> DatabaseInUse:
        return DatabaseInUse(
            f"{self._path}: another server uses this database ({reason}); stop it, or give this "
            "one a data folder of its own"
        )
