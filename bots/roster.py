"""All bots: for each game by strength, and some that have only a name."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import get_args

from bots.bot import Bot, Budget
from bots.generic.players import PLAYERS as FOR_OTHERS
from bots.recipe import Level, Levels, Players, Recipe
from bots.search import compiled
from bots.spec import BadBot, Spec
from engine.catalogue import GAMES, Catalogue

GAMES_WITH_PLAYERS = (
    "black_queen",
    "hearts",
    "whist",
    "schnapsen",
    "spades",
)
"""Ids of the games that have players of their own: folders here with a `players.py`."""


def _players(game: str) -> Players:
    players = import_module(f"bots.{game}.players").PLAYERS
    assert isinstance(players, Players), f"bots/{game}/players.py must define PLAYERS"
    return players


_PLAYERS: Mapping[str, Players] = {game: _players(game) for game in GAMES_WITH_PLAYERS}

MOVE_LIMITS: Mapping[str, float] = {
    game: players.limit for game, players in _PLAYERS.items() if players.limit is not None
}
"""By game id, the milliseconds that a move may take on average."""

STRENGTHS: Mapping[str, tuple[Recipe, ...]] = {
    game: players.strengths for game, players in _PLAYERS.items()
}
"""By game id, the bot of each strength from 0 up; other games have those of `FOR_ANY_GAME`."""

NAMED: Mapping[str, Mapping[str, Recipe]] = {
    game: players.named for game, players in _PLAYERS.items()
}
"""By game id, bots to compare others with, which no table offers."""


LEVELS: Mapping[str, Levels] = {game: players.levels for game, players in _PLAYERS.items()}
"""By game id, the strengths that people mean by easy, medium and strong."""

_RANDOM, _SEARCH, _TREE = FOR_OTHERS.strengths

FOR_ANY_GAME: Mapping[str, Recipe] = {
    "random": _RANDOM,
    "r": _RANDOM,
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


@dataclass(frozen=True, slots=True)
class DescribedStrength:
    """A strength of a game for people: the words that name it, and a sentence on how it plays.

    `ahead` is the points a deal by which it is ahead of the next weaker one, if measured.
    """

    strength: int
    levels: tuple[Level, ...]
    how: str
    ahead: float | None


def described_strengths(game: str) -> tuple[DescribedStrength, ...]:
    """The strengths of a game that can be played here, the weakest first."""
    named = {level: strength_of(game, level) for level in _WORDS}
    return tuple(
        DescribedStrength(
            at,
            tuple(level for level in _WORDS if named[level] == at),
            _ladder(game)[at].how,
            _ladder(game)[at].ahead,
        )
        for at in strengths(game)
    )


def strength_of(game: str, level: Level) -> int:
    """The strength that a word names, or the best one below it that can play here."""
    meant: int = getattr(LEVELS.get(game, FOR_OTHERS.levels), level)
    return max(at for at in strengths(game) if at <= meant)


def lower_word(game: str, level: str) -> Level | None:
    """The lower word that names the bot of `level`; None if there is none."""
    if level not in _WORDS:
        return None
    named = next(each for each in _WORDS if strength_of(game, each) == strength_of(game, level))
    return named if named != level else None


def same_words(game: str, specs: Iterable[Spec]) -> Iterator[str]:
    """A sentence for each word among `specs` that names the bot of a lower word."""
    for word in dict.fromkeys(spec.name for spec in specs):
        if lower := lower_word(game, word):
            yield f"{word} and {lower} are the same bot of {game}"


def strong(game: str) -> int:
    """The strength that strong names, whether or not it can play here."""
    return LEVELS.get(game, FOR_OTHERS.levels).strong


def lowered(game: str) -> tuple[Level, ...]:
    """The words that name a weaker strength here than intended, because Numba is missing."""
    meant = LEVELS.get(game, FOR_OTHERS.levels)
    return tuple(level for level in _WORDS if strength_of(game, level) < getattr(meant, level))


def is_compiled(game: str, strength: int) -> bool:
    """Whether a strength has kernels and can play here.

    Such a bot needs all facts of the deal and a process of its own.
    """
    ladder = _ladder(game)
    return strength < len(ladder) and ladder[strength].compiles


def thinks_apart(game: str, strength: int) -> bool:
    """Whether a strength needs all facts of the deal and a process of its own.

    A compiled bot does, and so does one that plays any game.
    """
    ladder = _ladder(game)
    generic = strength < len(ladder) and ladder[strength].generic
    return generic or is_compiled(game, strength)


def standby(game: str, strength: int) -> int:
    """The strength that plays until a bot's kernels are compiled: the strongest one
    up to `strength` that needs no compiling, or has a plain bot that needs none.
    """
    ladder = _ladder(game)[: strength + 1]
    return max(at for at, recipe in enumerate(ladder) if recipe.without_compiling)


def standby_plays_at_once(game: str, strength: int) -> bool:
    """Whether the standby bot is one of the game's own, which all choose quickly."""
    return not _ladder(game)[standby(game, strength)].generic


def make_standby(game: str, strength: int) -> Bot:
    """The bot that plays in place of one that is not compiled yet; see `standby`."""
    return _ladder(game)[standby(game, strength)].make({}, plainly=True)


def compiling_seconds(game: str, strength: int) -> float:
    """The approximate seconds for compiling the kernels of a strength, once a machine."""
    return _ladder(game)[strength].compiling


def is_kept(game: str, strength: int) -> bool:
    """Whether the kernels of a strength were compiled on this machine before."""
    return compiled.is_kept(_ladder(game)[strength].factory)


def can_keep(game: str, strength: int) -> bool:
    """Whether kernels that one process has compiled are available to others."""
    return compiled.can_keep(_ladder(game)[strength].factory)


def note_kept(game: str, strength: int) -> None:
    """Record that the kernels of a strength are compiled."""
    compiled.note_kept(_ladder(game)[strength].factory)


def repeatable(game: str, strength: int) -> Budget:
    """The budget of a strength for a move that must be repeatable."""
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


def numbered(game: str, spec: Spec) -> Spec:
    """The spec with the strength's number in place of a word."""
    for level in _WORDS:
        if spec.name == level:
            return Spec(str(strength_of(game, level)), spec.settings)
    return spec


def make_bot(game: str, bot: int | Spec, catalogue: Catalogue = GAMES) -> Bot:
    """A bot of `game`, by strength or by spec; `BadBot` if it cannot be made here.

    A bot that plays any game is made for the game with this id in `catalogue`.
    """
    spec = Spec(str(bot)) if isinstance(bot, int) else bot
    recipe = recipe_of(game, spec)
    return recipe.make(dict(spec.settings), catalogue.game(game) if recipe.generic else None)


def recipe_of(game: str, spec: Spec) -> Recipe:
    """The recipe of a bot of `game`; `BadBot` if there is none or Numba is missing for it."""
    ladder, named = _ladder(game), {**FOR_ANY_GAME, **NAMED.get(game, {})}
    spec = numbered(game, spec)
    recipe = named.get(spec.name)
    if spec.strength is not None and spec.strength < len(ladder):
        recipe = ladder[spec.strength]
    if recipe is None:
        names = (*_WORDS, *NAMED.get(game, {}), *FOR_ANY_GAME)
        there_are = ", ".join((*map(str, strengths(game)), *names))
        what = "named" if spec.strength is None else "of strength"
        raise BadBot(f"{game} has no bot {what} {spec.name}; there are {there_are}")
    if not recipe.offered:
        raise BadBot(f"bot {spec.name} of {game} needs Numba: install blackqueen[strong]")
    return recipe


def _ladder(game: str) -> tuple[Recipe, ...]:
    """The recipes by strength; a game without its own players has those of any game."""
    return STRENGTHS.get(game, FOR_OTHERS.strengths)


_WORDS: tuple[Level, ...] = get_args(Level)
