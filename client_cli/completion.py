"""Beside the line a person types: whose move it is, and what the line may become."""

from collections.abc import Iterator

from client_cli.orders import orders_now
from protocol.mirror import TableMirror


def completions(table: TableMirror, text: str) -> list[str]:
    """Lines that begin with `text`, moves first; without regard to case."""
    begun = text.lstrip().lower()
    return [line for line in _lines(table) if line.lower().startswith(begun) and line != text]


def prompt_text(table: TableMirror, waited: float) -> str:
    """A short prompt; with a turn clock it counts down. `waited` seconds ago the turn began."""
    if not table.my_turn:
        return "> "
    if table.question.clock is None:
        return "your move> "
    return f"your move, {max(0.0, table.question.clock - waited):.0f} s> "


def _lines(table: TableMirror) -> Iterator[str]:
    for action in table.choices.actions:
        _, _, arguments = action.partition(" ")
        yield arguments or action
    for pick in table.choices.picks:
        yield pick.verb + " "
    for order in orders_now(table):
        yield order.usage.partition(" ")[0]
