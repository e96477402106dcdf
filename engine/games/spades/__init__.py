"""Spades: partners say how many tricks they will take, or none at all, and spades are trumps.

Rules: engine/games/spades/rules.md. `game` plays by them; beside it lie what a deal scores
(`scoring`), a deal in play (`state`), how it looks to a viewer (`view`), what is told of it
(`facts`), what the play shows of the others' hands (`inference`), and full states that agree with
what a seat knows (`sampling`).

For speed, kernels in bots/spades restate parts of these rules. A test compares each
with the engine:

- bits.py: which cards may be led and which follow (test_open_deal.py)
- open_deal.py: legal cards, tricks, scores (test_open_deal.py)
"""

from engine.game import MatchGame
from engine.games.spades.game import BLIND_NIL, LOOK, Spades
from engine.games.spades.inference import lacking
from engine.games.spades.state import NIL, NO_BID, TEAMS, State, partner_of, team_of

GAME: MatchGame[State] = Spades()
"""What the catalogue offers matches of."""

__all__ = [
    "BLIND_NIL",
    "GAME",
    "LOOK",
    "NIL",
    "NO_BID",
    "TEAMS",
    "Spades",
    "State",
    "lacking",
    "partner_of",
    "team_of",
]
