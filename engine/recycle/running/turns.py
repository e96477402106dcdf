"""Whose turn it is, and how the stages go round (RECYCLE, "Semantics" 1 and 2)."""

from typing import TypeAlias

from engine.facts import Seat

NOBODY_QUEUED = -1

Frame: TypeAlias = tuple[int, int, int, int]
"""Current player, queued player and current team around a stage, and the turns counted in it."""


class Turns:
    """The innermost cycle of players and of teams, and the stack of the cycles around it.

    `current` is the player whose turn it is, `queued` the player that ``cycle next`` has named
    (`NOBODY_QUEUED` if none), `team` the current team.
    """

    __slots__ = ("current", "frames", "players", "queued", "team")

    def __init__(self, players: int) -> None:
        self.players = players
        self.current: Seat = 0
        self.team = 0
        self.queued: Seat = NOBODY_QUEUED
        self.frames: list[Frame] = []

    def clone(self) -> "Turns":
        """An independent copy."""
        twin = Turns.__new__(Turns)
        twin.players = self.players
        twin.current, twin.queued, twin.team = self.current, self.queued, self.team
        twin.frames = self.frames[:]
        return twin

    def next_player(self) -> Seat:
        """Give ``(next player)``: the queued player, or else the next seat."""
        return self.queued if self.queued >= 0 else (self.current + 1) % self.players

    def enter(self) -> None:
        """Enter a stage of players, which begins with the current player and nobody queued."""
        self.frames.append((self.current, self.queued, self.team, 0))
        self.queued = NOBODY_QUEUED

    def enter_team(self) -> None:
        """Enter a stage of teams, which leaves the cycle of players unchanged."""
        self.frames.append((self.current, self.queued, self.team, 0))

    def leave(self) -> None:
        """Leave a stage of players and restore the turn of the enclosing stage."""
        self.current, self.queued, _, _ = self.frames.pop()

    def leave_team(self) -> None:
        """Leave a stage of teams and restore the team of the enclosing stage."""
        _, _, self.team, _ = self.frames.pop()

    def advance(self) -> None:
        """Pass the turn to the queued player, or else to the next seat."""
        if self.queued >= 0:
            self.current, self.queued = self.queued, NOBODY_QUEUED
        else:
            self.current = (self.current + 1) % self.players

    def advance_team(self, teams: int) -> None:
        """Pass the turn to the next of `count` teams."""
        self.team = (self.team + 1) % teams

    def count_turn(self) -> int:
        """Count a turn of the innermost stage, and return its number of turns so far."""
        current, queued, team, turns = self.frames[-1]
        self.frames[-1] = current, queued, team, turns + 1
        return turns + 1
