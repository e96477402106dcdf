"""Hearts: take no hearts and not the queen of spades, or all of them.

Rules: engine/games/hearts/rules.md. `game` plays by them; beside it lie what differs between the
two sets of rules (`rule_sets`), what the cards count and the texts of moves (`cards`), a deal in
play (`state`), how it looks to a viewer (`view`), the facts of it (`facts`), what
follows from that for the cards nobody has shown (`inference`), and full states that agree with it
(`sampling`).

For speed, kernels in bots/hearts restate parts of these rules. A test compares each
with the engine:

- open_deal.py: legal cards, tricks, scores, the moon (test_open_deal.py)
- bits.py: card points (test_open_deal.py)
- random_play.py: legal cards and tricks of random deals (test_random_play.py)
- exchange.py: where passed cards go (test_exchange.py)
"""

from engine.game import MatchGame
from engine.games.hearts.cards import ALL_POINTS, BLACK_QUEEN, TWO_OF_CLUBS, points
from engine.games.hearts.game import Hearts
from engine.games.hearts.inference import Known, known_from
from engine.games.hearts.rule_sets import RULE_SETS, RuleSet
from engine.games.hearts.state import NOBODY, PASSED, State

__all__ = [
    "ALL_POINTS",
    "BLACK_QUEEN",
    "GAME",
    "NOBODY",
    "PASSED",
    "RULE_SETS",
    "TWO_OF_CLUBS",
    "Hearts",
    "Known",
    "RuleSet",
    "State",
    "known_from",
    "points",
]

GAME: MatchGame[State] = Hearts()
