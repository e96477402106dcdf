"""Statements that delete old rows, and keep what is still needed of them.

The highest number of a client's deleted answers or logged commands stays, as long as its player is
known: a command up to it may be a repetition that can no longer be told from a new one, so it is
refused as too old.
"""

from collections.abc import Iterable, Iterator, Sequence

from sqlalchemy import bindparam, delete, func, select, text, tuple_, update
from sqlalchemy.sql import ClauseElement

from server.store.rows import AnswerKey, BanKey, Deletion
from server.store.schema import (
    ANSWERS,
    BANS,
    DATABASE_INFO,
    DESCRIPTIONS,
    DEVICE_CODES,
    DEVICES,
    FORGOTTEN,
    HOSTED_GAMES,
    LAST_SEQ,
    NODE_REQUESTS,
    PLAYERS,
    SEATED,
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


def deleting(deletion: Deletion) -> Iterator[ClauseElement]:
    """Return the statements that delete the rows of `deletion` and their dependent rows."""
    if deletion.tables:
        yield from _tables(deletion.tables)
    if deletion.answers:
        yield from _answers(deletion.answers)
    if deletion.players:
        yield from _players(deletion.players, deletion.unseen_since)
    if deletion.bans:
        yield _bans(deletion.bans, deletion.over_at)
    if deletion.devices:
        # Before the device: what adds that of a first token locks the player's row.
        first = update(PLAYERS).where(PLAYERS.c.token_hash.in_(deletion.devices))
        yield first.values(token_hash="revoked " + PLAYERS.c.id)
        yield delete(DEVICES).where(DEVICES.c.token_hash.in_(deletion.devices))
    if deletion.hosted:
        key = tuple_(HOSTED_GAMES.c.name, HOSTED_GAMES.c.source)
        yield delete(HOSTED_GAMES).where(key.in_([tuple(each) for each in deletion.hosted]))
    if deletion.codes:
        yield delete(DEVICE_CODES).where(DEVICE_CODES.c.token_hash.in_(deletion.codes))
    if deletion.codes_over_at is not None:
        yield delete(DEVICE_CODES).where(DEVICE_CODES.c.until <= deletion.codes_over_at)
    if deletion.requests_before is not None:
        yield delete(NODE_REQUESTS).where(NODE_REQUESTS.c.time < deletion.requests_before)
    for digest in deletion.descriptions:
        # A table may have been opened by it since it was found to be of no use.
        used = select(TABLES.c.code).where(TABLES.c.game.like(f"%@{digest}")).exists()
        yield delete(DESCRIPTIONS).where(DESCRIPTIONS.c.digest == digest, ~used)


def _bans(keys: Iterable[BanKey], moment: float | None) -> ClauseElement:
    named = tuple_(BANS.c.kind, BANS.c.subject)
    statement = delete(BANS).where(named.in_([tuple(key) for key in keys]))
    return statement if moment is None else statement.where(BANS.c.until <= moment)


def _tables(codes: Sequence[str]) -> Iterator[ClauseElement]:
    lengths = select(func.coalesce(func.sum(LAST_SEQ), 0)).where(TABLES.c.code.in_(codes))
    gone = DATABASE_INFO.c.deleted + lengths.scalar_subquery()
    yield update(DATABASE_INFO).values(deleted=gone)
    yield _FORGET_LOGGED.bindparams(codes=list(codes))
    yield delete(TABLES).where(TABLES.c.code.in_(codes))


def _answers(keys: Iterable[AnswerKey]) -> Iterator[ClauseElement]:
    chosen = [tuple(key) for key in keys]
    yield _FORGET_ANSWERED.bindparams(keys=chosen)
    named = tuple_(ANSWERS.c.player, ANSWERS.c.client, ANSWERS.c.command)
    yield delete(ANSWERS).where(named.in_(chosen))


def _players(ids: Sequence[str], moment: float) -> Iterator[ClauseElement]:
    yield delete(PLAYERS).where(PLAYERS.c.id.in_(ids), PLAYERS.c.seen < moment, ~SEATED)
    left = select(PLAYERS.c.id).where(PLAYERS.c.id == FORGOTTEN.c.player).exists()
    yield delete(FORGOTTEN).where(FORGOTTEN.c.player.in_(ids), ~left)
    owned = select(PLAYERS.c.id).where(PLAYERS.c.id == DEVICES.c.player).exists()
    yield delete(DEVICES).where(DEVICES.c.player.in_(ids), ~owned)
