"""Strengths 1 and 2 of Black Queen: the worst case of the trick in play (docs/bots.md)."""

from bots.black_queen.player import Maximin, counting, looking

__all__ = ["Maximin", "counting", "looking"]
