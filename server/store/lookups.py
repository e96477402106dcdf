"""The queries for each arriving player: statements that are made once.

The library compares each new statement with those that it has compiled before, which takes longer
than these queries.
"""

from typing import cast

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    CompoundSelect,
    bindparam,
    func,
    select,
    union_all,
)

from server.store.schema import ANSWERS, DEVICES, ENTRIES, FORGOTTEN, NAMED, PLAYERS

WITH_NAME = cast(ColumnElement[bool], NAMED)
"""An entry that names its command; word for word what the index is made with, so that the database
sees that it may use it."""


def _last_commands() -> CompoundSelect[int | None]:
    """Select a client's highest command among answers, deleted ones, and log entries."""
    player: BindParameter[str] = bindparam("player")
    client: BindParameter[str] = bindparam("client")
    logs = ENTRIES.c.table_code.in_(bindparam("tables", expanding=True))
    places = ((ANSWERS, ()), (FORGOTTEN, ()), (ENTRIES, (WITH_NAME,)), (ENTRIES, (logs,)))
    return union_all(
        *(
            select(func.max(where.c.command)).where(
                *more, where.c.player == player, where.c.client == client
            )
            for where, more in places
        )
    )


BY_FIRST_TOKEN = select(PLAYERS).where(PLAYERS.c.token_hash == bindparam("token_hash"))
"""The player whose first token has this `token_hash`."""
BY_DEVICE = select(PLAYERS).where(
    PLAYERS.c.id
    == select(DEVICES.c.player)
    .where(DEVICES.c.token_hash == bindparam("token_hash"))
    .scalar_subquery()
)
"""The player who has given a further device the token of this `token_hash`."""
DEVICES_OF = (
    select(DEVICES)
    .where(DEVICES.c.player == bindparam("player"))
    .order_by(DEVICES.c.created, DEVICES.c.device)
)
"""The devices of a `player` that have a row, the oldest first."""
LAST_COMMANDS = _last_commands()
"""The highest commands of a `player`'s `client`, one for each place; of moves those in `tables`."""
