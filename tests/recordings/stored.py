"""The recordings that are kept, and copies of them to work on."""

import json
import lzma
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

DATABASE = "blackqueen.sqlite3"
WAL = f"{DATABASE}-wal"
SUFFIXES = {DATABASE: "sqlite3.xz", WAL: "wal.xz"}
"""How the files of a database are called in a recording."""
SAID = "json.xz"
"""How the file is called that says what a database comes to."""
FOLDER = Path(__file__).parent
BEFORE_TEAMS = ("before-0.1.0", "0.1.0")
"""Releases whose views had no values of teams."""
TEAM_VALUES = ("team/", "team_total/")
"""Beginnings of the values that views of tables of any age have since. They are no part of the
digests of earlier releases; tests of their own check them.
"""


@dataclass(frozen=True)
class Recording:
    """One database of one release: `name` in the folder `release`."""

    release: Path
    name: str

    @cached_property
    def said(self) -> dict[str, Any]:
        """What is said of it, and what it comes to."""
        packed = (self.release / f"{self.name}.{SAID}").read_bytes()
        said: dict[str, Any] = json.loads(lzma.decompress(packed))
        return said

    @property
    def left_out(self) -> tuple[str, ...]:
        """Beginnings of the values that a view has now and had not in this release."""
        return TEAM_VALUES if self.release.name in BEFORE_TEAMS else ()

    def copy(self, data: Path) -> Path:
        """Lay the database into the folder `data` as the server left it; that folder."""
        data.mkdir()
        for file, suffix in SUFFIXES.items():
            packed = self.release / f"{self.name}.{suffix}"
            if packed.exists():
                (data / file).write_bytes(lzma.decompress(packed.read_bytes()))
        return data

    def __str__(self) -> str:
        return f"{self.release.name}-{self.name}"


def recordings(*names: str) -> list[Recording]:
    """Every database of every release, or those of these names."""
    found = [(path.parent, path.name.partition(".")[0]) for path in FOLDER.glob(f"*/*.{SAID}")]
    return [Recording(*each) for each in sorted(found) if each[1] in names or not names]
