"""Strength 1 of Hearts: the careful player's rules of thumb, without search."""

from random import Random

from bots.bot import Budget, Decision, Position
from bots.hearts.careful import WEIGHTS, careful_card
from bots.hearts.knowledge import read
from bots.hearts.lay_out import lay_out, set_of
from bots.hearts.passing import PASS_WEIGHTS, careful_pass
from bots.search.draws import draws_from
from engine.games.hearts.cards import pass_text
from engine.games.trick_games import play_text


class CarefulPlayer:
    """Ducks, dumps the queen, voids suits, and passes what it would rather not hold."""

    # Its kernels have to be loaded first, which takes too long for the event loop.
    in_place = False
    needs_facts = True

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        """The careful player's card or pass: a function of the position alone."""
        actions = position.choices.actions
        if len(actions) == 1:
            return Decision(actions[0])
        known, draws = read(position), draws_from(rng)
        if known.leader is None:
            chosen = careful_pass(set_of(known.hand), PASS_WEIGHTS, draws)
            return Decision(pass_text(tuple(card for card in known.hand if chosen >> card & 1)))
        return Decision(play_text(careful_card(lay_out(known), WEIGHTS, draws)))
