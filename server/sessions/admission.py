"""Admission to a full server: seats in play come first, then addresses with few connections.

A connection takes a place when it has said hello, because only then is its player known. If there
is no place, a less important connection is closed: of the server, of its network or of its address,
whichever has no place left. A connection whose player has a seat in a running match is never closed
for that, and takes the place of any other; a newcomer takes a place only from an address that has
more of the server's places than their own.
"""

from collections.abc import Callable, Iterable

from websockets.frames import CloseCode

from server.ops.access_log import AccessLog
from server.ops.isolation import isolated
from server.ops.metrics import Metrics
from server.sessions.connection import Connection
from server.shares import Lack, Places, network


class Admission:
    """Admits connections; `plays` returns whether a player has a seat in play."""

    def __init__(
        self,
        places: Places,
        plays: Callable[[str], bool],
        metrics: Metrics,
        access_log: AccessLog,
    ) -> None:
        self.places = places
        self._plays = plays
        self._metrics = metrics
        self._access_log = access_log
        # By address and number; those of an address are in the order in which they came.
        self._inside: dict[str, dict[int, Connection]] = {}

    def admit(self, connection: Connection, seated: bool, replaced: Iterable[Connection]) -> Lack:
        """Give a connection a place; return which limit has none left, or "" if it has one now.

        It is `seated` if its player has a seat in play; `replaced` are those that it replaces.
        """
        if self._has_place(connection):
            return ""
        before = [each for each in replaced if self.remove(each)]
        address = connection.address
        while lack := self.places.lack(address):
            if not self._make_room(address, lack, seated):
                for each in before:
                    self._enter(each)
                self.refuse(lack, address)
                return lack
        self._enter(connection)
        return ""

    def refuse(self, lack: Lack, address: str) -> None:
        """Count and log that a connection of this address is refused."""
        self._metrics.refused.inc()
        self._access_log.connection_refused("full" if lack == "house" else "crowded", address)
        if lack == "address" and address == network(address):
            # It is not reached from everywhere, and so it may be a proxy.
            self._access_log.near_address_crowded(address)

    def remove(self, connection: Connection) -> bool:
        """Free the place of a connection; return whether it had one."""
        if not self._has_place(connection):
            return False
        of_address = self._inside[connection.address]
        del of_address[connection.number]
        if not of_address:
            del self._inside[connection.address]
        self.places.leave(connection.address)
        return True

    def _make_room(self, address: str, lack: Lack, seated: bool) -> bool:
        """Close one connection for another of `address`; return False if none is less important."""
        held, weight = self.places.held, self.places.weight
        # In one network all would weigh the same.
        weigh = weight if lack == "house" else lambda each: held[each]
        with_newcomer = weigh(address) + 1
        if not seated and lack == "house" and self.places.greatest_weight <= with_newcomer:
            # Mostly so: a crowd before a full house asks again and again.
            return False
        for each in sorted(self._crowding(address, lack), key=weigh, reverse=True):
            if not seated and weigh(each) <= with_newcomer:
                return False
            for connection in reversed(self._inside[each].values()):
                if not self._plays(connection.player.id):
                    self._put_out(connection)
                    return True
        return False

    def _crowding(self, address: str, lack: Lack) -> Iterable[str]:
        """Return the addresses with connections under the limit that is reached."""
        if lack == "house":
            return self._inside
        if lack == "network":
            return [each for each in self._inside if network(each) == network(address)]
        return [address] if address in self._inside else []

    def _put_out(self, connection: Connection) -> None:
        # Its place is free at once, not only when the client has closed, too.
        self.remove(connection)
        with isolated("closing_failed"):
            self._metrics.cut("crowded")
            address, player = connection.address, connection.player.id
            self._access_log.connection_cut("crowded", address, player)
            connection.close(CloseCode.TRY_AGAIN_LATER, "too many connections")

    def _has_place(self, connection: Connection) -> bool:
        return connection.number in self._inside.get(connection.address, ())

    def _enter(self, connection: Connection) -> None:
        self.places.take(connection.address)
        self._inside.setdefault(connection.address, {})[connection.number] = connection
