"""The choices of a seat: a list of actions, or picks that stand for hundreds of actions.

On request the actions also come in parts (`engine.parts`): the cards with the zones they leave and
join, the player, word or number. So a person may choose an action part by part.
"""

from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from engine.cards import Token
from engine.facts import Seat, ZoneId
from engine.phrases import Phrase

Action: TypeAlias = str
"""One canonical ASCII text a move: ``play QS``, ``bid 3``, ``pass 2C 3D 4H``."""


@dataclass(frozen=True, slots=True)
class Way:
    """What several actions share that differ only in their parts: ``play``, from hand to trick.

    `title` is in the words of the game (`engine.labels`); `source` and `target` are the zones that
    cards leave and join, empty if no cards move.
    """

    title: str
    source: ZoneId = ""
    target: ZoneId = ""


@dataclass(frozen=True, slots=True)
class MovedCards:
    """Cards of one action that go the same way: those seen, and the places of those face down.

    `backs` are counted from the bottom of the zone, from 0.
    """

    way: int = 0
    cards: tuple[Token, ...] = ()
    backs: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of one action: cards, as in `MovedCards`, and players, words and numbers.

    `then` are the further moves of an action that moves cards in several ways. Actions that are
    alike in everything else differ in `nth`, counted from 1.
    """

    way: int = 0
    cards: tuple[Token, ...] = ()
    backs: tuple[int, ...] = ()
    seats: tuple[Seat, ...] = ()
    words: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    then: tuple[MovedCards, ...] = ()
    nth: int = 0


@dataclass(frozen=True, slots=True)
class Pick:
    """``verb`` and between `least` and `most` of `cards`, in the order they are listed here.

    `way` is the place of its way among those of the choices, if these are told.
    """

    verb: str
    cards: tuple[Token, ...]
    least: int
    most: int
    way: int = 0

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
    need none. `parts` are those of the actions, in the same order, and `ways` what they speak of;
    `prompt` says what is asked. The rules of a game leave these three empty (`engine.parts`,
    `engine.questions`).
    """

    actions: tuple[Action, ...] = ()
    picks: tuple[Pick, ...] = ()
    texts: tuple[str, ...] = ()
    ways: tuple[Way, ...] = ()
    parts: tuple[Parts, ...] = ()
    prompt: Phrase | None = None

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
