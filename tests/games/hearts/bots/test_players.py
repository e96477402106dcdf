"""The bots of Hearts: legal, repeatable, and independent of hidden cards."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from random import Random

import pytest

from bots import Bot, Budget, Position
from bots.hearts.ducker import Ducker
from bots.hearts.ismcts import TreeSearcher
from bots.hearts.rules_player import CarefulPlayer
from bots.hearts.search import Searcher
from engine.cards import deck, parse_cards
from engine.games.hearts import State
from tests.counts import count
from tests.games.hearts.bots.positions import (
    GAME,
    any_deal,
    laid_out,
    position,
    random_walk,
    started,
)

BOTS: dict[str, Callable[[], Bot]] = {
    "careful": CarefulPlayer,
    "search": Searcher,
    "ismcts": lambda: TreeSearcher(simulations=30),
    "ducker": Ducker,
}
FEW = Budget(samples=24)


def positions(seed: int) -> Iterator[tuple[State, Position]]:
    """The positions of a random deal, and what the seat to move knows in each."""
    rng = Random(seed)
    for state, facts in random_walk(rng, any_deal(rng)):
        if not state.over:
            yield state, position(state, facts)


@pytest.mark.parametrize("name", BOTS)
def test_every_move_is_legal(name: str) -> None:
    """Bots' moves are legal in every position of random deals under any rules, passing included."""
    bot = BOTS[name]()
    for seed in range(count(4)):
        for _, seen in positions(seed):
            decision = bot.choose(seen, FEW, Random(seed))
            assert seen.choices.allows(decision.action)
            assert all(seen.choices.allows(each.action) for each in decision.candidates)


@pytest.mark.parametrize("name", BOTS)
def test_a_budget_of_samples_is_repeatable(name: str) -> None:
    """One position, seed and number of samples give one move with one explanation."""
    for _, seen in positions(3):
        first, second = (BOTS[name]().choose(seen, FEW, Random(9)) for _ in range(2))
        assert first == second


@pytest.mark.parametrize("name", BOTS)
def test_hidden_cards_change_nothing(name: str) -> None:
    """In worlds that look alike to the seat, the bot's move and explanation are equal."""
    bot, rng = BOTS[name](), Random(2)
    told_apart = Counter[bool]()
    deals = (started(rng, rules=rules) for rules in ("standard", "recycle"))
    for state, facts in chain.from_iterable(random_walk(rng, begun) for begun in deals):
        if state.over:
            continue
        seen = position(state, facts)
        # Of a match the view tells the options, which say how a deal is sampled.
        options = {f"option/{name}": value for name, value in seen.options.items()}
        view = replace(seen.view, values={**seen.view.values, **options})
        other = GAME.sample(view, seen.facts, rng)
        told_apart[state.passing] += other.hands != state.hands or other.passed != state.passed
        # The facts a seat was told are those of its own world, and are all it is given.
        again = Position(
            seen.game,
            seen.seat,
            GAME.view(other, seen.seat),
            GAME.choices(other, seen.seat),
            seen.options,
            seen.facts,
        )
        assert bot.choose(again, FEW, Random(1)) == bot.choose(seen, FEW, Random(1))
    # While four pass, and then nearly to the end of each deal, somebody holds other cards.
    assert told_apart[True] == 4
    assert told_apart[False] > 80


@pytest.mark.parametrize("name", ["search", "ismcts"])
def test_a_forced_card_is_played_without_search(name: str) -> None:
    """A forced card is the only candidate, and is played without a random draw."""
    state = laid_out(("2C 3D", "4C 5D", "6C 7D", "8C 9D"), trick="KD AD", leader=2)
    seen = position(state, GAME.begin(state).facts)
    rng = Random(1)
    before = rng.getstate()
    assert BOTS[name]().choose(seen, Budget(), rng).action == "play 3D"
    assert rng.getstate() == before


def decided(bot: Bot, state: State) -> str:
    """The bot's decision for the seat to move."""
    seen = position(state, GAME.begin(state).facts)
    return bot.choose(seen, Budget(samples=64), Random(1)).action


@pytest.mark.parametrize("bot", [CarefulPlayer(), Searcher(), Ducker()])
def test_the_queen_goes_under_the_king(bot: Bot) -> None:
    """With the king on the table the queen of spades is given away at once."""
    state = laid_out(
        ("QS 2S 3H 4D", "5S 6S 7S 8S", "9S TS JS 5H", "4H 5D 6D"), trick="KS", leader=3
    )
    assert decided(bot, state) == "play QS"


@pytest.mark.parametrize("bot", [CarefulPlayer(), Searcher(), Ducker()])
def test_the_queen_goes_where_she_cannot_be_followed(bot: Bot) -> None:
    """A player who cannot follow throws the queen of spades rather than anything else."""
    state = laid_out(
        ("QS 2S AH 3H", "5C 6C 7S 8S", "9S TS JS", "4H 5D 6D"), trick="KC JC", leader=2
    )
    assert decided(bot, state) == "play QS"


def test_of_cards_below_the_ace_the_queen_goes_first() -> None:
    """Under the ace the queen of spades is played before the king."""
    state = laid_out(
        ("QS KS 3H 4D", "5S 6S 7S 8S", "9S TS JS 5H", "4H 5D 6D"), trick="AS", leader=3
    )
    assert decided(Ducker(), state) == "play QS"


@pytest.mark.parametrize("bot", [CarefulPlayer(), Searcher(), Ducker()])
def test_a_trick_that_must_be_taken_is_not_taken_with_the_queen(bot: Bot) -> None:
    """A trick that must be taken is taken with another spade than the queen."""
    state = laid_out(
        ("TS QS 3H 4D", "5H 6H 7H", "9H TH JH", "4H 5D 6D"), trick="3S 4S 2S", leader=1
    )
    assert decided(bot, state) == "play TS"


def test_the_queen_is_not_led_where_there_is_another_card() -> None:
    """The queen of spades is not led if there is another card, although the ace is higher."""
    state = laid_out(("QS AD", "5S AS", "KS JH", "4S 5D"), leader=0)
    assert decided(Ducker(), state) == "play AD"


def test_a_moon_is_shot_where_it_cannot_fail() -> None:
    """With all high cards and all points so far, the searcher plans to take the rest."""
    state = laid_out(
        ("AH KH QH AS", "2H 3H 4H 2S", "5H 6H 7H 3S", "8H 9H TH 4S"), trick="", leader=0
    )
    state = state._replace(taken=(state.taken[1], (), (), ()))
    seen = position(state, GAME.begin(state).facts)
    decision = Searcher().choose(seen, Budget(samples=64), Random(1))
    best = next(each for each in decision.candidates if each.action == decision.action)
    assert best.value == pytest.approx(26)
    assert best.why["shoot"] == pytest.approx(26)


def test_a_decision_says_why() -> None:
    """Every candidate has its mean, its standard error and its number of worlds."""
    hands = ("2C 8D TD", "5D 9D KD", "6D JD AD", "7D QD")
    state = laid_out(hands, trick="3D", leader=3)
    seen = position(state, GAME.begin(state).facts)
    decision = Searcher().choose(seen, FEW, Random(1))
    assert tuple(each.action for each in decision.candidates) == seen.choices.actions
    for candidate in decision.candidates:
        assert {"mean", "deviation", "spread", "worlds", "avoid"} <= set(candidate.why)


@pytest.mark.parametrize("bot", [CarefulPlayer(), Searcher()])
def test_a_bare_queen_is_passed(bot: Bot) -> None:
    """A queen of spades without cover is passed, and so is a bare ace of spades."""
    state, _ = started(Random(1), 0)
    mine = parse_cards("2C 3C 4C 5C 2D 3D 4D 5D QS AS 2H 3H 4H")
    rest = [card for card in deck() if card not in mine]
    state = state._replace(hands=(mine, *(tuple(rest[at : at + 13]) for at in (0, 13, 26))))
    seen = position(state, GAME.begin(state).facts, 0)
    action = bot.choose(seen, Budget(samples=48), Random(1)).action
    assert "QS" in action
    assert "AS" in action
