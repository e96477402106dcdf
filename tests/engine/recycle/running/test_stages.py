"""How stages repeat, whose turn it is, and what ends a game."""

import pytest

from engine.recycle.limits import PlayLimits
from tests.engine.recycle.running.playing import SETUP, begun, pile, played, value

TICK = "(choice ((turn pass)))"
END = "(end (== (game sto N) {}))"
COUNT = "(do ((inc (game sto N))))"
TICKS = f"(stage player {END.format(3)} {TICK} (do ({{}} (inc (game sto N)))))"


def turns(world_text: tuple[str, ...], most: int = 12, setup: str = SETUP) -> list[int]:
    """The players who choose, in order."""
    world = begun(*world_text, setup=setup)
    found: list[int] = []
    while world.count and len(found) < most:
        found.append(world.seat)
        world.play(0)
    return found


@pytest.mark.parametrize(
    ("stage", "seats"),
    [
        (f"(stage player {END.format(4)} {TICK} {COUNT})", [0, 1, 2, 0]),
        (f"(stage player {END.format(0)} {TICK} {COUNT})", []),
        (f"(stage player {END.format(2)} {TICK} {COUNT} {TICK})", [0, 0, 1, 1]),
        (
            TICKS.format("(cycle next (3 player))"),
            [0, 2, 2],
        ),
        (
            TICKS.format("(cycle current (2 player))"),
            [0, 2, 2],
        ),
        (
            TICKS.format("(cycle next (previous player))"),
            [0, 2, 1],
        ),
        (f"(stage player once {TICK})", [0, 1, 2]),
        (f"(do ((cycle current (3 player)))) (stage player once {TICK})", [2, 0, 1]),
        (f"(stage player once {TICK}) {TICK}", [0, 1, 2, 0]),
        (f"(stage team once {TICK})", [0, 0, 0]),
        (f"(stage player once (stage player once {TICK}))", [0, 1, 2, 1, 2, 0, 2, 0, 1]),
    ],
)
def test_turns(stage: str, seats: list[int]) -> None:
    """The expected seats choose, in order."""
    assert turns((stage,)) == seats


def test_an_inner_stage_leaves_the_outer_turn_alone() -> None:
    """An inner stage begins with the outer stage's current player; its queue ends with it."""
    inner = f"(stage player once {TICK} (do ((cycle next (1 player)))))"
    outer = f"(stage player {END.format(2)} {inner} {TICK} {COUNT})"
    assert turns((outer,)) == [0, 0, 0, 0, 1, 0, 0, 1]


def test_the_winner_is_queued_after_the_inner_stage() -> None:
    """`cycle next` between inner stages sets the player who begins the next one."""
    inner = f"(stage player once {TICK})"
    queue = "(do ((cycle next (3 player)) (inc (game sto N))))"
    assert turns((f"(stage player {END.format(2)} {inner} {queue})",)) == [0, 1, 2, 2, 0, 1]


def test_the_end_is_looked_at_with_the_last_player_as_current() -> None:
    """The end condition is evaluated with the last player as current, and not between children."""
    stage = f"(stage player (end (== (current player) (2 player))) {TICK} {COUNT})"
    assert turns((stage, TICK)) == [0, 1, 0]


def test_team_stages_move_the_teams() -> None:
    """A team stage advances the current team and keeps the current player."""
    setup = SETUP.replace("(create players 3)", "(create players 4) (create teams (1, 3) (2, 4))")
    mark = "(do ((inc ((current team) sto SEEN) (tid (current team))) (inc (game sto N))))"
    world = begun(f"(stage team {END.format(2)} {mark})", f"(stage team once {mark})", setup=setup)
    assert world.stop is None
    assert [value(world, f"seen_team/{team}") for team in (0, 1)] == [2, 4]


def test_scores_are_taken_with_each_player_as_current() -> None:
    """Each score is computed with its player as the current one, and so for their team."""
    setup = SETUP.replace("(create players 3)", "(create players 4) (create teams (1, 3) (2, 4))")
    give = "(do ((all player 'P (inc ('P sto SCORE) (pid 'P)))))"
    scored = "(scoring {} (+ (all (current team) 'P ('P sto SCORE)) ((current player) sto SCORE)))"
    world = begun(give, setup=setup, scoring=scored.format("max"))
    assert world.outcome().scores == (5, 8, 7, 10)
    assert world.outcome().ranks == (4, 2, 3, 1)
    world = begun(give, setup=setup, scoring=scored.format("min"))
    assert world.outcome().ranks == (1, 3, 2, 4)
    assert world.outcome() == world.outcome()


def test_impossible_scoring_gives_zeros() -> None:
    """A scoring expression that is impossible gives every player zero."""
    world = begun("(do ((turn pass)))", scoring="(scoring max (// 1 0))")
    assert world.outcome().scores == (0, 0, 0)
    assert world.outcome().ranks == (1, 1, 1)


def test_all_choose_unseen_and_then_it_happens_in_seat_order() -> None:
    """In a `simultaneous` stage all players choose before any choice is carried out."""
    bid = "(choice ((any (range 1 .. 3) 'N (do ((set ((current player) sto BID) 'N)"
    bid += " (move (top (game vloc STOCK)) (top ((current player) vloc HAND))))))))"
    after = "(do ((inc (game sto SUM) ((current player) sto BID))))"
    world = begun(f"(stage player simultaneous {bid} {after})", TICK)
    assert (world.asked, world.count) == ((0, 1, 2), 3)
    world.play(2)
    assert (world.asked, value(world, "bid/0")) == ((1, 2), 0)
    world.ask_first(2)
    played(world, 1, 0)
    assert [value(world, f"bid/{seat}") for seat in range(3)] == [3, 1, 2]
    assert [pile(world, f"hand/{seat}") for seat in range(3)] == [["4H"], ["4C"], ["3H"]]
    assert value(world, "sum") == 6
    assert (world.asked, world.turns.current) == ((0,), 0)


DRAW = """(choice ((do ((move (top (game vloc STOCK)) (top ((current player) vloc HAND)))
  (inc (game sto N)) {} (any (range 1 .. 2) 'N (set ((current player) sto BID) 'N))))))"""
"""What comes before the `any` is done already when its options are looked for."""


def test_what_was_chosen_unseen_is_done_on_the_table_as_it_is_then() -> None:
    """Simultaneous choices are carried out in turn on the table as it is then."""
    world = played(begun(f"(stage player simultaneous {DRAW.format('')})"), 0, 1, 0)
    assert world.stop is None
    assert [pile(world, f"hand/{seat}") for seat in range(3)] == [["4H"], ["4C"], ["3H"]]
    assert [value(world, f"bid/{seat}") for seat in range(3)] == [1, 2, 1]
    assert value(world, "n") == 3


def test_what_was_chosen_unseen_may_be_gone() -> None:
    """A simultaneous option that others' choices made impossible stops the game."""
    first = DRAW.format("((== (game sto N) 1)").replace("'N))))))", "'N)))))))")
    world = played(begun(f"(stage player simultaneous {first})"), 0, 1, 0)
    assert world.stop is not None
    assert world.stop.reason == "what was chosen can be done no more"


def test_a_secret_choice_may_be_impossible() -> None:
    """An impossible simultaneous choice, or a player without one, stops the game."""
    world = begun(
        "(stage player simultaneous (choice ((move (top (game vloc T)) (top (game vloc STOCK))))))"
    )
    assert played(world, 0, 0, 0).stop is not None
    world = begun(
        "(stage player simultaneous (choice (((== (current player) (1 player)) (turn pass)))))"
    )
    assert world.stop is not None
    assert world.stop.reason == "there is nothing to choose from"


def test_whoever_cannot_choose_unseen_stops_the_game_before_anybody_has() -> None:
    """A simultaneous stage checks every player's options before anybody chooses."""
    third = "(== (current player) (3 player))"
    choice = f"(choice (({third} (inc (game sto X) (// 1 0))) ((not {third}) (turn pass))))"
    assert begun(f"(stage player simultaneous {choice})").stop is None
    choice = choice.replace(
        "(inc (game sto X) (// 1 0))", "(any (range 1 .. (// 1 0)) 'N (turn pass))"
    )
    world = begun(f"(stage player simultaneous {choice})")
    assert world.stop is not None
    assert world.stop.reason == "nothing can be divided by 0"


@pytest.mark.parametrize(
    ("children", "limits", "reason"),
    [
        ("(stage player (end (== 1 2)) (do ((turn pass))))", PlayLimits(), "more than 200 steps"),
        (
            "(stage player (end (== 1 2)) (stage player (end (== 1 1)) (do ((turn pass)))))",
            PlayLimits(),
            "more than 200 steps",
        ),
        (f"(stage player (end (== 1 2)) {TICK})", PlayLimits(choices=3), "more than 3 choices"),
        ("(choice (((== 1 2) (turn pass))))", PlayLimits(), "there is nothing to choose from"),
        (
            "(choice ((any (range 1 .. 6000) 'N (turn pass))))",
            PlayLimits(),
            "more than 5000 options",
        ),
        (
            "(choice ((any (range 1 .. 6000) 'N (any (range 1 .. 6000) 'M (turn pass)))))",
            PlayLimits(),
            "more than 5000 options",
        ),
    ],
)
def test_limits(children: str, limits: PlayLimits, reason: str) -> None:
    """A game that does not end, or does too much work, is stopped with a reason."""
    world = begun(children, limits=limits)
    while world.count:
        world.play(0)
    assert world.stop is not None
    assert world.stop.reason.startswith(reason)


def test_so_many_steps_are_allowed() -> None:
    """Exactly as many blocks may run as the limit of steps says."""
    stage = f"(stage player {END.format(5)} {COUNT})"
    assert begun(stage, limits=PlayLimits(steps=5)).stop is None
    assert begun(stage, limits=PlayLimits(steps=4)).stop is not None
