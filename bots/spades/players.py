"""Which players of Spades there are, and how each is made."""

from bots.recipe import RANDOM, Players, Recipe

PLAYERS = Players(
    strengths=(
        RANDOM,
        Recipe("bots.spades.rules_player:RulesPlayer"),
        Recipe("bots.spades.search:Searcher", compiled=True, samples=128, compiling=15),
    ),
    limit=50,
)
