"""The players of Schnapsen, and how each is made."""

from bots.recipe import RANDOM, Levels, Players, Recipe

PLAYERS = Players(
    strengths=(
        RANDOM,
        Recipe(
            "bots.schnapsen.rules_player:RulesPlayer",
            how="Plays by rules of thumb.",
            ahead=1.71,
        ),
        Recipe(
            "bots.schnapsen.search:strength_2",
            compiled=True,
            samples=10,
            compiling=20,
            how="Tries every move in ten ways that the hidden cards may lie.",
            ahead=0.26,
            in_points={"aim": "score"},
        ),
        Recipe(
            "bots.schnapsen.search:Searcher",
            compiled=True,
            samples=1000,
            compiling=20,
            how="Tries every move in as many ways that the hidden cards may lie "
            "as it has time for.",
            ahead=0.56,
            in_points={"aim": "score"},
        ),
    ),
    levels=Levels(easy=1, medium=2, strong=3),
    named={
        "sampling": Recipe("bots.schnapsen.sampling_player:SamplingPlayer"),
    },
    limit=200,
)
