"""The followers of one table, each with a view folded from what they were sent."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine import EMPTY_VIEW, SPECTATOR, View, fold
from engine.facts import AddressedFact, Fact, Viewer, seen_by
from server.table.messages import view_of
from server.table.table import Table


@dataclass
class Follower:
    """A viewer, with their folded view and the last number they saw."""

    viewer: Viewer
    view: View
    seq: int


class Followers:
    """Followers by name. A spectator, Walter, follows from the beginning."""

    def __init__(self) -> None:
        self._followers = {"walter": Follower(SPECTATOR, EMPTY_VIEW, 0)}

    def add(self, name: str, table: Table, viewer: Viewer) -> None:
        """Send a follower a snapshot, from which they follow."""
        self._followers[name] = Follower(viewer, view_of(table, viewer), table.state.seq)

    def remove(self, name: str) -> None:
        """Remove a follower, if there."""
        self._followers.pop(name, None)

    def clear(self) -> None:
        """Remove all followers."""
        self._followers.clear()

    def publish(self, seq: int, facts: Sequence[AddressedFact]) -> None:
        """Send an entry's facts to all, who must have seen every entry before it."""
        for follower in self._followers.values():
            assert seq == follower.seq + 1
            follower.seq = seq
            for fact in seen_by(facts, follower.viewer):
                before = EMPTY_VIEW if fact.verb == "deal_started" else follower.view
                follower.view = fold((fact,), before)

    def check(self, table: Table) -> None:
        """Check that what each was sent folds to what they may see."""
        for follower in self._followers.values():
            assert follower.view == view_of(table, follower.viewer)
            assert follower.view == fold(_known_to(table, follower.viewer))


def _known_to(table: Table, viewer: Viewer) -> tuple[Fact, ...]:
    """The facts of this deal that a seat was shown, or a stranger's."""
    history = table.history
    return history.facts_of_deal("") if viewer < 0 else history.facts_for_seat(viewer)
