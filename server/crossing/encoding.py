"""What crosses the bus, as bytes and back: for a bus between processes, and for the tests.

Every kind is a list in msgpack: its number, and its fields. Both sides belong to one server, but
while it is upgraded not to one version. So kinds are added at the end of `_KINDS` and never moved
or removed, and fields at the end of a kind, with a value for where they are missing; a reader
leaves out fields that it does not know, and parcels of an unknown kind. Everything else that cannot
be decoded raises `BadMessage` and nothing else.
"""

from collections.abc import Callable, Sequence, Set
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

import msgpack

from engine.phrases import Phrase
from protocol.to_server import TO_SERVER, FollowTables
from protocol.wire_form import wire_form
from server.crossing.names import Key, Player
from server.crossing.neighbours import (
    AmongNodes,
    Announce,
    AtTables,
    AuditRead,
    Balance,
    CloseTable,
    Drain,
    Draining,
    Ended,
    Handed,
    Meet,
    MoreTables,
    News,
    ReadAudit,
    Tables,
    Undrain,
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
    Pausing,
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

T = TypeVar("T")

_KINDS: tuple[type[Message | Parcel] | None, ...] = (
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
    ReadAudit,
    AuditRead,
    None,  # what gateways of 0.2.0 say of addresses
    None,
    Pausing,
    Undrain,
)
_ASKED = frozenset(get_args(Request))
_NUMBERS = {kind: number for number, kind in enumerate(_KINDS) if kind}


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
    if kind is None:
        raise BadMessage("a kind of message that is gone")
    message: Message | Parcel = (_checked if kind in _ASKED else _made)(kind, fields)
    match message:
        case Asked(key=key, command=command):
            return message._replace(
                key=_checked(Key, key),
                command=TO_SERVER.validate_python(command, strict=True),
            )
        case Resumed(player=player):
            return message._replace(
                features=frozenset(message.features),
                legends=tuple(message.legends),
                player=_checked(Player, player),  # type: ignore[arg-type]
                guest=message.guest and _checked(PlayerRow, message.guest),
            )
        case Identified(guest=guest):
            return message._replace(guest=guest and _made(PlayerRow, guest))
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
            return message._replace(key=_made(Key, key))
        case Tables(tables=tables):
            return message._replace(tables=read_tables(tables))  # type: ignore[arg-type]
        case News():
            return read_news(*fields[: len(News._fields)])
        case Handed(codes=codes):
            return Handed(tuple(codes))
        case AuditRead(lines=lines):
            return message._replace(lines=tuple(lines))
        case Banned(bans=bans):
            return Banned([_made(BanRow, ban) for ban in bans])
        case Unbanned(keys=keys):
            return Unbanned([_made(BanKey, key) for key in keys])
        case Batch(parcels=parcels):
            sent: Any = parcels
            known = (_read(one) for one in sent if one[0] < len(_KINDS) and _KINDS[one[0]])
            return Batch(list(known))  # type: ignore[arg-type]
        case _:
            return message


def _made(kind: Callable[..., T], fields: Sequence[Any]) -> T:
    """A named tuple of the fields that this version knows."""
    return kind(*fields[: len(kind._fields)])  # type: ignore[attr-defined]


def _checked(kind: Callable[..., T], fields: Sequence[Any]) -> T:
    """The same of what gateways ask; `BadMessage` if a plain field has a value of another type.

    Fields of several values are left to whoever reads them.
    """
    types = _types(kind)
    for value, wanted in zip(fields, types, strict=False):
        if wanted and type(value) not in wanted:
            raise BadMessage("a field of another type")
    return kind(*fields[: len(types)])


@cache
def _types(kind: Callable[..., object]) -> tuple[Set[type], ...]:
    """The types that the values of each field may have; none of a field that is not checked."""
    return tuple(_plain(hint) for hint in get_type_hints(kind).values())


def _plain(hint: Any) -> Set[type]:  # as `get_type_hints` gives it
    types = set(get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,))
    if not types <= {str, int, float, bool, NoneType}:
        return frozenset()
    return {*types, int} if float in types else types
