"""Game options, numbers of players, ranks, and the catalogue."""

import pytest

from engine import GAMES, Catalogue, GameInfo, Match, Option
from engine.catalogue import TOLD, UnknownGame, unknown_game
from engine.errors import BadOption, BadSetup, EngineError
from engine.game import check_seats, ranked
from engine.games.black_queen import BlackQueen

NUMBER = Option("deals", "deals in a match", 4, low=1, high=9)
SWITCH = Option("hook", "the last bid may not fit", True)
WORD = Option("claim", "who says when it is over", "auto", words=("auto", "manual"))


@pytest.mark.parametrize(
    ("option", "value"),
    [(NUMBER, 1), (NUMBER, 9), (SWITCH, False), (WORD, "manual"), (Option("n", "any", 0), -7)],
)
def test_an_option_takes_what_it_says(option: Option, value: object) -> None:
    """An option accepts numbers within its bounds, yes or no, or its listed words."""
    assert option.check(value) == value


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        (NUMBER, 0, "option deals: 0 must be a whole number from 1 to 9"),
        (NUMBER, 10, "option deals: 10 must be a whole number from 1 to 9"),
        (NUMBER, True, "option deals: True must be a whole number from 1 to 9"),
        (NUMBER, "4", "option deals: '4' must be a whole number from 1 to 9"),
        (Option("n", "few", 0, high=3), 4, "option n: 4 must be a whole number to 3"),
        (Option("n", "many", 5, low=3), 2, "option n: 2 must be a whole number from 3"),
        (SWITCH, 1, "option hook: 1 must be true or false"),
        (WORD, "maybe", "option claim: 'maybe' must be one of auto, manual"),
        (WORD, 1, "option claim: 1 must be one of auto, manual"),
    ],
)
def test_an_option_says_what_it_takes(option: Option, value: object, words: str) -> None:
    """The error for a wrong option value has the name, the value, and what is allowed."""
    with pytest.raises(BadOption) as raised:
        option.check(value)
    assert str(raised.value) == words


@pytest.mark.parametrize(
    ("seats", "words"),
    [((4,), "takes 4 players"), ((2, 3, 4), "takes 2 to 4 players"), ((2, 4), "takes 2 or 4 pl")],
)
def test_a_wrong_number_of_players_is_told_the_right_ones(
    seats: tuple[int, ...], words: str
) -> None:
    """The error for a wrong number of players lists the right ones."""
    with pytest.raises(BadSetup, match=words):
        check_seats(GameInfo("test", 1, "Test", seats, seats[0]), 7)


@pytest.mark.parametrize(("aim", "ranks"), [("high", (2, 1, 4, 2)), ("low", (2, 4, 1, 2))])
def test_equal_scores_share_a_rank_and_use_up_the_next(aim: str, ranks: tuple[int, ...]) -> None:
    """Equal scores share a rank and skip the next; the best rank is 1."""
    outcome = ranked([5, 9, -3, 5], "high" if aim == "high" else "low")
    assert (outcome.scores, outcome.ranks) == ((5, 9, -3, 5), ranks)


def test_the_catalogue_gives_matches_by_id() -> None:
    """The catalogue finds the match of a game by its id."""
    assert GAMES.game("black_queen").info is BlackQueen.info
    for info in GAMES:
        game = GAMES.game(info.id)
        assert isinstance(game, Match)
        assert game.info is info


def test_an_unknown_game_is_told_the_known_ones() -> None:
    """The error for an unknown game lists the known ones."""
    catalogue = Catalogue((Match(BlackQueen()),))
    with pytest.raises(UnknownGame, match="there is no game 'poker'; there are black_queen"):
        catalogue.game("poker")


def test_a_misspelt_game_is_told_its_name() -> None:
    """The error for a misspelt game suggests close names, and lists only a few of many."""
    with pytest.raises(UnknownGame, match=r"no game 'heart' \(did you mean hearts\?\); there are"):
        GAMES.game("heart")
    error = unknown_game("poker", [f"game{number}" for number in range(TOLD + 3)])
    assert str(error).endswith("game11 and 3 more")


def test_every_error_has_a_code_of_its_own() -> None:
    """No two errors of the engine share a code."""
    errors: list[type[EngineError]] = [EngineError, *EngineError.__subclasses__()]
    codes = [error.code for error in errors]
    assert len(set(codes)) == len(codes)
