"""The games from files that come with the program, as the menu of `blackqueen play` lists them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from client_cli.names import numbers_text
from engine import titles
from engine.titles import title_of
from protocol.about_games import about, translations
from protocol.texts.catalogue import english
from protocol.texts.language import language

_FOLDER = Path(titles.__file__).parent / "recycle" / "games"
# At a terminal no game is chosen for more players, unless somebody says so.
_USUAL = 4


@dataclass(frozen=True, slots=True)
class IncludedGame:
    """The files of one title, by their numbers of players."""

    title: str
    files: Mapping[int, Path]

    @property
    def word(self) -> str:
        """The word that a player types for the game: ``crazy_eights``."""
        return self.title.lower().replace(" ", "_")

    @property
    def players(self) -> str:
        """The numbers of players: ``2 to 5``."""
        return numbers_text(tuple(self.files))

    @property
    def usual(self) -> int:
        """The number of players, unless somebody says another one."""
        return max((number for number in self.files if number <= _USUAL), default=min(self.files))

    @property
    def about(self) -> str:
        """The first sentence of the game's page of rules, in the current language if it can be."""
        file = self.files[self.usual]
        page = file.with_name(f"{file.stem.rstrip('0123456789')}.md")
        told = about(page.read_text("utf-8"), "")
        return translations(language()).get(told, told)


def included_games() -> tuple[IncludedGame, ...]:
    """Return the games of all files that come with the program, by title."""
    found: dict[str, dict[int, Path]] = {}
    for file in sorted(_FOLDER.glob("*.rcy")):
        digits = file.stem.removeprefix(file.stem.rstrip("0123456789"))
        found.setdefault(title_of(file.stem), {})[int(digits)] = file
    return tuple(IncludedGame(title, files) for title, files in found.items())


def included_file(word: str, seats: int | None = None) -> Path | None:
    """Return the file that `word` names, such as ``cribbage`` or ``Agram3``; None for another word.

    Of a game for several numbers of players it is the one for `seats`. The word for a game of ours
    means no file.
    """
    if word in english().games:
        return None
    for game in included_games():
        for file in game.files.values():
            if word.lower() == file.stem.lower():
                return file
        if word.lower().replace(" ", "_").replace("-", "_") == game.word:
            return game.files.get(seats or game.usual)
    return None
