"""Events as bytes, joined from encoded pieces: the most frequent message, encoded by hand.

A fact goes to many viewers, and playing a certain card from a certain place is told again in every
deal; so the bytes of facts are cached, for longer if a fact has come twice. The result equals the
encoding of `protocol.wire_form.event_message` byte for byte, by test.
"""

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from engine.facts import Fact
from engine.views import for_people
from protocol.codec import Codec
from protocol.version import JSON
from protocol.wire_form import WireForm, fact_form

FRESH: Final = 1024
"""Facts remembered that were met once; beyond that all are forgotten."""
LASTING: Final = 8192
"""Facts remembered that were met again; beyond that all are forgotten and learnt anew."""

Fields: TypeAlias = tuple[bytes, ...]


class EventEncoder:
    """Encodes events for one codec, with the `internal` values of views or without them.

    Facts must not be changed after they were first seen.
    """

    def __init__(self, codec: Codec, internal: bool = True) -> None:
        self._internal = internal
        self._encode = codec.encode_message
        text = codec.subprotocol == JSON
        self._object = codec.join
        self._list = _json_list if text else _msgpack_list
        self._names = {
            name: codec.name(name) for name in ("type", "table", "seq", "facts", "info", "question")
        }
        self._type = self._names["type"] + self._encode("event")
        # The fact is kept beside its bytes, so that its id stays its own.
        self._fresh: dict[int, tuple[Fact, bytes]] = {}
        self._lasting: dict[int, tuple[Fact, bytes]] = {}

    def encode(
        self,
        table: str,
        seq: int,
        facts: Sequence[Fact],
        info: WireForm | None = None,
        question: WireForm | None = None,
    ) -> bytes:
        """The bytes of one whole `event` message."""
        return self.asking(self.telling(table, seq, facts, info), question)

    def telling(
        self, table: str, seq: int, facts: Sequence[Fact], info: WireForm | None = None
    ) -> Fields:
        """The fields that are equal for all viewers who saw equal facts."""
        names, encode = self._names, self._encode
        fields: Fields = (self._type, names["table"] + encode(table), names["seq"] + encode(seq))
        if facts:
            fields += (names["facts"] + self._list([self._fact(fact) for fact in facts]),)
        if info is not None:
            fields += (names["info"] + encode(info),)
        return fields

    def asking(self, told: Fields, question: WireForm | None) -> bytes:
        """The whole event: the shared fields, and the question for one viewer."""
        if question is not None:
            told += (self._names["question"] + self._encode(question),)
        return self._object(told)

    def _fact(self, fact: Fact) -> bytes:
        kept = self._lasting.get(id(fact))
        if kept is not None:
            return kept[1]
        kept = self._fresh.pop(id(fact), None)
        if kept is None:
            shown = fact if self._internal else for_people(fact)
            kept = (fact, self._encode(fact_form(shown)))
            _put(self._fresh, kept, FRESH)
        else:
            _put(self._lasting, kept, LASTING)
        return kept[1]


def _put(kept: dict[int, tuple[Fact, bytes]], entry: tuple[Fact, bytes], limit: int) -> None:
    if len(kept) >= limit:
        kept.clear()
    kept[id(entry[0])] = entry


def _msgpack_list(items: Sequence[bytes]) -> bytes:
    size = len(items)
    head = bytes((0x90 + size,)) if size < 16 else b"\xdc" + size.to_bytes(2, "big")
    return b"".join((head, *items))


def _json_list(items: Iterable[bytes]) -> bytes:
    return b"[" + b",".join(items) + b"]"
