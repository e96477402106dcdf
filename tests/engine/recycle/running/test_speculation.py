"""Options are tried before they are offered; trials leave no trace and reveal nothing hidden."""

import pytest

from engine import OPEN, fold
from engine.facts import SPECTATOR, seen_by
from engine.recycle.views.action_texts import action_texts
from tests.engine.recycle.running.playing import SETUP, begun, described, follow, played, setup

STOCK = "(game hloc STOCK)"
HIDDEN = SETUP.replace("vloc", "hloc")


def test_a_card_that_an_option_would_uncover_is_not_told() -> None:
    """The text of an option that draws and plays a card does not name the card."""
    hand = "((current player) iloc HAND)"
    draw = f"(move (top {STOCK}) (top {hand}))"
    play = f"(any {hand} 'C (move 'C (top (game vloc T))))"
    game = described(f"(choice ((do ({draw} {play}))))", setup=HIDDEN)
    state = game.start(setup(game)).state
    (action,) = game.choices(state, 0).actions
    assert action == "take from stock, play to t"
    told = game.apply(state, 0, action).facts
    assert [fact.args["action"] for fact in told if fact.verb == "option_taken"] == [
        action,
        "take from stock, play 4H",
    ]


def test_a_card_that_an_option_would_mark_is_not_told() -> None:
    """The text of an option that marks a hidden card does not name the card."""
    hand = "((current player) iloc HAND)"
    mark = "(remember (top {}) (top (game mem M)))"
    draw = f"(do ((move (top {STOCK}) (top {hand})) {mark.format(hand)}))"
    options = f"{mark.format(STOCK)} {mark.format(hand)} {draw}"
    deal = f"(do ((move (top {STOCK}) (top ((1 player) iloc HAND)))))"
    choice = f"(choice ({options} (inc (game sto X))))"
    game = described(deal, choice, "(choice ((forget (top (game mem M)))))", setup=HIDDEN)
    state = game.start(setup(game)).state
    assert game.choices(state, 0).actions == ("mark ?", "mark 4H", "take from stock", "x 1")
    step = game.apply(state, 0, "mark ?")
    assert [fact.args["action"] for fact in step.facts if fact.verb == "option_taken"] == [
        "mark ?",
        "mark 4C",
    ]
    assert game.choices(step.state, 0).actions == ("forget 4C",)


def test_a_card_that_moves_twice_within_a_pile() -> None:
    """A card that a list names twice is named twice in the option's text."""
    twice = "(union (top 2 (game vloc STOCK)) (top 2 (game vloc STOCK)))"
    move = f"(do ((repeat all (move (bottom {twice}) (top (game vloc STOCK))))))"
    game = described("(choice ((turn pass)))", move, "(choice ((turn pass)))")
    start = game.start(setup(game))
    step = game.apply(start.state, 0, "pass")
    assert fold(seen_by((*start.facts, *step.facts), SPECTATOR)) == game.view(step.state, SPECTATOR)


HEAP = "(game vloc HEAP (+ 1 1))"
NEW = (
    f"(any (union {HEAP} (top 2 (game vloc STOCK))) 'C (move 'C (top {HEAP})))",
    f"(let {HEAP} 'H (any (top 2 (game vloc STOCK)) 'C (move 'C (top 'H))))",
    f"(do ((any (range 3 .. 4) 'N (do ((inc (game sto X) (size (game vloc HEAP 'N)))"
    f" (any (top 1 (game vloc STOCK)) 'C (move 'C (top {HEAP}))))))))",
)


@pytest.mark.parametrize("option", NEW)
def test_piles_that_are_new_while_options_are_looked_for(option: str) -> None:
    """A pile that an option makes is made once, when the option is chosen, and all are told."""
    game = described(*[f"(choice ({option}))"] * 3)
    state = follow(game, 1)
    assert len(game.view(state, OPEN).cards("heap//2")) == 3 - ("union" in option)


def test_to_mention_a_pile_is_no_action() -> None:
    """An option that only reads new piles does nothing."""
    look = "(any (range 1 .. 2) 'N ((!= (size (game vloc HEAP 'N)) 0) (turn pass)))"
    end = "(all (game vloc HEAP (+ 1 1)) 'C (move 'C (top (game vloc STOCK))))"
    wait = "((== (size (game vloc HEAP (+ 2 2))) 0) (do ((repeat (- 1 1) (turn pass)))))"
    game = described(f"(choice ({look} {end} {wait} (inc (game sto X))))")
    state = game.start(setup(game)).state
    assert game.choices(state, 0).actions == ("x 1",)
    assert not state.added


def test_a_game_that_is_over_has_no_actions() -> None:
    """A game that is over has no actions, and gives no texts for them."""
    world = begun("(choice ((turn pass)))")
    assert action_texts(world) == ("pass",)
    assert action_texts(played(world, 0)) == ()
