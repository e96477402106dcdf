"""Which players of Hearts there are, and how each is made."""

from bots.recipe import RANDOM, Players, Recipe

PLAYERS = Players(
    strengths=(
        RANDOM,
        Recipe(
            "bots.hearts.rules_player:CarefulPlayer",
            compiled=True,
            plain="bots.hearts.ducker:Ducker",
            compiling=4,
        ),
        Recipe("bots.hearts.search:Searcher", compiled=True, samples=240, compiling=14),
    ),
    named={
        "ismcts": Recipe("bots.hearts.ismcts:TreeSearcher", compiled=True),
        "ducker": Recipe("bots.hearts.ducker:Ducker"),
    },
    limit=10,
)
