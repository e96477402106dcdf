"""What nodes want done with connections: the parcels that are no events."""

from protocol.version import CLOSE_REFUSED, CLOSE_REPLACED
from server.connections.connection import Connection
from server.connections.registry import ConnectionRegistry
from server.crossing.parcels import (
    Answered,
    Banned,
    Charged,
    Expelled,
    Failed,
    OtherParcel,
    Replaced,
    Unbanned,
)
from server.crossing.refusals import passed_on, refused
from server.ops.isolation import isolated
from server.ops.tracing import CAUSE


def hand_out(connections: ConnectionRegistry, parcel: OtherParcel) -> None:
    """Do with the connections what a parcel wants; nothing for one that is not about them."""
    match parcel:
        case Answered(key=key, message=message, link=number):
            CAUSE.set(key)
            connections.answer_read(number, key, message)
        case Charged(player=player, price=price):
            connections.charge(player, price)
        case Failed(links=links):
            for number in links:
                connection = connections.numbered(number)
                if connection is not None:
                    connection.fail()
        case Replaced(links=links):
            for number in links:
                replace(connections, connections.numbered(number))
        case Expelled(player=player, links=links, reason=reason, phrase=phrase):
            for connection in connections.everywhere(player):
                if not links or connection.number in links:
                    with isolated("closing_failed"):
                        why = passed_on("forbidden", reason, phrase)
                        connections.put(connection, refused(None, why))
                        connection.close(CLOSE_REFUSED, "forbidden")
        case Banned(bans=bans):
            for ban in bans:
                connections.bans.put(ban)
        case Unbanned(keys=lifted):
            for ban_key in lifted:
                connections.bans.lift(ban_key)
        case _:
            pass


def replace(connections: ConnectionRegistry, connection: Connection | None) -> None:
    """Close a connection whose player has come in on a newer one, and say why."""
    if connection is not None and not connection.closing:
        with isolated("closing_failed"):
            connections.put(connection, {"type": "notice", "kind": "replaced"})
            connection.close(CLOSE_REPLACED, "replaced")
