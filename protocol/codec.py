"""Bytes to messages and back, for the two WebSocket subprotocols.

A frame from the client is one message; a frame from the server is a list of them. What comes in
is parsed once, here; what goes out from the server is built by hand (`protocol.wire_form`), packed
message by message and joined without packing again, so that one message can go to many people.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgpack
from pydantic import ValidationError
from pydantic_core import from_json, to_json

from protocol.compact_reader import CompactReader
from protocol.errors import ProtocolError
from protocol.lenient import read
from protocol.parse import command_id, explain, known_types
from protocol.to_client import ToClient
from protocol.to_server import TO_SERVER, ToServer
from protocol.version import JSON, MSGPACK, SUBPROTOCOLS
from protocol.wire_form import WireForm, wire_form

_TO_CLIENT_TYPES = known_types(ToClient)

MOST_MEMBERS = 256
"""How much a message to the server may hold in all its lists and objects; it needs half of that."""
_SMALL = 256
"""Bytes in which there is no room for more."""


@dataclass(frozen=True, slots=True)
class Codec:
    """One encoding of the messages. Not for use by several threads at once."""

    subprotocol: str
    frame_type: type[bytes] | type[str]
    load: Callable[[bytes | str], Any]  # whatever the encoding holds, until the models look at it
    load_unique: Callable[[Any], Any]
    """What `load` does; `_Twice` if an object has a name twice."""
    encode_message: Callable[[Any], bytes]  # a message, or any part of one
    """One message of the server, as bytes that `frame` joins."""
    frame: Callable[[Sequence[bytes]], bytes | str]
    """A frame of encoded messages, as it is given to the socket: bytes or str as the codec has."""
    name: Callable[[str], bytes]
    """The name of a field; with the encoded value behind it, it is one of those that `join` has."""
    join: Callable[[Sequence[bytes]], bytes]
    """A message of its encoded fields, fifteen at most."""

    def fields(self, form: WireForm) -> tuple[bytes, ...]:
        """The encoded fields of a message, which `join` combines with others."""
        return tuple(self.name(name) + self.encode_message(held) for name, held in form.items())

    def decode_command(self, raw: bytes | str) -> ToServer:
        """The client's message in one frame; `ProtocolError`, and nothing else, if it is bad."""
        try:
            data = self._load(raw, self.load_unique)
        except _Twice as twice:
            # Programs differ in which of the two they take.
            name, data = str(twice), self._load(raw, self.load)
            reason = f"field {ascii(name)[:80]} is there twice"
            number = command_id(data) if name != "id" else None
            raise ProtocolError("bad_message", reason, number) from None
        # Each member that does not fit is a fault, and a fault costs some ten microseconds.
        if len(raw) > _SMALL and _holds_more_than(MOST_MEMBERS, data):
            reason = f"a message holds at most {MOST_MEMBERS} fields and values"
            raise ProtocolError("bad_message", reason, command_id(data))
        # In msgpack numbers have such bytes, too, so only then the texts are looked at.
        if (b"\0" in raw if isinstance(raw, bytes) else "\\u0000" in raw) and _holds_nul(data):
            reason = "a text must not hold the character U+0000"
            raise ProtocolError("bad_message", reason, command_id(data))
        try:
            command: ToServer = TO_SERVER.validator.validate_python(data, strict=True)
            return command
        except ValidationError as error:
            raise ProtocolError("bad_message", explain(error), command_id(data)) from None

    def encode_command(self, command: ToServer) -> bytes | str:
        """The frame in which a client sends `command`."""
        packed = self.encode_message(wire_form(command))
        return packed.decode() if self.frame_type is str else packed

    def decode_frame(
        self, raw: bytes | str, compact: CompactReader | None = None
    ) -> list[ToClient]:
        """The server's messages in one frame, without those of unknown types.

        `compact` reads events in the compact form, and has the words of the connection.
        """
        data = self._load(raw, self.load)
        if not isinstance(data, list):
            raise ProtocolError("bad_message", f"a frame is a list, not {_kind(data)}")
        items = data if compact is None else compact.long_form(data)
        return [message for item in items if (message := _to_client(item)) is not None]

    def _load(self, raw: bytes | str, load: Callable[[Any], Any]) -> Any:
        if not isinstance(raw, self.frame_type):
            had, wants = ("text", "binary") if isinstance(raw, str) else ("binary", "text")
            reason = f"a {had} frame; {self.subprotocol} is sent in {wants} frames"
            raise ProtocolError("bad_message", reason)
        try:
            return load(raw)
        except _Twice:
            raise
        # The decoders raise a dozen kinds of error on bad input, among them UnicodeDecodeError,
        # RecursionError and msgpack's own. All mean the same: the peer sent something else.
        except Exception as error:
            encoding = self.subprotocol.rpartition(".")[2]
            why = ascii(str(error) or type(error).__name__)[1:-1][:120]
            reason = f"the frame is not one value in {encoding}: {why}"
            raise ProtocolError("bad_message", reason) from None


def _holds_more_than(most: int, data: Any) -> bool:
    """Whether `data` has more than `most` members at all depths; counts no further than that."""
    unseen = [data]
    while unseen:
        members = unseen.pop()
        if isinstance(members, dict | list):
            most -= len(members)
            if most < 0:
                return True
            unseen += members.values() if isinstance(members, dict) else members
    return False


class _Twice(Exception):
    """An object has a name twice."""


def _unique(members: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(members)
    if len(found) < len(members):
        names = [name for name, _ in members]
        raise _Twice(next(name for name in names if names.count(name) > 1))
    return found


def _load_unique_json(raw: str) -> Any:
    data = from_json(raw, allow_inf_nan=False)
    # Each member has a colon, also one that another of its name has replaced.
    if raw.count(":") != _members(data):
        json.loads(raw, object_pairs_hook=_unique)
    return data


def _members(data: Any) -> int:
    """The number of members of all objects in `data` together."""
    count, unseen = 0, [data]
    while unseen:
        value = unseen.pop()
        if isinstance(value, dict):
            count += len(value)
            unseen += value.values()
        elif isinstance(value, list):
            unseen += value
    return count


def _holds_nul(data: Any) -> bool:
    """Whether a text in `data` holds U+0000, which some databases store and others do not."""
    unseen = [data]
    while unseen:
        members = unseen.pop()
        if isinstance(members, str):
            if "\0" in members:
                return True
        elif isinstance(members, dict | list):
            unseen += members
            if isinstance(members, dict):
                unseen += members.values()
    return False


def _to_client(data: Any) -> ToClient | None:
    if isinstance(data, dict) and not _is_known(data.get("type")):
        return None
    try:
        return read(data)
    except ValidationError as error:
        raise ProtocolError("bad_message", explain(error), command_id(data)) from None


def _is_known(type: Any) -> bool:
    return isinstance(type, str) and type in _TO_CLIENT_TYPES


def _kind(data: Any) -> str:
    return "an object" if isinstance(data, dict) else f"a value of kind {type(data).__name__}"


def _join_msgpack(parts: Sequence[bytes]) -> bytes:
    count = len(parts)
    if count < 16:
        return b"".join((_SHORT_LISTS[count], *parts))
    return b"".join((b"\xdd", count.to_bytes(4, "big"), *parts))


_SHORT_LISTS = tuple(bytes([0x90 + count]) for count in range(16))


def _join_json(parts: Sequence[bytes]) -> str:
    return f"[{b','.join(parts).decode()}]"


def _name_json(name: str) -> bytes:
    return to_json(name) + b":"


def _object_msgpack(fields: Sequence[bytes]) -> bytes:
    # In the short form there are no more.
    assert len(fields) < 16, "an object of encoded fields has at most fifteen"
    return b"".join((bytes((0x80 + len(fields),)), *fields))


def _object_json(fields: Sequence[bytes]) -> bytes:
    return b"{" + b",".join(fields) + b"}"


_CODECS = {
    MSGPACK: Codec(
        subprotocol=MSGPACK,
        frame_type=bytes,
        load=partial(msgpack.unpackb, strict_map_key=True),
        load_unique=partial(msgpack.unpackb, strict_map_key=True, object_pairs_hook=_unique),
        encode_message=msgpack.Packer().pack,
        frame=_join_msgpack,
        name=msgpack.Packer().pack,
        join=_object_msgpack,
    ),
    JSON: Codec(
        subprotocol=JSON,
        frame_type=str,
        load=partial(from_json, allow_inf_nan=False),
        load_unique=_load_unique_json,
        encode_message=to_json,
        frame=_join_json,
        name=_name_json,
        join=_object_json,
    ),
}


def codec_for(subprotocol: str | None) -> Codec:
    """The codec of a subprotocol; `ProtocolError` `version_unsupported` for an unknown one."""
    try:
        return _CODECS[subprotocol or ""]
    except KeyError:
        reason = f"no subprotocol {subprotocol!r}; this side speaks {' and '.join(SUBPROTOCOLS)}"
        raise ProtocolError("version_unsupported", reason) from None
