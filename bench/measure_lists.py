"""Lists of tables: what an answer costs the server's loop, and how long it is on the wire."""

from collections.abc import Callable, Iterator
from time import perf_counter

from bench.figures import Figure, at_most
from protocol.codec import codec_for
from protocol.to_server import ListTables
from protocol.version import JSON, MSGPACK
from protocol.wire_form import WireForm
from server.tables.listing import Listing

TABLES = 2_000
ROUNDS = 200
LONGEST_KB = 60.0
"""The most kilobytes of one answer, however many tables the server has."""
SHARE = 0.15
"""The most a page may cost as a share of an answer with all tables, as it once was."""


def measure() -> Iterator[Figure]:
    """The size of a page in each codec, its cost beside a whole list, and the cost of a search."""
    listing, infos = Listing(), [_info(at) for at in range(TABLES)]
    for info in infos:
        listing.update(info["table"], info)
    for subprotocol in (MSGPACK, JSON):
        codec = codec_for(subprotocol)
        name = subprotocol.rpartition(".")[2]

        def page(encode: Callable[[WireForm], bytes] = codec.encode_message) -> bytes:
            tables, following = listing.page(ListTables(id=1))
            return encode(_answer(tables, following))

        def whole(encode: Callable[[WireForm], bytes] = codec.encode_message) -> bytes:
            return encode(_answer(infos, None))

        yield Figure(f"lists.{name}", len(page()) / 1000, "kB", at_most(LONGEST_KB))
        yield Figure(f"lists.{name}.page", 1000 * _seconds(page), "ms")
        yield Figure(f"lists.{name}.share", _seconds(page) / _seconds(whole), "", at_most(SHARE))
    vain = ListTables(id=1, text="nobody is called so")
    yield Figure("lists.search", 1000 * _seconds(lambda: listing.page(vain)), "ms")


def _seconds(work: Callable[[], object]) -> float:
    """The least time that `work` takes, which is its cost when nothing else runs."""
    least = float("inf")
    for _ in range(ROUNDS):
        begun = perf_counter()
        work()
        least = min(least, perf_counter() - begun)
    return least


def _answer(tables: list[WireForm], following: str | None) -> WireForm:
    return {"type": "tables", "id": 1, "tables": tables, "next": following}


def _info(at: int) -> WireForm:
    """A public table of four seats, one of them free at every other table."""
    names = (f"Player {at} at {seat}" for seat in range(3))
    people: list[WireForm] = [{"kind": "human", "name": name, "ready": True} for name in names]
    bot: WireForm = {"kind": "bot", "name": "Ada", "strength": 2}
    last: WireForm = {"kind": "empty"} if at % 2 else bot
    return {
        "table": f"K{at:04}",
        "game": "black_queen",
        "version": 1,
        "title": "Black Queen",
        "phase": "lobby" if at % 2 else "playing",
        "host": 0,
        "seats": [*people, last],
        "options": {"deals": 4, "columns": 2},
        "settings": {},
        "match": 1,
    }
