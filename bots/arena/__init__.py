"""The arena: two bots of a game compared over deals that both play under the same luck."""

from bots.arena.contest import BadContest, Contest, Lineup, arrange, lead, rotations, win_share
from bots.arena.play import (
    ArenaResult,
    BrokenBot,
    Played,
    RefusedMove,
    Thinking,
    play_deal,
    play_deals,
    play_once,
    warm,
)
from bots.arena.statistics import Interval, Summary, interval, summarise

__all__ = [
    "ArenaResult",
    "BadContest",
    "BrokenBot",
    "Contest",
    "Interval",
    "Lineup",
    "Played",
    "RefusedMove",
    "Summary",
    "Thinking",
    "arrange",
    "interval",
    "lead",
    "play_deal",
    "play_deals",
    "play_once",
    "rotations",
    "summarise",
    "warm",
    "win_share",
]
