"""Hints for laying out a described game: guessed, or set by annotations."""

import pytest

from engine.layout import (
    A_FLAG,
    A_SEAT,
    BY_SEAT,
    BY_TEAM,
    CARDS,
    NOBODY,
    ON_TABLE,
    Layout,
    ValueHint,
    ZoneHint,
)
from engine.recycle import load

GAME = """
{above}
(game
 (setup
  (create players 2)
  {teams}
  (create deck (game hloc STOCK) (deck (RANK (A, TWO, THREE, J, Q, K)) (SUIT (HEARTS)))))
 (do
  ((repeat 3 (move (top (game hloc STOCK)) (top (game vloc ROW))))
   (all player 'P (move (top (game hloc STOCK)) (top ('P iloc HAND))))))
 (stage player
  (end (all player 'P (== (size ('P iloc HAND)) 0)))
  (choice
   ((any ((current player) iloc HAND) 'C {chosen})))
  (do
   ((all player 'P {swept}))))
 (do
  ((inc ((1 player) sto SCORE) 3)))
 (scoring max ((current player) sto SCORE)))
"""
PLAYED = "(move 'C (top ((current player) vloc FRONT)))"
SWEPT = "(move (top ('P vloc FRONT)) (top ((next player) vloc WON)))"


def layout(above: str = "", chosen: str = PLAYED, swept: str = SWEPT, teams: str = "") -> Layout:
    text = GAME.format(above=above, chosen=chosen, swept=swept, teams=teams)
    return load(text, "Small2").info.layout


def places(**parts: str) -> dict[str, str]:
    return {zone.kind: zone.place for zone in layout(**parts).zones}


def test_a_trick_is_played_by_choice_and_swept_together() -> None:
    """A pile that players play to by choice and that is then swept away is laid out as a trick."""
    assert places() == {
        "stock": "hidden",
        "row": "pile",
        "hand": "hand",
        "front": "trick",
        "won": "pile",
    }


@pytest.mark.parametrize(
    ("chosen", "swept", "place"),
    [
        (PLAYED, "(repeat all " + SWEPT + ")", "row"),
        (PLAYED, "(move (top ('P iloc HAND)) (top ('P vloc FRONT)))", "row"),
        ("(move 'C (top (game vloc ROW)))", SWEPT, "row"),
        ("(move 'C (top ((current player) hloc FRONT)))", SWEPT, "row"),
        ("(move 'C (top ((current player) vloc FRONT 1)))", SWEPT, "slots"),
    ],
)
def test_other_piles_of_a_player_are_rows_or_slots(chosen: str, swept: str, place: str) -> None:
    """Other piles of a player are laid out as rows or slots."""
    found = places(chosen=chosen, swept=swept)
    assert found.get("front", found.get("front_vloc")) == place


def test_face_up_slots_lie_on_face_down_ones() -> None:
    """Numbered face-up and face-down piles of a player share their slots."""
    chosen = (
        "(any (range 1 .. 2) 'N (do ((move 'C (top ((current player) vloc UP 'N)))"
        " (move (top ((current player) vloc UP 'N)) (top ((current player) hloc DOWN 'N))))))"
    )
    zones = layout(chosen=chosen).zones
    assert ZoneHint("up", "slots", "up", over="down") in zones
    assert ZoneHint("down", "slots", "down") in zones


def test_numbered_piles_of_the_table_are_rows() -> None:
    """Numbered piles of the table, such as Rummy's melds, are laid out as rows."""
    found = places(chosen="(move 'C (top (game vloc MELD (size (game vloc ROW)))))")
    assert found["meld"] == "row"


def test_face_down_piles_of_a_player_are_piles() -> None:
    """Face-down piles of a player are piles; the first pile that its owner sees is the hand."""
    found = places(
        chosen="(move 'C (top ((current player) hloc AWAY)))",
        swept="(move (top ((current player) hloc AWAY)) (top ('P iloc EXTRA)))",
    )
    assert found["away"] == "pile"
    assert found["extra"] == "row"
    text = GAME.format(above="", chosen=PLAYED, swept=SWEPT, teams="")
    zones = load(text.replace("HAND", "CARDS"), "Small2").info.layout.zones
    assert ZoneHint("cards", "hand", "cards") in zones


def test_comments_say_where_a_guess_is_wrong() -> None:
    """An annotation overrides the guessed layout of a pile."""
    above = (
        ";; @place ROW row\n;; @place vloc WON stack over FRONT\n;; @zero SCORE yes\n"
        ";; @place iloc HAND slots in 2 rows"
    )
    zones = {zone.kind: zone for zone in layout(above).zones}
    assert zones["row"].place == "row"
    assert zones["won"] == ZoneHint("won", "stack", "won", over="front")
    assert zones["hand"] == ZoneHint("hand", "slots", "hand", rows=2)
    assert layout(above).value("score") == ValueHint("score", "score", BY_SEAT)


def test_a_score_that_is_only_made_at_the_end_is_not_shown_while_it_is_zero() -> None:
    """A score computed only at the end is hidden while zero; one counted in play is shown."""
    assert layout().value("score") == ValueHint("score", "score", BY_SEAT, zero=False)
    counted = layout(swept="(do (" + SWEPT + " (inc ('P sto SCORE))))")
    assert counted.value("score") == ValueHint("score", "score", BY_SEAT)


@pytest.mark.parametrize(
    ("done", "above", "hint"),
    [
        ("(set (game str LED) A)", "", ValueHint("led", "led", ON_TABLE)),
        ("(inc ('P sto WINS))", ";; @tell WINS wins", ValueHint("wins", "wins", BY_SEAT)),
        (
            "(inc ((team 'P) sto WINS))",
            ";; @zero WINS no",
            ValueHint("wins_team", "wins", BY_TEAM, zero=False),
        ),
        ("(set (game sto OVER) 1)", "", ValueHint("over", "over", NOBODY)),
        (
            "(set (game sto OVER) 1)",
            ";; @value OVER over",
            ValueHint("over", "over", ON_TABLE, False, A_FLAG),
        ),
        (
            "(do ((set (game sto N) 1) (inc (game sto N))))",
            "",
            ValueHint("n", "n", ON_TABLE),
        ),
        ("(set (game sto N) 2)", "", ValueHint("n", "n", ON_TABLE, zero=False)),
        (
            "(set ((current player) sto SCORE) 1)",
            ";; @zero SCORE no",
            ValueHint("score", "score", BY_SEAT, zero=False),
        ),
        (
            "(set (game sto BEST) (pid 'P))",
            ";; @value BEST best player",
            ValueHint("best", "best player", BY_SEAT, False, A_SEAT, 1),
        ),
        (
            "(remember (top ('P vloc FRONT)) (top (game mem LEAD)))",
            "",
            ValueHint("lead", "lead", ON_TABLE, holds=CARDS),
        ),
        (
            "(remember (top ('P vloc FRONT)) (top (game mem LEAD)))",
            ";; @hide LEAD",
            ValueHint("lead", "lead", NOBODY, holds=CARDS),
        ),
    ],
)
def test_values_are_shown_where_they_belong(done: str, above: str, hint: ValueHint) -> None:
    """Values are shown by their owner, unless they mark a player or nobody need see them."""
    found = layout(above, swept=f"(do ({SWEPT} {done}))")
    assert hint in found.values


def test_partners_are_told_once_for_the_whole_game() -> None:
    """The layout names partners once for the whole game, and no teams if all play alone."""
    assert layout(teams="(create teams (1, 2))").teams == ((0, 1),)
    assert layout().teams == ()
