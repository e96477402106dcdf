"""Black Queen: avoid hearts and queens of spades, with a part of the cards on the table.

Rules: engine/games/black_queen/rules.md. `game` plays by them; beside it lie what the cards count
(`cards`), a deal in play (`state`), how it looks to a viewer (`view`), the facts of it
(`facts`), and full states that agree with what a seat knows (`sampling`).

For speed, kernels in bots/black_queen restate parts of these rules. A test compares each
with the engine:

- open_deal.py: following suit, tricks, flips, scores (test_open_deal.py)
"""

from engine.game import MatchGame
from engine.games.black_queen.cards import BLACK_QUEEN, pack, penalty, points, score
from engine.games.black_queen.game import BlackQueen
from engine.games.black_queen.state import EMPTY, State

__all__ = [
    "BLACK_QUEEN",
    "EMPTY",
    "GAME",
    "BlackQueen",
    "State",
    "pack",
    "penalty",
    "points",
    "score",
]

GAME: MatchGame[State] = BlackQueen()
