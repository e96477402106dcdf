"""The options of a described game come in the order of the deck."""

from random import Random

from engine import GAMES, Setup, Shuffler, complete_options
from engine.choices import Choices
from engine.recycle import load
from engine.recycle.games import description
from server.table.choice_order import in_order


def test_options_are_sorted_by_their_cards() -> None:
    """Options are sorted by their cards in their shared places; others stay."""
    texts = (
        "play {card QS} to the crib",
        "discard {card 9S}",
        "pass",
        "play {card 2C} to the crib",
        "discard {card 3C}",
        "discard {card XX}",
        "discard {card 3C} {card 2C}",
        "play 2 cards",
    )
    given = Choices(tuple(f"a {at}" for at in range(8)), texts=texts)
    sorted_ = in_order(given, GAMES.game("hearts").info)
    assert sorted_.actions == ("a 3", "a 4", "a 2", "a 0", "a 6", "a 1", "a 5", "a 7")
    assert sorted_.texts == tuple(texts[int(action[2:])] for action in sorted_.actions)


def test_a_hand_is_numbered_as_it_is_shown() -> None:
    """The cards of a dealt hand are offered in the order of the deck."""
    game = load(description("Hearts4"), "Hearts4")
    order = {card.token: card.order for card in game.info.legend}
    setup = Setup(4, complete_options(game, 4, {}), Shuffler(Random(1).randbytes(32)))
    state = game.start(setup).state
    (seat,) = game.to_act(state)
    choices = game.choices(state, seat)
    offered = in_order(choices, game.info)
    cards = [order[action.split(" ")[1]] for action in offered.actions]
    assert cards == sorted(cards)
    assert set(offered.actions) == set(choices.actions)
    assert offered != choices
