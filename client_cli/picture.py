"""What is drawn: one value with all that a client knows of a table, and the people's names."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from client_cli.origins import Origins
from client_cli.text import Look, clean
from engine.cards import LegendCard
from engine.facts import Seat, Value
from engine.views import EMPTY_VIEW, View
from protocol.to_client import Question, TableInfo


@dataclass(frozen=True, slots=True)
class Picture:
    """A table as `seat` sees it; `seat` is None for a spectator."""

    info: TableInfo
    seat: Seat | None
    view: View = EMPTY_VIEW
    question: Question = field(default_factory=lambda: Question(turn=0))
    legend: Sequence[LegendCard] = ()
    origins: Origins = field(default_factory=dict)


def seat_name(info: TableInfo, seat: Seat | None, look: Look) -> str:
    """The name of who sits there; ``seat 3`` where nobody does, counted as people count."""
    if seat is None:
        return "nobody"
    chair = info.seats[seat] if 0 <= seat < len(info.seats) else None
    return (clean(chair.name, look) if chair else "") or f"seat {seat + 1}"


def seat_names(info: TableInfo, look: Look) -> tuple[str, ...]:
    return tuple(seat_name(info, seat, look) for seat in range(len(info.seats)))


def value_text(value: Value, look: Look) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return clean(str(value), look)
