"""What a bot is asked: made from what its seat knows, and nothing else."""

from hashlib import sha256

from bots import Budget, Position
from bots.roster import repeatable
from server.bot_pool import Request
from server.table.effects import Ask
from server.table.plain import view_of
from server.table.table import Table


def request_for(table: Table, ask: Ask, needs_facts: bool) -> Request:
    """What `ask` wants to be chosen, with the deal's facts for a bot that needs them."""
    state = table.state
    position = Position(
        game=state.game,
        seat=ask.seat,
        view=view_of(table, ask.seat),
        choices=table.game.choices(state.play, ask.seat),
        options=state.options,
        facts=table.history.deal_facts(ask.seat) if needs_facts else (),
    )
    label = f"bot {state.match} {state.turn} {ask.seat}".encode()
    seed = sha256(state.match_seed + label).digest()
    source = table.described.source if table.described else None
    # A table that chose its seed wants the same to happen again, so no clock may have a part in it.
    budget = Budget() if state.seed is None else repeatable(state.game, ask.strength)
    return Request(ask.strength, position, seed, budget, source)
