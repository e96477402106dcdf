"""What a person at a table before its match may do next, or for whom they wait."""

from functools import reduce

from client_cli.names import seat_name
from client_cli.tell import tell
from client_cli.text import Look
from protocol.mirror import TableMirror


def next_step(table: TableMirror, look: Look) -> str:
    """A sentence for the reader of a table before its match; empty in a match."""
    if table.info.phase != "lobby":
        return ""
    if table.seat is not None and table.seat == table.info.host:
        return _for_host(table, look)
    told = tell("chairs.wait_for", host=_host(table, look))
    if table.seat is not None and not table.info.seats[table.seat].ready:
        return tell("before.say_ready", waiting=told)
    return told


def lobby_prompt(table: TableMirror, look: Look) -> str:
    """The advice in a word or two, for the prompt."""
    if table.seat is not None and table.seat == table.info.host:
        return tell("prompt.start")
    if table.seat is not None and not table.info.seats[table.seat].ready:
        return tell("prompt.ready")
    return tell("prompt.waiting", name=_host(table, look))


def _for_host(table: TableMirror, look: Look) -> str:
    chairs = table.info.seats
    if any(chair.kind == "empty" for chair in chairs):
        return tell("before.fill")
    late = [
        seat_name(table.info, seat, look)
        for seat, chair in enumerate(chairs)
        if chair.kind == "human" and not chair.ready and seat != table.seat
    ]
    if not late:
        return tell("before.begin")
    names = reduce(lambda one, another: tell("name.two", one=one, another=another), late)
    return tell("before.late", names=names, count=len(late))


def _host(table: TableMirror, look: Look) -> str:
    return (
        tell("chairs.a_host")
        if table.info.host is None
        else seat_name(table.info, table.info.host, look)
    )
