"""What happened in the deal that is on, so that who was away can be told what he missed.

Only the entries are kept. Their facts are computed when somebody asks, and held in memory from
then on to the end of the deal, instead of for every table. The deals of a described game may be
long and its moves slow: there `keep` holds the facts from the beginning, for working out thousands
of moves at once would keep all other tables waiting.
"""

from collections.abc import Sequence

from engine import AnyGame
from engine.facts import Fact, Seat, Viewer, seen_by
from server.table.entries import Acted, Dealt, Entry, Seated
from server.table.fold import Steps, advance
from server.table.state import TableState


class History:
    def __init__(self, game: AnyGame, before: TableState, keep: bool = False) -> None:
        self._game = game
        self._keep = keep
        self._mark = before
        self._entries: list[Entry] = []
        self._steps: list[tuple[int, tuple[Fact, ...]]] | None = [] if keep else None

    def extend(self, before: TableState, entries: Sequence[Entry], steps: Steps) -> None:
        """Add committed entries and what they did; a new deal makes those before it forgotten."""
        if any(fact.verb == "deal_started" for _, facts in steps for fact in facts):
            self._mark = before
            self._entries = []
            self._steps = [] if self._keep else None
        self._entries += entries
        if self._steps is not None:
            # Somebody asks again and again, a bot for example: a long deal is not to be played
            # anew each time.
            self._steps += steps

    def after(self, seq: int) -> Steps | None:
        """What came after entry `seq`; None if that is forgotten or has not happened."""
        if not self._remembers(seq):
            return None
        return tuple(step for step in self.steps() if step[0] > seq)

    def seated_since(self, seq: int, player: str) -> bool:
        """Whether a player took a seat after entry `seq`, as far as is remembered."""
        return any(
            entry.seq > seq and isinstance(entry.body, Seated) and entry.body.player == player
            for entry in self._entries
        )

    def seat_at(self, seq: int, player: str) -> Seat | None:
        """Where a player sat after entry `seq`; None if nowhere, or if that is forgotten."""
        if not self._remembers(seq):
            return None
        state = self._mark
        for entry in self._entries:
            if entry.seq > seq:
                break
            # No move of the game seats anybody.
            if not isinstance(entry.body, Dealt | Acted):
                state = advance(self._game, state, entry).state
        return state.seat_of(player)

    def deal_facts(self, viewer: Viewer) -> tuple[Fact, ...]:
        """What `viewer` has seen of this deal; folded from nothing it gives his view."""
        facts = [fact for _, step in self.steps() for fact in step]
        started = [at for at, fact in enumerate(facts) if fact.verb == "deal_started"]
        return seen_by(tuple(facts[started[-1] :]), viewer) if started else ()

    def _remembers(self, seq: int) -> bool:
        """Whether entry `seq` has happened, and neither it nor what came after is forgotten."""
        last = self._entries[-1].seq if self._entries else self._mark.seq
        return self._mark.seq <= seq <= last

    def steps(self) -> Steps:
        """Every entry remembered, with its facts."""
        if self._steps is None:
            state, steps = self._mark, []
            for entry in self._entries:
                step = advance(self._game, state, entry)
                state = step.state
                steps.append((entry.seq, step.facts))
            self._steps = steps
        return tuple(self._steps)
