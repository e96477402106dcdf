"""The games that ship with the program, one file each."""

from engine.games.black_queen import BlackQueen
from engine.games.hearts import Hearts
from engine.games.schnapsen import Schnapsen
from engine.games.whist import Whist

__all__ = ["BlackQueen", "Hearts", "Schnapsen", "Whist"]
