"""The players of Spades, and how each is made."""

from bots.recipe import RANDOM, Levels, Players, Recipe

PLAYERS = Players(
    strengths=(
        RANDOM,
        Recipe(
            "bots.spades.rules_player:RulesPlayer",
            how="Bids and plays by rules of thumb.",
            ahead=190.4,
        ),
        Recipe(
            "bots.spades.search:Searcher",
            compiled=True,
            samples=128,
            compiling=15,
            how="Plays out bids and cards in many ways that the hidden cards may lie.",
            ahead=12.2,
        ),
    ),
    levels=Levels(easy=1, medium=1, strong=2),
    limit=50,
)
