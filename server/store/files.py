"""The files of a database, and whether a server can use them.

    NAME, NAME-wal, NAME-shm   SQLite's own
    NAME.lock                  names the server that uses it (`claim`)
    state-of-NAME.json         has the position of the database (`last_state`)

SQLite makes files beside the database, so it has to be able to write in the folder, too. Of a file
that it cannot use it says little, and mostly not before the first write.
"""

import os
from pathlib import Path
from stat import S_ISREG

from server.store.errors import BadDatabase, StoreUnavailable


def write_ahead_log(path: Path) -> Path:
    """Return the path where SQLite keeps the newest pages of the database at `path`."""
    return path.with_name(f"{path.name}-wal")


def lock_file(path: Path) -> Path:
    """Return the file by which a server claims the database at `path`."""
    return path.with_name(f"{path.name}.lock")


def state_file(path: Path) -> Path:
    """Return the file with the position of the database at `path`.

    Its name does not begin like the database's: deleting that with all that belongs to it
    (`blackqueen.sqlite3*`) is no request for an empty database.
    """
    return path.with_name(f"state-of-{path.name}.json")


def check_files(path: Path) -> None:
    """Raise an error that names the first file that cannot be read and written."""
    shared_memory = path.with_name(f"{path.name}-shm")
    for file in (path, write_ahead_log(path), shared_memory, lock_file(path), state_file(path)):
        try:
            mode = os.stat(file).st_mode
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise BadDatabase(f"{file}: cannot be opened ({error.strerror})") from None
        if not S_ISREG(mode):
            raise BadDatabase(f"{file}: something else is in the place of this file; move it away")
        if not os.access(file, os.R_OK | os.W_OK):
            raise StoreUnavailable(f"{file}: {_NO_PERMISSION}")
    if path.parent.is_dir() and not os.access(path.parent, os.W_OK | os.X_OK):
        raise StoreUnavailable(f"{path.parent}: {_NO_PERMISSION}")


def is_missing(path: Path) -> bool:
    """Whether no database is at `path`; to SQLite an empty file is none."""
    return not path.exists() or not path.stat().st_size


def left_log(path: Path) -> Path | None:
    """Return the write-ahead log of a missing database, which SQLite would delete."""
    log = write_ahead_log(path)
    return log if is_missing(path) and not is_missing(log) else None


_NO_PERMISSION = "the server may not read and write there; see to its permissions"
