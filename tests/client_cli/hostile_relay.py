"""A hostile relay: a server that adds control characters to an honest server's messages.

Control characters stand before every word of every string, except those by which a client tells
messages and changes apart. A client's messages are relayed without them, so that a whole game can
be played.
"""

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from typing import Any

import msgpack
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from protocol.compact_reader import CompactReader
from protocol.version import MSGPACK

TITLE = "\x1b]0;owned\x07"
"""Stands before codes of tables, which may not be longer."""
POISON = f"{TITLE}\x1b[66;6H\x9b31m\x9d1;x\x9c\x07\u202e\u2066\u200f\u2028\x7f\r\n"
"""A title, a jump, colours by C1, bells, characters of direction, ends of lines, a deletion."""
SEEN = "owned"
"""What a terminal may show of it."""
CLOSED = frozenset({"type", "do", "phase", "kind", "code", "reason"})
"""Fields of few words, which a client checks before it does anything with a message."""

FREE = frozenset({"zones", "values", "options", "why", "args"})
"""Fields that hold objects with names of a game's own."""


def poisoned(form: Any, kept: Collection[str] = (), field: str = "") -> Any:
    """A message with its words poisoned, except for the fields in `kept`."""
    if isinstance(form, dict):
        closed = CLOSED - {"reason"} if form.get("type") == "error" else CLOSED
        free = field in FREE and field not in kept
        return {
            (poisoned(key) if free else key): (
                value
                if not free and (key in closed or (key in kept and isinstance(value, str)))
                else poisoned(value, kept, key)
            )
            for key, value in form.items()
        }
    if isinstance(form, list | tuple):
        return [poisoned(each, kept) for each in form]
    if isinstance(form, str):
        poison = TITLE if field == "table" else POISON
        return " ".join(poison + word for word in form.split(" "))
    return form


def cured(form: Any) -> Any:
    """A client's message, cleaned as the honest server knows it."""
    if isinstance(form, dict):
        return {cured(key): cured(value) for key, value in form.items()}
    if isinstance(form, list):
        return [cured(each) for each in form]
    return form.replace(POISON, "").replace(TITLE, "") if isinstance(form, str) else form


@asynccontextmanager
async def hostile_relay(honest: str, *, kept: Collection[str] = ()) -> AsyncIterator[str]:
    """The address of a hostile server with the games of the `honest` one."""

    async def relay(near: ServerConnection) -> None:
        async with connect(honest, subprotocols=[Subprotocol(MSGPACK)]) as far:
            # Poison in the list of words would leave no game to play.
            reader = CompactReader()

            async def to_client() -> None:
                async for frame in far:
                    messages = list(reader.long_form(msgpack.unpackb(frame)))
                    await near.send(msgpack.packb(poisoned(messages, kept)))

            async def to_server() -> None:
                async for frame in near:
                    await far.send(msgpack.packb(cured(msgpack.unpackb(frame))))

            async with asyncio.TaskGroup() as both:
                told = both.create_task(to_client())
                said = both.create_task(to_server())
                told.add_done_callback(lambda _: said.cancel())
                said.add_done_callback(lambda _: told.cancel())

    async with serve(relay, "127.0.0.1", 0, subprotocols=[Subprotocol(MSGPACK)]) as server:
        yield f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"
