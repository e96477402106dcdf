"""The deals of a match: how many kinds there are, and starting a match at a later one."""

from engine.game import Setup, complete_options
from engine.games.black_queen import BlackQueen
from engine.games.hearts import Hearts
from engine.games.whist import Whist
from engine.match import Match
from engine.shuffle import Shuffler

SEED = bytes(range(32))


def test_how_many_kinds_of_deal_there_are() -> None:
    """Whist has as many kinds of deal as its match is long, Hearts four, Black Queen one."""
    whist = Match(Whist())
    assert whist.cycle(complete_options(whist, 5, {}), 5) == 20
    assert whist.cycle(complete_options(whist, 5, {"cards": 3}), 5) == 6
    assert Match(Hearts()).cycle({}, 4) == 4
    assert Match(BlackQueen()).cycle({}, 4) == 1


def test_a_match_can_be_entered_at_a_later_deal() -> None:
    """A match started at a later deal has that deal's cards, and no scores yet."""
    game = Match(Whist())
    setup = Setup(3, {"cards": 2}, Shuffler(SEED))
    state = game.start(setup).state
    while state.number < 2:
        (seat,) = game.to_act(state)
        state = game.apply(state, seat, game.choices(state, seat).actions[0]).state
    entered = game.start(Setup(3, {"cards": 2}, Shuffler(SEED, 2))).state
    assert entered.deal._replace(setup=state.deal.setup) == state.deal
    assert entered.deal.setup.totals == (0, 0, 0)
    assert (entered.number, entered.totals, entered.played) == (2, (0, 0, 0), ())
