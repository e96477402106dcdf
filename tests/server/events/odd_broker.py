"""A misbehaving broker, which speaks just enough MQTT 5 to be accepted."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Literal, TypeAlias

Manner: TypeAlias = Literal["silent", "flooding", "deaf", "hanging up", "swallowing", "misnaming"]
"""What it does: never accept a connection, send what nobody asked for, read nothing once it has
accepted one, hang up at the first message, read all messages and pass none on, or send messages
whose topics MQTT forbids before a good one."""

CONNECT, PUBLISH, SUBSCRIBE, UNSUBSCRIBE, PING = 1, 3, 8, 10, 12
ACCEPTED = bytes((0x20, 3, 0, 0, 0))
PONG = bytes((0xD0, 0))
BAD_TOPICS = (b"\xff\xfe", b"tables/\xc3(", b"", b"tables/+", b"#", b"\xed\xa0\x80")
GOOD_TOPIC = b"tables/hearts/GOOD2/summary"
FLOOD = 2_000
"""Messages that nobody asked for, sent together."""


class OddBroker:
    """Accepts connections at `url` and treats each in its current `manner`."""

    def __init__(self) -> None:
        self.manner: Manner = "swallowing"
        self.connects = 0
        self.published = 0
        self.news = asyncio.Event()
        self.url = ""
        self._writers: set[asyncio.StreamWriter] = set()

    def change(self, manner: Manner) -> None:
        """Close all connections, and treat the next ones in this manner."""
        self.manner = manner
        for writer in self._writers:
            writer.close()

    async def until_connected(self, connects: int) -> None:
        """Return once this many clients have connected."""
        async with asyncio.timeout(60):
            while self.connects < connects:
                self.news.clear()
                await self.news.wait()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        with suppress(OSError, asyncio.IncompleteReadError):
            await self._converse(reader, writer, self.manner)
        self._writers.discard(writer)
        writer.close()

    async def _converse(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, manner: Manner
    ) -> None:
        while True:
            kind, body = await _packet(reader)
            if kind == CONNECT:
                self.connects += 1
                self.news.set()
                if manner == "silent":
                    continue
                writer.write(ACCEPTED)
                if manner == "deaf":
                    await asyncio.Event().wait()
                if manner == "flooding":
                    await self._flood(writer)
                if manner == "misnaming":
                    for topic in (*BAD_TOPICS, GOOD_TOPIC):
                        writer.write(_publish(topic, b"{}"))
            elif kind == SUBSCRIBE:
                writer.write(_answer(0x90, body))
            elif kind == UNSUBSCRIBE:
                writer.write(_answer(0xB0, body))
            elif kind == PING:
                writer.write(PONG)
            elif kind == PUBLISH:
                self.published += 1
                if manner == "hanging up":
                    return

    async def _flood(self, writer: asyncio.StreamWriter) -> None:
        for number in range(FLOOD):
            topic = f"blackqueen/tables/hearts/T{number}/summary".encode()
            writer.write(_publish(topic, b"\xff{" * 20))
        await writer.drain()


def _publish(topic: bytes, payload: bytes) -> bytes:
    """A retained message."""
    body = len(topic).to_bytes(2, "big") + topic + b"\0" + payload
    return bytes((0x31, len(body))) + body


def _answer(kind: int, body: bytes) -> bytes:
    """Grant each requested filter of a packet."""
    filters, at = 0, 3
    while at < len(body):
        at += 2 + int.from_bytes(body[at : at + 2], "big") + (1 if kind == 0x90 else 0)
        filters += 1
    return bytes((kind, 3 + filters)) + body[:2] + bytes(1 + filters)


async def _packet(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """The kind and the body of the next packet."""
    kind = (await reader.readexactly(1))[0] >> 4
    size = shift = 0
    while True:
        (byte,) = await reader.readexactly(1)
        size |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return kind, await reader.readexactly(size)


@asynccontextmanager
async def odd_broker() -> AsyncIterator[OddBroker]:
    """An odd broker that listens while the context lasts."""
    broker = OddBroker()
    async with await asyncio.start_server(broker._serve, "127.0.0.1", 0) as server:
        broker.url = f"mqtt://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        yield broker
        broker.change(broker.manner)
