"""Which players of Black Queen there are, and how each is made."""

from bots.recipe import RANDOM, Players, Recipe

PLAYERS = Players(
    strengths=(
        RANDOM,
        Recipe("bots.black_queen:strength_1"),
        Recipe("bots.black_queen:strength_2"),
        Recipe("bots.black_queen.search:Searcher", compiled=True, samples=128, compiling=14),
    ),
    named={
        "careful": Recipe("bots.black_queen.search:CarefulPlayer", compiled=True),
        "ismcts": Recipe("bots.black_queen.ismcts:TreeSearcher", compiled=True),
    },
    limit=50,
)
