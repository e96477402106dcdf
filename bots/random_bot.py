"""Strength 0 of every game: any legal move, each as likely as the others."""

from random import Random

from bots.bot import Budget, Decision, Position
from engine.choices import Action, Choices


class RandomBot:
    in_place = True
    needs_facts = False

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        return Decision(random_action(position.choices, rng))


def random_action(choices: Choices, rng: Random) -> Action:
    """A uniformly drawn action; a pattern counts as one alternative beside the single actions."""
    at = rng.randrange(len(choices.actions) + len(choices.picks))
    if at < len(choices.actions):
        return choices.actions[at]
    pick = choices.picks[at - len(choices.actions)]
    size = rng.randint(pick.least, pick.most)
    chosen = sorted(rng.sample(range(len(pick.cards)), size))
    return " ".join((pick.verb, *(pick.cards[place] for place in chosen)))
