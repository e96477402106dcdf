"""`drain`, `undrain` and `balance`: which nodes have tables, whichever an administrator asks."""

from collections.abc import Callable

from server.admin.answers import Balancing, Draining, Undrained
from server.admin.errors import CannotDrain, NotDrained, UnknownNode
from server.bus.bus import BusError
from server.crossing.encoding import Message
from server.crossing.names import TABLES
from server.crossing.neighbours import AmongNodes, Balance, Drain, Ended, Undrain
from server.crossing.neighbours import Draining as Begun
from server.game_server import TablesServer
from server.node.moving import Moving
from server.store import Store

DRAIN_SECONDS = 5.0
"""How long a node may take to say that it gives tables away."""


async def drain(server: TablesServer, store: Store, named: str) -> Draining:
    """Let a node take no more tables and give away those that it has; it has begun when this ends.

    `UnknownNode` if there is none of this name, `CannotDrain` if nobody could take its tables.
    """
    name, begun = await _asked(server, store, named, Moving.begin, Drain())
    assert isinstance(begun, Begun)
    if not begun.others:
        drained = ", ".join(node for node in _drained(server) if node != name)
        why = f" (drained: {drained}; `undrain` ends that)" if drained else ""
        raise CannotDrain(f"there is no other node that could take the tables of {name!r}{why}")
    return Draining(node=name, tables=begun.tables)


async def undrain(server: TablesServer, store: Store, named: str) -> Undrained:
    """Let a node take tables again; those that it gave away come back by `balance`.

    `UnknownNode` if there is none of this name, `NotDrained` if there is nothing to take back.
    """
    name, ended = await _asked(server, store, named, Moving.undrain, Undrain())
    assert isinstance(ended, Ended)
    if ended.code:
        raise NotDrained(ended.reason)
    return Undrained(node=name)


async def balance(server: TablesServer) -> Balancing:
    """Let each node give the others their share of its tables; they have begun when this ends.

    `CannotDrain` if there is no other node.
    """
    moving, neighbours = server.moving, server.neighbours
    if moving is None or neighbours is None or not (nodes := neighbours.here()):
        raise CannotDrain("this process shares its tables with no other one")
    tables, silent = moving.balance().tables, []
    for node in nodes:
        try:
            answer = await neighbours.ask(node, Balance(), DRAIN_SECONDS)
        except BusError:
            silent.append(node)
        else:
            assert isinstance(answer, Begun)
            tables += answer.tables
    return Balancing(tables=tables, silent=tuple(silent), drained=tuple(_drained(server)))


async def _asked(
    server: TablesServer,
    store: Store,
    named: str,
    here: Callable[[Moving], Message],
    request: AmongNodes,
) -> tuple[str, Message]:
    """The name of the node that was meant, and its answer, or what `here` returns for this one."""
    moving, neighbours, node = server.moving, server.neighbours, store.node
    if moving is None or neighbours is None or node is None:
        raise CannotDrain("this process shares its tables with no other one")
    name = named.removeprefix(f"{TABLES}.")
    if name == node.name:
        return name, here(moving)
    if name not in [row.name for row in await store.nodes() if row.lives]:
        raise UnknownNode(f"there is no node {name!r}; `nodes` lists them")
    try:
        return name, await neighbours.ask(name, request, DRAIN_SECONDS)
    except BusError as error:
        raise UnknownNode(f"node {name!r} does not answer ({error})") from None


def _drained(server: TablesServer) -> list[str]:
    """The names of the nodes that are there and take no tables, as far as this one knows."""
    return [] if server.moving is None else server.moving.drained()
