"""Events as bytes, put together from pieces: the hottest message by hand.

A fact goes to many people, and the fact that a certain card was played from a certain place is
told again in every deal; so the bytes of facts are kept. The result is the same, byte for byte,
as encoding `protocol.encode.event_plain`, by test.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from engine.facts import Fact
from protocol.codec import Codec
from protocol.encode import Plain, fact_plain
from protocol.version import JSON

KEPT: Final = 2048
"""Facts whose bytes are remembered; beyond that all are forgotten and learnt anew."""


class EventEncoder:
    """Encodes events for one codec. Facts must not be changed after they were first seen."""

    def __init__(self, codec: Codec) -> None:
        self._encode = codec.encode_message
        text = codec.subprotocol == JSON
        self._object = _json_object if text else _msgpack_object
        self._list = _json_list if text else _msgpack_list
        self._names = {
            name: self._encode(name) + (b":" if text else b"")
            for name in ("type", "table", "seq", "facts", "info", "question")
        }
        self._type = self._names["type"] + self._encode("event")
        # The fact is kept beside its bytes, so that its id stays its own.
        self._facts: dict[int, tuple[Fact, bytes]] = {}

    def encode(
        self,
        table: str,
        seq: int,
        facts: Sequence[Fact],
        info: Plain | None = None,
        question: Plain | None = None,
    ) -> bytes:
        names, encode = self._names, self._encode
        fields = [self._type, names["table"] + encode(table), names["seq"] + encode(seq)]
        if facts:
            fields.append(names["facts"] + self._list([self._fact(fact) for fact in facts]))
        if info is not None:
            fields.append(names["info"] + encode(info))
        if question is not None:
            fields.append(names["question"] + encode(question))
        return self._object(fields)

    def _fact(self, fact: Fact) -> bytes:
        kept = self._facts.get(id(fact))
        if kept is not None:
            return kept[1]
        if len(self._facts) >= KEPT:
            self._facts.clear()
        encoded = self._encode(fact_plain(fact))
        self._facts[id(fact)] = (fact, encoded)
        return encoded


def _msgpack_object(fields: Sequence[bytes]) -> bytes:
    # Short forms only: an event has at most six fields.
    return b"".join((bytes((0x80 + len(fields),)), *fields))


def _msgpack_list(items: Sequence[bytes]) -> bytes:
    size = len(items)
    head = bytes((0x90 + size,)) if size < 16 else b"\xdc" + size.to_bytes(2, "big")
    return b"".join((head, *items))


def _json_object(fields: Iterable[bytes]) -> bytes:
    return b"{" + b",".join(fields) + b"}"


def _json_list(items: Iterable[bytes]) -> bytes:
    return b"[" + b",".join(items) + b"]"
