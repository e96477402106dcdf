"""Requires TLS for connections to a database on another machine.

The database gets the cards of all seats, the tokens of players and the seeds of deals: an
eavesdropper sees every card, and an impostor decides the game.
"""

from sqlalchemy.engine import URL

from protocol.same_server import is_this_machine
from server.ops.settings import Settings, SettingsError

CHECKED = ("verify-ca", "verify-full")
"""The values of `sslmode` that encrypt, and let nobody else pass for the database."""
REMEDY = "or give --trusted-network if nobody else can read that network"


def check_database(url: URL, settings: Settings) -> None:
    """Raise `SettingsError` if a database elsewhere would be reached in clear text."""
    if settings.trusted_network or url.get_backend_name() == "sqlite":
        return
    try:
        from server.store.postgresql import way_to
    except ImportError:
        return  # The store says what is missing when it opens the database.
    hosts, mode = way_to(url)
    # Beside names and addresses there are paths of Unix sockets.
    away = [host for host in hosts if not (host[:1] in ("", "/", "@") or is_this_machine(host))]
    if away and mode not in CHECKED:
        raise SettingsError(
            f"--database-url: cards and seeds would go to {away[0]} without TLS that checks who "
            f"answers (sslmode is {mode}); end the address with ?sslmode=verify-full, {REMEDY}"
        )
