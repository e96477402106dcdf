"""How a bot is made: its factory, its settings, and its requirements.

`bots/NAME/players.py` lists the recipes of one game; `bots.roster` has those of all games. A bot's
module is imported when the first bot of its kind is made, so that plain bots need neither Numba nor
the time to load it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from inspect import Parameter, signature
from math import isfinite
from typing import Literal, NamedTuple, TypeAlias

from bots.bot import Bot
from bots.search.compiled import available, fetchable, obtain
from bots.search.left_out import NotFetched
from bots.spec import BadBot, Setting
from engine.catalogue import AnyGame


@dataclass(frozen=True, slots=True)
class Recipe:
    """The recipe of a bot: ``module:factory``, whose keyword arguments are the bot's settings.

    `compiled`: the bot has kernels, so that without Numba it is not offered, or the `plain` one
    plays in its place. It needs a process of its own and all facts of the deal; a server relies on
    that without loading it. Compiling takes about `compiling` seconds, once a machine. `generic`:
    it plays any game, which is the factory's first argument. `samples` is about the number for
    which its usual time is enough: for repeatable moves it gets these, and no time limit.
    `in_points` are the settings with which it weighs moves by points, if it usually does not. `how`
    describes in one sentence how it plays, and `ahead` is the points a deal by which it is ahead of
    the next weaker one, if measured (docs/bots.md says how).
    """

    factory: str
    compiled: bool = False
    generic: bool = False
    samples: int = 64
    plain: str = ""
    compiling: float = 20.0
    how: str = ""
    ahead: float | None = None
    in_points: Mapping[str, Setting] = field(default_factory=dict)

    @property
    def compiles(self) -> bool:
        """Whether the bot's kernels can run here, if needed after Numba is fetched."""
        return self.compiled and (available() or fetchable())

    @property
    def offered(self) -> bool:
        """Whether the bot, or a plain bot in its place, can be made here and now."""
        return self.compiles or not self.compiled or bool(self.plain)

    @property
    def without_compiling(self) -> bool:
        """Whether the bot, or a plain bot in its place, can be made without compiling anything."""
        return not self.compiled or bool(self.plain)

    def make(
        self,
        settings: Mapping[str, Setting],
        game: AnyGame | None = None,
        *,
        plainly: bool = False,
    ) -> Bot:
        """A bot with these settings, the others at their defaults; `BadBot` for a wrong one.

        Only a generic bot needs the `game`. With `plainly` nothing is compiled: the result is the
        `plain` bot if there is one.
        """
        plainly = plainly or not self.compiles
        if self.compiled and not plainly:
            try:
                obtain()
            except NotFetched as error:
                raise BadBot(str(error)) from error
        made_by = self.plain if self.compiled and plainly else self.factory
        module, _, name = made_by.partition(":")
        factory: Callable[..., Bot] = getattr(import_module(module), name)
        if self.generic:
            factory = partial(factory, game)
        known = signature(factory).parameters
        fitting = {}
        for setting, value in settings.items():
            if setting not in known:
                listed = ", ".join(known) or "none"
                raise BadBot(f"setting {setting}: unknown; the settings of this bot: {listed}")
            fitting[setting] = _checked(known[setting], value)
        try:
            return factory(**fitting)
        except ValueError as error:
            raise BadBot(str(error)) from error


RANDOM = Recipe("bots.random_bot:RandomBot", how="Plays any legal move.")
"""Strength 0 of every game: any legal move."""

Level: TypeAlias = Literal["easy", "medium", "strong"]
"""A word for a strength, which means about the same in every game."""


class Levels(NamedTuple):
    """The strengths that the words easy, medium and strong name; two words may name one.

    Easy is never the random player. Medium plays if no strength was chosen, and strong gives hints.
    """

    easy: int
    medium: int
    strong: int


@dataclass(frozen=True, slots=True)
class Players:
    """The players of one game: one of each strength from 0 up, and some that have only a name.

    `levels` says which of them people mean by easy, medium and strong. The named ones are there to
    compare others with; no table offers them. `limit` is how many milliseconds a move of any
    strength may take on average, which `make bench` watches.
    """

    strengths: tuple[Recipe, ...]
    levels: Levels
    named: Mapping[str, Recipe] = field(default_factory=dict)
    limit: float | None = None


_COUNTS = {"worlds", "simulations", "samples", "passes"}
"""Settings by which bots say how much they try, in whatever game."""


def _checked(parameter: Parameter, value: Setting) -> Setting:
    """The checked `value` of a setting, a whole number as a float if the default is one.

    `BadBot` if its type differs from the default's, or if it is not finite, a count or a time below
    the least, or out of the range that the bot declares.
    """
    name, default = parameter.name, parameter.default
    if name in _COUNTS and not (type(value) is int and value >= 1):
        raise BadBot(f"setting {name}: {value!r} must be a whole number from 1")
    if name == "milliseconds" and isinstance(value, int | float) and not value > 0:
        raise BadBot(f"setting {name}: {value!r} must be more than 0")
    if isinstance(value, float) and not isfinite(value):
        raise BadBot(f"setting {name}: {value!r} must be a finite number")
    if isinstance(default, float) and type(value) is int:
        # A kernel is compiled for one kind of number, and would be again for the other.
        value = float(value)
    if default is not None and default is not Parameter.empty and type(value) is not type(default):
        kind = type(default).__name__
        raise BadBot(f"setting {name}: {value!r} must be of type {kind}")
    for allowed in getattr(parameter.annotation, "__metadata__", ()):
        if isinstance(value, int | float) and value not in allowed:
            raise BadBot(f"setting {name}: {value:g} must be {allowed}")
    return value
