"""Hints: the strong bot's move in a player's place, computed once a turn.

A player waits for one hint at a time. A hint is cached until the turn is over, so a repeated
request costs nothing; that of a plain bot is not cached while the strong one is being prepared. A
question is dropped when its turn is over or its player is gone.
"""

import asyncio
from typing import TypeAlias
from weakref import WeakKeyDictionary

import structlog

from bots import strength_of
from bots.roster import strong
from engine.facts import Seat
from protocol.errors import ProtocolError
from protocol.wire_form import WireForm
from server.bots.pool import BotPool
from server.bots.questions import OpenQuestions, is_open, substitute_at
from server.bots.standby import BotChoice
from server.names import CommandKey, Player
from server.ops.isolation import Spawn
from server.refusals import refusal, refused
from server.sessions.registry import ConnectionRegistry
from server.table.effects import AskBot
from server.table.refusals import turn_over
from server.table.table import Table
from server.tables.effect_runner import EffectRunner
from server.tables.hint_message import hint_message

log = structlog.get_logger()

HintKey: TypeAlias = tuple[int, Seat, str]
"""Turn, seat and player: a player who has just taken the seat knows less of the deal."""

AGAIN_SECONDS = 1.0
"""After so long a client may ask again if there is no hint now."""
TOGETHER = 8
"""Commands of a player that may wait for one and the same hint."""


class PendingHint:
    """A hint that a player waits for, the commands it answers, and the bot's advice for it."""

    def __init__(
        self, table: Table, ask: AskBot, key: CommandKey, advice: "asyncio.Task[BotChoice | None]"
    ) -> None:
        self.table = table
        self.ask = ask
        self.keys = {key: None}
        self.advice = advice


class Hints:
    """The pending hints, and the cached ones of each table."""

    def __init__(
        self,
        connections: ConnectionRegistry,
        bots: BotPool,
        questions: OpenQuestions,
        effects: EffectRunner,
        spawn: Spawn,
    ) -> None:
        self._connections = connections
        self._bots = bots
        self._questions = questions
        self._effects = effects
        self._spawn = spawn
        self._waiting: dict[str, PendingHint] = {}
        self._known: WeakKeyDictionary[Table, dict[HintKey, WireForm]]
        self._known = WeakKeyDictionary()

    def __len__(self) -> int:
        return len(self._waiting)

    def ask(self, player: Player, table: Table, key: CommandKey) -> None:
        """Answer a player's `hint`, now or later; raise `ProtocolError` if they may have none."""
        state = table.state
        if not state.settings.hints:
            raise refusal("no_hints", "refused_hints_off")
        seat = state.seat_of(player.id)
        if seat is None or seat not in state.to_act or state.phase != "playing":
            raise refusal("not_your_turn", "refused_hint_not_now")
        known = self._known.get(table, {}).get((state.turn, seat, player.id))
        if known is not None:
            self._connections.answer(key, {**known, "id": key.command})
            return
        ask = AskBot(seat, state.turn, strength_of(state.game, "strong"), "hint")
        if player.id in self._waiting:
            self._join(self._waiting[player.id], table, ask, key)
        else:
            self._begin(player.id, table, ask, key)

    def disconnected(self, player: str) -> None:
        """Drop the question of a player who is gone. Over a new connection they ask again."""
        waiting = self._waiting.pop(player, None)
        if waiting is not None:
            waiting.advice.cancel()

    def _join(self, waiting: PendingHint, table: Table, ask: AskBot, key: CommandKey) -> None:
        same = waiting.table is table and waiting.ask == ask
        if key in waiting.keys:
            return
        if not same or len(waiting.keys) >= TOGETHER:
            raise _again("refused_hint_waiting")
        waiting.keys[key] = None

    def _begin(self, player: str, table: Table, ask: AskBot, key: CommandKey) -> None:
        if self._questions.hints_full(table):
            raise _again("refused_hints_busy")
        self._questions.prepare_for_hint(table, ask)
        advice = self._bots.advise(self._effects.prepare_question(table, ask))
        waiting = PendingHint(table, ask, key, self._questions.begin(table, ask, advice))
        self._waiting[player] = waiting
        self._spawn(self._answer(player, waiting))

    async def _answer(self, player: str, waiting: PendingHint) -> None:
        """Answer all commands that wait for a hint, once there is one or will be none."""
        await asyncio.wait((waiting.advice,))
        if self._waiting.get(player) is not waiting:
            # The player is gone.
            return
        del self._waiting[player]
        try:
            hint = self._hint(player, waiting)
            answers = [{**hint, "id": key.command} for key in waiting.keys]
        except ProtocolError as error:
            answers = [refused(key.command, error) for key in waiting.keys]
        for key, answer in zip(waiting.keys, answers, strict=True):
            self._connections.answer(key, answer)
        self._connections.flush()

    def _hint(self, player: str, waiting: PendingHint) -> WireForm:
        """Return the bot's advice; raise `ProtocolError` if there is no hint."""
        table, ask, advice = waiting.table, waiting.ask, waiting.advice
        if advice.cancelled() and not is_open(table.state, ask, player):
            raise turn_over(ask.turn)
        try:
            choice = None if advice.cancelled() else advice.result()
            hint = None if choice is None else self._told(player, table, ask, choice)
        except Exception:
            log.exception("command_failed", message_type="hint", table=table.code)
            raise refusal("internal", "refused_answer_failed") from None
        if hint is None:
            raise _again("refused_hint_late")
        return hint

    def _told(self, player: str, table: Table, ask: AskBot, choice: BotChoice) -> WireForm:
        """Return the hint's message; it is cached unless a better one comes soon."""
        state = table.state
        weaker = choice.strength < strong(state.game)
        seconds = self._seconds_left(table, ask) if weaker else None
        hint = hint_message(
            table.code,
            ask.turn,
            choice.decision,
            choice.strength,
            seats=len(state.chairs),
            weaker=weaker,
            seconds=seconds,
        )
        known = self._known.setdefault(table, {})
        for asked in tuple(known):
            if asked[0] != ask.turn:
                del known[asked]
        if seconds is None:
            known[ask.turn, ask.seat, player] = hint
        return hint

    def _seconds_left(self, table: Table, ask: AskBot) -> int | None:
        """Return the seconds until the asked bot is ready; None if it is not being prepared."""
        substitute = substitute_at(table, ask.strength, self._bots)
        if substitute is None or not substitute.seconds:
            return None
        return max(1, round(substitute.seconds))


def _again(phrase: str) -> ProtocolError:
    return refusal("try_again", phrase, retry_after=AGAIN_SECONDS)
