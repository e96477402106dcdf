"""What happened in the deal that is on, and who sat where when it did.

A player is told of the past what they could see when it happened, wherever they sit now: each
entry is remembered with who sat where. A bot plays a seat, so it is given what the seat was shown,
whoever held it. The two kinds of facts have types of their own, so that neither is taken for the
other.

Only the entries are kept. Their facts are computed when somebody asks, and held in memory from
then on to the end of the deal, instead of for every table. The deals of a described game may be
long and its moves slow: there `keep` holds the facts from the beginning, for working out thousands
of moves at once would keep all other tables waiting.
"""

from collections.abc import Sequence
from itertools import chain, groupby
from operator import itemgetter
from typing import NamedTuple, NewType

from engine import AnyGame
from engine.facts import SPECTATOR, Fact, Seat, Viewer, seen_by
from server.table.entries import Entry
from server.table.fold import EntryFacts, Steps, advance
from server.table.rules import Rules
from server.table.state import Chair, TableState, seat_of

MOST_TOLD = 512
"""Entries that one who comes back is told one by one: some 10 ms of work."""
MOST_BEFORE_MATCH = 1024
"""Entries that are remembered while there is no match, in which people may come and go for ever."""

PlayerFacts = NewType("PlayerFacts", tuple[Fact, ...])
"""What one player may be told: it was theirs to see when it happened."""
SeatFacts = NewType("SeatFacts", tuple[Fact, ...])
"""What a seat was shown, whoever held it: for a bot that plays the seat, and never to be sent."""


class ToldEntry(NamedTuple):
    """What one player may be told of entry `seq`."""

    seq: int
    facts: PlayerFacts


class History:
    """`game` is the table's, and `before` the table before the first entry that is added."""

    def __init__(self, game: AnyGame, before: TableState, keep: bool = False) -> None:
        self._game = Rules.of(game)
        self._keep = keep
        self._mark = before
        self._entries: list[Entry] = []
        self._seatings: list[tuple[Chair, ...]] = []
        self._steps: list[EntryFacts] | None = [] if keep else None

    def extend(self, before: TableState, entries: Sequence[Entry], steps: Steps) -> None:
        """Add committed entries and what they did; a new deal makes those before it forgotten."""
        idle = before.play is None and len(self._entries) >= MOST_BEFORE_MATCH
        if idle or any(fact.verb == "deal_started" for step in steps for fact, _ in step.facts):
            self._mark = before
            self._entries = []
            self._seatings = []
            self._steps = [] if self._keep else None
        self._entries += entries
        self._seatings += [step.seating for step in steps]
        if self._steps is not None:
            # Somebody asks again and again, a bot for example: a long deal is not to be played
            # anew each time.
            self._steps += steps

    def facts_since(
        self, seq: int, player: str, most: int = MOST_TOLD
    ) -> tuple[ToldEntry, ...] | None:
        """What `player` may be told of each entry after `seq`, as they could see it then.

        None if those are more than `most`, forgotten or have not happened, and if the player sat
        elsewhere at any time since: what was seen from two places does not add up to what is seen
        from one.
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
        """What `player` may be told of this deal where they sit now, or watch.

        Of entries at which they did not sit there: what everybody saw.
        """
        viewers = self._viewers(player)
        now = viewers.pop()
        told: list[Fact] = []
        for viewer, part in groupby(zip(self.steps(), viewers, strict=True), itemgetter(1)):
            facts = chain.from_iterable(step.facts for step, _ in part)
            told += seen_by(facts, now if viewer == now else SPECTATOR)
        return PlayerFacts(_this_deal(told))

    def facts_for_seat(self, seat: Seat) -> SeatFacts:
        """What a seat was shown of this deal; folded from nothing it gives the seat's view."""
        facts = chain.from_iterable(step.facts for step in self.steps())
        return SeatFacts(_this_deal(seen_by(facts, seat)))

    def seat_at(self, seq: int, player: str) -> Seat | None:
        """Where a player sat after entry `seq`; None if nowhere, or if that is forgotten."""
        if not self._remembers(seq):
            return None
        viewer = self._viewers(player)[seq - self._mark.seq]
        return None if viewer == SPECTATOR else viewer

    @property
    def _last(self) -> int:
        return self._mark.seq + len(self._entries)

    def _viewers(self, player: str) -> list[Viewer]:
        """Who `player` was before the first entry remembered, and after it and each of the others.

        Who they were before an entry is who they were when it happened.
        """
        viewers: list[Viewer] = []
        looked_at: tuple[Chair, ...] | None = None
        for seating in (self._mark.chairs, *self._seatings):
            # Moves change no chairs, so mostly it is the very same tuple.
            if seating is not looked_at:
                looked_at, seat = seating, seat_of(seating, player)
            viewers.append(SPECTATOR if seat is None else seat)
        return viewers

    def _remembers(self, seq: int) -> bool:
        """Whether entry `seq` has happened, and neither it nor what came after is forgotten."""
        return self._mark.seq <= seq <= self._last

    def steps(self) -> Steps:
        """Every entry remembered, with its facts."""
        if self._steps is None:
            self._steps = list(advance(self._game, self._mark, self._entries).steps)
        return tuple(self._steps)


def _this_deal(told: Sequence[Fact]) -> tuple[Fact, ...]:
    """The facts since the last deal began; none before the first."""
    started = [at for at, fact in enumerate(told) if fact.verb == "deal_started"]
    return tuple(told[started[-1] :]) if started else ()
