"""Whist with bids, also known as Oh Hell: say how many tricks you will take, and take just these.

Rules: engine/games/whist/rules.md. Beside the play (`game`) lie a deal in play, its size and its
score (`state`), how it looks to a viewer (`view`), the facts of it (`facts`), and full states that
agree with what a seat knows (`sampling`).

For speed, kernels in bots/whist restate parts of these rules. A test compares each
with the engine:

- bits.py: which cards follow (test_open_deal.py)
- open_deal.py: legal cards, tricks, scores (test_open_deal.py)
- simulation.py: whose bid it is, the barred bid (test_tree.py)
"""

from engine.game import MatchGame
from engine.games.whist.game import Whist
from engine.games.whist.state import NO_BID, State, ladder, largest_hand, score

__all__ = [
    "GAME",
    "NO_BID",
    "State",
    "Whist",
    "ladder",
    "largest_hand",
    "score",
]

GAME: MatchGame[State] = Whist()
