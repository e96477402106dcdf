"""The searching players of any game: what they try, choose and explain, repeatably."""

from collections.abc import Sequence
from importlib.resources import files
from random import Random

import pytest

from bots import BadBot, Bot, Budget, Position, make_bot, parse_spec
from bots.bot import Improves
from bots.generic import ismcts, search
from bots.generic.ismcts import TreeSearcher
from bots.generic.search import Searcher
from bots.generic.worlds import Determinizer, Endless, FrozenWorld, World, world_of
from engine.catalogue import GAMES, AnyGame, Catalogue
from engine.choices import Action, Choices, random_action
from engine.errors import IllegalAction
from engine.facts import Fact, Seat, seen_by
from engine.game import Setup, Step, complete_options
from engine.recycle import Description, load
from engine.recycle.state import freeze
from engine.shuffle import Shuffler, seed_from_int
from engine.views import View
from tests.bots.generic.fork import Fork, Forked

FORK = Position("fork", 0, View({}, {"moves": ""}), Choices(("bold", "safe")))
BOTS = ("search", "tree:simulations=60")


def position_in(game: AnyGame, seed: int, moves: int, seats: int | None = None) -> Position:
    """A position of a game's first deal after the given number of random moves, with its facts."""
    players, rng = seats or game.info.usual_seats, Random(seed)
    options = complete_options(game, players, {})
    step = game.start(Setup(players, options, Shuffler(seed_from_int(seed))))
    facts = list(step.facts)
    for _ in range(moves):
        seat = game.to_act(step.state)[0]
        step = game.apply(step.state, seat, random_action(game.choices(step.state, seat), rng))
        facts += step.facts
    seat = game.to_act(step.state)[0]
    return Position(
        game.info.id,
        seat,
        game.view(step.state, seat),
        game.choices(step.state, seat),
        facts=seen_by(facts, seat),
    )


def own_game(name: str) -> str:
    """The text of a description that ships with the program."""
    return files("engine.recycle.games").joinpath(f"{name}.rcy").read_text(encoding="utf-8")


def test_playouts_trust_to_luck() -> None:
    """The playout searcher prefers a 2/3 chance of being first to a certain second place."""
    decision = Searcher(Fork(), playouts=60).choose(FORK, Budget(), Random(1))
    assert decision.action == "bold"
    bold, safe = decision.candidates
    assert bold.value == pytest.approx(2 / 3, abs=0.25)
    assert decision.measure == "rank"
    assert safe.value == safe.why["lead/0"] == 0.5
    assert (safe.why["lead/1"], safe.why["lead/2"], safe.why["score"]) == (0.0, 1.0, 4.0)
    assert bold.why["lead/0"] + bold.why["lead/1"] == pytest.approx(1.0)


def test_the_tree_expects_an_answer() -> None:
    """The tree searcher sees that seat 1 will hit, and stays safe."""
    decision = TreeSearcher(Fork(), simulations=400).choose(FORK, Budget(), Random(1))
    assert (decision.action, decision.measure) == ("safe", "rank")
    assert sum(each.why["visits"] for each in decision.candidates) == 400


def test_guesses_that_forbid_a_move_do_not_count() -> None:
    """Samples that forbid a move do not count for it, and count for the other one."""
    decision = Searcher(Fork(), playouts=100).choose(FORK, Budget(), Random(2))
    bold, safe = (each.why["playouts"] for each in decision.candidates)
    assert safe == 100
    assert 25 < bold < 75


def test_a_move_no_guess_allows_is_not_played() -> None:
    """A move that no sample allows is played only if there is no other."""
    asked = Position("fork", 0, FORK.view, Choices(("fly", "safe")))
    decision = Searcher(Fork(), playouts=3).choose(asked, Budget(), Random(0))
    assert decision.action == "safe"
    assert decision.candidates[0].why == {"playouts": 0}


def test_by_score() -> None:
    """By mean score the bold move is worth 6, though by rank it wins two times in three."""
    decision = Searcher(Fork(), playouts=60, by="score").choose(FORK, Budget(), Random(1))
    assert decision.action == "bold"
    assert (decision.measure, decision.figure) == ("score", "score")
    assert decision.candidates[0].value == pytest.approx(6, abs=2)
    assert decision.candidates[1].value == 4


def test_a_forced_move_is_played_at_once() -> None:
    """A single legal move is not searched, unless its value is requested."""
    asked = Position("fork", 0, FORK.view, Choices(("safe",)))
    for bot in (Searcher(Fork()), TreeSearcher(Fork())):
        assert bot.choose(asked, Budget(), Random(0)).candidates == ()
    curious = Searcher(Fork(), forced=True).choose(asked, Budget(), Random(0))
    assert [each.value for each in curious.candidates] == [0.5]


@pytest.mark.parametrize("spec", BOTS)
@pytest.mark.parametrize(
    ("game", "seats", "moves"), [("hearts", 4, 1), ("hearts", 4, 30), ("schnapsen", 2, 3)]
)
def test_a_move_repeats_and_is_legal(spec: str, game: str, seats: int, moves: int) -> None:
    """One seed gives one decision, and the move played is legal."""
    asked = position_in(GAMES.game(game), 3, moves, seats)
    bot: Bot = make_bot(game, parse_spec(spec))
    budget = Budget(samples=30)
    first = bot.choose(asked, budget, Random(5))
    assert first == bot.choose(asked, budget, Random(5))
    assert asked.choices.allows(first.action)
    assert all(asked.choices.allows(each.action) for each in first.candidates)


def test_a_large_pattern_is_weighed_in_part() -> None:
    """Of 286 ways to pass three cards only a few are tried."""
    asked = position_in(GAMES.game("hearts"), 1, 0, 4)
    for spec in ("search:playouts=1:most=6", "tree:simulations=9:most=6"):
        decision = make_bot("hearts", parse_spec(spec)).choose(asked, Budget(), Random(1))
        assert 1 < len(decision.candidates) <= 6


@pytest.mark.parametrize("spec", BOTS)
def test_a_clock_ends_the_search(spec: str) -> None:
    """A search with next to no time still gives a move."""
    asked = position_in(GAMES.game("schnapsen"), 1, 0, 2)
    bot = make_bot("schnapsen", parse_spec(spec))
    assert asked.choices.allows(bot.choose(asked, Budget(milliseconds=0.01), Random(1)).action)


DESCRIPTIONS = ("Hearts4", "Agram3", "GoFish3", "Goofspiel3", "Pairs2", "SixtySix2")


@pytest.mark.parametrize("name", DESCRIPTIONS)
@pytest.mark.parametrize("kind", [Searcher, TreeSearcher])
def test_descriptions_are_driven_as_their_freeze_states_would_be(
    kind: type[Searcher] | type[TreeSearcher], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fast worlds of described games give the decisions of frozen states."""
    game = load(own_game(name), name)
    asked = [position_in(game, 2, moves) for moves in (0, 5)]
    quick = [kind(game).choose(each, Budget(samples=20), Random(4)) for each in asked]
    for module in (search, ismcts):
        monkeypatch.setattr(module, "determinizer_of", frozen_determinizer)
    slow = [kind(game).choose(each, Budget(samples=20), Random(4)) for each in asked]
    assert quick == slow
    assert all(each.choices.allows(made.action) for each, made in zip(asked, quick, strict=True))


def frozen_determinizer(game: Description, view: View, facts: Sequence[Fact]) -> Determinizer:
    """Determinizations of the engine's sampler, as states played by the rules alone."""
    sampler, seats = game.sampler(view, facts), game.info.usual_seats
    options = complete_options(game, seats, {})

    def determinize(rng: Random) -> World:
        world = sampler.world(rng)
        return FrozenWorld(game, freeze(world, Setup(seats, options, world.evaluator.shuffler)))

    return determinize


def test_a_seat_may_choose_before_others_that_are_asked() -> None:
    """Each of several simultaneous choosers finds its own moves, in whatever order they come."""
    game = load(own_game("Goofspiel3"), "Goofspiel3")
    setup = Setup(3, complete_options(game, 3, {}), Shuffler(bytes(32)))
    state = game.start(setup).state
    world = world_of(game, state)
    assert world.to_act() == (0, 1, 2)
    for seat in (2, 0):
        assert world.choices(seat).actions == game.choices(state, seat).actions
        action = world.choices(seat).actions[3]
        world.play(seat, action)
        state = game.apply(state, seat, action).state
    assert world.to_act() == game.to_act(state) == (1,)
    with pytest.raises(IllegalAction, match="'play 99' is not on offer"):
        world.play(1, "play 99")


def test_a_guess_without_any_of_the_moves_says_nothing() -> None:
    """Samples that allow neither of two moves are ignored, and the others decide."""
    asked = Position("fork", 0, FORK.view, Choices(("leap", "bold")))
    decision = TreeSearcher(Fork(), simulations=40).choose(asked, Budget(), Random(1))
    assert decision.action == "bold"
    leap, bold = (each.why["visits"] for each in decision.candidates)
    assert leap == 0
    assert 10 < bold < 30


class Treadmill(Fork):
    """A game that never ends, because the answers of seat 1 are forgotten."""

    def to_act(self, state: Forked) -> tuple[Seat, ...]:
        return super().to_act(state) or (1,)

    def choices(self, state: Forked, seat: Seat) -> Choices:
        return Choices(("wait",))

    def apply(self, state: Forked, seat: Seat, action: Action) -> Step[Forked]:
        return Step(state)


def test_a_playout_without_end_is_an_error() -> None:
    """A playout without end raises an error with the game's name."""
    with pytest.raises(Endless, match="Fork: no end"):
        FrozenWorld(Treadmill(), Forked(Setup(3, {}, Shuffler(bytes(32))))).finish(Random(0))


def test_bots_for_a_game_of_somebody_else() -> None:
    """A bot for any game is made for a game of the catalogue, and its settings are checked."""
    games = Catalogue((Fork(),))
    for name in ("s", "search", "tree", "ismcts"):
        assert make_bot("fork", parse_spec(name), games).choose(FORK, Budget(), Random(0))
    assert make_bot("fork", parse_spec("r"), games).in_place


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("s:playouts=0", "numbers from 1"),
        ("s:by=luck", "rank or score"),
        ("s:depth=3", "unknown; the settings of this bot: playouts, by, most, forced"),
        ("ismcts:simulations=0", "number from 1"),
        ("x", "there are 0, 1, 2, easy, medium, strong, random, r, search, s, tree, ismcts"),
    ],
)
def test_wrong_settings(spec: str, says: str) -> None:
    """A wrong setting of a generic bot raises an error that says what is allowed."""
    with pytest.raises(BadBot, match=says):
        make_bot("fork", parse_spec(spec), Catalogue((Fork(),)))


@pytest.mark.parametrize("bot", BOTS)
def test_a_search_can_be_stopped_at_any_time(bot: str) -> None:
    """A search has a legal decision after each part, the last of which is that of the whole."""
    game = load(own_game("Hearts4"), "Hearts4")
    player = make_bot(game.info.id, parse_spec(bot), Catalogue((game,)))
    assert isinstance(player, Improves)
    position = position_in(game, 1, 8)
    parts = [each() for each in player.improving(position, Budget(samples=60), Random(1))]
    assert len(parts) > 1
    assert all(position.choices.allows(part.action) for part in parts)
    assert parts[-1] == player.choose(position, Budget(samples=60), Random(1))


def test_a_tree_says_what_score_its_moves_lead_to() -> None:
    """A tree search gives each move's mean score with its error; a single visit has no error."""
    decision = TreeSearcher(Fork(), simulations=400).choose(FORK, Budget(), Random(1))
    bold, safe = (each.why for each in decision.candidates)
    assert (safe["score"], safe["score_deviation"]) == (4.0, 0.0)
    assert 0 < bold["score_deviation"] < 2
    hurried = TreeSearcher(Fork()).choose(FORK, Budget(samples=2), Random(3))
    assert not any("score_deviation" in each.why for each in hurried.candidates)
