"""What the program stores between visits, as JSON in small files of its state directory."""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any


class RememberedFile:
    """One stored file in a `folder`, for its owner alone; without a usable folder, nothing."""

    def __init__(self, folder: Path | None, name: str) -> None:
        self._file = None if folder is None else folder / name

    def read(self) -> Any:  # whatever somebody has put there: the reader checks it
        """The stored value; None if nothing can be read."""
        try:
            return None if self._file is None else json.loads(self._file.read_text("utf-8"))
        except (OSError, ValueError):
            return None

    def keep(self, value: Any) -> bool:  # anything that JSON can write
        """Store `value` for the next visit; returns whether that was possible.

        A program that is killed meanwhile leaves the old file.
        """
        if self._file is None:
            return False
        new = self._file.with_name(f"{self._file.name}.{os.getpid()}")
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            new.touch(mode=0o600)
            new.write_text(json.dumps(value), "utf-8")
            new.replace(self._file)
        except OSError:
            with suppress(OSError):
                new.unlink()
            # The next visit knows no more than this one.
            self._file = None
            return False
        return True
