"""What moves reveal about hidden cards, and how samples use it."""

from random import Random

import pytest

from engine import OPEN, Setup
from engine.facts import AddressedFact, seen_by
from engine.game import complete_options
from engine.recycle.description import Description
from engine.recycle.sampling.inference import barred_cards
from engine.recycle.sampling.known_cards import known_cards
from engine.recycle.state import State, freeze
from engine.shuffle import Shuffler, seed_from_int
from tests.engine.recycle.running.playing import SETUP, described

HIDDEN = SETUP.replace("vloc", "hloc")
HAND = "((current player) iloc HAND)"
DEAL = """(do ((shuffle (game hloc STOCK))
  (all player 'P (repeat {} (move (top (game hloc STOCK)) (top ('P iloc HAND)))))))"""
LEAD = "(cardatt SUIT (bottom (game vloc T)))"
FOLLOWS = f"(filter {HAND} 'C (== (cardatt SUIT 'C) {LEAD}))"
PLAY = "(move 'C (top (game vloc T)))"
TRICK = f"""(stage player once (choice ((any {FOLLOWS} 'C {PLAY})
  ((== (size {FOLLOWS}) 0) (any {HAND} 'C {PLAY})))))"""


def played(
    game: Description, seed: int, moves: int, option: int = 0
) -> tuple[State, tuple[AddressedFact, ...]]:
    """The state after the given number of moves of one option, and all facts."""
    seats = game.program.players
    options = complete_options(game, seats, {})
    step = game.start(Setup(seats, options, Shuffler(seed_from_int(seed))))
    facts = step.facts
    for _ in range(moves):
        seat = step.state.asked[0]
        step = game.apply(step.state, seat, game.choices(step.state, seat).actions[option])
        facts += step.facts
    return step.state, facts


def test_who_does_not_follow_has_none_of_the_suit() -> None:
    """A player who did not follow suit holds no card of that suit in any sample."""
    game = described(DEAL.format(2), TRICK, "(choice ((turn pass)))", setup=HIDDEN)
    thrown = 0
    for seed in range(30):
        state, facts = played(game, seed, 3)
        led, *others = game.view(state, 0).cards("t")
        seen = seen_by(facts, 0)
        barred = barred_cards(game.program, seen)
        for seat, card in enumerate(others, 1):
            out = barred.get(f"hand/{seat}", frozenset())
            assert all(token[1] == led[1] for token in out)
            if card[1] != led[1]:
                thrown += 1
                hand = game.view(state, OPEN).cards("hand", seat)
                assert all(token[1] != led[1] for token in hand)
                sampler = game.sampler(game.view(state, 0), seen, infer=True)
                for number in range(4):
                    world = sampler.world(Random(number))
                    held = game.view(freeze(world, state.setup), OPEN).cards("hand", seat)
                    assert all(token[1] != led[1] for token in held)
    assert thrown > 5


@pytest.mark.parametrize(
    "condition",
    [
        f"(== (size {HAND}) 2)",
        f"(== (// 2 (- (size {HAND}) 1)) 2)",
    ],
)
def test_what_depends_on_the_number_of_cards_tells_nothing(condition: str) -> None:
    """A move that depends on the number of cards allows no conclusion about a card."""
    choice = f"(choice (({condition} (any {HAND} 'C {PLAY}))))"
    game = described(DEAL.format(2), f"(stage player once {choice})", choice, setup=HIDDEN)
    _, facts = played(game, 1, 2)
    assert not any(barred_cards(game.program, seen_by(facts, 0)).values())


def test_conclusions_that_leave_no_way_are_dropped() -> None:
    """Conclusions that leave no possible deal are dropped, so that a sample still exists."""
    choice = f"(choice (((!= (size {HAND}) 2) (any {HAND} 'C {PLAY}))))"
    deal = DEAL.format(3).replace("all player 'P", "all (filter player 'P (< (pid 'P) 3)) 'P")
    three = described(deal, f"(stage player once {choice})", setup=HIDDEN)
    state, facts = played(three, 1, 1)
    seen = seen_by(facts, 2)
    assert len(barred_cards(three.program, seen)["hand/0"]) == 7
    view = three.view(state, 2)
    assert three.view(three.sample(view, seen, Random(1)), 2) == view


def test_what_was_learnt_ends_when_hidden_cards_come() -> None:
    """Conclusions about a hand end when its player draws an unseen card."""
    draw = "(do ((move (top (game hloc STOCK)) (top ((2 player) iloc HAND)))))"
    game = described(DEAL.format(2), TRICK, draw, "(choice ((turn pass)))", setup=HIDDEN)
    for seed in range(20):
        _, facts = played(game, seed, 3)
        assert "hand/1" not in barred_cards(game.program, seen_by(facts, 0))


def test_cards_seen_to_be_hidden_are_known() -> None:
    """Cards that went face up into a hidden pile stay known until one leaves it unseen."""
    hide = "(do ((move (top (game vloc T)) (top (game hloc GONE)))))"
    leave = "(do ((move (top (game hloc GONE)) (top (game hloc FAR)))))"
    fill = "(do ((move (top (game hloc STOCK)) (top (game hloc GONE)))))"
    for after, expected in (((), {"gone": 1}), ((leave,), {})):
        game = described(DEAL.format(2), fill, TRICK, hide, *after, "(choice ((turn pass)))",
                         setup=HIDDEN)  # fmt: skip
        _, facts = played(game, 1, 3)
        known = known_cards(seen_by(facts, 0))
        assert {zone: sum(cards.values()) for zone, cards in known.items()} == expected


def test_trials_do_not_disturb_one_another() -> None:
    """Trials of options that take cards from other hidden piles do not affect each other."""
    stock = "(any (game hloc STOCK) 'C (move 'C (top (game vloc T))))"
    trick = f"(stage player once (choice ({stock} (any {HAND} 'C {PLAY}))))"
    game = described(DEAL.format(2), trick, "(choice ((turn pass)))", setup=HIDDEN)
    state, facts = played(game, 1, 3, option=-1)
    seen = seen_by(facts, 2)
    assert not any(barred_cards(game.program, seen).values())
    view = game.view(state, 2)
    assert game.view(game.sample(view, seen, Random(1)), 2) == view
