"""Connections to other machines: refused without TLS, unless the network is trusted."""

import pytest

from server.events.broker import broker_of
from server.ops.encryption import check_database
from server.ops.settings import Settings, SettingsError
from server.store.database import database_url

SECRET = "open-sesame"
ELSEWHERE = ("db.example.org", "192.0.2.7", "[2001:db8::7]", "localhost.example")
HERE = ("localhost", "127.0.0.1", "127.9.8.7", "[::1]", "")
PG = "postgresql://cards:open-sesame@"


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PGHOST", "PGHOSTADDR", "PGSSLMODE", "PGSERVICE"):
        monkeypatch.delenv(name, raising=False)


def check(url: str, *, trusted: bool = False) -> None:
    check_database(database_url(url), Settings(trusted_network=trusted))


def refused(url: str) -> str:
    """The error for the address of a database."""
    with pytest.raises(SettingsError) as error:
        check(url)
    assert SECRET not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("host", ELSEWHERE)
def test_a_database_elsewhere_is_reached_by_tls_that_checks_it(host: str) -> None:
    """A database elsewhere needs TLS that verifies the host."""
    for mode in ("", "?sslmode=disable", "?sslmode=prefer", "?sslmode=require"):
        said = refused(f"{PG}{host}/cards{mode}")
        assert host.strip("[]") in said
        assert "sslmode=verify-full" in said
        assert "--trusted-network" in said
        check(f"{PG}{host}/cards{mode}", trusted=True)
    for mode in ("verify-ca", "verify-full"):
        check(f"{PG}{host}/cards?sslmode={mode}")


@pytest.mark.parametrize("host", HERE)
def test_a_database_on_this_machine_needs_no_tls(host: str) -> None:
    """A local database, by loopback or Unix socket, needs no TLS."""
    check(f"{PG}{host}/cards")


def test_other_ways_to_name_a_host_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """All ways to name a database host are checked."""
    check(f"{PG}/cards?host=/run/postgresql")
    check("sqlite:///cards.sqlite3")
    assert "db2" in refused(f"{PG}/cards?host=localhost:5432&host=db2:5432")
    assert "db2" in refused(f"{PG}/cards?host=localhost,db2")
    assert "192.0.2.9" in refused(f"{PG}localhost/cards?hostaddr=192.0.2.9")
    monkeypatch.setenv("PGHOST", "db3")
    assert "db3" in refused(f"{PG}/cards")
    monkeypatch.setenv("PGSSLMODE", "verify-full")
    check(f"{PG}/cards")
    assert "sslmode is allow" in refused(f"{PG}/cards?sslmode=allow")


def test_public_events_may_go_in_clear_text_but_no_password() -> None:
    """Public events may go in clear text, but no password."""
    assert broker_of(Settings(events="mqtt://lamp.lan")) is not None
    assert broker_of(Settings(events="mqtt://ann@lamp.lan")) is not None
    with pytest.raises(SettingsError, match="the password") as error:
        broker_of(Settings(events=f"mqtt://ann:{SECRET}@lamp.lan"))
    assert SECRET not in str(error.value)
    trusted = Settings(events=f"mqtt://ann:{SECRET}@lamp.lan", trusted_network=True)
    assert broker_of(trusted) is not None
