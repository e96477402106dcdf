"""Black Queen with bots that only pretend to have kernels, and their compile state."""

from dataclasses import dataclass, field
from random import Random

import pytest

from bots import Budget, Decision, Position, roster
from bots.recipe import RANDOM, Recipe
from server.bots import thinking, warming

PLAIN, COMPILED, BROKEN, OTHER = 1, 2, 3, 4
"""Strengths: one that plays at once, one that is compiled, one that cannot be, and another."""
NAMES = {strength: ("black_queen", strength) for strength in (PLAIN, COMPILED, BROKEN, OTHER)}


@dataclass
class Plain:
    """Plays the first of its choices, and needs no compiling."""

    in_place: bool = True
    needs_facts: bool = False

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        choices = position.choices
        picked = [f"{each.verb} {' '.join(each.cards[: each.least])}" for each in choices.picks]
        return Decision([*choices.actions, *picked][0])


@dataclass
class Compiled(Plain):
    """Plays the last of its choices, after its kernels were loaded."""

    in_place: bool = False
    needs_facts: bool = True
    fails: bool = False

    def warm_up(self) -> None:
        if self.fails:
            raise RuntimeError("no compiler")

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        return Decision(position.choices.actions[-1])


def broken() -> Compiled:
    return Compiled(fails=True)


@dataclass
class Kept:
    """The bots whose kernels are recorded as compiled here."""

    bots: set[tuple[str, int]] = field(default_factory=set)
    writable: bool = True


def pretend_kernels(monkeypatch: pytest.MonkeyPatch) -> Kept:
    """Give Black Queen these bots, with nothing compiled on this machine."""
    here, kept = __name__, Kept()
    recipes = (
        RANDOM,
        Recipe(f"{here}:Plain"),
        Recipe(f"{here}:Compiled", compiled=True, compiling=30.0),
        Recipe(f"{here}:broken", compiled=True, compiling=40.0),
        Recipe(f"{here}:Compiled", compiled=True),
    )
    monkeypatch.setattr("bots.recipe.available", lambda: True)
    monkeypatch.setattr(roster, "STRENGTHS", {"black_queen": recipes})
    monkeypatch.setattr(warming, "is_kept", lambda *bot: bot in kept.bots)
    monkeypatch.setattr(warming, "can_keep", lambda *bot: kept.writable)
    monkeypatch.setattr(thinking, "note_kept", lambda *bot: kept.bots.add(bot))
    for cached in (thinking.bot_of, thinking._standby_of):
        cached.cache_clear()
        # Other tests have other bots.
        monkeypatch.setattr(thinking, cached.__name__, cached.__wrapped__)
    return kept
