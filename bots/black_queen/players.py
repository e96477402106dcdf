"""The players of Black Queen, and how each is made."""

from bots.recipe import RANDOM, Levels, Players, Recipe

PLAYERS = Players(
    strengths=(
        RANDOM,
        Recipe(
            "bots.black_queen:strength_1",
            how="Plays the card with the best worst case in this trick, from the cards it sees.",
            ahead=11.97,
        ),
        Recipe(
            "bots.black_queen:strength_2",
            how="Plays the card with the best worst case in this trick, "
            "with the chances of the hidden cards.",
            ahead=2.18,
        ),
        Recipe(
            "bots.black_queen.search:Searcher",
            compiled=True,
            samples=128,
            compiling=14,
            how="Plays out every card in many ways that the hidden cards may lie.",
            ahead=4.27,
        ),
    ),
    levels=Levels(easy=1, medium=2, strong=3),
    named={
        "careful": Recipe("bots.black_queen.search:CarefulPlayer", compiled=True),
        "ismcts": Recipe("bots.black_queen.ismcts:TreeSearcher", compiled=True),
    },
    limit=50,
)
