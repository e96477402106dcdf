"""The progress of a program that plays a seat, for people who see nothing else of it."""

from client_cli.lobby_advice import next_step
from client_cli.spoken_table import spoken_title
from client_cli.tell import tell
from client_cli.text import Look
from protocol.client_events import ClientEvent, PresenceChanged, TableEvent, TableSnapshot
from protocol.mirror import TableMirror
from protocol.playing import MatchResult


class Standing:
    """Prints a bot's progress in a sentence from time to time during a match."""

    def __init__(self) -> None:
        self._table: TableMirror | None = None

    def happened(self, told: ClientEvent | MatchResult | None) -> None:
        """Take note of the newest mirror of the table."""
        match told:
            case TableSnapshot(mirror) | TableEvent(mirror) | PresenceChanged(mirror):
                self._table = mirror

    def __str__(self) -> str:
        if self._table is None:
            return tell("told.looking")
        title, then = spoken_title(self._table), next_step(self._table, Look())
        return f"{title} {then}" if then else title
