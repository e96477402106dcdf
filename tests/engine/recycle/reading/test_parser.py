"""Parsing a whole description: setup, stages, scoring."""

import pytest

from engine.recycle.reading.tokens import BOM
from engine.recycle.syntax import (
    Compare,
    CreateDeck,
    CreateTeams,
    Declare,
    Do,
    Integer,
    IntStorage,
    Name,
    Pass,
    Repeat,
    Scoring,
    Stage,
    Table,
    Variable,
)
from tests.engine.recycle.reading.wording import game, whole

IDLE = "(do ((turn pass)))"
DONE = Do((Pass(),))
END = Compare("==", Integer(1), Integer(1))


@pytest.mark.parametrize("cycle", ["player", "team"])
def test_a_stage_goes_round_until_its_end(cycle: str) -> None:
    """A stage has an end condition and may contain stages."""
    (stage,) = game(whole(f"(stage {cycle} (end (== 1 1)) (stage player once {IDLE}))")).children
    assert isinstance(stage, Stage)
    assert (stage.cycle, stage.mode, stage.end) == (cycle, "end", END)
    assert stage.children == (Stage("player", "once", None, (DONE,)),)


@pytest.mark.parametrize("mode", ["once", "simultaneous"])
@pytest.mark.parametrize("brackets", ["{}", "({})"])
def test_a_stage_may_have_a_word_in_place_of_an_end(mode: str, brackets: str) -> None:
    """A stage may have a word in place of its end condition, with or without parentheses."""
    text = whole(f"(stage player {brackets.format(mode)} {IDLE})")
    (stage,) = game(text).children
    assert isinstance(stage, Stage)
    assert (stage.mode, stage.end, stage.children) == (mode, None, (DONE,))


def test_the_setup_has_players_teams_and_decks() -> None:
    """The setup has players, teams and decks; a deck may be repeated, and teams may be missing."""
    deck = "(create deck (game vloc A) (deck (SUIT (H))))"
    setup = f"(setup (create players 4) (create teams (1, 3) (2, 4)) {deck} (repeat 2 {deck}))"
    made = game(whole(IDLE, setup=setup)).setup
    assert made.players == Integer(4)
    assert made.teams == CreateTeams(((0, 2), (1, 3)))
    one, two = made.decks
    assert isinstance(one, CreateDeck)
    assert two == Repeat(Integer(2), one)
    assert game(whole(IDLE)).setup.teams is None


def test_declarations_are_known_everywhere_below() -> None:
    """Declared names are known in the setup, the stages and the scoring."""
    made = game(
        whole(
            "(do ((set (game sto X) 'N)))",
            setup="(setup (create players 'N) (create deck (game vloc A) (deck (SUIT (H)))))",
            scoring="(scoring min 'N)",
            declare="(declare 3 'N)",
        )
    )
    assert made.declarations == (Declare(Integer(3), "N"),)
    assert isinstance(made.setup.players, Variable)
    assert isinstance(made.scoring.value, Variable)


@pytest.mark.parametrize("best", ["min", "max"])
def test_scoring_says_who_wins(best: str) -> None:
    """Scoring has a number, and says whether the most or the least wins."""
    scoring = game(whole(IDLE, scoring=f"(scoring {best} (game sto X))")).scoring
    assert (scoring.best, scoring.value) == (best, IntStorage(Table(), Name("X")))
    assert isinstance(scoring, Scoring)


def test_a_mark_at_the_start_and_text_at_the_end_are_no_part_of_it() -> None:
    """A byte order mark at the start and text at the end are ignored; published games have both."""
    text = whole(IDLE)
    assert game(f"{BOM};; mine\n{text} (game) ) é") == game(text)


def test_every_node_knows_where_it_stands() -> None:
    """Every node has the place of its form or its word."""
    text = whole("(do\n  ((inc (game sto X) 2)))")
    (child,) = game(text).children
    assert isinstance(child, Do)
    (change,) = child.body
    assert (change.at.line, change.at.column, change.at.of(text)) == (4, 4, "(inc (game sto X) 2)")


def test_the_place_is_no_part_of_what_a_tree_is() -> None:
    """Trees of one text in two layouts are equal."""
    text = whole(IDLE)
    assert game(text) == game(text.replace(" ", "\n   "))
