"""The history of the deal in play, with the seating at each entry.

Players may see of the past what they could see when it happened, wherever they sit now, so each
entry is kept with the seating after it. A bot plays a seat, so it gets the facts that the seat was
shown, whoever held it. The two kinds of facts have types of their own, so that they cannot be mixed
up.

Only the entries are kept. Their facts are computed at the first request and then stay in memory to
the end of the deal. The deals of a described game may be long and its moves slow: there `keep`
holds the facts from the beginning, because computing thousands of moves at once would keep all
other tables waiting.
"""

from collections.abc import Sequence
from itertools import chain, groupby
from operator import itemgetter
from typing import NamedTuple, NewType

from engine import AnyGame
from engine.facts import SPECTATOR, Fact, Seat, Viewer, seen_by
from server.table.entries import Entry
from server.table.fold import EntryFacts, FactsByEntry, advance
from server.table.guarded_game import GuardedGame
from server.table.state import Chair, TableState, seat_of

MOST_TOLD = 512
"""At most so many missed events are sent one by one: some 10 ms of work."""
MOST_BEFORE_MATCH = 1024
"""Entries that are kept while there is no match, when players may come and go for ever."""

PlayerFacts = NewType("PlayerFacts", tuple[Fact, ...])
"""Facts that one player may be told: they could see them when they happened."""
SeatFacts = NewType("SeatFacts", tuple[Fact, ...])
"""Facts that a seat was shown, whoever held it: for the bot of that seat, never to be sent."""


class ToldEntry(NamedTuple):
    """The facts of entry `seq` for one player."""

    seq: int
    facts: PlayerFacts


class History:
    """A deal's history; `game` is the table's, and `before` the table before the first entry."""

    def __init__(self, game: AnyGame, before: TableState, keep: bool = False) -> None:
        self._game = GuardedGame.of(game)
        self._keep = keep
        self._mark = before
        self._entries: list[Entry] = []
        self._seatings: list[tuple[Chair, ...]] = []
        self._steps: list[EntryFacts] | None = [] if keep else None

    def extend(self, before: TableState, entries: Sequence[Entry], steps: FactsByEntry) -> None:
        """Add committed entries with their facts; a new deal drops the entries before it."""
        idle = before.play is None and len(self._entries) >= MOST_BEFORE_MATCH
        if idle or any(fact.verb == "deal_started" for step in steps for fact, _ in step.facts):
            self._mark = before
            self._entries = []
            self._seatings = []
            self._steps = [] if self._keep else None
        self._entries += entries
        self._seatings += [step.seating for step in steps]
        if self._steps is not None:
            # They were asked for once and will be again, by a bot for example: a long deal must
            # not be played anew each time.
            self._steps += steps

    def facts_since(
        self, seq: int, player: str, most: int = MOST_TOLD
    ) -> tuple[ToldEntry, ...] | None:
        """Return each entry after `seq` with the facts that `player` could see then.

        Returns None if they are more than `most`, forgotten or have not happened, or if the player
        has changed seats since: the views of two seats do not add up to that of one.
        """
        if not self._remembers(seq) or self._last - seq > most:
            return None
        since = seq - self._mark.seq
        viewer, *later = self._viewers(player)[since:]
        if any(other != viewer for other in later):
            return None
        return tuple(
            ToldEntry(step.seq, PlayerFacts(seen_by(step.facts, viewer)))
            for step in self.steps()[since:]
        )

    def facts_of_deal(self, player: str) -> PlayerFacts:
        """Return this deal's facts for `player`, in their present seat or as a spectator.

        For entries at which they did not sit there these are the public facts only.
        """
        viewers = self._viewers(player)
        now = viewers.pop()
        told: list[Fact] = []
        for viewer, part in groupby(zip(self.steps(), viewers, strict=True), itemgetter(1)):
            facts = chain.from_iterable(step.facts for step, _ in part)
            told += seen_by(facts, now if viewer == now else SPECTATOR)
        return PlayerFacts(_this_deal(told))

    def facts_for_seat(self, seat: Seat) -> SeatFacts:
        """Return the facts of this deal that a seat was shown, which fold to the seat's view."""
        facts = chain.from_iterable(step.facts for step in self.steps())
        return SeatFacts(_this_deal(seen_by(facts, seat)))

    def seat_at(self, seq: int, player: str) -> Seat | None:
        """Return a player's seat after entry `seq`; None without a seat, or if it is forgotten."""
        if not self._remembers(seq):
            return None
        viewer = self._viewers(player)[seq - self._mark.seq]
        return None if viewer == SPECTATOR else viewer

    @property
    def _last(self) -> int:
        return self._mark.seq + len(self._entries)

    def _viewers(self, player: str) -> list[Viewer]:
        """Return `player`'s viewer before the first kept entry, and after each entry.

        An entry is seen by the viewer that the player was before it.
        """
        viewers: list[Viewer] = []
        looked_at: tuple[Chair, ...] | None = None
        for seating in (self._mark.chairs, *self._seatings):
            # Moves change no chairs, so mostly this is the same tuple.
            if seating is not looked_at:
                looked_at, seat = seating, seat_of(seating, player)
            viewers.append(SPECTATOR if seat is None else seat)
        return viewers

    def _remembers(self, seq: int) -> bool:
        """Whether entry `seq` has happened, and all entries after it are kept."""
        return self._mark.seq <= seq <= self._last

    def steps(self) -> FactsByEntry:
        """All kept entries with their facts."""
        if self._steps is None:
            self._steps = list(advance(self._game, self._mark, self._entries).steps)
        return tuple(self._steps)


def _this_deal(told: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return the facts since the last deal began; none before the first."""
    started = [at for at, fact in enumerate(told) if fact.verb == "deal_started"]
    return tuple(told[started[-1] :]) if started else ()
