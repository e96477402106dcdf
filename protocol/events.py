"""Events as bytes, joined from encoded pieces: the most frequent message, encoded by hand.

A fact goes to many viewers, and playing a certain card from a certain place is told again in every
deal; so the bytes of facts are cached, for longer if a fact has come twice. The bytes of an
`EventEncoder` equal the encoding of `protocol.wire_form.event_message`, and those of a
`CompactEventEncoder` are read as that message, by test.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from engine.facts import Fact
from engine.views import for_people
from protocol.codec import Codec, codec_for
from protocol.compact_form import CompactForm, listed
from protocol.version import JSON, MSGPACK
from protocol.wire_form import QuestionParts, WireForm, fact_form, question_form

FRESH: Final = 1024
"""Facts remembered that were met once; beyond that all are forgotten."""
LASTING: Final = 8192
"""Facts remembered that were met again; beyond that all are forgotten and learnt anew."""
FRESH_OF_A_GAME: Final = 256
LASTING_OF_A_GAME: Final = 1024
"""The same for the compact form, of which each game has its own: a fact takes some 430 bytes."""

Fields: TypeAlias = tuple[bytes, ...]


class Encoder(ABC):
    """Encodes events in one form, with the `internal` values of views or without them.

    Facts must not be changed after they were first seen.
    """

    def __init__(self, internal: bool, fresh: int, lasting: int) -> None:
        self._internal = internal
        self._most_fresh, self._most_lasting = fresh, lasting
        # The fact is kept beside its bytes, so that its id stays its own.
        self._fresh: dict[int, tuple[Fact, bytes]] = {}
        self._lasting: dict[int, tuple[Fact, bytes]] = {}

    def encode(
        self,
        table: str,
        seq: int,
        facts: Sequence[Fact],
        info: WireForm | None = None,
        question: QuestionParts | None = None,
    ) -> bytes:
        """The bytes of one whole `event` message."""
        return self.asking(self.telling(table, seq, facts, info), question)

    @abstractmethod
    def telling(
        self, table: str, seq: int, facts: Sequence[Fact], info: WireForm | None = None
    ) -> Fields:
        """Return the fields that are equal for all viewers who saw equal facts."""

    @abstractmethod
    def asking(self, told: Fields, question: QuestionParts | None) -> bytes:
        """Return the whole event: the shared fields, and the question for one viewer."""

    @abstractmethod
    def _encoded(self, fact: Fact) -> bytes: ...

    def _fact(self, fact: Fact) -> bytes:
        kept = self._lasting.get(id(fact))
        if kept is not None:
            return kept[1]
        kept = self._fresh.pop(id(fact), None)
        if kept is None:
            kept = (fact, self._encoded(fact if self._internal else for_people(fact)))
            _put(self._fresh, kept, self._most_fresh)
        else:
            _put(self._lasting, kept, self._most_lasting)
        return kept[1]


class EventEncoder(Encoder):
    """Encodes events for one codec, with names for everything."""

    def __init__(self, codec: Codec, internal: bool = True) -> None:
        super().__init__(internal, FRESH, LASTING)
        self._encode = codec.encode_message
        text = codec.subprotocol == JSON
        self._object = codec.join
        self._list = _json_list if text else listed
        self._names = {
            name: codec.name(name) for name in ("type", "table", "seq", "facts", "info", "question")
        }
        self._type = self._names["type"] + self._encode("event")

    def telling(
        self, table: str, seq: int, facts: Sequence[Fact], info: WireForm | None = None
    ) -> Fields:
        """What has happened, as fields with their names."""
        names, encode = self._names, self._encode
        fields: Fields = (self._type, names["table"] + encode(table), names["seq"] + encode(seq))
        if facts:
            fields += (names["facts"] + self._list([self._fact(fact) for fact in facts]),)
        if info is not None:
            fields += (names["info"] + encode(info),)
        return fields

    def asking(self, told: Fields, question: QuestionParts | WireForm | None) -> bytes:
        """The whole event, as an object; the question may be in its wire form already."""
        if question is not None:
            if isinstance(question, QuestionParts):
                question = question_form(*question)
            told += (self._names["question"] + self._encode(question),)
        return self._object(told)

    def _encoded(self, fact: Fact) -> bytes:
        return self._encode(fact_form(fact))


class CompactEventEncoder(Encoder):
    """Encodes events in the compact form, with the words of the list of this number."""

    def __init__(self, number: int, words: Sequence[str], internal: bool = True) -> None:
        super().__init__(internal, FRESH_OF_A_GAME, LASTING_OF_A_GAME)
        self._pack = codec_for(MSGPACK).encode_message
        self._form = CompactForm(words)
        self._number = self._pack(number)

    def telling(
        self, table: str, seq: int, facts: Sequence[Fact], info: WireForm | None = None
    ) -> Fields:
        """What has happened, in the order of the form; what it is asked comes before an `info`."""
        pack = self._pack
        shown = listed([self._fact(fact) for fact in facts])
        told = b"".join((self._number, pack(table), pack(seq), shown))
        return (told,) if info is None else (told, pack(info))

    def asking(self, told: Fields, question: QuestionParts | None) -> bytes:
        """The whole event, as a list."""
        if question is not None:
            told = (told[0], self._form.question(question), *told[1:])
        elif len(told) > 1:
            told = (told[0], _NOTHING, told[1])
        return b"".join((_HEADS[len(told)], *told))

    def _encoded(self, fact: Fact) -> bytes:
        return self._form.fact(fact)


_NOTHING = b"\xc0"
_HEADS = b"", b"\x94", b"\x95", b"\x96"
"""By the parts that are joined, of which the first has four members."""


def _put(kept: dict[int, tuple[Fact, bytes]], entry: tuple[Fact, bytes], limit: int) -> None:
    if len(kept) >= limit:
        kept.clear()
    kept[id(entry[0])] = entry


def _json_list(items: Iterable[bytes]) -> bytes:
    return b"[" + b",".join(items) + b"]"
