"""`drain`, `undrain` and `balance`: which nodes have tables. Each node is asked by itself."""

from server.admin.answers import Balancing, Draining, Undrained
from server.admin.errors import CannotDrain, NotDrained, UnknownNode
from server.game_server import GameServer
from server.node.moving import Moving
from server.store import Store


async def drain(server: GameServer, store: Store, named: str) -> Draining:
    """Let this node take no more tables and give away its own; it has begun when this ends.

    `UnknownNode` if it is called otherwise, `CannotDrain` if nobody could take its tables.
    """
    moving = await _asked(server, store, named)
    begun = moving.begin()
    if not begun.others:
        drained = ", ".join(node for node in moving.drained() if node != named)
        why = f" (drained: {drained}; `undrain` ends that)" if drained else ""
        raise CannotDrain(f"there is no other node that could take the tables of {named!r}{why}")
    return Draining(node=named, tables=begun.tables)


async def undrain(server: GameServer, store: Store, named: str) -> Undrained:
    """Let this node take tables again; those that it gave away come back by `balance`.

    `UnknownNode` if it is called otherwise, `NotDrained` if there is nothing to take back.
    """
    ended = (await _asked(server, store, named)).undrain()
    if ended.code:
        raise NotDrained(ended.reason)
    return Undrained(node=named)


def balance(server: GameServer) -> Balancing:
    """Let this node give the others their share of its tables; it has begun when this ends.

    `CannotDrain` if there is no other node.
    """
    moving, others = server.moving, server.neighbours
    if moving is None or others is None or not others.here():
        raise CannotDrain("this server shares its tables with no other one")
    return Balancing(tables=moving.balance().tables, drained=tuple(moving.drained()))


async def _asked(server: GameServer, store: Store, named: str) -> Moving:
    """What moves the tables of this node, if it is the one that was meant."""
    moving, node = server.moving, store.node
    if moving is None or node is None:
        raise CannotDrain("this server shares its tables with no other one")
    if named == node.name:
        return moving
    if named in [row.name for row in await store.nodes() if row.lives]:
        raise UnknownNode(f"this is node {node.name!r}: ask {named!r} where it runs")
    raise UnknownNode(f"there is no node {named!r}; `nodes` lists them")
