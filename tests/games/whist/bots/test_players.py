"""The bots of Whist: legal, repeatable, blind to hidden cards, and sensible."""

from dataclasses import replace
from random import Random

import pytest

from bots import Bot, Budget, make_bot, parse_spec
from bots.whist.knowledge import paranoia_of
from engine.views import View, Zone
from tests.counts import count
from tests.games.whist.bots.positions import GAME, laid, position, random_walk

ALL_BOTS = ("1", "2", "3", "judge", "ismcts")
MAXN = [
    "2:votes=false",
    "2:playouts=true",
    "2:ranked=true:trumped=0.5:protected=0.2",
    "2:short=0.2:long=0.2:lead=0.5",
    "judge:guard=0.1:short=0.2:long=0.2:lead=0.2:crowd=0.0",
    "2:spoil=0.5:paranoia=0.5",
    "2:believe_bids=true:believe_plays=true",
    "2:searched_bids=false",
    "2:depth=3",
    "3:judged=0.5:spoil=0.0:rustic=0.0",
    "3:believe_bids=false:believe_plays=false",
    "3:believe_plays=false",
    "3:paranoia=0.5",
    "3:racing=false",
    "3:searched_bids=false",
]
FEW = Budget(samples=16)


def bot(text: str) -> Bot:
    return make_bot("whist", parse_spec(text))


@pytest.mark.parametrize("text", [*ALL_BOTS, *MAXN])
def test_every_decision_is_legal_and_explained(text: str) -> None:
    """Every decision at any table size is an offered choice, and explains each candidate."""
    player = bot(text)
    rng = Random(31)
    for _ in range(count(3)):
        for state, facts in random_walk(rng):
            if state.over:
                continue
            asked = position(state, facts)
            decision = player.choose(asked, FEW, rng)
            assert decision.action in asked.choices.actions
            assert decision.candidates or len(asked.choices.actions) == 1
            assert decision.measure != "worth" or not decision.candidates
            assert {candidate.action for candidate in decision.candidates} <= {
                *asked.choices.actions
            }


@pytest.mark.parametrize("text", ["2", "3", "ismcts"])
def test_searchers_weigh_every_choice(text: str) -> None:
    """A searcher's candidates are all choices in order, with their numbers."""
    player = bot(text)
    for state, facts in random_walk(Random(9)):
        if state.over or len(GAME.choices(state, state.turn).actions) == 1:
            continue
        asked = position(state, facts)
        decision = player.choose(asked, FEW, Random(1))
        assert [each.action for each in decision.candidates] == list(asked.choices.actions)
        assert all(each.why for each in decision.candidates)


@pytest.mark.parametrize("text", ALL_BOTS)
def test_the_same_seed_and_samples_give_the_same_move(text: str) -> None:
    """One seed and number of samples give one move, whatever the time taken."""
    for state, facts in random_walk(Random(2)):
        if not state.over:
            asked = position(state, facts)
            first, second = (bot(text).choose(asked, FEW, Random(7)) for _ in range(2))
            assert first == second


@pytest.mark.parametrize("text", ALL_BOTS)
def test_hidden_cards_change_nothing(text: str) -> None:
    """Exchanging the other players' cards changes neither a bot's move nor its explanation."""
    hands = [
        ("2C AC 3D", "5C 9D KS", "TC 8D 2H"),
        ("2C AC 3D", "5C QH QS", "TC 7D 9D"),
    ]
    thoughts = []
    for laid_hands in hands:
        state, facts = laid(*laid_hands, turned="3S", dealer=0, moves="1 1 0 5C TC")
        assert state.turn == 0
        thoughts.append(bot(text).choose(position(state, facts), FEW, Random(3)))
    assert thoughts[0] == thoughts[1]


@pytest.mark.parametrize("text", ALL_BOTS)
@pytest.mark.parametrize(("bids", "played"), [("0 0 1", "AC"), ("0 1 0", "2C")])
def test_the_last_of_a_trick_does_what_its_bid_needs(text: str, bids: str, played: str) -> None:
    """The last player takes a certain trick if the bid needs it, and ducks if the bid is none."""
    state, facts = laid("2C AC", "5C 9D", "TC 8D", turned="3S", dealer=0, moves=f"{bids} 5C TC")
    decision = bot(text).choose(position(state, facts), Budget(samples=200), Random(5))
    assert decision.action == f"play {played}"


@pytest.mark.parametrize("text", ["2", "3", "ismcts"])
def test_a_forced_move_is_played_without_search(text: str) -> None:
    """A single legal card is played without a search and without an explanation."""
    state, facts = laid("2C", "5C", "TC", turned="3S", dealer=0, moves="0 0 0 5C TC")
    decision = bot(text).choose(position(state, facts), Budget(), Random(1))
    assert decision.action == "play 2C"
    assert decision.candidates == ()


def sheet(*deals: str) -> View:
    """A match of three after some deals, each given by the seats that missed the bid: ``"0 2"``."""
    values: dict[str, int | tuple[int, ...]] = {"deal": len(deals) + 1}
    for number, missed in enumerate(deals, start=1):
        values[f"sheet/bid/{number}"] = (1, 1, 1)
        values[f"sheet/tricks/{number}"] = tuple(
            0 if str(seat) in missed.split() else 1 for seat in range(3)
        )
    return View({f"hand/{seat}": Zone() for seat in range(3)}, dict(values))


def test_paranoia_is_learnt_from_who_goes_down_with_us() -> None:
    """A seat that misses its bids whenever we miss ours is suspected; others are not."""
    learnt = paranoia_of(sheet("0 1", "0 1", "2", "", "2"), 0, 1.0)
    assert learnt[0] == learnt[2] == 0.0
    assert learnt[1] == pytest.approx(1.2 / 6)
    assert paranoia_of(sheet("0 1", "0 1", "2", "", "2"), 0, 0.0) == (0.0, 0.0, 0.0)


def test_nobody_is_suspected_before_there_is_anything_to_learn_from() -> None:
    """No paranoia is learnt in the first deal of a match, nor in a deal outside a match."""
    late = replace(sheet(), values={"deal": 7})
    assert paranoia_of(late, 0, 1.0) == (0.0, 0.0, 0.0)
    assert paranoia_of(sheet(), 0, 1.0) == (0.0, 0.0, 0.0)
    state, _facts = laid("2C", "5C", "TC", turned="3S", dealer=0)
    assert paranoia_of(GAME.view(state, 1), 1, 1.0) == (0.0, 0.0, 0.0)
