"""What crosses the bus, as bytes and back: for a bus between processes, and for the tests.

Every kind is a list in msgpack: its number, and its fields. Both sides belong to one server, but
what cannot be decoded raises `BadMessage` and nothing else.
"""

from typing import Any, TypeAlias

import msgpack

from engine.phrases import Phrase
from protocol.to_server import TO_SERVER, FollowTables
from protocol.wire_form import wire_form
from server.crossing.names import Key, Player
from server.crossing.neighbours import (
    AmongNodes,
    Announce,
    AtTables,
    Balance,
    CloseTable,
    Drain,
    Draining,
    Ended,
    Handed,
    Meet,
    MoreTables,
    News,
    Tables,
    Unseat,
    read_news,
    read_tables,
)
from server.crossing.parcels import (
    Answered,
    Banned,
    Batch,
    Charged,
    Expelled,
    Failed,
    Leaving,
    Moved,
    Parcel,
    Replaced,
    Told,
    Unbanned,
)
from server.crossing.requests import (
    Answer,
    Arriving,
    Asked,
    Attach,
    Banning,
    CaughtUp,
    Done,
    Elsewhere,
    Follow,
    Follows,
    Gone,
    Identified,
    Introduced,
    Known,
    Refused,
    Request,
    Resumed,
    Unknown,
)
from server.store import BanKey, BanRow, PlayerRow

Message: TypeAlias = Request | Answer | Batch | AmongNodes

_KINDS: tuple[type[Message | Parcel], ...] = (
    Asked,
    Attach,
    Introduced,
    Arriving,
    Resumed,
    Gone,
    CaughtUp,
    Identified,
    Known,
    Refused,
    Done,
    Unknown,
    Batch,
    Told,
    Answered,
    Charged,
    Failed,
    Replaced,
    Expelled,
    Banned,
    Unbanned,
    Elsewhere,
    Follow,
    Follows,
    Moved,
    Leaving,
    Banning,
    Meet,
    MoreTables,
    Tables,
    News,
    Handed,
    Drain,
    Draining,
    Unseat,
    CloseTable,
    Ended,
    Announce,
    AtTables,
    Balance,
)
_NUMBERS = {kind: number for number, kind in enumerate(_KINDS)}


class BadMessage(Exception):
    """Bytes that `encode` has not made."""


def encode(message: Message) -> bytes:
    """A message of either role as bytes."""
    packed: bytes = msgpack.packb(_written(message))
    return packed


def decode(data: bytes) -> Message:
    """The message in bytes; `BadMessage` if there is none."""
    try:
        message = _read(msgpack.unpackb(data, strict_map_key=True))
    except Exception as error:
        raise BadMessage(type(error).__name__) from None
    if isinstance(message, Parcel):
        raise BadMessage("a parcel without its batch")
    return message


def _written(message: Message | Parcel) -> list[Any]:
    match message:
        case Asked(command=command):
            fields: tuple[Any, ...] = message._replace(command=wire_form(command))
        case Resumed(player=player):
            fields = message._replace(
                player=(player.id, player.name, player.program),  # type: ignore[arg-type]
                features=sorted(message.features),  # type: ignore[arg-type]
            )
        case Follows(command=command):
            fields = message._replace(command=command and wire_form(command))
        case Refused(phrase=phrase) | Expelled(phrase=phrase):
            told = phrase and (phrase.code, dict(phrase.args))
            fields = message._replace(phrase=told)  # type: ignore[arg-type]
        case Batch(parcels=parcels):
            fields = ([_written(parcel) for parcel in parcels],)
        case _:
            fields = tuple(message)
    return [_NUMBERS[type(message)], *fields]


def _read(written: list[Any]) -> Message | Parcel:
    number, *fields = written
    kind = _KINDS[number]
    message: Message | Parcel = kind(*fields)
    match message:
        case Asked(key=key, command=command):
            return message._replace(
                key=Key(*key),
                command=TO_SERVER.validate_python(command, strict=True),
            )
        case Resumed(player=player):
            return message._replace(
                features=frozenset(message.features),
                legends=tuple(message.legends),
                player=Player(*player),  # type: ignore[misc]
                guest=message.guest and PlayerRow(*message.guest),
            )
        case Identified(guest=guest):
            return message._replace(guest=guest and PlayerRow(*guest))
        case Follows(command=command) if command is not None:
            follows = TO_SERVER.validate_python(command, strict=True)
            if not isinstance(follows, FollowTables):
                raise BadMessage(follows.type)
            return message._replace(command=follows)
        case Arriving(resume=resume):
            return message._replace(resume=tuple(resume))
        case Refused(phrase=phrase) | Expelled(phrase=phrase):
            return message._replace(phrase=phrase and Phrase(*phrase))  # type: ignore[misc]
        case Answered(key=key):
            return message._replace(key=Key(*key))
        case Tables(tables=tables):
            return message._replace(tables=read_tables(tables))  # type: ignore[arg-type]
        case News():
            return read_news(*fields)
        case Handed(codes=codes):
            return Handed(tuple(codes))
        case Banned(bans=bans):
            return Banned([BanRow(*ban) for ban in bans])
        case Unbanned(keys=keys):
            return Unbanned([BanKey(*key) for key in keys])
        case Batch(parcels=parcels):
            return Batch([_read(parcel) for parcel in parcels])  # type: ignore[arg-type, misc]
        case _:
            return message
