"""What a seat may do now: a list of actions, or a pattern where there would be hundreds."""

from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from engine.cards import Token

Action: TypeAlias = str
"""One canonical ASCII text a move: ``play QS``, ``bid 3``, ``pass 2C 3D 4H``."""


@dataclass(frozen=True, slots=True)
class Pick:
    """``verb`` and between `least` and `most` of `cards`, in the order they are listed here."""

    verb: str
    cards: tuple[Token, ...]
    least: int
    most: int

    def allows(self, action: Action) -> bool:
        """Whether `action` is the verb and a legal number of the cards, in the listed order."""
        verb, *picked = action.split(" ")
        if verb != self.verb or not self.least <= len(picked) <= self.most:
            return False
        listed = iter(self.cards)
        return all(card in listed for card in picked)


@dataclass(frozen=True, slots=True)
class Choices:
    """What one seat may do: single actions and patterns; empty if it may do nothing.

    `texts` say the actions in words for people, in the same order (`engine.labels`); most games
    need none.
    """

    actions: tuple[Action, ...] = ()
    picks: tuple[Pick, ...] = ()
    texts: tuple[str, ...] = ()

    def allows(self, action: Action) -> bool:
        """Whether `action`, in its canonical text, is one of the choices."""
        return action in self.actions or any(pick.allows(action) for pick in self.picks)

    def __bool__(self) -> bool:
        return bool(self.actions or self.picks)


NO_CHOICES = Choices()


def random_action(choices: Choices, rng: Random) -> Action:
    """A uniformly drawn action; a pattern counts as one alternative beside the single actions."""
    at = rng.randrange(len(choices.actions) + len(choices.picks))
    if at < len(choices.actions):
        return choices.actions[at]
    pick = choices.picks[at - len(choices.actions)]
    size = rng.randint(pick.least, pick.most)
    chosen = sorted(rng.sample(range(len(pick.cards)), size))
    return " ".join((pick.verb, *(pick.cards[place] for place in chosen)))
