"""The log of a table, from its first entry on, as one viewer may see it now.

A player sees what they could see when it happened: each entry from the seat that they held then. Of
a finished match, everybody may see what any seat was shown, if spectators might watch it; of one
that is being played, those without a seat see what spectators saw, unless moves were or can still
be taken back. A hidden entry tells a player nothing but that there was an entry. For a player whom
the host has removed the log ends with that.

If the viewer changes in the middle of a deal, the entry has the new viewer's view then, as the
player was sent a snapshot.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from engine import AnyGame
from engine.facts import SPECTATOR, AddressedFact, Seat, Viewer, seen_by
from engine.views import EMPTY_VIEW, View
from protocol.wire_form import WireForm
from server.games.descriptions import DescribedGame
from server.table.clocks import Clocks
from server.table.entries import Entry
from server.table.fold import Advance
from server.table.guarded_game import GuardedGame
from server.table.history import PlayerFacts
from server.table.messages import info_message
from server.table.state import Chair, Phase, TableState, seat_of

NOBODY: Final = -3
"""Sees nothing: as whom one is told of what one may not know."""

GOING_ON: tuple[Phase, ...] = ("dealing", "playing", "paused")


@dataclass(slots=True)
class _Match:
    """The visibility of a match; `practice` while moves were or can be taken back."""

    watchable: bool
    over_at: int | None = None
    """The number of the entry with which it was over."""
    practice: bool = False

    def is_over(self, until: int) -> bool:
        """Whether the match was over at entry `until`."""
        return self.over_at is not None and self.over_at <= until

    def is_open(self, until: int) -> bool:
        """Whether everybody may see what any seat was shown, as of that entry."""
        return self.watchable and self.is_over(until)

    def is_public(self, until: int) -> bool:
        """Whether everybody may see what spectators were shown, as of that entry."""
        return self.watchable and (self.is_over(until) or not self.practice)


class _Kept(NamedTuple):
    """An entry that has happened. `play` is set only if seats have changed hands in a match."""

    seq: int
    at: float
    facts: tuple[AddressedFact, ...]
    seating: tuple[Chair, ...]
    turn: int
    to_act: tuple[Seat, ...]
    match: _Match | None
    watchable: bool
    info: WireForm | None
    play: Any


class Moment(NamedTuple):
    """The seating after an entry, the question that was open then, and whom it asked."""

    seating: tuple[Chair, ...]
    turn: int
    to_act: tuple[Seat, ...]


class ViewedEntry(NamedTuple):
    """One viewer's form of an entry: its facts as `viewer`, and the next viewer if that changes.

    `info` is the table after it, if that has changed, `then` the viewer of the next entries with
    the `view` that this one has after the entry.
    """

    seq: int
    at: float
    viewer: Viewer
    facts: PlayerFacts
    info: WireForm | None
    turn: int
    to_act: tuple[Seat, ...]
    then: Viewer
    view: View | None


class LogView:
    """The log of one table as far as it was added; `state` is the table after that."""

    def __init__(
        self,
        code: str,
        game: AnyGame,
        state: TableState,
        clocks: Clocks,
        described: DescribedGame | None = None,
    ) -> None:
        self.code = code
        # The library knows a described game as long as somebody holds it.
        self.described = described
        self.game = GuardedGame.of(game)
        self.state = state
        self._clocks = clocks
        self._entries: list[_Kept] = []
        self._match: _Match | None = None
        # By player whom the host has removed, the number of the entry that says so.
        self._removed: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, entry: Entry, advance: Advance) -> None:
        """Add the next entry, which led from `state` to that of `advance`."""
        before, after = self.state, advance.state
        if entry.body.kind == "started":
            self._match = _Match(before.settings.watchable)
        for player in after.banned - before.banned:
            self._removed[player] = entry.seq
        if self._match is not None:
            if self._match.over_at is None and after.phase not in GOING_ON:
                self._match.over_at = entry.seq
            self._match.practice = after.practice or after.undo_points is not None
        (step,) = advance.steps
        changed = advance.info or not self._entries
        info = info_message(self.code, self.game, after, self._clocks) if changed else None
        swapped = after.play is not None and after.chairs is not before.chairs
        self._entries.append(
            _Kept(
                entry.seq,
                entry.at,
                step.facts,
                after.chairs,
                after.turn,
                after.to_act,
                self._match,
                before.settings.watchable and after.settings.watchable,
                info,
                after.play if swapped else None,
            )
        )
        if after.phase == "lobby":
            self._match = None
        self.state = after

    def info_at(self, seq: int) -> WireForm:
        """Return the table after entry `seq`, or after its first entry."""
        for entry in reversed(self._entries[: max(1, seq)]):
            if entry.info is not None:
                info: WireForm = entry.info
                return info
        raise AssertionError("the first entry has an info")

    def after(self, seq: int) -> Moment:
        """Return who sat where and what was asked after entry `seq`, counted from 1."""
        kept = self._entries[seq - 1]
        return Moment(kept.seating, kept.turn, kept.to_act)

    def until(self, player: str) -> int:
        """Return the number of the last entry that a player may see."""
        return self._removed.get(player, len(self))

    def is_over(self, at: int, player: str) -> bool:
        """Whether the match of the entry behind `at` is over, as far as `player` may know."""
        match = self._entries[at].match
        return match is not None and match.is_over(self.until(player))

    def is_open(self, at: int, player: str) -> bool:
        """Whether `player` may see what any seat was shown in that match."""
        match = self._entries[at].match
        return match is not None and match.is_open(self.until(player))

    def is_shut(self, player: str) -> bool:
        """Whether a player may see nothing at all."""
        return all(self.viewer(at, player, None) == NOBODY for at in range(len(self._entries)))

    def told(self, player: str, seat: Seat | None, after: int) -> Iterator[ViewedEntry]:
        """Return the entries behind `after` as `player` may see them.

        They ask for the view of `seat`, or with None for their own; if one is not allowed, they get
        the other. Raises `RulesFailed` if the rules cannot compute a view.
        """
        for at in range(after, self.until(player)):
            entry = self._entries[at]
            viewer, then = self.viewer(at, player, seat), self.viewer(at + 1, player, seat)
            view: View | None = None
            if then == NOBODY != viewer:
                view = EMPTY_VIEW
            elif then != viewer and entry.play is not None:
                view = self.game.view(entry.play, then)
            facts = () if viewer == NOBODY else seen_by(entry.facts, viewer)
            yield ViewedEntry(
                entry.seq,
                entry.at,
                viewer,
                PlayerFacts(facts),
                entry.info,
                entry.turn,
                entry.to_act,
                then,
                view,
            )

    def viewer(self, after: int, player: str, seat: Seat | None) -> Viewer:
        """Return the viewer as whom `player` sees the entry behind `after`, by earlier seats."""
        until = self.until(player)
        if after >= until < len(self):
            return NOBODY
        own = seat_of(self._entries[after - 1].seating, player) if after else None
        if after < len(self._entries):
            match, watchable = self._entries[after].match, self._entries[after].watchable
        else:
            match, watchable = self._match, self.state.settings.watchable
        if seat is not None and (own == seat or (match is not None and match.is_open(until))):
            return seat
        if own is not None:
            return own
        public = watchable if match is None else match.is_public(until)
        return SPECTATOR if public else NOBODY
