"""Questions to bots: each is made from what the bot's seat knows, and from nothing else.

A hint is for the player in the seat, so it is made from what that player may be told.

A question is open as long as its turn is. When the table has moved on, nobody waits for the answer,
and the question is dropped.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from hashlib import sha256

from bots import Budget, Decision, Position
from bots.roster import repeatable
from server.bots.pending_answer import Done
from server.bots.pool import BotPool, Meanwhile
from server.bots.thinking import BotQuestion, hasty_move
from server.table.effects import AskBot
from server.table.guarded_game import RulesFailed
from server.table.history import PlayerFacts, SeatFacts
from server.table.messages import view_of
from server.table.state import TableState
from server.table.table import Table


def bot_question(table: Table, ask: AskBot, needs_facts: bool) -> BotQuestion:
    """The question that `ask` puts, with the deal's facts for a bot that needs them.

    `RulesFailed` also if there is nothing to choose from: no bot could ever answer.
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


@dataclass(frozen=True, slots=True)
class NoHint:
    """What to call if there is no hint: `over` if its turn is over, `failed` in any other case."""

    failed: Callable[[], None]
    over: Callable[[], None]


@dataclass(eq=False, slots=True)
class OpenQuestion:
    """A question that a bot has not answered; `player` has the seat, "" if it is a bot's."""

    ask: AskBot
    player: str
    hint: NoHint | None
    drop: Callable[[], None] = lambda: None


class OpenQuestions:
    """The questions that bots have not answered, by table."""

    def __init__(self, bots: BotPool) -> None:
        self._bots = bots
        self._open: dict[str, list[OpenQuestion]] = {}
        self._cold: set[str] = set()

    def __len__(self) -> int:
        return sum(map(len, self._open.values()))

    def ask(
        self, table: Table, ask: AskBot, done: Done, hint: NoHint | None = None
    ) -> Callable[[], None]:
        """Have `done` called with a bot's choice for a seat, as long as the turn is on.

        A hint comes after all moves. Call what is returned if nobody wants the choice any more.
        """
        needs_facts = self._bots.needs_facts(table.state.game, ask.strength)
        bot_asked = bot_question(table, ask, needs_facts)
        code, player = table.code, table.state.chairs[ask.seat].player
        question = OpenQuestion(ask, player, hint)

        def answered(decision: Decision, strength: int) -> None:
            self._close(code, question)
            done(decision, strength)

        def failed() -> None:
            self._close(code, question)
            if hint is not None:
                hint.failed()

        def drop() -> None:
            self._close(code, question)
            question.drop()

        self._open.setdefault(code, []).append(question)
        try:
            no_hint = None if hint is None else failed
            question.drop = self._bots.ask(
                bot_asked, answered, no_hint=no_hint, hasty=_hasty(table, bot_asked)
            )
        except Exception:
            self._close(code, question)
            raise
        return drop

    def meanwhile(self, table: Table, ask: AskBot) -> Meanwhile | None:
        """What happens until the bot of `ask` is ready; None if it is, or needs no compiling."""
        state = table.state
        return self._bots.meanwhile(state.game, ask.strength, repeatable=state.seed is not None)

    def prepare(self, table: Table, *, new: bool) -> None:
        """Have the table's bots made ready once a person there may move, and not before.

        Compiling takes the processor from the person's own program. `new`: who plays, or whether,
        may have changed; other calls only see whether a person is asked at last.
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
        """Have the bot made ready that a player asks for a hint."""
        if self._bots.is_cold(table.state.game, ask.strength):
            self._bots.prepare(table.state.game, ask.strength)

    def drop_stale(self, table: Table) -> None:
        """Drop the questions of a table that has moved on."""
        if table.code not in self._open:
            return
        for question in tuple(self._open[table.code]):
            if not _stands(question, table.state):
                self._drop(table.code, question)
                if question.hint is not None:
                    question.hint.over()

    def drop_all(self, code: str) -> None:
        """Drop all questions of a table that is no longer in memory; it may be at another node."""
        for question in tuple(self._open.get(code, ())):
            self._drop(code, question)
            if question.hint is not None:
                question.hint.failed()
        self._cold.discard(code)

    def hints_full(self, table: Table) -> bool:
        """Whether so many hints wait that another one would come too late."""
        return self._bots.hints_full(described=table.described is not None)

    def _drop(self, code: str, question: OpenQuestion) -> None:
        self._close(code, question)
        question.drop()

    def _close(self, code: str, question: OpenQuestion) -> None:
        questions = self._open.get(code, [])
        if question in questions:
            questions.remove(question)
            if not questions:
                del self._open[code]


def _hasty(table: Table, question: BotQuestion) -> Callable[[], Decision] | None:
    """A quick way to choose at a described game, which has no bot by rules."""
    if table.described is None:
        return None
    return partial(hasty_move, table.described.game, question)


def _stands(question: OpenQuestion, state: TableState) -> bool:
    """Whether an answer is still waited for: by the table, or for a hint by the same player."""
    ask = question.ask
    if state.phase != "playing" or ask.turn != state.turn or ask.seat not in state.to_act:
        return False
    return question.hint is None or state.chairs[ask.seat].player == question.player
