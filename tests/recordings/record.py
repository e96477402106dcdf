"""Records what this version of the program writes: `python -m tests.recordings.record FOLDER`.

Every release adds its own folder beside this file, and none is ever changed.
"""

import asyncio
import json
import logging
import lzma
import os
import shutil
import sys
import time
from collections.abc import Callable, Coroutine, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import structlog
from platformdirs import user_cache_path

from tests.recordings.expected import Digests, Json, expected_of
from tests.recordings.killed import record_killed
from tests.recordings.matches import record_matches
from tests.recordings.party import Scenes
from tests.recordings.scenes import record_scenes
from tests.recordings.stored import SAID, SUFFIXES, WAL


def record(folder: Path) -> None:
    """Write the recordings of this version into a new `folder`."""
    # The server that is killed has a home of its own, and would compile every kernel anew.
    os.environ.setdefault("NUMBA_CACHE_DIR", str(user_cache_path("blackqueen") / "kernels"))
    folder.mkdir(parents=True)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    # Bots that search think in processes, by a clock that nobody turns by hand.
    with patch("bots.recipe.available", lambda: False):
        _record_server(folder, "scenes", record_scenes)
        _record_server(folder, "matches", record_matches)
    with TemporaryDirectory() as scratch:
        _record_killed(folder, Path(scratch))


def _record_server(
    folder: Path, name: str, work: Callable[[Path, Path], Coroutine[None, None, Scenes]]
) -> None:
    with TemporaryDirectory() as scratch:
        data = Path(scratch) / "data"
        scenes = asyncio.run(work(Path(scratch), data))
        people = [(client.token, client.player) for client in scenes.clients]
        said = {"now": scenes.server.now, "repeated": scenes.repeated, "bots": "plain"}
        _keep(folder, name, data, Path(scratch), scenes.about, people, said)


def _record_killed(folder: Path, scratch: Path) -> None:
    data, about, clients = asyncio.run(record_killed(scratch))
    assert (data / WAL).stat().st_size > 0, "everything had reached the database itself"
    people = [(client.session.token, client.session.player) for client in clients]
    said = {"now": time.time(), "repeated": [], "bots": "all"}
    _keep(folder, "killed", data, scratch, about, people, said)


def _keep(
    folder: Path,
    name: str,
    data: Path,
    scratch: Path,
    about: dict[str, str],
    people: Iterable[tuple[str | None, str | None]],
    said: dict[str, Any],
) -> None:
    """Keep the database as it lies in `data`, and beside it what a copy of it comes to."""
    copy = scratch / "copy"
    copy.mkdir()
    for file, suffix in SUFFIXES.items():
        if (data / file).exists():
            shutil.copy(data / file, copy / file)
            packed = lzma.compress((data / file).read_bytes(), preset=9)
            (folder / f"{name}.{suffix}").write_bytes(packed)
    tables: dict[str, Json] = expected_of(copy, Digests())
    assert tables.keys() == about.keys(), "a table of which nothing is said"
    whole = {
        **said,
        "players": [{"token": token, "player": player} for token, player in people],
        "tables": {code: {"about": about[code], **table} for code, table in tables.items()},
    }
    said_of_it = json.dumps(whole, indent=1, sort_keys=True) + "\n"
    (folder / f"{name}.{SAID}").write_bytes(lzma.compress(said_of_it.encode(), preset=9))


if __name__ == "__main__":
    record(Path(sys.argv[1]))
