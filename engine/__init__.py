"""Rules of card games, pure: no clock, no I/O, no logging, no global randomness."""

from engine.catalogue import GAMES, AnyGame, Catalogue
from engine.choices import NO_CHOICES, Action, Choices, Pick
from engine.facts import OPEN, SPECTATOR, AddressedFact, Fact, Seat, Viewer
from engine.game import Game, GameInfo, Option, Outcome, Setup, Step, complete_options
from engine.match import Match, MatchState
from engine.shuffle import Shuffler, seed_from_int
from engine.views import EMPTY_VIEW, View, Zone, fold

__all__ = [
    "EMPTY_VIEW",
    "GAMES",
    "NO_CHOICES",
    "OPEN",
    "SPECTATOR",
    "Action",
    "AddressedFact",
    "AnyGame",
    "Catalogue",
    "Choices",
    "Fact",
    "Game",
    "GameInfo",
    "Match",
    "MatchState",
    "Option",
    "Outcome",
    "Pick",
    "Seat",
    "Setup",
    "Shuffler",
    "Step",
    "View",
    "Viewer",
    "Zone",
    "complete_options",
    "fold",
    "seed_from_int",
]
