"""Players that choose from a seat's view."""

from bots.bot import Bot, Budget, Candidate, Decision, Measure, Position, position_of
from bots.recipe import Level
from bots.roster import described_strengths, make_bot, strength_of, strengths, withheld
from bots.spec import BadBot, Spec, parse_spec

__all__ = [
    "BadBot",
    "Bot",
    "Budget",
    "Candidate",
    "Decision",
    "Level",
    "Measure",
    "Position",
    "Spec",
    "described_strengths",
    "make_bot",
    "parse_spec",
    "position_of",
    "strength_of",
    "strengths",
    "withheld",
]
