"""Schnapsen: two players, twenty cards, 66 card points to win a deal and seven to win the match.

Rules: engine/games/schnapsen/rules.md. `game` plays by them; beside it lie the cards and what they
count (`cards`), a deal in play and how it begins (`state`), what may be done in it (`moves`), who
wins how much (`scoring`), how it looks to a viewer (`view`), the facts of it (`facts`), what
follows from that (`memory`), and full states that agree with what a seat knows (`sampling`).

For speed, kernels in bots/schnapsen restate parts of these rules. A test compares each
with the engine:

- bits.py: card points, marriages (test_solver.py)
- strict.py: play without a talon (test_solver.py)
- open_talon.py: play with an open talon, closing (test_solver.py)
- playouts.py: play with an open talon, by a policy (test_playouts.py)
- plan_values.py: exchanging, game points (test_playouts.py)
"""

from engine.game import MatchGame
from engine.games.schnapsen.cards import LEGEND, PACK, partner_of, value_of, values
from engine.games.schnapsen.game import Schnapsen
from engine.games.schnapsen.state import EMPTY, ENOUGH, Closing, Result, State

__all__ = [
    "EMPTY",
    "ENOUGH",
    "GAME",
    "LEGEND",
    "PACK",
    "Closing",
    "Result",
    "Schnapsen",
    "State",
    "partner_of",
    "value_of",
    "values",
]

GAME: MatchGame[State] = Schnapsen()
