"""Those who follow one table, each with a view that is folded from what they were sent."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine import EMPTY_VIEW, SPECTATOR, View, fold
from engine.facts import AddressedFact, Fact, Viewer, seen_by
from server.table.messages import view_of
from server.table.table import Table


@dataclass
class Follower:
    """A viewer, the view that they folded, and the last number that they saw."""

    viewer: Viewer
    view: View
    seq: int


class Followers:
    """Followers by name. A spectator, Walter, follows from the beginning."""

    def __init__(self) -> None:
        self._followers = {"walter": Follower(SPECTATOR, EMPTY_VIEW, 0)}

    def add(self, name: str, table: Table, viewer: Viewer) -> None:
        """Somebody is sent a snapshot and follows from there."""
        self._followers[name] = Follower(viewer, view_of(table, viewer), table.state.seq)

    def remove(self, name: str) -> None:
        """Somebody follows no longer, if they did."""
        self._followers.pop(name, None)

    def clear(self) -> None:
        """Nobody follows any longer."""
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
        """What each was sent, live or in a snapshot, folds to what they may see."""
        for follower in self._followers.values():
            assert follower.view == view_of(table, follower.viewer)
            assert follower.view == fold(_known_to(table, follower.viewer))


def _known_to(table: Table, viewer: Viewer) -> tuple[Fact, ...]:
    """The facts of this deal that a seat was shown, whoever held it, or else a stranger's."""
    history = table.history
    return history.facts_of_deal("") if viewer < 0 else history.facts_for_seat(viewer)
