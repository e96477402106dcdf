"""Descriptions that cannot be played are refused, and hostile ones end soon."""

from dataclasses import replace
from random import Random
from time import process_time

import pytest

from engine import Setup
from engine.recycle import BadDescription, load
from engine.recycle.description import Description
from engine.recycle.limits import PLAY_LIMITS
from engine.recycle.problems import Code
from engine.recycle.running.world import World
from engine.shuffle import Shuffler, seed_from_int
from tests.engine.recycle.running.playing import (
    SCORING,
    SETUP,
    begun,
    described,
    done,
    number,
    pile,
    program,
    value,
)

STOCK = "(game vloc STOCK)"
DECK = f"(create deck {STOCK} (deck {{}}))"

LET = "(let (filter (game vloc STOCK) 'C (== 1 1)) 'A "
FILTERS = "(filter " * 105 + STOCK + " 'C (== 1 1))" * 105
FILTERS = f"(do ((set (game sto X) (size {FILTERS}))))"


def decks(*attributes: str) -> str:
    """A setup with a deck for each of the given attributes."""
    return f"(setup (create players 3) {' '.join(map(DECK.format, attributes))})"


def names(prefix: str, count: int) -> str:
    """The given number of different values of an attribute."""
    digits = (f"{at:04d}" for at in range(count))
    return ", ".join(prefix + "".join("ABCDEFGHIJ"[int(d)] for d in each) for each in digits)


@pytest.mark.parametrize(
    ("child", "setup", "code"),
    [
        ("(do ((choice ((turn pass)))))", SETUP, Code.MISPLACED_CHOICE),
        (f"(do ((shuffle (top 2 {STOCK}))))", SETUP, Code.VIRTUAL_TARGET),
        ("(do ((turn pass)))", SETUP.replace("players 3", "players 0"), Code.BAD_PLAYERS),
        ("(do ((turn pass)))", SETUP.replace("players 3", "players 21"), Code.BAD_PLAYERS),
        ("(do ((turn pass)))", SETUP.replace("players 3", "players (+ 1 2)"), Code.BAD_PLAYERS),
        ("(do ((turn pass)))", decks(f"(A ({names('A', 100)})) (B ({names('B', 100)}))"),
         Code.TOO_MANY_CARDS),
        ("(do ((turn pass)))", decks("".join(f"(K{'ABCDEFGH'[n % 8]}{'ABCDEFGH'[n // 8 % 8]}"
                                             f"{'ABCDEFGH'[n // 64]} (A, B))" for n in range(80))),
         Code.TOO_MANY_CARDS),
        ("(do ((turn pass)))", decks("".join(f"(KEY{'ABCDEFGH'[n % 8]}{'ABCDEFGH'[n // 8 % 8]}"
                                             f"{'ABCDEFGH'[n // 64]} (A))" for n in range(300))),
         Code.TOO_MANY_CARDS),
        ("(do ((turn pass)))", decks(f"(A ({names('A', 3000)}))", f"(B ({names('B', 3000)}))"),
         Code.TOO_MANY_CARDS),
        ("(do ((turn pass)))", SETUP.replace("deck (game", "deck (game str BACK) (game"),
         Code.WRONG_KIND),
        ("(do (" + "(all (range 1 .. 1) 'A " * 16 + "(turn pass)" + ")" * 16 + "))", SETUP,
         Code.TOO_DEEP),
        (FILTERS, SETUP, Code.TOO_DEEP),
    ],
)  # fmt: skip
def test_what_only_shows_when_a_game_is_made(child: str, setup: str, code: Code) -> None:
    """Problems found while a game is built have a place and a hint, like those of the checker."""
    with pytest.raises(BadDescription) as caught:
        program(child, setup=setup, depth=400)
    (problem,) = caught.value.problems
    assert problem.code is code
    assert problem.expected
    assert problem.span.end > 0


def test_loading_tells_all_problems() -> None:
    """`load` refuses a wrong text with all of its problems, in order."""
    with pytest.raises(BadDescription) as caught:
        load("(game (setup (create players 2)) (do ((nonsense))))", "Bad2")
    assert len(caught.value.problems) > 2
    assert str(caught.value).count("\n") == len(caught.value.problems) - 1
    assert caught.value.code == "bad_description"


def test_loading_makes_a_game_of_a_text() -> None:
    """`load` makes a game with name, players, aim and digest from the text and the file's name."""
    text = f"(game {SETUP} (choice ((turn pass))) {SCORING.replace('max', 'min')})"
    game = load(text, "TwoWords3")
    assert isinstance(game, Description)
    assert (game.info.id, game.info.title, game.info.seats) == ("twowords3", "Two Words", (3,))
    assert (game.info.aim, len(game.info.legend)) == ("low", 8)
    assert game.digest == load(text, "Other3").digest != load(text + " ", "TwoWords3").digest


def test_cards_are_called_by_what_tells_them_apart() -> None:
    """French cards are named by tokens, other cards by their values; equal faces share a back."""
    tokens = {
        "(RANK (A, KING)) (SUIT (HEARTS, SPADES))": "AH AS KH KS",
        "(COLOR (RED (SUIT (ROSE, LILY))) (BLUE (SUIT (IRIS)))) (NUMBER (ONE, TWELVE))":
            "ROSE-1 ROSE-12 LILY-1 LILY-12 IRIS-1 IRIS-12",
        "(NUMBER (ONE))": "1",
        "(NUMBER (ONE, TWO)) (KIND (X))": "1 2",
    }  # fmt: skip
    for attributes, expected in tokens.items():
        made = program("(do ((turn pass)))", setup=decks(attributes)).components.decks
        assert made.tokens == tuple(expected.split())
    two = SETUP.replace(")))", ")))", 1)
    both = (
        two[:-1] + two[two.index("(create deck") : -1].replace("create deck", "create deck B") + ")"
    )
    made = program("(do ((turn pass)))", setup=both).components.decks
    assert made.tokens[7:9] == ("4H.DEFAULT", "AC.B")
    alike = decks("(ONEKEY (A, B))", "(OTHER (A, B))")
    numbered = ("A.DEFAULT.0", "B.DEFAULT.1", "A.DEFAULT.2", "B.DEFAULT.3")
    assert program("(do ((turn pass)))", setup=alike).components.decks.tokens == numbered


def test_clients_draw_other_cards_by_their_values() -> None:
    """The legend of cards that are not French has labels, groups and colours from their values."""
    legend = program(
        "(do ((turn pass)))", setup=decks("(COLOR (RED, PINK)) (SUIT (ROSE))")
    ).components.decks
    assert [(card.label, card.group, card.colour) for card in legend.legend] == [
        ("red", "rose", "red"),
        ("pink", "rose", "black"),
    ]


def test_names_in_views_do_not_clash() -> None:
    """Piles, marks and values with one name get different keys in views."""
    world = done(
        f"(move (top {STOCK}) (top (game iloc STOCK)))",
        f"(remember (top {STOCK}) (top (game mem TURN)))",
        "(set (game sto STOCK) 1) (set (game str STOCK) A) (set (game sto TURN) 2)",
        "(set ((1 player) sto TEAM) 3)",
        f"(move (top {STOCK}) (top (game vloc PILE 2)))",
        f"(move (top {STOCK}) (top (game vloc PILE (+ 1 1))))",
        f"(move (top {STOCK}) (top ((1 player) vloc PILE (+ 1 1))))",
    )
    assert [value(world, name) for name in ("stock_count", "stock_word", "turn_count")] == [
        1,
        "A",
        2,
    ]
    assert value(world, "team_count/0") == 3
    assert pile(world, "stock_iloc") == ["4H"]
    assert pile(world, "turn_mem") == ["4C"]
    assert pile(world, "pile//2") == ["4C", "3H"]
    assert pile(world, "pile/0/2") == ["3C"]


def test_the_owner_of_a_card_is_the_player_before_whom_it_lies() -> None:
    """`owner` gives the player in whose pile a card lies."""
    assert (
        number(
            "(pid (owner (top ((2 player) vloc HAND))))",
            f"(move (top {STOCK}) (top ((2 player) vloc HAND)))",
        )
        == 2
    )


SWAPS = "(swap (game vloc STOCK) (game vloc T))"
MOVES = "(all (game vloc STOCK) 'C (move 'C (bottom (game vloc STOCK))))"
FLOOD = "(repeat 900 (do ((move (top (game vloc STOCK)) (bottom (game vloc T)))"
FLOOD += " (move (bottom (game vloc T)) (top (game vloc STOCK))) (swap (top (game vloc STOCK))"
FLOOD += " (bottom (game vloc STOCK))))))"
LONG = f"(do ({'(inc (game sto X)) ' * 900}))"
SAME = "(== (game sto X) 1) "
HOSTILE = [
    f"(do ((repeat 99999 (repeat 99999 {SWAPS}))))",
    f"(do ((repeat 99999 (repeat 99999 {MOVES}))))",
    f"(choice ((do ({FLOOD} (any (range 1 .. 5000) 'N (set (game sto X) 'N))))))",
    "(stage player (end (== 1 2)) (do ((inc (game sto X) (game sto X)))))",
    "(stage player (end (== 1 2)) (do ((turn pass))) (choice ((turn pass))))",
    "(do (" + "(all (game vloc STOCK) 'A " * 12 + "(turn pass)" + ")" * 12 + "))",
    "(choice (" + "(any (game vloc STOCK) 'A " * 12 + "(turn pass)" + ")" * 12 + "))",
    "(do ((repeat 99999 (repeat 99999 (repeat 99999 (shuffle (game vloc STOCK)))))))",
    "(do ((repeat 99999 (create deck (game vloc STOCK) (deck (A (A, B, C)) (B (A, B, C)))))))",
    "(do ((all (range 0 .. 90000) 'A (set (game sto X) (^ 'A 'A)))))",
    "(do ((set (game sto X) (size (subsets (union (game vloc STOCK) (game vloc STOCK)"
    " (game vloc STOCK) (game vloc STOCK)))))))",
    "(do ((let (subsets (game vloc STOCK)) 'S (all 'S 'A (all 'S 'B (all 'S 'C (turn pass)))))))",
    "(choice ((do (" + "(any (range 1 .. 2) 'A (turn pass)) " * 40 + "))))",
    "(choice ((do (" + "((== 1 1) (any (range 1 .. 2) 'A (turn pass))) " * 40 + "))))",
    "(do (" + LET * 20 + "(turn pass)" + ")" * 20 + "))",
    f"(do ((all (range 1 .. 90000) 'A {LONG})))",
    f"(do ((repeat 90000 {LONG})))",
    f"(choice ((any (range 1 .. 5000) 'A {LONG})))",
    f"(do ((set (game sto X) (size (filter (range 1 .. 90000) 'A (or {SAME * 800}))))))",
    "(choice ((any (range 1 .. 4900) 'A (create deck (game vloc T) (deck (A (A, B, C)))))))",
]  # fmt: skip


@pytest.mark.parametrize("child", HOSTILE)
def test_hostile_descriptions_end_soon(child: str) -> None:
    """Endless stages, explosions and floods are refused, or stopped with a reason."""
    begun = process_time()
    compiled = program(child)
    world = World(compiled, Shuffler(seed_from_int(1)), PLAY_LIMITS)
    world.begin()
    rng, moves = Random(1), 0
    while world.count and moves < 1000:
        world.play(rng.randrange(world.count))
        moves += 1
    assert moves in (0, 1000) or world.over
    assert process_time() - begun < 10


def test_a_flood_of_moves_is_told_as_a_table() -> None:
    """A step of thousands of moves is told as one fact that lays the table anew."""
    game = described(f"(choice ({FLOOD}))", "(choice ((turn pass)))")
    state = game.start(few_choices(game)).state
    step = game.apply(state, 0, game.choices(state, 0).actions[0])
    assert len(step.facts) < 6
    assert {fact.verb for fact in step.facts} >= {"table_laid"}


NUMBERS = decks(f"(A ({names('A', 50)})) (B ({names('B', 40)}))", f"(C ({names('C', 2000)}))")
ACROSS = f"(move (top {STOCK}) (top (game vloc T))) (move (bottom (game vloc T)) (top {STOCK}))"
SEATS = "(setup (create players 20) (create deck (game vloc STOCK) (deck (A (B)))))"
REORDERED = f"(all (range 1 .. 1900) 'N (move (bottom {STOCK}) (top {STOCK})))"


@pytest.mark.parametrize("moves", [f"(repeat 900 (do ({ACROSS})))", REORDERED])
def test_many_moves_of_many_cards_are_not_told_one_by_one(moves: str) -> None:
    """The facts of many moves of many cards take no longer to make than the moves."""
    game = described(f"(choice ({moves}))", "(choice ((turn pass)))", setup=NUMBERS)
    state = game.start(few_choices(game)).state
    begun = process_time()
    step = game.apply(state, 0, game.choices(state, 0).actions[0])
    assert process_time() - begun < 1.0
    assert len(step.facts) < 6
    assert {fact.verb for fact in step.facts} >= {"table_laid"}


def test_an_option_that_does_much_is_put_into_few_words() -> None:
    """The text of an option that moves thousands of cards names only a few of them."""
    game = described(f"(choice ({SWAPS} {SWAPS}))", setup=NUMBERS)
    state = game.start(few_choices(game)).state
    one, two = game.choices(state, 0).actions
    assert one.removesuffix("1") == two.removesuffix("2")
    assert len(one) < 2_000


def test_all_who_choose_unseen_share_the_work() -> None:
    """The players of a simultaneous stage share one limit of work."""
    choice = "(choice ((any (range 1 .. 90) 'N (all (range 1 .. 90) 'M (set (game sto X) 'M)))))"
    for stage, stops in (("once", False), ("simultaneous", True)):
        game = described(f"(stage player {stage} {choice})", setup=SEATS)
        game.program = replace(game.program, work=20_000)
        step = game.start(few_choices(game))
        assert any(fact.verb == "game_stopped" for fact in step.facts) is stops


def few_choices(game: Description) -> Setup:
    options = {"deals": 1, "choices": 99, "steps": 9}
    return Setup(game.program.players, options, Shuffler(seed_from_int(1)))


def test_a_chain_of_declarations_is_no_explosion() -> None:
    """Lists declared by lists of lists are not expanded again and again."""
    declare = "(declare (game vloc STOCK) 'A)" + "".join(
        f"(declare (union '{'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[at]} '{'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[at]})"
        f" '{'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[at + 1]})"
        for at in range(25)
    )
    world = begun("(do ((set (game sto X) (size 'Z))))", declare=declare)
    assert world.stop is not None
