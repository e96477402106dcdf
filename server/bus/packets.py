"""What peers write to each other over a courier: packets of items, in msgpack.

All that one peer has to say to another at a time is one packet. Its head names the sender and the
life of both: a process that is started again under its old name begins a new life, and what was
meant for the old one is not for it.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple, TypeAlias

import msgpack

LARGEST = 512 * 1024
"""Bytes of the largest packet, and of the largest request, answer or event less `HEAD`."""
HEAD = 1024
NAME = 256
"""Characters of the longest name of a peer, port or stream."""


class BadPacket(Exception):
    """Bytes that are no packet."""


class Ask(NamedTuple):
    """A request. `oldest` is the first number that its sender still wants an answer to."""

    number: int
    token: int
    oldest: int
    port: str
    request: bytes


class Answer(NamedTuple):
    """The answer to a request; `failure` names a `Failure` if there is none."""

    number: int
    token: int
    answer: bytes
    failure: str


class Renew(NamedTuple):
    """The token that requests have to show; those with another are not carried out."""

    token: int


class Event(NamedTuple):
    """An event of a stream of the sender."""

    stream: str
    number: int
    payload: bytes


class Last(NamedTuple):
    """The last number of a stream of the sender."""

    stream: str
    number: int


class Cut(NamedTuple):
    """Some events from `after` up to this number are no longer kept by the sender."""

    stream: str
    number: int
    after: int


class NoStream(NamedTuple):
    """The sender has no such stream."""

    stream: str


class Follow(NamedTuple):
    """The sender wants the events of a stream after a number."""

    stream: str
    after: int


class Leave(NamedTuple):
    """The sender wants no more events of a stream."""

    stream: str


class Still(NamedTuple):
    """Of the requests with lower numbers than `below`, only these have no answer yet.

    `numbers` are theirs, as eight bytes each.
    """

    below: int
    numbers: bytes


Item: TypeAlias = Ask | Answer | Renew | Event | Last | Cut | NoStream | Follow | Leave | Still
_CODES: dict[type[Item], int] = {
    Ask: 0,
    Answer: 1,
    Renew: 2,
    Event: 3,
    Last: 4,
    Cut: 5,
    NoStream: 6,
    Follow: 7,
    Leave: 8,
    # 9, 10, 12 and 13 are what 0.2.0 calls its questions to bots.
    Still: 11,
}
_KINDS = {code: (kind, tuple(kind.__annotations__.values())) for kind, code in _CODES.items()}


class Packet(NamedTuple):
    """Items from `sender` in one of its lives, for the life `receiver` of who gets it (0: any)."""

    sender: str
    life: int
    receiver: int
    items: list[Item]


def still(below: int, numbers: Iterable[int]) -> Still:
    """Says that of the requests below a number only these have no answer yet."""
    return Still(below, b"".join(number.to_bytes(8, "big") for number in numbers))


def numbers_of(item: Still) -> list[int]:
    """The numbers in an item that anybody may have written."""
    data = item.numbers
    return [int.from_bytes(data[at : at + 8], "big") for at in range(0, len(data), 8)]


def size_of(item: Item) -> int:
    """About how many bytes an item takes in a packet, never less than it does."""
    return 8 + sum(
        len(it) * 4 if isinstance(it, str) else 9 if isinstance(it, int) else len(it) + 5
        for it in item
    )


def encode(packet: Packet) -> bytes:
    """A packet as bytes."""
    sender, life, receiver, items = packet
    written: bytes = msgpack.packb(
        [sender, life, receiver, [(_CODES[type(item)], *item) for item in items]]
    )
    return written


def decode(data: bytes) -> Packet:
    """The packet in bytes that anybody may have written. `BadPacket` if there is none."""
    if len(data) > LARGEST:
        raise BadPacket("too large")
    try:
        # msgpack allows no text, list or number in it to claim more than the bytes that are there.
        sender, life, receiver, items = msgpack.unpackb(data, strict_map_key=True)
        head = Packet(_name(sender), _number(life), _number(receiver), [])
        head.items.extend(map(_item, items))
    except BadPacket:
        raise
    except Exception as error:
        raise BadPacket(type(error).__name__) from None
    return head


def _item(written: Any) -> Item:  # what a stranger wrote
    code, *values = written
    kind, types = _KINDS[_number(code)]
    if len(values) != len(types):
        raise BadPacket("an item of another length")
    for value, wanted in zip(values, types, strict=True):
        if wanted is int:
            _number(value)
        elif wanted is str:
            _name(value)
        elif type(value) is not bytes:
            raise BadPacket("no bytes")
    item: Item = kind(*values)
    return item


def _number(value: object) -> int:
    if type(value) is not int or not 0 <= value < 2**63:
        raise BadPacket("no number")
    return value


def _name(value: object) -> str:
    if type(value) is not str or len(value) > NAME:
        raise BadPacket("no name")
    return value
