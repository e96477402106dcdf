"""Questions to bots: each is made from the knowledge of the bot's seat alone.

A hint is for the player in the seat, so it is made from what that player may know.

A question is open as long as its turn is. When the table has moved on, the answer is no longer
needed, and the task that waits for it is cancelled.
"""

import asyncio
from collections.abc import Coroutine
from functools import partial
from hashlib import sha256
from typing import Any, TypeVar

from bots import Budget, Position
from bots.roster import repeatable
from server.bots.pool import BotPool, Substitute
from server.bots.thinking import BotQuestion
from server.table.effects import AskBot
from server.table.guarded_game import RulesFailed
from server.table.history import PlayerFacts, SeatFacts
from server.table.messages import view_of
from server.table.state import TableState
from server.table.table import Table

Result = TypeVar("Result")
"""What a task has found when it ends."""


def bot_question(table: Table, ask: AskBot, needs_facts: bool) -> BotQuestion:
    """Make the bot's question from `ask`, with the deal's facts for a bot that needs them.

    Raises `RulesFailed` also if there is nothing to choose from: no bot could ever answer.
    """
    state = table.state
    facts: PlayerFacts | SeatFacts | tuple[()] = ()
    if needs_facts and ask.purpose == "hint":
        facts = table.history.facts_of_deal(state.chairs[ask.seat].player)
    elif needs_facts:
        facts = table.history.facts_for_seat(ask.seat)
    choices = table.game.choices(state.play, ask.seat)
    if not choices:
        raise RulesFailed("choices", LookupError("a seat that is asked has no choice"))
    position = Position(
        game=state.game,
        seat=ask.seat,
        view=view_of(table, ask.seat),
        choices=choices,
        options=state.options,
        facts=facts,
    )
    label = f"bot {state.match} {state.turn} {ask.seat}".encode()
    seed = sha256(state.bots_seed + label).digest()
    source = table.described.source if table.described else None
    # A table with a chosen seed must go the same way again, so the clock may play no part.
    budget = Budget() if state.seed is None else repeatable(state.game, ask.strength)
    return BotQuestion(ask.strength, position, seed, budget, source, lane=table.code)


def is_open(state: TableState, ask: AskBot, player: str) -> bool:
    """Whether an answer is still needed: by the table, or for a hint by the player who asked.

    `player` had the seat when the bot was asked.
    """
    if state.phase != "playing" or ask.turn != state.turn or ask.seat not in state.to_act:
        return False
    return ask.purpose != "hint" or state.chairs[ask.seat].player == player


def substitute_at(table: Table, strength: int, bots: BotPool) -> Substitute | None:
    """Return who plays for a bot of this strength at a table now; None if it is ready itself."""
    state = table.state
    return bots.substitute(state.game, strength, repeatable=state.seed is not None)


class OpenQuestions:
    """The open questions to bots, by table, each with the task that waits for its answer."""

    def __init__(self, bots: BotPool) -> None:
        self._bots = bots
        self._open: dict[str, dict[asyncio.Task[Any], tuple[AskBot, str]]] = {}
        self._cold: set[str] = set()

    def __len__(self) -> int:
        return sum(map(len, self._open.values()))

    def begin(
        self, table: Table, ask: AskBot, work: Coroutine[Any, Any, Result]
    ) -> asyncio.Task[Result]:
        """Start a task for `work`, which waits for a bot; it is cancelled if the table moves on."""
        task = asyncio.get_running_loop().create_task(work)
        player = table.state.chairs[ask.seat].player
        self._open.setdefault(table.code, {})[task] = ask, player
        task.add_done_callback(partial(self._close, table.code))
        # A task that is cancelled before its first step never comes to its work.
        task.add_done_callback(lambda _: work.close())
        return task

    def prepare(self, table: Table, *, new: bool) -> None:
        """Make the table's bots ready once a person there may move, and not before.

        Compiling takes the processor from the person's own program. `new` says that the players or
        the state of the match may have changed; other calls only check whether a person is to move
        at last.
        """
        if not new and table.code not in self._cold:
            return
        state = table.state
        seated = {chair.strength for chair in state.chairs if chair.played_by_bot}
        cold = [bot for bot in seated if bot is not None and self._bots.is_cold(state.game, bot)]
        self._cold.discard(table.code)
        if not cold or state.phase != "playing":
            return
        if all(state.chairs[seat].played_by_bot for seat in state.to_act):
            self._cold.add(table.code)
            return
        for strength in cold:
            self._bots.prepare(state.game, strength)

    def prepare_for_hint(self, table: Table, ask: AskBot) -> None:
        """Make the bot ready that a player asks for a hint."""
        if self._bots.is_cold(table.state.game, ask.strength):
            self._bots.prepare(table.state.game, ask.strength)

    def cancel_stale(self, table: Table) -> None:
        """Cancel the tasks that wait for bots at a table that has moved on."""
        for task, question in self._open.get(table.code, {}).items():
            if not is_open(table.state, *question):
                task.cancel()

    def cancel_all(self, code: str) -> None:
        """Cancel the tasks of a table that left the memory; it may be at another node."""
        for task in self._open.get(code, ()):
            task.cancel()
        self._cold.discard(code)

    def hints_full(self, table: Table) -> bool:
        """Whether so many hints wait that another one would be late."""
        return self._bots.hints_full(described=table.described is not None)

    def _close(self, code: str, task: asyncio.Task[Any]) -> None:
        questions = self._open[code]
        del questions[task]
        if not questions:
            del self._open[code]
