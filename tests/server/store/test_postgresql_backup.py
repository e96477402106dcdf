"""Backups of a PostgreSQL database as docs/hosting.md describes them."""

import subprocess
from pathlib import Path

from server.store import Store, Write
from tests.postgres import USER, Cluster, command, running_cluster
from tests.server.store.rows import log, opened, table
from tests.server.store.test_writes import seqs

DATABASE = "cards"


def run(name: str, cluster: Cluster, *words: str) -> None:
    """Run one of PostgreSQL's programs on `cluster`."""
    where = ("--host", "127.0.0.1", "--port", str(cluster.port), "--username", USER)
    subprocess.run(command(name, *where, *words), check=True, capture_output=True)


async def test_a_dump_is_restored(postgresql: Cluster, tmp_path: Path) -> None:
    """A dump made while the server runs is restored for another server."""
    file = str(tmp_path / "cards.dump")
    with postgresql.database() as url, postgresql.database() as other:
        store = await Store.open(url)
        await store.save(opened())
        run("pg_dump", postgresql, "--format=custom", "--file", file, url.rpartition("/")[2])
        await store.save(log(2))
        await store.close()
        run("pg_restore", postgresql, "--exit-on-error", "--dbname", other.rpartition("/")[2], file)
        store = await Store.open(other)
        await store.save(log(2))
        assert await seqs(store) == [1, 2]
        await store.close()


async def test_a_database_is_brought_to_a_point_in_time(tmp_path: Path) -> None:
    """A base backup and the archived log restore a database at a point in time."""
    archive, base = tmp_path / "archive", tmp_path / "base"
    archive.mkdir()
    archiving = {"archive_mode": "on", "archive_command": f"cp %p {archive}/%f"}
    with running_cluster(tmp_path / "cluster", **archiving) as cluster:
        cluster.execute(f"CREATE DATABASE {DATABASE}")
        store = await Store.open(cluster.url(DATABASE))
        await store.save(opened())
        run("pg_basebackup", cluster, "--pgdata", str(base), "--no-sync", "--checkpoint=fast")
        await store.save(log(2, 3))
        cluster.execute("SELECT pg_create_restore_point('before_the_accident')")
        await store.save(Write(tables=(table("LATER"),)))
        cluster.execute("DELETE FROM tables", DATABASE)
        await store.close()
        # A server that ends archives what is left.
    base.joinpath("recovery.signal").touch()
    restored = Cluster(
        base,
        restore_command=f"cp {archive}/%f %p",
        recovery_target_name="before_the_accident",
        recovery_target_action="promote",
    )
    try:
        restored.start()
        store = await Store.open(restored.url(DATABASE))
        assert [row.code for row in await store.open_tables()] == ["ABCD"]
        assert await seqs(store) == [1, 2, 3]
        await store.save(log(4))
        await store.close()
    finally:
        restored.stop()
