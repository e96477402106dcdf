"""Players that choose from a seat's view."""

from bots.bot import Bot, Budget, Candidate, Decision, Measure, Position
from bots.roster import make_bot, strengths, withheld
from bots.spec import BadBot, Spec, parse_spec

__all__ = [
    "BadBot",
    "Bot",
    "Budget",
    "Candidate",
    "Decision",
    "Measure",
    "Position",
    "Spec",
    "make_bot",
    "parse_spec",
    "strengths",
    "withheld",
]
