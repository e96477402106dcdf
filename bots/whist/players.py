"""Which players of Whist there are, and how each is made."""

from bots.recipe import RANDOM, Players, Recipe

PLAYERS = Players(
    strengths=(
        RANDOM,
        Recipe("bots.whist.rules_player:RulesPlayer"),
        Recipe("bots.whist.maxn_player:MaxnPlayer", compiled=True, samples=128, compiling=27),
        Recipe("bots.whist.tree_player:TreePlayer", compiled=True, samples=4000, compiling=30),
    ),
    named={
        "judge": Recipe("bots.whist.policy_player:PolicyPlayer"),
        "ismcts": Recipe("bots.whist.tree_player:plain_tree", compiled=True),
    },
    limit=50,
)
