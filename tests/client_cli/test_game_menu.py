"""The menu before a match and after it."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from client_cli.game_menu import ChosenGame, GameMenu, LastChoice, MenuLeft
from client_cli.included_games import included_file, included_games
from client_cli.output import LineOutput
from client_cli.text import Look
from protocol.strengths import Wished
from protocol.to_client import GameCard, StrengthInfo
from tests.client_cli.screen import CTRL_C, CTRL_D, Screen

PLAIN = StrengthInfo(strength=1, levels=("easy", "medium"), how="Plays by rules of thumb.")
STRONG = StrengthInfo(strength=2, levels=("strong",), how="Searches.", ahead=7.73)
GAMES = tuple(
    GameCard(
        id=game,
        version=1,
        title=game.title(),
        seats=(4,),
        usual_seats=4,
        options=(),
        strengths=(0, 1, 2),
        bots=(StrengthInfo(strength=0, how="Plays any legal move."), PLAIN, STRONG),
    )
    for game in ("black_queen", "hearts", "whist")
)
LAST = ChosenGame("hearts", ("strong",))


class Person:
    """A scripted person: types some lines, then Ctrl-D, and reads what is shown."""

    def __init__(self, typed: Iterable[str]) -> None:
        self._typed = iter(typed)
        self.read = ""
        self.output = LineOutput(lambda: Look(width=100), self._reads)

    def menu(self) -> GameMenu:
        """The menu for this person."""
        return GameMenu(GAMES, self.output, self.types, included_games())

    async def types(self, question: str) -> str | None:
        """The next line for `question`."""
        self.read += question
        return next(self._typed, None)

    def _reads(self, text: str) -> None:
        self.read += text


@pytest.mark.parametrize(
    ("typed", "chosen"),
    [
        (["", ""], LAST),
        (["3", "medium"], ChosenGame("whist", ("medium",))),
        (["Black Queen", "e"], ChosenGame("black_queen", ("easy",))),
        (["wh", "0"], ChosenGame("whist", (0,))),
        (["99", "harts", "1", "9", "7", "2"], ChosenGame("black_queen", (2,))),
    ],
)
async def test_a_person_chooses_game_and_strength(typed: list[str], chosen: ChosenGame) -> None:
    """A game is chosen by number, name or prefix, and a strength by word; Enter repeats."""
    assert await Person(typed).menu().choose(LAST) == chosen


@pytest.mark.parametrize(
    ("typed", "file"),
    [
        (["crib"], "Cribbage2"),
        (["4", ""], "Agram4"),
        (["?", "agram", "7", "?", "5"], "Agram5"),
        (["Ninety-Eight", "2"], "NinetyEight2"),
    ],
)
async def test_a_person_chooses_a_game_from_a_file(typed: list[str], file: str) -> None:
    """Games from files stand behind ours; of one for several numbers of players one is asked."""
    person = Person(typed)
    chosen = await person.menu().choose(LAST)
    assert chosen.game is not None
    assert Path(chosen.game).stem == file
    assert chosen.bots == ()
    assert "4 agram (2 to 5), " in " ".join(person.read.split())
    assert person.read.count("pairs") == (2 if "?" in typed else 1)
    if "7" in typed:
        assert "How many players, 2 to 5? [4] " in person.read
        assert "7: type 2 to 5" in person.read
        assert "so many play, you among them" in person.read
        told = "2 to 5 players: A trick game from Niger in which only the last trick counts."
        assert told in " ".join(person.read.split())


async def test_the_last_game_from_a_file_is_called_by_its_name() -> None:
    """The menu offers the last game again by its file's name, without the path."""
    last = ChosenGame(str(included_file("cribbage")))
    person = Person([""])
    assert (await person.menu().choose(last)).game == last.game
    assert "Which game? [Cribbage2] " in person.read


def test_a_word_names_an_included_file() -> None:
    """A word names a file by its title or its own name; a game of ours comes first."""
    words = {"cribbage": 2, "Agram3": 3, "crazy eights": 4, "hearts4": 4}
    for word, players in words.items():
        file = included_file(word)
        assert file is not None
        assert file.stem.endswith(str(players))
    found = included_file("pairs", seats=5)
    assert found is not None
    assert found.stem == "Pairs5"
    for word in ("hearts", "pears", "Hearts"):
        assert included_file(word) is None or word == "Hearts"


async def test_what_the_menu_says() -> None:
    """The menu has a line for each game and each word, and explains wrong answers."""
    person = Person(["harts", "33", "hearts", "very", "strong"])
    await person.menu().choose(ChosenGame("black_queen"))
    assert (
        "2  hearts       Hearts: avoid hearts and the queen of spades, or take them all."
        in person.read
    )
    assert "Which game? [black_queen] " in person.read
    assert "harts: there is no such game; did you mean hearts?" in person.read
    assert "33: there is no such game; type a number, a name, a file or quit" in person.read
    assert "easy, medium  Plays by rules of thumb. These words mean the same bot.\n" in person.read
    assert "strong        Searches. Ahead of easy by 7.7 points a deal." in person.read
    assert "How strong should the bots be? [medium] " in person.read
    assert "very: type easy, medium, strong, or one of the strengths 0, 1, 2" in person.read


async def test_the_menu_promises_no_bot_that_is_missing() -> None:
    """Without Numba the menu's line for a word says that it names a weaker bot."""
    person = Person(["hearts", "easy"])
    one = PLAIN.model_copy(update={"levels": ("easy", "medium", "strong")})
    lowered = {"bots": (one,), "lowered": ("medium", "strong")}
    games = [game.model_copy(update=lowered) for game in GAMES]
    await GameMenu(games, person.output, person.types).choose(ChosenGame("black_queen"))
    assert "easy            Plays by rules of thumb.\n" in person.read
    assert (
        "medium, strong  Need Numba, which is not installed: the easy bot plays instead.\n"
        in person.read
    )


async def test_the_menu_explains_itself() -> None:
    """A question mark explains the menu."""
    person = Person(["?", "hearts", "help", "easy", "?", "leave"])
    await person.menu().choose(ChosenGame("black_queen"))
    assert await person.menu().after() == "leave"
    told = "Type the number or the name of a game above, or the path of a file that describes one."
    assert told in " ".join(person.read.split())
    assert "Enter takes black_queen, and quit closes the program." in " ".join(person.read.split())
    assert "Type easy, medium, strong, or one of the strengths 0, 1, 2." in person.read
    assert "history tells the last deal, leave ends." in person.read
    assert "no such game" not in person.read


async def test_a_strength_that_is_gone_is_not_offered() -> None:
    """A remembered strength that is gone is not offered."""
    person = Person(["", ""])
    assert await person.menu().choose(ChosenGame("bridge", (7,))) == ChosenGame(
        "black_queen", ("medium",)
    )
    assert "Which game? [black_queen] " in person.read
    assert "How strong should the bots be? [medium] " in person.read


@pytest.mark.parametrize("typed", [[], ["quit"], ["hearts"], ["hearts", "q"]])
async def test_a_person_may_leave_the_menu(typed: list[str]) -> None:
    """Ctrl-D and quit leave the menu at every question."""
    with pytest.raises(MenuLeft):
        await Person(typed).menu().choose(LAST)


async def test_bots_of_the_command_line_are_not_asked_for() -> None:
    """With strengths on the command line the menu asks only for the game."""
    bots: tuple[Wished, ...] = (2, "easy")
    assert await Person(["whist"]).menu().choose(LAST, bots) == ChosenGame("whist", bots)


async def test_a_file_may_be_chosen(tmp_path: Path) -> None:
    """A description's path may be chosen, and is remembered as an absolute path."""
    file = tmp_path / "Mine4.rcy"
    file.write_text("")
    chosen = await Person([str(file)]).menu().choose(LAST)
    assert chosen == ChosenGame(str(file))
    remembered = LastChoice(tmp_path)
    remembered.keep(chosen)
    assert remembered.read() == chosen
    assert await Person([""]).menu().choose(remembered.read()) == chosen
    file.unlink()
    assert remembered.read() == ChosenGame("black_queen")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ([""], "again"),
        (["what", "another"], "another"),
        (["Another game"], "another"),
        (["quit"], "leave"),
        ([], "leave"),
    ],
)
async def test_what_comes_after_a_match(typed: list[str], meant: str) -> None:
    """After a match one may play again, choose another game, or leave."""
    assert await Person(typed).menu().after() == meant


class TestLastChoice:
    """The stored last choice."""

    def test_it_is_kept(self, tmp_path: Path) -> None:
        """The last game and strength are found by the next program."""
        LastChoice(tmp_path / "state").keep(ChosenGame("whist", ("easy",)))
        assert LastChoice(tmp_path / "state").read() == ChosenGame("whist", ("easy",))

    def test_strengths_seat_by_seat_are_not_kept(self, tmp_path: Path) -> None:
        """Strengths for single seats are not stored, since they may not fit the next table."""
        LastChoice(tmp_path / "state").keep(ChosenGame("whist", ("easy", 2)))
        assert LastChoice(tmp_path / "state").read() == ChosenGame("whist")

    @pytest.mark.parametrize(
        "text", ["", "[]", '{"game": 7}', '{"game": "whist", "bots": 3}', "{}"]
    )
    def test_a_damaged_file_is_no_choice(self, tmp_path: Path, text: str) -> None:
        """With a damaged file the choice is Black Queen against medium bots."""
        (tmp_path / "last-choice.json").write_text(text)
        assert LastChoice(tmp_path).read() == ChosenGame("black_queen")

    def test_a_folder_that_cannot_be_written(self, tmp_path: Path) -> None:
        """If the folder cannot be written nothing is stored, without an error."""
        (tmp_path / "state").write_text("")
        last = LastChoice(tmp_path / "state")
        last.keep(LAST)
        last.keep(LAST)
        assert last.read() == ChosenGame("black_queen")


@pytest.mark.e2e
async def test_from_menu_to_menu(tmp_path: Path) -> None:
    """Without arguments the program shows the menu, and again after the match."""
    short = ("--seats", "2", "--option", "deals=1", "--option", "bot_delay=0")
    async with Screen(tmp_path, "play", *short) as screen:
        await screen.sees("Which game? [black_queen]")
        screen.type("")
        await screen.sees("How strong should the bots be? [medium]")
        screen.type("easy")
        await screen.sees("Your turn.")
        screen.type("", end=CTRL_D)
        await screen.sees("Play again, another game, review, history, or leave? [again]")
        screen.type("history")
        await screen.sees("Deal 1 scores:")
        await screen.sees("Play again, another game, review, history, or leave? [again]")
        screen.type("review")
        await screen.sees("decisions are as the bot would make them.")
        await screen.sees("Play again, another game, review, history, or leave? [again]")
        screen.type("again")
        await screen.sees("Your turn.")
        screen.type("auto")
        await screen.sees("Play again, another game, review, history, or leave? [again]")
        screen.type("another")
        await screen.sees("Which game? [black_queen]")
        screen.type("whist")
        # The server of the first match has plain bots only, and its menu would say so.
        await screen.sees("Looks far ahead")
        await screen.sees("How strong should the bots be? [easy]")
        screen.type("medium")
        # The rules of the first match were for that game alone.
        await screen.sees("Whist")
        await screen.sees("deal 1 of ")
        screen.type("leave")
        await screen.sees("Leave the match?")
        screen.type("yes")
        assert await screen.ended() == 0
    assert LastChoice(tmp_path / "state" / "blackqueen").read() == ChosenGame("whist", ("medium",))
    async with Screen(tmp_path, "play", "--last") as screen:
        await screen.sees("Whist")
        await screen.sees("deal 1 of ")
        screen.end()
        assert await screen.ended() == 143


@pytest.mark.e2e
async def test_what_was_remembered_and_is_gone(tmp_path: Path) -> None:
    """If the remembered game or strength is gone the menu asks."""
    last = LastChoice(tmp_path / "state" / "blackqueen")
    last.keep(ChosenGame("bridge", (7,)))
    async with Screen(tmp_path, "play", "--last") as screen:
        await screen.sees("Which game? [black_queen]")
        wrong = tmp_path / "Wrong3.rcy"
        wrong.write_text("(game")
        screen.type(str(wrong))
        await screen.sees("Wrong3.rcy:")
        await screen.sees("Which game? [black_queen]")
        screen.type("quit")
        assert await screen.ended() == 0
    last.keep(ChosenGame("black_queen", (7,)))
    async with Screen(tmp_path, "play", "--last") as screen:
        await screen.sees("Match 1 begins.")
        screen.end()
        assert await screen.ended() == 143


@pytest.mark.e2e
async def test_the_name_of_the_program_alone(tmp_path: Path) -> None:
    """Without arguments the program asks at a terminal, and Ctrl-D or Ctrl-C leaves."""
    for key, code in ((CTRL_D, 0), (CTRL_C, 130)):
        async with Screen(tmp_path) as screen:
            await screen.sees("Which game? [black_queen]")
            screen.type("", end=key)
            assert await screen.ended() == code
