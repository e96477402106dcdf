"""Our own games: files without mistakes, true pages, and random play that ends."""

import re
from importlib.resources import files
from pathlib import Path

import pytest

from engine.recycle import load
from engine.recycle.checking import check
from engine.recycle.games import description, names, rules
from engine.recycle.reading.parser import parse
from tests.counts import count
from tests.engine.recycle.games.constructs import families, family, table, tree
from tests.engine.recycle.games.playing import game, played, random_game

ROOT = Path(__file__).parents[4]
TUTORIAL = ROOT / "docs" / "writing-a-description.md"


@pytest.mark.parametrize("name", names())
def test_a_description_is_free_of_mistakes(name: str) -> None:
    """The checker finds no error in the file, and its players match the number in its name."""
    assert parse(description(name)).problems == ()
    game = tree(name)
    players = re.search(r"\(declare (\d+) 'PLAYERS\)|\(create players (\d+)\)", description(name))
    assert players
    assert name == f"{family(name)}{players.group(1) or players.group(2)}"
    assert game.children


@pytest.mark.parametrize("name", families())
def test_a_family_is_one_game(name: str) -> None:
    """The files of a family differ in nothing but the number of players."""
    texts = {description(each) for each in names() if family(each) == name}
    without = {re.sub(r"\(declare \d+ 'PLAYERS\)", "", text) for text in texts}
    assert len(without) == 1


@pytest.mark.parametrize("name", names())
def test_a_game_has_its_rules(name: str) -> None:
    """The rules page of a family has the game's name as its title."""
    assert rules(name).startswith("# ")


def test_the_table_of_constructs_is_up_to_date() -> None:
    """The README's table lists every game with the constructs that it uses."""
    readme = files("engine.recycle.games").joinpath("README.md").read_text(encoding="utf-8")
    assert readme.endswith(f"|---|---|\n{table()}\n")
    for name in names():
        assert f"({family(name)}.md)" in readme


def tutorial() -> str:
    """The game of docs/writing-a-description.md."""
    (example,) = re.findall(r"```recycle\n(.*?)```", TUTORIAL.read_text("utf-8"), re.DOTALL)
    return str(example)


def test_the_tutorials_game_can_be_played() -> None:
    """The tutorial's game has no problems, and random play makes fifteen choices."""
    assert check(parse(tutorial())) == ()
    record = random_game(load(tutorial(), "Highest3"), 1)
    assert len(record.options) == 15
    assert sum(record.scores) == 5


def test_the_tutorials_mistakes_are_found() -> None:
    """The checker reports the tutorial's two mistakes in the words of the page."""
    wrong = tutorial().replace("(shuffle", "(shufle").replace("(move 'CARD", "(move 'CRAD")
    shown = TUTORIAL.read_text("utf-8")
    problems = check(parse(wrong))
    assert len(problems) == 2
    for problem in problems:
        assert f"Highest3.rcy:{problem}\n" in shown


@pytest.mark.parametrize("name", names())
def test_there_is_nothing_to_complain_of(name: str) -> None:
    """The checker finds neither errors nor warnings, those about hidden cards included."""
    assert check(parse(description(name))) == ()


@pytest.mark.no_cover
@pytest.mark.parametrize("name", names())
def test_random_games_come_to_their_end(name: str) -> None:
    """Every random game ends by its rules, with a score for everybody."""
    for seed in range(count(100)):
        assert len(played(name, seed).scores) == game(name).info.usual_seats
