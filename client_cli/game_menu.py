"""The menu of `blackqueen play`: which game, against how strong bots, and what comes after a match.

A person's last choice is remembered in the state directory and is the default of the next menu.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar

from client_cli.effects import Remark
from client_cli.included_games import IncludedGame, included_games
from client_cli.names import bot_text, bots_how, decimal, level_word
from client_cli.output import Output
from client_cli.remembered import RememberedFile
from client_cli.seating import Ask
from client_cli.tell import tell
from client_cli.typed_commands import quoted, similar_word
from client_cli.typed_values import strength_meant
from protocol.strengths import LEVELS, MEDIUM, Wished, wished_strength
from protocol.texts import game_summary, game_title
from protocol.to_client import GameCard

_FILE = "last-choice.json"
_FIRST_GAME = "black_queen"
_ENDINGS = (".rcy", ".gdl")

_T = TypeVar("_T")
After: TypeAlias = Literal["again", "another", "review", "history", "leave"]
_AFTERWARDS: tuple[After, ...] = ("again", "another", "review", "history", "leave")


class MenuLeft(Exception):
    """The person leaves the menu without a choice."""


@dataclass(frozen=True, slots=True)
class ChosenGame:
    """A chosen game, or its description file, and the strength of each bot, the last for the rest.

    No `bots` means bots of medium strength.
    """

    game: str | None = None
    bots: tuple[Wished, ...] = ()

    def written(self) -> dict[str, Any]:
        """The choice as JSON values; a file has its absolute path."""
        game = self.game
        if game is not None and names_file(game):
            game = str(Path(game).resolve())
        return {"game": game, "bots": [str(word) for word in self.bots]}


NO_CHOICE = ChosenGame()
"""Nothing is named."""


def read_choice(kept: Any) -> ChosenGame | None:  # whatever stands in a file
    """The choice that `ChosenGame.written` wrote; None if it is something else."""
    try:
        words = [wished_strength(str(word)) for word in kept.get("bots", ())]
        game = kept.get("game")
    except (AttributeError, TypeError):
        return None
    if game is not None and not isinstance(game, str):
        return None
    return ChosenGame(game, tuple(word for word in words if word is not None))


class LastChoice:
    """Remembers the last choice in a `folder`; without a folder, nothing."""

    def __init__(self, folder: Path | None) -> None:
        self._file = RememberedFile(folder, _FILE)

    def read(self) -> ChosenGame:
        """The last choice; the default choice if none can be read."""
        last = read_choice(self._file.read()) or NO_CHOICE
        game = last.game
        if game is None or (names_file(game) and not Path(game).is_file()):
            game = _FIRST_GAME
        return ChosenGame(game, last.bots)

    def keep(self, choice: ChosenGame) -> None:
        """Store `choice`, if there is a folder that can be written to."""
        # Several strengths belong to a number of seats, which is not kept.
        bots = choice.bots if len(choice.bots) == 1 else ()
        self._file.keep(ChosenGame(choice.game, bots).written())


@dataclass(frozen=True, slots=True)
class GameMenu:
    """Asks a person what to play at a server with `games`, or from `files` of the program.

    It raises `MenuLeft` at Ctrl-D or `quit`.
    """

    games: Sequence[GameCard]
    output: Output
    ask: Ask
    files: Sequence[IncludedGame] = ()

    async def choose(self, last: ChosenGame, bots: tuple[Wished, ...] = ()) -> ChosenGame:
        """A game, and the strength of its bots unless `bots` are given already."""
        game = await self._game(last)
        card = next((card for card in self.games if card.id == game), None)
        # Which bots there are for a game from a file shows when it is loaded.
        if bots or card is None:
            return ChosenGame(game, bots)
        return ChosenGame(game, (await self._strength(card, last),))

    async def after(self) -> After:
        """What comes after a match; a person who closes the menu leaves."""
        meant = {word: each for each in _AFTERWARDS for word in tell(f"words.{each}").split()}
        try:
            return await self._until(
                tell("menu.afterwards"),
                lambda typed: meant.get(typed.lower().partition(" ")[0]) if typed else "again",
                lambda typed: tell("menu.afterwards_wrong"),
                tell("menu.afterwards_help"),
            )
        except MenuLeft:
            return "leave"

    async def unfinished(self, titles: Sequence[str]) -> int | None:
        """The unfinished match to continue, as an index of the `titles`; None for none.

        The first one is the default.
        """
        ways: dict[str, int | None] = dict.fromkeys(tell("words.yes").split(), 0)
        ways |= {word: None for key in ("no", "new") for word in tell(f"words.{key}").split()}
        ways |= {str(number): number - 1 for number in range(1, len(titles) + 1)}
        ways |= {"": 0, "new": None}
        if len(titles) > 1:
            self.output.explain({str(at): title for at, title in enumerate(titles, start=1)})
            question = tell("menu.unfinished_which")
        else:
            question = tell("menu.unfinished", title=titles[0])
        found = await self._until(
            question,
            lambda typed: (ways[typed.lower()],) if typed.lower() in ways else None,
            lambda typed: tell("menu.unfinished_wrong", most=len(titles)),
            tell("menu.unfinished_help"),
        )
        return found[0]

    async def _game(self, last: ChosenGame) -> str:
        ids = [card.id for card in self.games]
        # A word means the game of ours, if there are both.
        files = {file.word: file for file in self.files if file.word not in ids}
        named = [*ids, *(file.word for file in self.files)]
        offered: list[str | IncludedGame] = [*ids, *self.files]
        known = last.game is not None and (last.game in ids or names_file(last.game))
        usual = last.game if known else ids[0]
        assert usual is not None

        def game(typed: str) -> str | IncludedGame | None:
            if not typed:
                return usual
            if typed.isascii() and typed.isdigit():
                return offered[int(typed) - 1] if 1 <= int(typed) <= len(offered) else None
            word = _as_id(typed)
            begun = next((each for each in (*ids, *files) if each.startswith(word)), None)
            if begun is not None:
                return begun if begun in ids else files[begun]
            return typed if names_file(typed) and Path(typed).is_file() else None

        def wrong(typed: str) -> str:
            if meant := similar_word(_as_id(typed), named):
                return tell("menu.no_game_meant", word=meant)
            return tell("menu.no_game")

        self.output.explain(dict(_games(self.games)))
        if self.files:
            self.output.remark(Remark(tell("menu.files", games=", ".join(self._from_files()))))
        told = _last_name(usual)
        chosen: str | IncludedGame = await self._until(
            tell("menu.which", usual=told),
            game,
            wrong,
            tell("menu.which_help", usual=told),
            {
                file.word: tell("menu.file", players=file.players, about=file.about)
                for file in self.files
            },
        )
        return chosen if isinstance(chosen, str) else str(await self._file(chosen))

    def _from_files(self) -> Iterator[str]:
        """The games from files, each with its number in the menu and its numbers of players."""
        for number, file in enumerate(self.files, start=len(self.games) + 1):
            yield f"{number} {file.word} ({file.players})"

    async def _file(self, game: IncludedGame) -> Path:
        """The file of a game, for the number of players that the person wants."""
        if len(game.files) == 1:
            return game.files[game.usual]
        by_number = {str(number): file for number, file in game.files.items()}
        return await self._until(
            tell("menu.players", numbers=game.players, usual=game.usual),
            lambda typed: by_number.get(typed or str(game.usual)),
            lambda typed: tell("menu.players_wrong", numbers=game.players),
            tell("menu.players_help", numbers=game.players, usual=game.usual),
        )

    async def _strength(self, card: GameCard, last: ChosenGame) -> Wished:
        usual = (*offered_bots(card, last.bots), MEDIUM)[0]

        def strength(typed: str) -> Wished | None:
            wished = strength_meant(typed) if typed else usual
            if isinstance(wished, int):
                return wished if wished in card.strengths else None
            begun = (each for each in LEVELS if level_word(each).startswith(typed.lower()))
            return wished or next(begun, None)

        self.output.explain(dict(_strengths(card)))
        what = tell("menu.strengths", numbers=", ".join(map(str, card.strengths)))
        named = usual if isinstance(usual, int) else level_word(usual)
        return await self._until(
            tell("menu.strength", usual=named),
            strength,
            lambda typed: tell("menu.strength_wrong", strengths=what),
            tell("menu.strength_help", strengths=what, usual=named),
        )

    async def _until(
        self,
        question: str,
        meant: Callable[[str], _T | None],
        wrong: Callable[[str], str],
        told: str,
        more: Mapping[str, str] | None = None,
    ) -> _T:
        """Ask `question` until `meant` understands an answer; `?` shows `more` and `told`."""
        while True:
            typed = await self.ask(question)
            if typed is None or typed.strip().lower() in _leaving():
                raise MenuLeft
            if typed.strip().lower() in tell("words.help").split():
                self.output.explain(more or {})
                self.output.remark(Remark(told))
                continue
            if (found := meant(typed.strip())) is not None:
                return found
            said = tell("typed.wrong", typed=quoted(typed), why=wrong(typed.strip()))
            self.output.remark(Remark(said, wrong=True))


def names_file(game: str) -> bool:
    """Whether `game` is the path of a description, by a slash or the file's ending."""
    return game.endswith(_ENDINGS) or "/" in game


def offered_bots(card: GameCard, bots: Sequence[Wished]) -> tuple[Wished, ...]:
    """The `bots` that the game offers."""
    return tuple(bot for bot in bots if isinstance(bot, str) or bot in card.strengths)


def _last_name(game: str) -> str:
    """The name by which a person knows a game: of a file that comes with the program the stem."""
    included = any(Path(game) in each.files.values() for each in included_games())
    return Path(game).stem if included else game


def _leaving() -> list[str]:
    """The words that leave a menu."""
    return [word for key in ("quit", "leave") for word in tell(f"words.{key}").split()]


def _as_id(typed: str) -> str:
    return typed.lower().replace(" ", "_").replace("-", "_")


def _games(cards: Sequence[GameCard]) -> Iterator[tuple[str, str]]:
    for number, card in enumerate(cards, start=1):
        title, summary = game_title(card.id, card.title), game_summary(card.id)
        told = tell("menu.game", title=title, summary=summary) if summary else title
        yield f"{number}  {card.id}", told


def _strengths(card: GameCard) -> Iterator[tuple[str, str]]:
    """The strengths of a game that have a word, each with how it plays.

    A word that names a weaker bot than intended has no description.
    """
    named = {bot.strength: bot.levels[0] for bot in card.bots if bot.levels}
    for bot in card.bots:
        words = [word for word in bot.levels if word not in card.lowered]
        if words:
            how = bots_how(card, bot)
            if bot.ahead is not None and (weaker := named.get(bot.strength - 1)):
                ahead = decimal(f"{bot.ahead:.1f}")
                how = tell("menu.ahead", how=how, level=level_word(weaker), points=ahead)
            if len(words) > 1:
                how = tell("menu.same", how=how)
            yield ", ".join(map(level_word, words)), how
    for bot in card.bots:
        lowered = [word for word in bot.levels if word in card.lowered]
        if lowered:
            named_bot = bot_text(bot.strength, card.bots)
            told = tell("menu.lowered", count=len(lowered), bot=named_bot)
            yield ", ".join(map(level_word, lowered)), told
