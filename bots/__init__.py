"""Players that choose from a seat's view."""

from bots.bot import Bot, Budget, Candidate, Decision, Position
from bots.roster import make_bot, strengths

__all__ = ["Bot", "Budget", "Candidate", "Decision", "Position", "make_bot", "strengths"]
