"""The seat, the player or the request that a person means by a number or a name."""

from client_cli.tell import tell
from client_cli.typed_values import NotUnderstood
from protocol.isolates import isolated
from protocol.mirror import TableMirror


def seat_meant(table: TableMirror, text: str) -> int:
    """The seat that is meant by its number, counted from 1."""
    if text.isascii() and text.isdigit() and 1 <= int(text) <= len(table.info.seats):
        return int(text) - 1
    raise NotUnderstood(tell("typed.which_seat", most=len(table.info.seats)))


def player_meant(table: TableMirror, typed: str) -> int:
    """The seat that is meant by its number, by the name of its player, or by how that begins."""
    words = typed.casefold()
    names = {
        seat: chair.name.casefold()
        for seat, chair in enumerate(table.info.seats)
        if chair.kind == "human" and seat != table.seat
    }
    exact = [seat for seat, name in names.items() if name == words]
    begun = [seat for seat, name in names.items() if words and name.startswith(words)]
    for meant in (exact, begun):
        if len(meant) == 1:
            return meant[0]
    return seat_meant(table, typed)


def request_meant(table: TableMirror, typed: str) -> int:
    """The number of the request that a player means by a name, or the beginning of one."""
    waiting = table.latecomers
    if not waiting:
        raise NotUnderstood(tell("typed.nobody_asks"))
    words = typed.casefold()
    exact = [number for number, name in waiting.items() if name.casefold() == words]
    begun = [number for number, name in waiting.items() if name.casefold().startswith(words)]
    # Two may have the same name; then their numbers distinguish them.
    numbered = [number for number in waiting if typed.removeprefix("#") == str(number)]
    for meant in (numbered, exact, begun):
        if len(meant) == 1:
            return meant[0]
    names = ", ".join(
        f"{isolated(name)} (#{number})" if [*waiting.values()].count(name) > 1 else isolated(name)
        for number, name in waiting.items()
    )
    raise NotUnderstood(tell("typed.whom", names=names))
