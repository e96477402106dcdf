"""Checks that the database is still the file that was opened, and complete.

SQLite goes on writing to a file that was deleted or replaced, and reports success: rows stored then
are gone when the process ends. So before every commit it is checked that the files are unchanged,
and after it that they have grown, which costs a few microseconds. Nothing is stored any more once
one of them was replaced.
"""

import os
from pathlib import Path
from struct import unpack_from

from server.store.errors import BadDatabase, DatabaseLost
from server.store.files import write_ahead_log

HEADER_BYTES = 100
"""The header of a database file: https://www.sqlite.org/fileformat.html#the_database_header."""
MAGIC = b"SQLite format 3\0"
LOG_HEADER_BYTES = 24
"""Of the header of a write-ahead log as much as changes whenever SQLite begins the log anew."""
LOG_MAGIC = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
"""What such a header begins with."""

_IDENTITY = slice(1, 3)
"""Of a file's `stat`: the inode and the device."""


class FileWatch:
    """Watches the database at `path` and its write-ahead log, both open in SQLite.

    `file` is an open descriptor of the database that its owner closes. `name` is the path for the
    next start; symbolic links may lead from there to `path`.
    """

    def __init__(self, path: Path, file: int, name: Path | None = None) -> None:
        # As text, since every commit may ask for them.
        self._path = str(path)
        self._link = str(name) if name is not None and name != path else None
        self._file = file
        self._log_path = str(write_ahead_log(path))
        self._lost = ""
        self._size = os.fstat(file).st_size
        # SQLite keeps the log open and whole as long as it is in use.
        try:
            self._log = os.open(self._log_path, os.O_RDONLY)
        except OSError as error:
            raise BadDatabase(
                f"{path}: SQLite keeps no write-ahead log there ({error.strerror}); put the "
                "database on a local disk"
            ) from None
        self._log_size = os.fstat(self._log).st_size
        self._log_header = b""
        self._identity = os.fstat(file)[_IDENTITY]
        self._log_identity = os.fstat(self._log)[_IDENTITY]

    def check(self) -> None:
        """Raise `DatabaseLost`, which is final, if a file was replaced."""
        if not self._lost:
            try:
                self._lost = self._look()
            except OSError as error:
                self._lost = f"the database cannot be found ({error.strerror})"
        if self._lost:
            raise DatabaseLost(
                f"{self._path}: {self._lost} while the server was running; nothing is stored any "
                "more. Stop the server, put the database right, start it again"
            )

    def committed(self) -> None:
        """Record the files' sizes after a commit; raise `DatabaseLost` if they cannot hold it."""
        size = os.lseek(self._file, 0, os.SEEK_END)
        log_size = os.lseek(self._log, 0, os.SEEK_END)
        if size < self._size or log_size < self._log_size:
            self.check()
        self._size, self._log_size = size, log_size
        self._log_header = os.pread(self._log, LOG_HEADER_BYTES, 0)
        if not self._log_header.startswith(LOG_MAGIC):
            self._lost = "its write-ahead log was emptied"
            self.check()

    def close(self) -> None:
        """Close the write-ahead log; SQLite must have closed it."""
        os.close(self._log)

    def _look(self) -> str:
        file, log = os.stat(self._path), os.stat(self._log_path)
        if file[_IDENTITY] != self._identity:
            return "the database was replaced"
        if self._link is not None and os.stat(self._link)[_IDENTITY] != self._identity:
            return f"{self._link} was made to lead elsewhere"
        if log[_IDENTITY] != self._log_identity:
            return "its write-ahead log was replaced"
        file_size, log_size = file.st_size, log.st_size
        if file_size < self._size and not self._is_whole(file_size):
            return "the database was cut"
        if log_size < self._log_size and not self._is_anew(log_size):
            return "its write-ahead log was cut"
        self._size, self._log_size = file_size, log_size
        return ""

    def _is_whole(self, size: int) -> bool:
        """Whether a file that got smaller has all its pages: VACUUM shrinks it, too."""
        header = os.pread(self._file, HEADER_BYTES, 0)
        if len(header) < HEADER_BYTES or not header.startswith(MAGIC):
            return False
        (page_bytes,), (pages,) = unpack_from(">H", header, 16), unpack_from(">I", header, 28)
        return bool(size >= pages * (65_536 if page_bytes == 1 else page_bytes))

    def _is_anew(self, size: int) -> bool:
        """Whether SQLite has restarted a log that got smaller, or may do so at the next commit."""
        return size == 0 or os.pread(self._log, LOG_HEADER_BYTES, 0) != self._log_header
