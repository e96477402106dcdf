"""Requires TLS for connections to a database on another machine.

The database gets the cards of all seats, the tokens of players and the seeds of deals: an
eavesdropper sees every card, and an impostor decides the game.
"""

from ipaddress import ip_address

from sqlalchemy.engine import URL

from server.ops.settings import Settings, SettingsError

CHECKED = ("verify-ca", "verify-full")
"""The values of `sslmode` that encrypt, and let nobody else pass for the database."""
REMEDY = "or give --trusted-network if nobody else can read that network"


def is_this_machine(host: str) -> bool:
    """Whether `host` is this machine: `localhost`, a loopback address, a Unix socket's path."""
    if host in ("", "localhost") or host.startswith(("/", "@")):
        return True
    try:
        return ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False


def check_database(url: URL, settings: Settings) -> None:
    """Raise `SettingsError` if a database elsewhere would be reached in clear text."""
    if settings.trusted_network or url.get_backend_name() == "sqlite":
        return
    try:
        from server.store.postgresql import way_to
    except ImportError:
        return  # The store says what is missing when it opens the database.
    hosts, mode = way_to(url)
    away = [host for host in hosts if not is_this_machine(host)]
    if away and mode not in CHECKED:
        raise SettingsError(
            f"--database-url: cards and seeds would go to {away[0]} without TLS that checks who "
            f"answers (sslmode is {mode}); end the address with ?sslmode=verify-full, {REMEDY}"
        )
