"""The players of Hearts, and how each is made."""

from bots.recipe import RANDOM, Levels, Players, Recipe

PLAYERS = Players(
    strengths=(
        RANDOM,
        Recipe(
            "bots.hearts.rules_player:CarefulPlayer",
            compiled=True,
            plain="bots.hearts.ducker:Ducker",
            compiling=4,
            how="Plays by rules of thumb.",
            ahead=6.67,
        ),
        Recipe(
            "bots.hearts.search:Searcher",
            compiled=True,
            samples=240,
            compiling=14,
            how="Plays out cards and passes in many ways that the hidden cards may lie.",
            ahead=7.73,
        ),
    ),
    levels=Levels(easy=1, medium=1, strong=2),
    named={
        "ismcts": Recipe("bots.hearts.ismcts:TreeSearcher", compiled=True),
        "ducker": Recipe("bots.hearts.ducker:Ducker"),
    },
    limit=10,
)
