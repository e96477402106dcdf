"""The names of people, and values of a view, as words fit for a terminal."""

from client_cli.text import Look, clean
from engine.facts import Seat, Value
from protocol.to_client import TableInfo


def seat_name(info: TableInfo, seat: Seat | None, look: Look) -> str:
    """The name of who sits there; ``seat 3`` where nobody does, counted as people count."""
    if seat is None:
        return "nobody"
    chair = info.seats[seat] if 0 <= seat < len(info.seats) else None
    return (clean(chair.name, look).strip() if chair else "") or f"seat {seat + 1}"


def seat_names(info: TableInfo, look: Look) -> tuple[str, ...]:
    return tuple(seat_name(info, seat, look) for seat in range(len(info.seats)))


def value_text(value: Value, look: Look) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return clean(str(value), look)
