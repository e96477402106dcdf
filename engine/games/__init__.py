"""The games that ship with the program, one file each."""

from engine.games.black_queen import BlackQueen

__all__ = ["BlackQueen"]
