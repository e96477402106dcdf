"""The decisions that a player wants to have reviewed, and whether that is allowed."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.facts import Seat
from protocol.to_server import Review
from server.refusals import refusal
from server.store import EntryRow
from server.table.log_view import LogView
from server.table.refusals import no_such_seat


class ReviewScope(NamedTuple):
    """The decisions of `seat` in a match with the entries after `start` up to `end`.

    `player` made them and knows what they saw; "" means all decisions of the seat, with all facts
    that the seat was shown. `wanted` is the requested seat. If the match is `open`, the asker may
    see what any seat was shown.
    """

    table: str
    match: int
    seat: Seat
    player: str
    start: int
    end: int
    wanted: Seat | None
    open: bool

    def viewer(self, log_view: LogView, at: int, asker: str) -> int:
        """Return the viewer as whom `asker` sees the entry behind `at`."""
        return log_view.viewer(at, asker, self.wanted)


def asked(log_view: LogView, rows: Sequence[EntryRow], command: Review, asker: str) -> ReviewScope:
    """Return the scope that `command` requests; raise `ProtocolError` if it is not allowed.

    A player may review what they may read in the log: their own seat, or any seat of a match that
    spectators might watch. No match is reviewed while it is being played.
    """
    until = log_view.until(asker)
    starts = [at for at, row in enumerate(rows[:until]) if row.kind == "started"]
    over = [at for at in starts if log_view.is_over(at, asker)]
    if command.match is None:
        start = over[-1] if over else None
    else:
        start = starts[command.match - 1] if command.match <= len(starts) else None
    if start is None or start not in over:
        raise refusal("wrong_phase", "refused_review_early")
    match = starts.index(start) + 1
    end = starts[match] if match < len(starts) else until
    seats = len(log_view.state.chairs)
    if command.seat is not None and command.seat >= seats:
        raise no_such_seat(command.seat, seats)
    is_open = log_view.is_open(start, asker)
    if command.seat is not None and is_open:
        return ReviewScope(
            command.table, match, command.seat, "", start, end, command.seat, is_open
        )
    viewers = (log_view.viewer(at, asker, None) for at in range(start, end))
    own = next((viewer for viewer in viewers if viewer >= 0), None)
    if command.seat not in (None, own):
        raise refusal("forbidden", "refused_review_other")
    if own is None:
        raise refusal("not_seated", "refused_review_none")
    return ReviewScope(command.table, match, own, asker, start, end, command.seat, is_open)
