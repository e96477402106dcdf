"""Two PostgreSQL servers: the second has all commits of the first and may replace it."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.postgres import START_SECONDS, USER, Cluster, command, running, running_cluster

STANDBY = "standby"
DATABASE = "cards"


class Standby(Cluster):
    """A second PostgreSQL that replicates all commits of `primary`, until it is promoted.

    While both run the primary acknowledges nothing that the standby has not.
    """

    def __init__(self, folder: Path, primary: Cluster) -> None:
        super().__init__(folder, fsync="on")
        self._primary = primary

    def create(self) -> None:
        """Copy the files of the primary, which must be running."""
        at = f"host=127.0.0.1 port={self._primary.port} user={USER} application_name={STANDBY}"
        words = ("--dbname", at, "--write-recovery-conf", "--checkpoint=fast", "--no-sync")
        subprocess.run(
            command("pg_basebackup", "--pgdata", str(self.folder), *words),
            check=True,
            stdout=subprocess.DEVNULL,
        )

    def start(self) -> None:
        """Start the standby, and let the primary wait for it with each commit."""
        super().start()
        self._primary.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{STANDBY}'")
        self._primary.execute("SELECT pg_reload_conf()")
        until = time.monotonic() + START_SECONDS
        while self._primary.ask("SELECT sync_state FROM pg_stat_replication") != "sync":
            assert time.monotonic() < until, self.log.read_text()
            time.sleep(0.02)

    def _is_up(self) -> bool:
        return self.ask("SELECT pg_is_in_recovery()") is True

    def promote(self) -> None:
        """Promote the standby to the primary."""
        assert self.ask("SELECT pg_promote()") is True, self.log.read_text()


class Pair(NamedTuple):
    """A primary and its standby; nodes find the present primary by `url`."""

    primary: Cluster
    standby: Standby

    @property
    def url(self) -> str:
        """The URL of a database at both servers."""
        return self.url_by(self.primary.port)

    def url_by(self, port: int) -> str:
        """The URL of a database at both servers, with another port for the primary."""
        ports = f"{port},{self.standby.port}"
        where = f"host=127.0.0.1,127.0.0.1&port={ports}&target_session_attrs=read-write"
        return f"postgresql+psycopg://{USER}@/{DATABASE}?{where}"


@contextmanager
def running_pair(folder: Path) -> Iterator[Pair]:
    """A primary and its standby, with an empty database."""
    with (
        running_cluster(folder / "primary", fsync="on") as primary,
        running(Standby(folder / "standby", primary)) as standby,
    ):
        primary.execute(f"CREATE DATABASE {DATABASE} TEMPLATE template0")
        yield Pair(primary, standby)
