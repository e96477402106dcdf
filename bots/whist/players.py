"""The players of Whist, and how each is made."""

from bots.recipe import RANDOM, Levels, Players, Recipe

PLAYERS = Players(
    strengths=(
        RANDOM,
        Recipe(
            "bots.whist.rules_player:RulesPlayer",
            how="Bids and plays by rules of thumb.",
            ahead=4.33,
        ),
        Recipe(
            "bots.whist.maxn_player:MaxnPlayer",
            compiled=True,
            samples=128,
            compiling=27,
            how="Looks ahead in many ways that the hidden cards may lie.",
            ahead=0.26,
        ),
        Recipe(
            "bots.whist.tree_player:TreePlayer",
            compiled=True,
            samples=4000,
            compiling=30,
            how="Looks far ahead in many ways that the hidden cards may lie "
            "and that fit what the others did.",
            ahead=1.22,
        ),
    ),
    levels=Levels(easy=1, medium=2, strong=3),
    named={
        "judge": Recipe("bots.whist.policy_player:PolicyPlayer"),
        "ismcts": Recipe("bots.whist.tree_player:plain_tree", compiled=True),
    },
    limit=50,
)
