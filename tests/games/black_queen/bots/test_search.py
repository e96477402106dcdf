"""Strength 3: legal, limited to its seat's knowledge, repeatable, explained and configurable."""

from dataclasses import replace
from random import Random

import pytest

from bots import Budget, Decision
from bots.black_queen.player import strength_2
from bots.black_queen.search import LEAST, Searcher
from engine.facts import Fact
from engine.games.black_queen.state import State
from tests.counts import count
from tests.games.black_queen.bots.played import GAME, PlayedDeal, new_deal, random_moment
from tests.games.black_queen.bots.positions import Player, laid_out

SEEDS = pytest.mark.parametrize("seed", range(count(25)))
FEW = Budget(samples=40)


def decide(deal: PlayedDeal, *, risk: float = 0.0, budget: Budget = FEW, seed: int = 1) -> Decision:
    return Searcher(risk=risk).choose(deal.position(), budget, Random(seed))


def laid(players: list[Player], trick: str = "", leader: int = 0, rest_to: int = 0) -> PlayedDeal:
    return PlayedDeal(laid_out(players, trick=trick, leader=leader, rest_to=rest_to), ())


@SEEDS
def test_its_moves_are_legal_and_repeatable(seed: int) -> None:
    """Moves are legal at any table; one seed and number of worlds give one decision."""
    deal = random_moment(Random(seed))
    decision = decide(deal)
    assert deal.position().choices.allows(decision.action)
    assert decide(deal) == decision


@SEEDS
def test_every_candidate_is_explained(seed: int) -> None:
    """Each choice has a value, the mean less risk times deviation over so many worlds, and a prior.

    Where there is no choice, nothing has been weighed, and no value is made up.
    """
    deal = random_moment(Random(seed))
    decision = decide(deal, risk=0.25)
    actions = [*deal.position().choices.actions]
    assert [each.action for each in decision.candidates] == (actions if len(actions) > 1 else [])
    if not decision.candidates:
        assert decision.action == actions[0]
        return
    for each in decision.candidates:
        why = each.why
        assert each.value == pytest.approx(why["mean"] - 0.25 * why["spread"] + why["prior"])
        assert 0 < why["worlds"] <= 40
    raced = [each for each in decision.candidates if each.why["worlds"] == 40]
    chosen = next(each for each in decision.candidates if each.action == decision.action)
    assert chosen.value == max((each.value for each in raced), default=chosen.value)


def test_a_forced_move_is_played_without_worlds() -> None:
    """A single choice is played without a search and without reading hidden cards."""
    asked = laid([Player("3C 4D"), Player("6D"), Player("7D 8C")], trick="5C", leader=1).position()
    assert asked.choices.actions == ("play 8C",)
    broken = replace(asked, facts=(Fact("card_played", {"seat": "nobody"}),))
    decision = Searcher().choose(broken, Budget(), Random(0))
    assert decision.action == "play 8C"


def twins(seed: int) -> tuple[PlayedDeal, State]:
    """A position of a deal, and another that its player cannot tell apart from it."""
    deal = random_moment(Random(seed))
    asked = deal.position()
    return deal, GAME.sample(asked.view, asked.facts, Random(seed))


def test_worlds_that_look_alike_are_others() -> None:
    """The twin positions differ, except near the end when hardly any card is hidden."""
    pairs = [twins(seed) for seed in range(30)]
    differ = [(deal.state.hands, deal.state.down) != (o.hands, o.down) for deal, o in pairs]
    assert sum(differ) >= 20


@SEEDS
def test_worlds_that_look_alike_are_played_alike(seed: int) -> None:
    """Changing hidden cards behind one view and its facts changes neither move nor values."""
    deal, other = twins(seed)
    asked, again = deal.position(), PlayedDeal(other, deal.facts).position()
    assert (again.view, again.seat) == (asked.view, asked.seat)
    searcher = Searcher()
    assert searcher.choose(again, FEW, Random(3)) == searcher.choose(asked, FEW, Random(3))


def test_equal_moves_share_their_worlds() -> None:
    """Equal cards in equal columns are one candidate with one set of numbers."""
    deal = laid([Player("7C", up="5D 5D KS"), Player("KC QS 3H 4H"), *[Player("2S 8D 4S AS")] * 2])
    whys = {each.action: each.why for each in decide(deal).candidates}
    assert whys["play 5D@1"] == whys["play 5D@2"]
    assert whys["play 5D@1"] != whys["play KS@3"]


def test_it_sees_what_one_trick_does_not_show() -> None:
    """With two known tricks left, the search gives the lead away with its low card first."""
    deal = laid(
        [Player("2C AC"), Player("3C QS", up=""), Player("4C KH"), Player("5C QS")], rest_to=1
    )
    assert decide(deal, budget=Budget(samples=200)).action == "play 2C"


def test_risk_prefers_the_narrow_loss() -> None:
    """With a high λ, a certain small loss is better than a card that may cost the queen."""
    deal = new_deal(4, 8, 5).then_at_random(40, Random(3))
    bold, wary = (decide(deal, risk=risk, budget=Budget(samples=300)) for risk in (0.0, 5.0))
    spread = {each.action: each.why["spread"] for each in wary.candidates}
    assert spread[wary.action] <= spread[bold.action]


def test_a_busy_machine_leaves_it_its_least_worlds() -> None:
    """Even without time, a move that stays in the race is tried in the minimum number of worlds."""
    asked = new_deal(4, 8, 1).position()
    decision = Searcher().choose(asked, Budget(milliseconds=1e-6), Random(1))
    chosen = next(each for each in decision.candidates if each.action == decision.action)
    assert chosen.why["worlds"] == LEAST


def test_with_hardly_any_worlds_it_plays_mostly_like_strength_2() -> None:
    """With one world the prior of strength 2 decides mostly, and less so with many worlds."""
    same = {1: 0, 400: 0}
    for seed in range(moments := count(40)):
        asked = random_moment(Random(seed)).position()
        plainly = strength_2().choose(asked, Budget(), Random(0)).action
        for worlds in same:
            budget = Budget(samples=worlds)
            same[worlds] += Searcher().choose(asked, budget, Random(seed)).action == plainly
    assert same[1] > 0.7 * moments
    assert same[1] > same[400]


def test_a_budget_of_time_is_kept() -> None:
    """The default budget is fifty milliseconds, and a table may set another one."""
    searcher = Searcher()
    searcher.warm_up()
    asked = new_deal(4, 8, 1).position()
    few = searcher.choose(asked, Budget(milliseconds=5), Random(1))
    many = searcher.choose(asked, Budget(milliseconds=2000), Random(1))

    def worlds(decision: Decision) -> float:
        return max(each.why["worlds"] for each in decision.candidates)

    assert worlds(few) < worlds(many)
