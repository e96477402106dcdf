"""Strengths 1 and 2 of Black Queen: the worst case of the trick in play (docs/bots.md)."""

from bots.black_queen.player import Maximin, strength_1, strength_2

__all__ = ["Maximin", "strength_1", "strength_2"]
