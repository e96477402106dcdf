"""The names of people, and values of a view, as words fit for a terminal."""

from client_cli.text import Look, clean
from engine.facts import Seat, Value
from protocol.to_client import TableInfo


def seat_name(info: TableInfo, seat: Seat | None, look: Look) -> str:
    """The name of who sits there, with the seat as people count it where two have one name.

    ``seat 3`` where nobody sits, ``Ann (2)`` where another Ann sits at the table.
    """
    if seat is None:
        return "nobody"
    names = [clean(chair.name, look).strip() for chair in info.seats]
    name = names[seat] if 0 <= seat < len(names) else ""
    if not name:
        return f"seat {seat + 1}"
    return name if names.count(name) == 1 else f"{name} ({seat + 1})"


def seat_names(info: TableInfo, look: Look) -> list[str]:
    """All names, by seat."""
    return [seat_name(info, seat, look) for seat in range(len(info.seats))]


def value_text(value: Value, look: Look) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return clean(str(value), look)
