"""The careful player as a bot of its own: strength 3 without the search, to compare with."""

from random import Random

from bots.black_queen.careful import WEIGHTS, careful_move
from bots.black_queen.knowledge import known_to
from bots.black_queen.lay_out import lay_out, source_of
from bots.bot import Budget, Decision, Position


class Careful:
    in_place = False
    needs_facts = True

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        layout = lay_out(known_to(position.seat, position.view, position.facts))
        chosen = careful_move(layout.table, WEIGHTS)
        actions = position.choices.actions
        return Decision(next(each for each in actions if layout.own[source_of(each)] == chosen))
