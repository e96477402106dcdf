"""One game of a plan: it repeats, and its record is what happened."""

from random import Random

import pytest

from bots.generic.moves import moves_in
from bots.lab import play as module
from bots.lab.errors import BadPlan
from bots.lab.games import Source, game_of
from bots.lab.plan import Part, Plan, is_random, plan_of
from bots.lab.play import play
from bots.lab.running_deal import RunningDeal, RunningDescribedDeal
from bots.lab.runs import Run
from bots.spec import Spec, parse_spec
from engine.catalogue import GAMES
from engine.game import Setup
from engine.recycle import Description
from tests.bots.lab.made import described, small

GAMES_AND_SEATS = [(info.id, info.seats[0]) for info in GAMES]


def replayed(plan: Plan, run: Run) -> object:
    """The scores when the engine alone repeats the choices of `run`."""
    game = GAMES.game(plan.source.name)
    step = game.start(Setup(plan.seats, plan.options, plan.shuffler(run.number)))
    for choice in run.choices:
        asked = game.to_act(step.state)
        assert choice.seat == asked[0]
        offered = game.choices(step.state, choice.seat)
        assert offered.allows(choice.chosen)
        assert choice.options == moves_in(offered)
        step = game.apply(step.state, choice.seat, choice.chosen)
    return next(fact.args["scores"] for fact in step.facts if fact.verb == "deal_scored")


@pytest.mark.parametrize(("game", "seats"), GAMES_AND_SEATS)
def test_what_is_written_is_what_happened(game: str, seats: int) -> None:
    """The recorded choices of a game, repeated at a table, lead to its scores."""
    plan = small(game, games=3, seats=seats)
    for number in range(3):
        run = play(plan, number)
        assert run.scores == replayed(plan, run)
        assert min(run.ranks) == 1
        assert len(run.ranks) == seats


@pytest.mark.parametrize("bots", ["r", "s:playouts=1,r", "tree:simulations=4,1"])
def test_a_game_follows_from_its_number(bots: str) -> None:
    """One number gives one game, and another number another one."""
    plan = small(bots=bots)
    assert play(plan, 3) == play(plan, 3)
    assert play(plan, 3).choices != play(plan, 4).choices


def test_who_looks_on_changes_nothing() -> None:
    """Watched games are equal games, with estimates of all seats once a round."""
    watched = small()
    plain = plan_of(watched.source, games=6, watched=0)
    seen, unseen = play(watched, 0), play(plain, 0)
    assert (seen.choices, seen.scores) == (unseen.choices, unseen.scores)
    assert unseen.leads == ()
    assert [lead.move for lead in seen.leads] == [*range(0, len(seen.choices), 2)]
    for lead in seen.leads:
        assert lead.best is None
        assert sum(lead.leads) == pytest.approx(1.0)
    assert play(watched, 2).leads == ()


def test_a_searching_player_says_what_it_thought() -> None:
    """A searching player's move, even a forced one, has its worst, best and own estimates."""
    run = play(small("schnapsen", "s:playouts=2,r"), 0)
    own = [move for move, choice in enumerate(run.choices) if choice.seat == 0]
    assert [lead.move for lead in run.leads] == own
    assert any(run.choices[move].options == 1 for move in own)
    for lead in run.leads:
        assert lead.best is not None
        assert lead.worst is not None
        assert lead.worst <= lead.leads[0] <= lead.best
        forced = run.choices[lead.move].options == 1
        assert lead.worst == lead.best or not forced


def test_who_does_not_want_to_weigh_forced_moves_need_not() -> None:
    """A setting that was given for forced moves is kept."""
    run = play(small("schnapsen", "s:playouts=1:forced=false,r"), 0)
    assert all(run.choices[lead.move].options > 1 for lead in run.leads)


def test_a_game_that_is_too_long_is_stopped() -> None:
    """A game that is too long is stopped, without scores and with a reason."""
    run = play(small(longest=5), 0)
    assert (run.scores, run.ranks, len(run.choices)) == ((), (), 5)
    assert run.stopped == "more than 5 choices"


def test_deals_of_a_match_come_in_turn() -> None:
    """The deals of a match come in turn: Whist's hands change, Hearts passes in three of four."""
    plan = small("whist", games=19, seats=5)
    lengths = [len(play(plan, number).choices) for number in range(19)]
    assert lengths[:2] != lengths[9:11]
    assert sorted(set(lengths)) == [5 * (size + 1) for size in range(1, 11)]
    passing = [play(small("hearts"), number).choices[0].chosen for number in range(4)]
    assert [each.startswith("pass") for each in passing] == [True, True, True, False]


def test_turning_moves_everybody_up_a_seat() -> None:
    """In three games for three players each bot has every seat once."""
    part = Part(tuple(map(Spec, ("a", "b", "c"))), 3, turning=True)
    seats = [[bot.name for bot in part.seated(at)] for at in range(3)]
    assert seats == [["a", "b", "c"], ["c", "a", "b"], ["b", "c", "a"]]


def test_the_full_plan_has_what_the_statistics_want() -> None:
    """The full plan has random games, one searcher in each seat in turn, and searchers alone."""
    plan = small(full=4)
    assert [[str(bot) for bot in part.bots] for part in plan.parts] == [
        ["r", "r"],
        ["s", "r"],
        ["s", "s"],
    ]
    assert plan.games == 6 + 4 + 4
    assert plan.place(6) == (plan.parts[1], 0)
    assert plan.parts[1].turning
    with pytest.raises(IndexError):
        plan.place(14)
    assert [str(part.bots[0]) for part in small(bots="1", full=4).parts] == ["1", "r", "s", "s"]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"bots": (Spec("r"), Spec("s"), Spec("s"))}, "3 bots for 2 players"),
        ({"bots": (Spec("wizard"),)}, "no bot named wizard"),
        ({"bots": (parse_spec("s:depth=2"),)}, "setting depth: unknown"),
        ({"seats": 7}, "not 7"),
        ({"seed": -1}, "seed -1"),
        ({"options": {"colour": 3}}, "option colour: unknown"),
    ],
)
def test_what_cannot_be_played_is_said(wrong: dict[str, object], says: str) -> None:
    """Wrong bots, players, seeds and options are refused before anything is played."""
    given = {"seats": 2, **wrong}
    with pytest.raises(BadPlan, match=says):
        plan_of(Source("schnapsen"), **given)  # type: ignore[arg-type]  # that is the test


def test_random_by_whatever_name() -> None:
    """Strength 0 and the two names of the random player are one bot."""
    assert [is_random("hearts", Spec(name)) for name in ("r", "random", "0", "s", "1")] == [
        True,
        True,
        True,
        False,
        False,
    ]


def test_random_moves_are_the_seats_own() -> None:
    """A seat's random moves depend only on the seed, the game and the seat."""
    plan = small()
    assert plan.draws(3, 1) != plan.draws(3, 0) != plan.draws(4, 0)
    assert Random(plan.draws(3, 1)).random() == Random(plan.draws(3, 1)).random()
    assert game_of(plan.source) is GAMES.game("schnapsen")


OWN = ("Hearts4", "Agram3", "GoFish3", "Goofspiel3", "NinetyEight4", "Pairs2")


@pytest.mark.parametrize("name", OWN)
def test_described_games_are_the_same_the_quick_way(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Described games played without states have equal choices, texts, estimates and ends."""
    plan = described(name)
    quick = [play(plan, number) for number in range(3)]
    monkeypatch.setattr(module, "RunningDescribedDeal", RunningDeal)
    assert quick == [play(plan, number) for number in range(3)]
    assert quick[0].leads
    assert len(quick[0].scores) == plan.seats


def test_the_quick_table_shows_what_the_other_does() -> None:
    """The view of the fast table equals that of the ordinary one."""
    plan = described("Agram3")
    game = game_of(plan.source)
    assert isinstance(game, Description)
    setup = Setup(3, plan.options, plan.shuffler(0))
    quick, slow = RunningDescribedDeal(game, setup), RunningDeal(game, setup)
    for _ in range(4):
        seat = slow.turn()
        assert quick.view(seat) == slow.view(seat)
        action = slow.choices(seat).actions[-1]
        quick.play(seat, action)
        slow.play(seat, action)


def test_searching_players_play_described_games() -> None:
    """Searching players of described games estimate every move."""
    run = play(described("Agram2", "s:playouts=2"), 0)
    assert len(run.leads) == len(run.choices) == 12


STUCK = """
(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, B)))))
 (stage player (end (== (size (game iloc STOCK)) 9))
  (choice ((any (game iloc STOCK) 'C (move 'C (top ((current player) iloc HAND)))))))
 (scoring max (size ((current player) iloc HAND))))
"""


def test_a_description_that_gets_stuck_is_stopped_where_it_is() -> None:
    """A description that gets stuck is stopped with its place in the file, and without scores."""
    for bots in ("r", "s:playouts=1"):
        plan = plan_of(Source("Stuck2", STUCK), bots=(parse_spec(bots),), games=1)
        run = play(plan, 0)
        assert (run.scores, len(run.choices)) == ((), 2)
        assert run.stopped.startswith("line 5, column")
