"""What a person at a table before its match may do next, or for whom they wait."""

from client_cli.names import seat_name
from client_cli.text import Look
from protocol.mirror import TableMirror


def next_step(table: TableMirror, look: Look) -> str:
    """A sentence for the reader of a table before its match; empty in a match."""
    if table.info.phase != "lobby":
        return ""
    if table.seat is not None and table.seat == table.info.host:
        return _for_host(table, look)
    told = f"Waiting for {_host(table, look)} to start the match."
    if table.seat is not None and not table.info.seats[table.seat].ready:
        told += " Type ready when you are, or ? for all commands."
    return told


def lobby_prompt(table: TableMirror, look: Look) -> str:
    """The same in a word or two, before the line that is typed."""
    if table.seat is not None and table.seat == table.info.host:
        return "start, add or ?> "
    if table.seat is not None and not table.info.seats[table.seat].ready:
        return "ready or ?> "
    return f"waiting for {_host(table, look)}> "


def _for_host(table: TableMirror, look: Look) -> str:
    chairs = table.info.seats
    if any(chair.kind == "empty" for chair in chairs):
        return "Wait for friends, or start medium: bots take the free seats. ? lists more."
    late = [
        seat_name(table.info, seat, look)
        for seat, chair in enumerate(chairs)
        if chair.kind == "human" and not chair.ready and seat != table.seat
    ]
    if not late:
        return "Type start to begin."
    are = "is" if len(late) == 1 else "are"
    return f"{' and '.join(late)} {are} not ready yet. Wait, or type start to begin."


def _host(table: TableMirror, look: Look) -> str:
    return "a host" if table.info.host is None else seat_name(table.info, table.info.host, look)
