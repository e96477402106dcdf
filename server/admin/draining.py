"""`drain` and `balance`: nodes give tables to others, whichever node an administrator asks."""

from server.admin.errors import CannotDrain, UnknownNode
from server.admin.messages import Balancing, Draining
from server.bus.bus import BusError
from server.crossing.names import TABLES
from server.crossing.neighbours import Balance, Drain
from server.crossing.neighbours import Draining as Begun
from server.game_server import TablesServer
from server.store import Store

DRAIN_SECONDS = 5.0
"""How long a node may take to say that it gives tables away."""


async def drain(server: TablesServer, store: Store, named: str) -> Draining:
    """Let a node take no more tables and give away those that it has; it has begun when this ends.

    `UnknownNode` if there is none of this name, `CannotDrain` if nobody could take its tables.
    """
    moving, neighbours, node = server.moving, server.neighbours, store.node
    if moving is None or neighbours is None or node is None:
        raise CannotDrain("this process shares its tables with no other one")
    name = named.removeprefix(f"{TABLES}.")
    if name == node.name:
        begun = moving.begin()
    elif name not in [row.name for row in await store.nodes() if row.lives]:
        raise UnknownNode(f"there is no node {name!r}; `nodes` lists them")
    else:
        try:
            answer = await neighbours.ask(name, Drain(), DRAIN_SECONDS)
            assert isinstance(answer, Begun)
            begun = answer
        except BusError as error:
            raise UnknownNode(f"node {name!r} does not answer ({error})") from None
    if not begun.others:
        raise CannotDrain(f"there is no other node that could take the tables of {name!r}")
    return Draining(node=name, tables=begun.tables)


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
    return Balancing(tables=tables, silent=tuple(silent))
