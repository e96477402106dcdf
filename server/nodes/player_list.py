"""The players whom administrators see: connected here, or with a seat anywhere."""

from collections.abc import Iterable, Iterator
from ipaddress import ip_network
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from server.sessions.registry import ConnectionRegistry
from server.tables.directory import TableDirectory


class PlayerInfo(BaseModel):
    """A player who is connected or has a seat, or was and had until now."""

    model_config = ConfigDict(frozen=True)

    player: str
    name: str
    address: str
    tables: tuple[str, ...] = Field(description="where they have a seat")
    seats: tuple[int, ...] = Field(
        (), description="which seat, from 1, at each of `tables`; 0: unknown"
    )
    online: bool | None = Field(
        description="connected, or were until now; null if only another node can tell"
    )


class ConnectionCounts(NamedTuple):
    """The number of connections that come from a network, and of all connections."""

    hit: int
    connected: int


class PlayerList:
    """The players of this node, and those who have a seat at any."""

    def __init__(self, connections: ConnectionRegistry, directory: TableDirectory) -> None:
        self._connections = connections
        self._directory = directory

    def connected(self) -> Iterator[tuple[str, str, str]]:
        """Return id, name and address of every player who is connected here."""
        for connection in self._connections:
            if not connection.closing:
                yield connection.player.id, connection.player.name, connection.address

    def names(self) -> dict[str, str]:
        """Return the names of all players with a seat, by their ids."""
        return dict(self._directory.people())

    def present(self) -> dict[str, PlayerInfo]:
        """Return all players who are connected here or have a seat anywhere, by id."""
        away = self.names()
        online = {who[0]: self.one(*who, online=True) for who in self.connected()}
        return {id: self.one(id, away[id]) for id in away.keys() - online.keys()} | online

    def one(
        self, player: str, name: str = "", address: str = "", *, online: bool | None = False
    ) -> PlayerInfo:
        """Return one player, with the tables of all nodes at which they sit."""
        directory = self._directory
        tables = sorted(directory.tables_of(player))
        if tables and not online and not any(map(directory.is_here, tables)):
            online = None
        seats = {info["table"]: seat + 1 for seat, info in directory.seats_of(player)}
        found = tuple(seats.get(code, 0) for code in tables)
        return PlayerInfo(
            player=player,
            name=name,
            address=address,
            tables=tuple(tables),
            seats=found,
            online=online,
        )


def hits(network: str, addresses: Iterable[str]) -> ConnectionCounts:
    """Count the connections that come from a network."""
    found = [is_in(address, network) for address in addresses]
    return ConnectionCounts(sum(found), len(found))


def is_in(address: str, network: str) -> bool:
    """Whether an address, or its network that stands for it, is in a network."""
    known = ip_network(network)
    try:
        own = ip_network(address, strict=False)
    except ValueError:
        return False
    # Of two versions none is in the other.
    return own.version == known.version and own.overlaps(known)
