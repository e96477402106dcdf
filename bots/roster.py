"""Which bots there are: for each game by strength, and some more that only a name calls.

A bot is imported when the first of its kind is made, so that whoever wants a plain one needs
neither Numba nor the time to load it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from inspect import Parameter, signature
from math import isfinite

from bots.bot import Bot, Budget
from bots.search.compiled import available
from bots.spec import BadBot, Setting, Spec
from engine.catalogue import GAMES, AnyGame, Catalogue


@dataclass(frozen=True, slots=True)
class Recipe:
    """Where a bot is made: ``module:factory``, whose keyword arguments are the bot's settings.

    `compiled`: it has kernels, so without Numba it is not on offer, or the `plain` one plays in
    its place. It wants a process of its own and all the facts of the deal; a server counts on
    that and does not load it to ask.
    `generic`: it plays any game, and the game it is to play is the factory's first argument.
    `samples` are about as many as its usual time is enough for: where the same is to happen again
    it gets those, and no time.
    """

    factory: str
    compiled: bool = False
    generic: bool = False
    samples: int = 64
    plain: str = ""

    @property
    def compiles(self) -> bool:
        """Whether it has kernels here and now."""
        return self.compiled and available()

    @property
    def offered(self) -> bool:
        """Whether a bot of this kind can be made here, with kernels or without."""
        return self.compiles or not self.compiled or bool(self.plain)

    def make(self, settings: Mapping[str, Setting], game: AnyGame | None = None) -> Bot:
        """A bot with these settings, the others at their defaults; `BadBot` for a wrong one.

        Only a generic bot wants to know the `game`.
        """
        made_by = self.plain if self.compiled and not self.compiles else self.factory
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


RANDOM = Recipe("bots.random_bot:RandomBot")

STRENGTHS: Mapping[str, tuple[Recipe, ...]] = {
    "black_queen": (
        RANDOM,
        Recipe("bots.black_queen:strength_1"),
        Recipe("bots.black_queen:strength_2"),
        Recipe("bots.black_queen.search:Searcher", compiled=True, samples=128),
    ),
    "hearts": (
        RANDOM,
        Recipe(
            "bots.hearts.rules_player:CarefulPlayer",
            compiled=True,
            plain="bots.hearts.ducker:Ducker",
        ),
        Recipe("bots.hearts.search:Searcher", compiled=True, samples=240),
    ),
    "whist": (
        RANDOM,
        Recipe("bots.whist.rules_player:RulesPlayer"),
        Recipe("bots.whist.maxn_player:MaxnPlayer", compiled=True, samples=128),
        Recipe("bots.whist.tree_player:TreePlayer", compiled=True, samples=4000),
    ),
    "schnapsen": (
        RANDOM,
        Recipe("bots.schnapsen.rules_player:RulesPlayer"),
        Recipe("bots.schnapsen.search:strength_2", compiled=True, samples=10),
        Recipe("bots.schnapsen.search:Searcher", compiled=True, samples=1000),
    ),
}
"""By game id, the bot of each strength from 0 up; other games have those of `FOR_ANY_GAME`."""

NAMED: Mapping[str, Mapping[str, Recipe]] = {
    "black_queen": {
        "careful": Recipe("bots.black_queen.search:CarefulPlayer", compiled=True),
        "ismcts": Recipe("bots.black_queen.ismcts:TreeSearcher", compiled=True),
    },
    "hearts": {
        "ismcts": Recipe("bots.hearts.ismcts:TreeSearcher", compiled=True),
        "ducker": Recipe("bots.hearts.ducker:Ducker"),
    },
    "whist": {
        "judge": Recipe("bots.whist.policy_player:PolicyPlayer"),
        "ismcts": Recipe("bots.whist.tree_player:plain_tree", compiled=True),
    },
    "schnapsen": {
        "sampling": Recipe("bots.schnapsen.sampling_player:SamplingPlayer"),
    },
}
"""By game id, bots to compare others with, which no table offers."""


_SEARCH = Recipe("bots.generic.search:Searcher", generic=True)
_TREE = Recipe("bots.generic.ismcts:TreeSearcher", generic=True)

FOR_ANY_GAME: Mapping[str, Recipe] = {
    "random": RANDOM,
    "r": RANDOM,
    "search": _SEARCH,
    "s": _SEARCH,
    "tree": _TREE,
    "ismcts": _TREE,
}
"""Bots that need nothing but the rules. A game's own bot of the same name goes before them."""


def strengths(game: str) -> tuple[int, ...]:
    """The strengths of a game that can be played here."""
    return tuple(at for at, recipe in enumerate(_ladder(game)) if recipe.offered)


def withheld(game: str) -> tuple[int, ...]:
    """The strengths of a game that would be on offer if Numba were installed."""
    return tuple(at for at, recipe in enumerate(_ladder(game)) if not recipe.offered)


def is_compiled(game: str, strength: int) -> bool:
    """Whether that strength has kernels and can be played here.

    Such a bot wants all the facts of the deal and a process of its own.
    """
    ladder = _ladder(game)
    return strength < len(ladder) and ladder[strength].compiles


def thinks_apart(game: str, strength: int) -> bool:
    """Whether that strength wants all the facts of the deal and a process of its own.

    A compiled bot does, and so does one that plays any game.
    """
    ladder = _ladder(game)
    generic = strength < len(ladder) and ladder[strength].generic
    return generic or is_compiled(game, strength)


def repeatable(game: str, strength: int) -> Budget:
    """The budget of that strength for a move that has to be the same the next time."""
    ladder = _ladder(game)
    return Budget(samples=ladder[min(strength, len(ladder) - 1)].samples)


def compiled_bots() -> tuple[tuple[str, int], ...]:
    """Game and strength of every bot with kernels that can be played here."""
    return tuple(
        (game, strength)
        for game in STRENGTHS
        for strength in strengths(game)
        if is_compiled(game, strength)
    )


def make_bot(game: str, bot: int | Spec, catalogue: Catalogue = GAMES) -> Bot:
    """A bot of `game`, by strength or by spec; `BadBot` if it cannot be made here.

    A bot that plays any game is made for the one that `catalogue` has by this id.
    """
    spec = Spec(str(bot)) if isinstance(bot, int) else bot
    recipe = recipe_of(game, spec)
    return recipe.make(dict(spec.settings), catalogue.game(game) if recipe.generic else None)


def recipe_of(game: str, spec: Spec) -> Recipe:
    """The recipe of a bot of `game`; `BadBot` if there is none or Numba is missing for it."""
    ladder, named = _ladder(game), {**FOR_ANY_GAME, **NAMED.get(game, {})}
    recipe = named.get(spec.name)
    if spec.strength is not None and spec.strength < len(ladder):
        recipe = ladder[spec.strength]
    if recipe is None:
        there_are = ", ".join((*map(str, strengths(game)), *NAMED.get(game, {}), *FOR_ANY_GAME))
        what = "named" if spec.strength is None else "of strength"
        raise BadBot(f"{game} has no bot {what} {spec.name}; there are {there_are}")
    if not recipe.offered:
        raise BadBot(f"bot {spec.name} of {game} needs Numba: install blackqueen[server]")
    return recipe


def _ladder(game: str) -> tuple[Recipe, ...]:
    """The recipes by strength; a game without its own players has those of any game."""
    return STRENGTHS.get(game, (RANDOM, _SEARCH, _TREE))


_COUNTS = {"worlds", "simulations", "samples", "passes"}
"""Settings by which bots say how much they try, in whatever game."""


def _checked(parameter: Parameter, value: Setting) -> Setting:
    """`value` as the bot's factory takes it, a whole number as a float where the default is one.

    `BadBot` if it is of another kind than the default, not finite, a count or a time below the
    least, or out of the range that the bot declares.
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
