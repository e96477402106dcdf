"""A whole match as entries, which a stage can be given up to any of them."""

from dataclasses import dataclass, replace
from itertools import count
from random import Random

from bots.random_bot import random_action
from engine import AnyGame, complete_options
from protocol.to_server import TableSettings
from server.table.entries import Acted, Body, BotAdded, Dealt, Entry, Opened, Seated, Started
from server.table.fold import advance, open_table
from server.table.messages import info_message
from server.table.settings import from_wire
from server.table.state import TableState
from server.tables.rows import entry_rows
from tests.games.served_games import SERVED
from tests.server.fault_story import Stage

_codes = count(1)


@dataclass(frozen=True, slots=True)
class RecordedMatch:
    """`states` are the table after each of the `bodies`; from `first` on they are moves."""

    game: AnyGame
    bodies: tuple[Body, ...]
    states: tuple[TableState, ...]
    first: int

    def put(self, stage: Stage, entries: int) -> str:
        """Store a sleeping table in the stage's store with the match up to here; its code."""
        code = f"TABLE{next(_codes)}"
        for seq, body in enumerate(self.bodies[:entries], start=1):
            if isinstance(body, Seated):
                body = replace(body, player=stage.seats[body.seat].player)
            entry = Entry(seq, stage.server.now, body)
            stage.store.logs[code].extend(entry_rows(code, (entry,)))
        info = info_message(code, self.game, self.states[entries - 1], lambda seat: False)
        stage.server.game_server.tables.directory.update(
            code, info, [client.player for client in stage.seats]
        )
        return code


def recorded_match(game: AnyGame, people: int, rng: Random) -> RecordedMatch:
    """A match of people and bots who play at random."""
    seats = max(people, game.info.usual_seats)
    options = dict(complete_options(game, seats, SERVED[game.info.id].short))
    settings = from_wire(TableSettings(turn_seconds=20, hints=True))
    opened = Opened(game.info.id, game.info.version, seats, options, settings)
    names = ("Ann", "Bea", "Cid")[:people]
    bodies: list[Body] = [
        opened,
        *(Seated(seat, "", name) for seat, name in enumerate(names)),
        *(BotAdded(seat, 0, "Ada") for seat in range(people, seats)),
        Started(),
        Dealt(rng.randbytes(32).hex()),
    ]
    first = len(bodies)
    states: list[TableState] = []
    state = open_table(game, opened)
    for body in bodies:
        state = advance(game, state, (Entry(state.seq + 1, 0.0, body),)).state
        states.append(state)
    while state.to_act:
        seat = rng.choice(state.to_act)
        action = random_action(game.choices(state.play, seat), rng)
        bodies.append(Acted(seat, action))
        state = advance(game, state, (Entry(state.seq + 1, 0.0, bodies[-1]),)).state
        states.append(state)
    return RecordedMatch(game, tuple(bodies), tuple(states), first)
