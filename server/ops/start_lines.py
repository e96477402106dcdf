"""Log lines at the start of a server: what it found, and what it lacks."""

from collections.abc import Mapping

import structlog

from bots import withheld
from engine import GAMES
from server.ops.settings_sources import unknown_variables
from server.store import DatabaseFound, moment

log = structlog.get_logger()


def tell_what_was_found(found: DatabaseFound) -> None:
    """Log the contents of the database, and its missing or damaged parts."""
    last = "unknown" if found.last_entry is None else moment(found.last_entry)
    log.info(
        "database_opened",
        tables=found.tables,
        open_tables=found.open_tables,
        entries=found.entries,
        last_entry=last,
        recovered_pages=found.recovered_pages,
    )
    if found.is_other:
        reason = "this is not the database that was here before; was it put here on purpose?"
        log.warning("database_replaced", reason=reason)
    if found.last is not None and any(found.missing):
        # Of what was acknowledged; a restored backup has the same effect.
        log.error(
            "database_older",
            entries=found.missing.entries,
            commits=found.missing.commits,
            last_entry=last,
            reason=f"it was written until {found.last.moment}, and what was written last is not in "
            "it: its write-ahead log was damaged or removed, or a backup was put in its place",
        )


def tell_what_is_missing() -> None:
    """Log once the games with bots that are not on offer here."""
    games = [info.id for info in GAMES if withheld(info.id)]
    if games:
        reason = (
            f"the strongest bots of {', '.join(games)} are not on offer: they need Numba, which"
        )
        log.warning("numba_missing", reason=f"{reason} blackqueen[strong] installs")


def tell_what_is_ignored(environment: Mapping[str, str]) -> None:
    """Log the environment variables that look like settings and are none."""
    for reason in unknown_variables(environment):
        log.warning("unknown_variable", reason=reason)
