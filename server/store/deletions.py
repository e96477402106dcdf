"""Statements that delete old rows, and keep what must still be known of them.

Of a client whose answers or logged commands go the highest number stays, as long as its player is
known: a command up to it may be a repetition that can no longer be told from a new one, so it is
refused as too old.
"""

from collections.abc import Iterable, Sequence

from sqlalchemy import bindparam, delete, func, select, text, tuple_, update
from sqlalchemy.engine import Connection

from server.store.rows import AnswerKey, BanKey, Deletion
from server.store.schema import (
    ANSWERS,
    BANS,
    DATABASE_INFO,
    DESCRIPTIONS,
    DEVICES,
    FORGOTTEN,
    LAST_SEQ,
    PLAYERS,
    TABLES,
)

_FORGET = """
INSERT INTO forgotten_commands (player, client, command, time)
SELECT player, client, max(command), max(time) FROM {rows}
WHERE {which} AND EXISTS (SELECT 1 FROM players WHERE players.id = player)
GROUP BY player, client
ON CONFLICT (player, client) DO UPDATE SET time = excluded.time, command =
CASE WHEN excluded.command > forgotten_commands.command
THEN excluded.command ELSE forgotten_commands.command END
"""
_FORGET_LOGGED = text(
    _FORGET.format(rows="entries", which="table_code IN :codes AND command IS NOT NULL")
).bindparams(bindparam("codes", expanding=True))
_FORGET_ANSWERED = text(
    _FORGET.format(rows="answers", which="(player, client, command) IN :keys")
).bindparams(bindparam("keys", expanding=True))


def delete_rows(connection: Connection, deletion: Deletion) -> None:
    """Delete what `deletion` names, and what belongs to it."""
    if deletion.tables:
        _tables(connection, deletion.tables)
    if deletion.answers:
        _answers(connection, deletion.answers)
    if deletion.players:
        _players(connection, deletion.players, deletion.unseen_since)
    if deletion.bans:
        _bans(connection, deletion.bans, deletion.over_at)
    if deletion.devices:
        connection.execute(delete(DEVICES).where(DEVICES.c.token_hash.in_(deletion.devices)))
    for digest in deletion.descriptions:
        # A table may have been opened by it since it was found to be of no use.
        used = select(TABLES.c.code).where(TABLES.c.game.like(f"%@{digest}")).exists()
        connection.execute(delete(DESCRIPTIONS).where(DESCRIPTIONS.c.digest == digest, ~used))


def _bans(connection: Connection, keys: Iterable[BanKey], moment: float | None) -> None:
    named = tuple_(BANS.c.kind, BANS.c.subject)
    statement = delete(BANS).where(named.in_([tuple(key) for key in keys]))
    if moment is not None:
        statement = statement.where(BANS.c.until <= moment)
    connection.execute(statement)


def _tables(connection: Connection, codes: Sequence[str]) -> None:
    lengths = select(func.coalesce(func.sum(LAST_SEQ), 0)).where(TABLES.c.code.in_(codes))
    gone = DATABASE_INFO.c.deleted + lengths.scalar_subquery()
    connection.execute(update(DATABASE_INFO).values(deleted=gone))
    connection.execute(_FORGET_LOGGED, {"codes": list(codes)})
    connection.execute(delete(TABLES).where(TABLES.c.code.in_(codes)))


def _answers(connection: Connection, keys: Iterable[AnswerKey]) -> None:
    chosen = [tuple(key) for key in keys]
    connection.execute(_FORGET_ANSWERED, {"keys": chosen})
    named = tuple_(ANSWERS.c.player, ANSWERS.c.client, ANSWERS.c.command)
    connection.execute(delete(ANSWERS).where(named.in_(chosen)))


def _players(connection: Connection, ids: Sequence[str], moment: float) -> None:
    connection.execute(delete(PLAYERS).where(PLAYERS.c.id.in_(ids), PLAYERS.c.seen < moment))
    left = select(PLAYERS.c.id).where(PLAYERS.c.id == FORGOTTEN.c.player).exists()
    connection.execute(delete(FORGOTTEN).where(FORGOTTEN.c.player.in_(ids), ~left))
    owned = select(PLAYERS.c.id).where(PLAYERS.c.id == DEVICES.c.player).exists()
    connection.execute(delete(DEVICES).where(DEVICES.c.player.in_(ids), ~owned))
