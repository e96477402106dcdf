"""Admits spectators to a match whose moves can be taken back.

Before the first spectator sees anything, the log has an entry for it (`Watched`). So moves that
others have seen are never taken back, even after a restart.
"""

from collections.abc import Callable
from typing import NamedTuple

from engine.facts import SPECTATOR
from protocol.wire_form import ok_message
from server.names import CommandKey
from server.refusals import refused
from server.table.effects import Answer, Effect, Notify, SendSnapshot
from server.table.entries import Body, Dealt, Watched
from server.table.failures import failed_write
from server.table.refusals import just_closed
from server.table.state import TableState


class Newcomer(NamedTuple):
    """A player without a seat who wants to see the table, and their command, if any."""

    player: str
    key: CommandKey | None


class FirstSpectator:
    """Shows a match to its first spectator.

    `present` tells whether anybody without a seat follows the table.
    """

    def __init__(self, code: str, present: Callable[[], bool]) -> None:
        self.present = present
        self._code = code
        # Whom the batch under way is for.
        self._waiting: Newcomer | None = None

    def noted(self, state: TableState, bodies: list[Body]) -> list[Body]:
        """Return the entries that begin a match, with one for spectators present at its deal.

        Other entries stay unchanged, and so does a match of several people.
        """
        begins = any(isinstance(body, Dealt) for body in bodies)
        if not begins or len(state.humans()) > 1 or not self.present():
            return bodies
        return [*bodies[:-1], Watched(), bodies[-1]]

    def wait(self, newcomer: Newcomer) -> None:
        """Send a player the table when the present batch is on the disk."""
        self._waiting = newcomer

    def committed(self, state: TableState) -> list[Effect]:
        """Send the table, at `state`, to a player who waits for the written batch."""
        newcomer, self._waiting = self._waiting, None
        return [] if newcomer is None else self.show(newcomer, state)

    def failed(self) -> list[Effect]:
        """Refuse a player who waits for the batch, which could not be written."""
        newcomer, self._waiting = self._waiting, None
        if newcomer is None:
            return []
        if newcomer.key is not None:
            return failed_write(newcomer.key)
        gone = {"type": "closed", "table": self._code, "reason": "finished"}
        return [Notify(newcomer.player, gone)]

    def show(self, newcomer: Newcomer, state: TableState) -> list[Effect]:
        """Answer a player and send them the table, from their seat if they have got one."""
        player, key = newcomer
        if state.phase == "closed":
            error = just_closed()
            return [] if key is None else [Answer(key, refused(key.command, error))]
        seat = state.seat_of(player)
        viewer = SPECTATOR if seat is None else seat
        shown = SendSnapshot(player, viewer, None if key is None else key.client)
        if key is None:
            return [shown]
        return [Answer(key, ok_message(key.command, self._code, state.seq)), shown]
