"""Schnapsen: two players, twenty cards, 66 card points to win a deal and seven to win the match.

Rules: engine/games/schnapsen.md. `game` plays by them; beside it lie the cards and what they
count (`cards`), how they are dealt (`deal`), the texts of the moves (`actions`), a deal in play
(`state`), what may be done in it (`moves`), who wins how much (`scoring`), how it looks to a
viewer (`view`), what is told of it (`facts`) and follows from that (`memory`), and full states that
agree with what a seat knows (`sampling`).
"""

from engine.games.schnapsen.cards import LEGEND, PACK, partner_of, value_of, values
from engine.games.schnapsen.game import Schnapsen
from engine.games.schnapsen.state import EMPTY, ENOUGH, Closing, Result, State

__all__ = [
    "EMPTY",
    "ENOUGH",
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
