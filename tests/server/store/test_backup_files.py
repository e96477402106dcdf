"""Backups as docs/hosting.md describes them are readable by their owner alone."""

import re
import sqlite3
import stat
import subprocess
from pathlib import Path

from server.store import Store
from tests.needs import needs
from tests.postgres import USER, Cluster
from tests.repository import ROOT
from tests.server.store.rows import opened

GUIDES = [*(ROOT / "docs").glob("*.md"), ROOT / "deploy/README.md", ROOT / "README.md"]
COPIES = re.compile(r".*(?:\.backup|VACUUM INTO|\bpg_dump\b|\bpg_dumpall\b).*")
PRIVATE = "(umask 077; "


def documented(word: str) -> str:
    """The command of the hosting guide with this word in it."""
    guide = (ROOT / "docs/hosting.md").read_text("utf-8")
    (command,) = re.findall(rf"(?:^    |`)(\(.*{re.escape(word)}.*?\))(?:$|`)", guide, re.MULTILINE)
    return str(command)


def run_as_anybody(command: str, folder: Path, **environment: str) -> None:
    """Run a command in a shell whose files others may read."""
    shell = ["sh", "-ec", f"umask 022; {command}"]
    subprocess.run(shell, cwd=folder, check=True, capture_output=True, env=environment or None)


def test_every_documented_backup_is_private() -> None:
    found = [line for guide in GUIDES for line in COPIES.findall(guide.read_text("utf-8"))]
    assert len(found) == 2
    for line in found:
        assert PRIVATE in line, line


async def test_a_copy_of_the_file_is_its_owners(tmp_path: Path) -> None:
    """A copy made while the server runs is complete and readable only by its owner."""
    needs("sqlite3")
    store = await Store.open(f"sqlite:///{tmp_path / 'blackqueen.sqlite3'}")
    await store.save(opened())
    run_as_anybody(documented(".backup"), tmp_path)
    await store.close()
    copy = tmp_path / "backup.sqlite3"
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with sqlite3.connect(copy) as connection:
        assert connection.execute("SELECT count(*) FROM tables").fetchone() == (1,)


async def test_a_dump_is_its_owners(postgresql: Cluster, tmp_path: Path) -> None:
    with postgresql.database() as url:
        name = url.rpartition("/")[2]
        command = documented("pg_dump").replace("dump cards)", f"dump {name})")
        where = {"PGHOST": "127.0.0.1", "PGPORT": str(postgresql.port), "PGUSER": USER}
        run_as_anybody(command, tmp_path, PATH="/usr/bin:/bin", **where)
    assert stat.S_IMODE((tmp_path / "cards.dump").stat().st_mode) == 0o600
