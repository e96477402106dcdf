"""The bots that every game has that has none of its own, such as a described one."""

from bots.recipe import RANDOM, Levels, Players, Recipe

PLAYERS = Players(
    strengths=(
        RANDOM,
        Recipe(
            "bots.generic.search:Searcher",
            generic=True,
            how="Plays out every move ten times at random.",
        ),
        Recipe(
            "bots.generic.ismcts:TreeSearcher",
            generic=True,
            how="Searches a tree of moves in hundreds of ways that the hidden cards may lie.",
        ),
    ),
    levels=Levels(easy=1, medium=1, strong=2),
)
