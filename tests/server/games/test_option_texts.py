"""The help of options and settings."""

from pathlib import Path

import pytest

from engine import GAMES, GameInfo
from engine.recycle import load
from engine.recycle.games import description
from protocol.table_settings import TableSettings
from server.games.option_texts import SETTINGS, option_info, option_infos
from tests.server.harness import open_server


@pytest.mark.parametrize("game", [info.id for info in GAMES])
def test_every_option_is_explained(game: str) -> None:
    """Every option has help, titles for its words, and existing dependencies."""
    options = {each.name: each for each in GAMES.game(game).options(GAMES.game(game).info.seats[0])}
    for option in options.values():
        told = option_info(option, game)
        assert told.help, option.name
        assert tuple(told.titles) == option.words, option.name
        for other, values in told.depends.items():
            for value in values:
                assert options[other].check(value) == value


@pytest.mark.parametrize("info", list(GAMES), ids=lambda info: info.id)
def test_default_and_bounds_are_told_for_every_number_of_players(info: GameInfo) -> None:
    """Defaults and bounds are given for each number of players, once if they agree."""
    game = GAMES.game(info.id)
    for seats in info.seats:
        options = game.options(seats)
        told = [each.for_seats(seats) for each in option_infos(game, info.id)]
        assert [(each.name, each.default, each.low, each.high) for each in told] == [
            (option.name, option.default, option.low, option.high) for option in options
        ]
    cards = {each.name: each for each in option_infos(GAMES.game("whist"), "whist")}
    assert [each.seats for each in cards["cards"].by_seats] == [6, 7]
    assert cards["hook"].by_seats == ()


def test_options_of_described_games_are_explained() -> None:
    """Options of described games have shared help."""
    made = load(description("Hearts4"), "Hearts4")
    assert all(option_info(option, "described").help for option in made.options(4))


def test_every_setting_is_explained() -> None:
    """Every setting has help under its name."""
    assert {each["name"] for each in SETTINGS} == TableSettings.model_fields.keys()


async def test_a_game_that_is_asked_for_comes_with_settings(tmp_path: Path) -> None:
    """A single requested game comes with the settings, and the list does not."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        whole = await ann.ask("games", game="hearts")
        assert whole["settings"] == list(SETTINGS)
        (moon,) = (each for each in whole["games"][0]["options"] if each["name"] == "moon")
        assert moon["depends"] == {"rules": ["standard"]}
        assert moon["titles"].keys() == {"others", "shooter"}
        assert "settings" not in await ann.ask("games")
