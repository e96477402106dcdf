"""The outline of a game that `recycle show` prints."""

from engine.recycle.authoring.outline import LONG, Outline, OutlinedZone, Part, outline, shown
from engine.recycle.checking.places import PlaceKey
from engine.recycle.source_text import Span
from tests.engine.recycle.reading.wording import game, whole

SETUP = (
    "(setup (create players 4) (create teams (1, 3) (2, 4)) "
    "(create deck (game hloc STOCK) (deck (RANK (A, K)) "
    "(COLOR (RED (SUIT (H, D))) (BLACK (SUIT (C, S)))))) "
    "(repeat 2 (create deck JOKERS (game hloc STOCK) (deck (RANK (JOKER))))))"
)


def of(*children: str, scoring: str = "(scoring max 1)") -> Outline:
    """The outline of a game with these stages and blocks."""
    text = whole(*children, setup=SETUP, scoring=scoring)
    return outline(game(text), text)


def test_players_teams_cards_and_scoring_are_told() -> None:
    """The outline says in words how many players, teams and cards there are, and how one scores."""
    told = of("(do ((turn pass)))", scoring="(scoring min (game sto X))")
    assert (told.players, told.teams) == ("4", "1 and 3 against 2 and 4")
    assert told.decks == (
        "8 cards (2 ranks, 2 colors, 4 suits) in (game hloc STOCK)",
        "2 × 1 card (1 rank) in (game hloc STOCK)",
    )
    assert told.scoring == "least of (game sto X) wins"


def test_declared_numbers_are_told_as_numbers() -> None:
    """A declared number appears in the outline as its value, not as its variable."""
    setup = SETUP.replace("players 4", "players 'MANY").replace("repeat 2", "repeat 'TWICE")
    declare = "(declare 4 'FOUR) (declare 'FOUR 'MANY) (declare 2 'TWICE)"
    text = whole("(do ((turn pass)))", setup=f"{declare} {setup}")
    told = outline(game(text), text)
    assert told.players == "4"
    assert told.decks[1].startswith("2 × 1 card")


def test_without_teams_every_player_is_one() -> None:
    """Without a declaration of teams the outline lists every player as a team."""
    text = whole("(do ((turn pass)))")
    assert outline(game(text), text).teams == "every player is a team"


def test_each_pile_is_told_once_with_who_sees_it() -> None:
    """The outline lists each pile once, with the players that see it."""
    reads = (
        "(game vloc A) (game iloc A) (game hloc A) (game oloc A) (game mem A) ('P vloc B) "
        "('P iloc B) ('P hloc B) ('P oloc B) ('P mem B) ('P iloc B) (game iloc (game str S))"
    )
    told = of(f"(do ((all player 'P (set (game sto N) (size (union {reads}))))))")
    seen_by = [(zone.holder, zone.place, zone.name, zone.seen_by) for zone in told.zones[1:]]
    assert told.zones[0] == OutlinedZone("the table", "hloc", "STOCK", "nobody")
    assert seen_by == [
        ("the table", "vloc", "A", "everybody"),
        ("the table", "iloc", "A", "nobody"),
        ("the table", "hloc", "A", "nobody"),
        ("the table", "oloc", "A", "everybody"),
        ("the table", "mem", "A", "everybody"),
        ("a player", "vloc", "B", "everybody"),
        ("a player", "iloc", "B", "its player"),
        ("a player", "hloc", "B", "nobody"),
        ("a player", "oloc", "B", "everybody but its player"),
        ("a player", "mem", "B", "everybody"),
    ]


def test_each_value_is_told_once() -> None:
    """Numbers, strings and point maps are listed once each, in order of first use."""
    told = of(
        "(do ((inc (game sto N) (sum (game hloc STOCK) using (game points P))) "
        "(set (game str S) A) (all team 'T (inc ('T sto N) (game sto N)))))"
    )
    assert told.values == (
        PlaceKey("the table", "sto", "N"),
        PlaceKey("the table", "points", "P"),
        PlaceKey("the table", "str", "S"),
        PlaceKey("a team", "sto", "N"),
    )


def test_stages_lie_in_stages_with_their_ends() -> None:
    """The outline nests stages, with each stage's turn order, end condition and choices."""
    told = of(
        "(stage player (end (== 1 1)) (stage team (end (== 1 2)) (do ((turn pass)))) "
        "(stage player once (choice ((turn pass) ((== 1 1) (turn pass))))) "
        "(stage player simultaneous (choice ((turn pass)))) (stage team once (all team 'T "
        "(turn pass))) (stage team simultaneous (choice ((turn pass)))))"
    )
    passing = ("(turn pass)",)
    one = (Part("choice", "choice", passing),)
    assert told.parts == (
        Part(
            "stage",
            "player after player",
            ("until (== 1 1)",),
            (
                Part("stage", "team after team", ("until (== 1 2)",), (Part("do", "do", passing),)),
                Part(
                    "stage",
                    "every player once",
                    (),
                    (Part("choice", "choice", ("(turn pass)", "if (== 1 1)", "   (turn pass)")),),
                ),
                Part("stage", "all players at once", (), one),
                Part(
                    "stage",
                    "every team once",
                    (),
                    (Part("do", "do", ("(all team 'T (turn pass))",)),),
                ),
                Part("stage", "all teams at once", (), one),
            ),
        ),
    )


def test_a_form_is_shown_on_one_line_without_comments() -> None:
    """A form is shown on one line without its comments, cut to the line's width."""
    text = "(a ;; (b\n  (A ,B)\t'C )"
    assert shown(text, Span(0, len(text), 1, 1)) == "(a (A, B) 'C)"
    long = f"({'abc ' * 100})"
    assert shown(long, Span(0, len(long), 1, 1)) == f"({'abc ' * 17}ab…"
    assert len(shown(long, Span(0, len(long), 1, 1))) == LONG
