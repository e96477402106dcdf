"""Limits on the numbers of players and cards."""

import pytest

from engine.recycle.checking import check
from engine.recycle.problems import Code
from engine.recycle.reading.parser import parse
from tests.engine.recycle.checking.checking import found
from tests.engine.recycle.reading.wording import whole

DECK = "(create deck (game vloc A) (deck (SUIT (H, S))))"
IDLE = "(do ((turn pass)))"


def setup(players: str = "4", teams: str = "", deck: str = DECK) -> str:
    """A setup with these declarations."""
    return f"(setup (create players {players}) {teams} {deck})"


@pytest.mark.parametrize("number", ["0", "21", "(game sto N)", "(+ 1 1)"])
def test_the_number_of_players_is_known(number: str) -> None:
    """The number of players is a literal within bounds, not an expression."""
    assert found(Code.BAD_PLAYERS, IDLE, setup=setup(number)) == [
        f"2:24: error no number of players: {number}; expected a number from 1 to 20"
    ]


def test_the_number_of_players_may_have_a_name() -> None:
    """The number of players may be a declared name, also one declared by another name."""
    text = whole(
        "(do ((cycle next (3 player))))",
        setup=setup("'M"),
        declare="(declare 2 'N) (declare 'N 'M)",
    )
    told = [str(problem) for problem in check(parse(text)) if not problem.warning]
    assert told == [
        "3:18: error [bad_players] there is no such player: (3 player); "
        "expected a number from 1 to 2"
    ]


def test_a_number_of_players_that_could_not_be_read_is_told_once() -> None:
    """An unreadable number of players is reported once, without errors about teams or players."""
    text = whole("(do ((cycle next (9 player))))", setup=setup("four", teams="(create teams (9))"))
    assert [problem.code for problem in check(parse(text))] == [Code.WRONG_SHAPE]


@pytest.mark.parametrize(("teams", "low", "high"), [("(1) (2)", 1, 4), ("(0) (1)", 0, 3)])
def test_a_player_by_number_is_one_of_them(teams: str, low: int, high: int) -> None:
    """A player's number must exist; numbers start at 0 if the teams do, else at 1."""
    players = [f"(cycle next ({number} player))" for number in range(5)]
    text = f"(do ({' '.join(players)}))"
    made = setup(teams=f"(create teams {teams})")
    wrong = ({0, 1, 2, 3, 4} - set(range(low, high + 1))).pop()
    assert found(Code.BAD_PLAYERS, text, setup=made) == [
        f"3:{text.index(f'({wrong} player)') + 1}: error there is no such player: "
        f"({wrong} player); expected a number from {low} to {high}"
    ]


def test_a_player_is_in_one_team_only() -> None:
    """A player listed in two teams is an error."""
    made = setup(teams="(create teams (0, 1) (1, 2))")
    assert found(Code.BAD_TEAMS, IDLE, setup=made) == [
        "2:27: error a player is in two teams: (create teams (0, 1) (1, 2)); "
        "expected each player once"
    ]


@pytest.mark.parametrize(("teams", "expected"), [("(0, 4)", "0 to 3"), ("(1, 5)", "1 to 4")])
def test_teams_have_players_of_the_game(teams: str, expected: str) -> None:
    """A team with an unknown player is an error, whose hint says how players are numbered."""
    made = setup(teams=f"(create teams {teams})")
    assert found(Code.BAD_TEAMS, IDLE, setup=made) == [
        f"2:27: error a player whom there is not: (create teams {teams}); "
        f"expected numbers from {expected}; "
        "players count from 0 where a team mentions a player 0, else from 1"
    ]


def test_a_card_has_an_attribute_once() -> None:
    """An attribute repeated on one path of a deck is an error; in another branch it is not."""
    deck = (
        "(create deck (game vloc A) (deck (RANK (A, K)) "
        "(COLOR (RED (SUIT (H))) (BLACK (SUIT (S)))) (SUIT (C)) (KIND (X (RANK (Q))))))"
    )
    assert found(Code.REPEATED_ATTRIBUTE, IDLE, setup=setup(deck=deck)) == [
        "2:119: error these cards have this attribute already: (SUIT (C)); expected another name",
        "2:139: error these cards have this attribute already: (RANK (Q)); expected another name",
    ]


def test_attributes_that_could_not_be_read_are_told_once() -> None:
    """An attribute that could not be parsed is reported once, not as a duplicate too."""
    deck = "(create deck (game vloc A) (deck (suit (A)) (rank (B))))"
    text = whole(IDLE, setup=setup(deck=deck))
    assert [problem.code for problem in check(parse(text))] == [Code.WRONG_SHAPE] * 2


DIGITS = "(A, B, C, D, E, F, G, H, I, J)"


@pytest.mark.parametrize(
    ("deck", "many"),
    [
        (f"(create deck (game vloc A) (deck (W {DIGITS}) (X {DIGITS}) (Y {DIGITS})))", False),
        (
            f"(create deck (game vloc A) (deck (W {DIGITS}) (X {DIGITS}) (Y {DIGITS}) "
            f"(Z {DIGITS})))",
            True,
        ),
        (f"(repeat 5 (repeat 500 {DECK}))", False),
        (f"(repeat 6 (repeat 500 {DECK}))", True),
    ],
)
def test_there_are_only_so_many_cards(deck: str, many: bool) -> None:
    """A deck with too many cards is refused before any card is made."""
    told = found(Code.TOO_MANY_CARDS, IDLE, setup=setup(deck=deck))
    assert [line.rpartition("; ")[2] for line in told] == ["expected at most 5000"] * many
