"""Calls the person to the terminal: the title says whose turn it is, and a bell may ring."""

from collections.abc import Callable

from client_cli.names import seat_name
from client_cli.tell import tell
from client_cli.text import Look, clean
from protocol.mirror import TableMirror

BELL = "\a"
_KEEP_TITLE, _GIVE_TITLE_BACK = "\x1b[22;2t", "\x1b[23;2t"
_PLAIN = Look()


class Attention:
    """Follows a table; `write` must reach the terminal at once, without moving the cursor."""

    def __init__(self, write: Callable[[str], None], *, title: bool, bell: bool) -> None:
        self._write = write
        self._shows_title = title
        self._bell = bell
        self._title = ""
        self._turn: tuple[int, int] | None = None

    def follow(self, table: TableMirror) -> None:
        """Update for the table: name whose turn it is, and ring once at each turn of our own."""
        if self._shows_title and (title := title_of(table)) != self._title:
            self._write(f"{'' if self._title else _KEEP_TITLE}\x1b]2;{title}\a")
            self._title = title
        turn = (table.info.match, table.question.turn) if table.my_turn else None
        if self._bell and turn is not None and turn != self._turn:
            self._write(BELL)
        self._turn = turn

    def end(self) -> None:
        """Restore the terminal's own title; if none was saved, leave no stale one."""
        if self._title:
            self._write(f"\x1b]2;\a{_GIVE_TITLE_BACK}")
            self._title = ""


NO_ATTENTION = Attention(lambda text: None, title=False, bell=False)
"""Calls nobody: for scripts."""


def title_of(table: TableMirror) -> str:
    """The title of a terminal, with the table and whose turn it is, and no control characters."""
    where = f"{clean(table.info.title, _PLAIN)} {clean(table.info.table, _PLAIN)}"
    if table.info.phase != "playing" or not table.question.to_act:
        return where
    if table.my_turn:
        return tell("title.yours", where=where)
    names = ", ".join(seat_name(table.info, seat, _PLAIN) for seat in table.question.to_act)
    return tell("title.theirs", names=names, where=where)
