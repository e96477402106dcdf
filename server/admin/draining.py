"""`drain`: a node gives its tables to the others, whichever node an administrator asks."""

from server.admin.errors import CannotDrain, UnknownNode
from server.admin.messages import Draining
from server.bus.bus import BusError
from server.crossing.names import TABLES
from server.crossing.neighbours import Drain
from server.crossing.neighbours import Draining as Begun
from server.game_server import TablesServer
from server.store import Store

DRAIN_SECONDS = 5.0
"""How long a node may take to say that it gives its tables away."""


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
