"""Deals of the arena: seating, scores, one value per deal, and equal cards for all bots."""

from dataclasses import replace
from hashlib import sha256
from random import Random
from statistics import fmean
from typing import ClassVar

import pytest

from bots import Budget, Decision, Position, make_bot
from bots.arena import (
    BadContest,
    BrokenBot,
    Contest,
    arrange,
    lead,
    play_deal,
    play_once,
    rotations,
    warm,
    win_share,
)
from bots.arena import contest as arena_contest
from bots.arena import play as arena_play
from bots.random_bot import RandomBot
from bots.spec import Spec
from engine.catalogue import GAMES, Catalogue
from engine.errors import BadOption, BadSetup
from engine.facts import Viewer
from engine.game import Setup, complete_options
from engine.match import Match
from engine.shuffle import Shuffler
from engine.teams import team_values
from engine.views import View
from tests.bots.tiny_game import Bidder, BidLow, Bids


def deal_scores(contest: Contest, deal: int, strengths: list[int], turn: int) -> tuple[int, ...]:
    """The scores of one game of the arena, played step by step as docs/bots.md describes."""
    game = GAMES.game(contest.game)
    text = b"blackqueen.arena" + contest.seed.to_bytes(32, "big") + deal.to_bytes(8, "big")
    state = game.start(
        Setup(len(strengths), contest.options, Shuffler(sha256(text).digest()))
    ).state
    rngs = [Random(f"{contest.seed}/{deal}/{turn}/{seat}") for seat in range(len(strengths))]
    while not state.played:
        (seat,) = game.to_act(state)
        asked = Position(contest.game, seat, game.view(state, seat), game.choices(state, seat))
        bot = make_bot(contest.game, strengths[seat])
        state = game.apply(state, seat, bot.choose(asked, Budget(), rngs[seat]).action).state
    scores: tuple[int, ...] = state.played[0]
    return scores


def test_a_deal_is_worth_the_mean_lead_over_all_seats() -> None:
    """The value of a deal equals the mean over all seats of playing it by hand."""
    contest = arrange("black_queen", (0, 1), seed=7, seats=3)
    result = play_deal(contest, 4)
    leads, shares = [], []
    for seat in range(3):
        strengths = [0, 0, 0]
        strengths[seat] = 1
        scores = deal_scores(contest, 4, strengths, seat)
        others = [scores[other] for other in range(3) if other != seat]
        leads.append(scores[seat] - sum(others) / 2)
        best = [other for other in range(3) if scores[other] == max(scores)]
        shares.append(1 / len(best) if seat in best else 0)
    assert result.lead == pytest.approx(fmean(leads))
    assert result.win_share == pytest.approx(fmean(shares))


def test_lead_of_a_mixed_lineup() -> None:
    """In a mixed lineup the lead is the second bot's mean less the first's."""
    assert lead((10, -4, -6, 0), (1, 0, 0, 1), "high") == 10
    assert lead((10, -4, -6, 0), (1, 0, 0, 1), "low") == -10


def test_ties_split_a_win() -> None:
    """A shared best score, highest or lowest, counts in part for the second bot."""
    assert win_share((5, 5, -3, -10), (1, 0, 0, 0), "high") == 1 / 2
    assert win_share((5, 5, 5, -10), (1, 0, 0, 1), "high") == 1 / 3
    assert win_share((5, 5, -3, -10), (0, 0, 0, 1), "low") == 1
    assert win_share((5, 2, 2, 2), (0, 1, 0, 1), "low") == 2 / 3


def test_rotations() -> None:
    """Rotations of a lineup are played once each, without equal ones."""
    assert rotations((1, 0, 0)) == ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    assert rotations((1, 0, 1, 0)) == ((1, 0, 1, 0), (0, 1, 0, 1))
    assert len(rotations((0, 1, 1, 0))) == 4


class Partners(BidLow):
    """A bidding game in which the players across are partners."""

    info = replace(BidLow.info, seats=(4,), usual_seats=4)

    def view(self, state: Bids, viewer: Viewer) -> View:
        return View({}, team_values([(0, 2), (1, 3)]))


def test_partners_are_the_same_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a lineup the second bot plays all seats of one team."""
    monkeypatch.setattr("bots.arena.contest.GAMES", Catalogue((Match(Partners()),)))
    assert arrange("bid_low", (0, 0), seed=1).lineup == (1, 0, 1, 0)
    assert arrange("bid_low", (0, 0), seed=1, lineup=(0, 1, 1, 1)).lineup == (0, 1, 1, 1)


def test_each_deal_stands_alone() -> None:
    """A deal's result depends only on seed and number, not on earlier deals."""
    contest = arrange("black_queen", (0, 1), seed=3, seats=2)
    alone = play_deal(contest, 5)
    in_line = [play_deal(contest, deal) for deal in range(6)][5]
    assert (in_line.lead, in_line.win_share) == (alone.lead, alone.win_share)


def test_seeds_and_deals_give_different_cards() -> None:
    """Two deals of a seed differ, and so does one deal of two seeds."""
    results = [
        play_deal(arrange("black_queen", (0, 1), seed=seed, seats=2), deal).lead
        for seed in (1, 2)
        for deal in (0, 1)
    ]
    assert len(set(results)) == 4


def test_equal_bots_are_even() -> None:
    """A deterministic bot among copies of itself leads by nothing and wins its share."""
    contest = arrange("black_queen", (1, 1), seed=1)
    for deal in range(3):
        result = play_deal(contest, deal)
        assert result.lead == pytest.approx(0)
        assert result.win_share == pytest.approx(1 / 4)


def test_moves_are_counted_for_each_bot() -> None:
    """Every card played is counted as a move of its bot."""
    first, second = play_deal(arrange("black_queen", (0, 1), seed=1), 0).thinking
    assert (first.moves, second.moves) == (4 * 78, 4 * 26)
    assert second.milliseconds_a_move > 0


@pytest.mark.parametrize("game", [info.id for info in GAMES])
def test_every_game_can_be_played(game: str) -> None:
    """The arena plays a deal of each game of the catalogue."""
    contest = arrange(game, (0, 0), seed=1)
    assert 0 <= play_deal(contest, 0).win_share <= 1


def test_choices_made_at_once_and_facts_by_seat() -> None:
    """Seats that may act together are each asked once, and get only their own facts."""
    game = Match(BidLow())
    bots = [Bidder(3, needs_facts=True), Bidder(1), Bidder(2, needs_facts=True)]
    setup = Setup(3, complete_options(game, 3, {}), Shuffler(bytes(32)))
    played = play_once(game, setup, bots, [Random(0)] * 3)
    assert played.scores == (3, 1, 2)
    assert [each.moves for each in played.thinking] == [1, 1, 1]
    (last,) = bots[2].asked
    assert [fact.verb for fact in last.facts] == ["deal_started", "bidding"]
    assert bots[1].asked[0].facts == ()


def test_each_bot_has_its_budget() -> None:
    """Each bot has its own budget in every seat."""
    bots = [Bidder(1), Bidder(2)]
    setup = Setup(2, {}, Shuffler(bytes(32)))
    play_once(Match(BidLow()), setup, bots, [Random(0)] * 2, [Budget(5), Budget(samples=7)])
    assert [bot.budgets for bot in bots] == [[Budget(5)], [Budget(samples=7)]]


def test_deals_of_a_ladder_are_played_in_turn() -> None:
    """All deals of a match are played if they differ, otherwise only the first."""
    whole = arrange("whist", (0, 0), seed=1, seats=7)
    assert whole.numbers == tuple(range(14))
    some = arrange("whist", (0, 0), seed=1, seats=7, numbers=[6, 1])
    moves = [sum(each.moves for each in play_deal(some, deal).thinking) for deal in range(3)]
    # A bid and so many cards of each of seven players, in as many seatings.
    assert moves == [7 * 7 * 2, 7 * 7 * 7, 7 * 7 * 2]
    assert arrange("black_queen", (0, 0), seed=1).numbers == (0,)


def test_whole_matches_are_played_in_place_of_deals() -> None:
    """Bots that see only the deal in play can play whole matches; the lead is by deal."""
    contest = arrange("whist", (1, 0), seed=1, seats=3, options={"cards": 2}, matches=True)
    result = play_deal(contest, 0)
    # Deals of 2, 1, 1 and 2 cards, each with a bid of everybody, in three seatings.
    assert [each.moves for each in result.thinking] == [3 * 2 * 10, 3 * 10]
    assert abs(result.lead) <= 12

    bots = [Bidder(3, needs_facts=True), Bidder(1, needs_facts=True), Bidder(2)]
    game = Match(BidLow())
    setup = Setup(3, complete_options(game, 3, {}), Shuffler(bytes(32)))
    played = play_once(game, setup, bots, [Random(0)] * 3, whole=True)
    assert (played.scores, played.deals) == ((6, 2, 4), 2)
    for number, asked in enumerate(bots[0].asked, start=1):
        begun = [fact.args["deal"] for fact in asked.facts if fact.verb == "deal_started"]
        assert begun == [number]


def test_a_bot_is_warmed_as_it_says_or_by_playing() -> None:
    """A bot is warmed up by its own method or by a quickly played deal."""

    class Counting(RandomBot):
        budgets: ClassVar[list[Budget]] = []

        def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
            self.budgets.append(budget)
            return super().choose(position, budget, rng)

    class Knowing(Counting):
        warmed = False

        def warm_up(self) -> None:
            self.warmed = True

    warm("black_queen", Counting())
    assert Counting.budgets == [Budget(samples=1)] * 104
    knowing = Knowing()
    warm("black_queen", knowing)
    assert knowing.warmed
    assert len(Counting.budgets) == 104


def test_a_bot_that_breaks_the_rules_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that breaks the rules is named with the deal and the move, and its opponent is not."""

    class Cheat(RandomBot):
        def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
            return Decision("play the lot")

    cheat = Spec("8")
    for module in (arena_contest, arena_play):
        monkeypatch.setattr(
            module,
            "make_bot",
            lambda game, spec: Cheat() if spec == cheat else make_bot(game, spec),
        )
    with pytest.raises(BrokenBot, match=r"^bot 8 broke the rules in deal 7: 'play the lot': "):
        play_deal(arrange("black_queen", (Spec("0"), cheat), seed=1), 7)


def test_what_cannot_be_arranged() -> None:
    """A contest that is impossible raises an error that says what is possible."""
    with pytest.raises(BadContest, match=r"no game 'poker': the arena plays .* black_queen,"):
        arrange("poker", (0, 1), seed=1)
    with pytest.raises(BadContest, match="no bot of strength 9; there are 0, 1, 2"):
        arrange("black_queen", (0, 9), seed=1)
    with pytest.raises(BadContest, match="seats 3 bots, not 4"):
        arrange("black_queen", (0, 1), seed=1, seats=4, lineup=(1, 0, 0))
    with pytest.raises(BadContest, match="at least one"):
        arrange("black_queen", (0, 1), seed=1, lineup=(1, 1, 1))
    with pytest.raises(BadContest, match="at least one"):
        arrange("black_queen", (0, 1), seed=1, lineup=(0, 2))
    with pytest.raises(BadSetup, match="2 to 8 players"):
        arrange("black_queen", (0, 1), seed=1, seats=9)
    with pytest.raises(BadContest, match="no deal 20: 0 to 19"):
        arrange("whist", (0, 0), seed=1, numbers=[3, 20])
    with pytest.raises(BadContest, match="deals of every kind"):
        arrange("whist", (0, 0), seed=1, numbers=[3], matches=True)
    with pytest.raises(BadOption, match="columns"):
        arrange("black_queen", (0, 1), seed=1, options={"columns": 99})
    with pytest.raises(BadSetup, match="seed"):
        arrange("black_queen", (0, 1), seed=-1)
