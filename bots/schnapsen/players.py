"""Which players of Schnapsen there are, and how each is made."""

from bots.recipe import RANDOM, Players, Recipe

PLAYERS = Players(
    strengths=(
        RANDOM,
        Recipe("bots.schnapsen.rules_player:RulesPlayer"),
        Recipe("bots.schnapsen.search:strength_2", compiled=True, samples=10, compiling=20),
        Recipe("bots.schnapsen.search:Searcher", compiled=True, samples=1000, compiling=20),
    ),
    named={
        "sampling": Recipe("bots.schnapsen.sampling_player:SamplingPlayer"),
    },
    limit=200,
)
