"""Tests a server with a PostgreSQL that is reached by TLS, and with impostors."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy.engine import make_url

from deploy.cluster_secrets import Secrets
from tests.e2e.processes import Programs
from tests.postgres import Cluster, running_cluster
from tests.raw_client import raw_client

pytestmark = pytest.mark.e2e

PASSWORD = "open-sesame"


def secrets(folder: Path) -> Path:
    """Make the files of `deploy/cluster_secrets.py`, with the database's key readable here."""
    Secrets(folder).make()
    own = folder / "own.key"
    own.touch(mode=0o600)
    own.write_bytes((folder / "database.key").read_bytes())
    return folder


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return secrets(tmp_path_factory.mktemp("secrets"))


@pytest.fixture(scope="module")
def encrypted(files: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Start a PostgreSQL whose certificate is for `localhost`."""
    certificate, key = str(files / "database.crt"), str(files / "own.key")
    folder = tmp_path_factory.mktemp("encrypted") / "cluster"
    with running_cluster(folder, ssl="on", ssl_cert_file=certificate, ssl_key_file=key) as cluster:
        yield cluster


def checked(url: str, files: Path, host: str = "localhost") -> str:
    """Return the database's URL by name, which requires a certificate for that name."""
    words = {"sslmode": "verify-full", "sslrootcert": str(files / "ca.crt")}
    told = make_url(url).set(host=host, query=words, password=PASSWORD)
    return told.render_as_string(hide_password=False)


async def test_a_server_stores_by_tls(programs: Programs, encrypted: Cluster, files: Path) -> None:
    """All of the server's connections to the database are encrypted."""
    with encrypted.database() as url:
        programs.use_database(checked(url, files))
        server = await programs.serve()
        async with raw_client(server.url) as ann:
            code = (await ann.ask("create_table", game="black_queen"))["table"]
        plain = make_url(url).set(drivername="postgresql").render_as_string()
        with psycopg.connect(plain) as asking:
            encrypted_ones = asking.execute(
                "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) "
                "WHERE application_name = 'blackqueen'"
            ).fetchall()
            codes = asking.execute("SELECT code FROM tables").fetchall()
        assert encrypted_ones
        assert set(encrypted_ones) == {(True,)}
        assert codes == [(code,)]
        await server.stop()
        assert PASSWORD not in server.program.errors


async def refused(programs: Programs, url: str) -> str:
    """Return the message of a server that does not start because of its database."""
    programs.use_database(url)
    program = await programs.start_server()
    assert await program.ended() == 1, program
    assert PASSWORD not in str(program)
    return program.errors


async def test_a_certificate_for_another_name_is_refused(
    programs: Programs, encrypted: Cluster, files: Path
) -> None:
    """A server that connects to an address refuses a certificate for `localhost`."""
    with encrypted.database() as url:
        said = await refused(programs, checked(url, files, host="127.0.0.1"))
    assert "certificate" in said
    assert "127.0.0.1" in said


async def test_a_certificate_of_another_authority_is_refused(
    programs: Programs, encrypted: Cluster, tmp_path: Path
) -> None:
    """A certificate of another authority is refused, as anybody can make one for that name."""
    with encrypted.database() as url:
        said = await refused(programs, checked(url, secrets(tmp_path / "others")))
    assert "certificate verify failed" in said


async def test_a_database_without_tls_is_refused(
    programs: Programs, postgresql: Cluster, files: Path
) -> None:
    """A server that requires TLS does not connect to a database in clear text."""
    with postgresql.database() as url:
        said = await refused(programs, checked(url, files))
    assert "does not support SSL" in said


async def test_a_database_elsewhere_is_not_tried_without_tls(programs: Programs) -> None:
    """With a remote database URL without TLS a server ends at once, and says what to write."""
    for flags, words in (
        (("--database-url", f"postgresql://cards:{PASSWORD}@db.example.org/c"), "verify-full"),
        (("--events", f"mqtt://cards:{PASSWORD}@broker.example.org"), "mqtts://"),
    ):
        program = await programs.start_server(*flags)
        assert await program.ended() == 2, program
        assert words in program.errors
        assert "--trusted-network" in program.errors
        assert PASSWORD not in program.errors
