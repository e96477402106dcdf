"""Carries out the effects of tables: writing, answering, publishing, asking bots.

Each effect is carried out by itself. An exception in one affects only those it was for.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import assert_never

import structlog

from engine.facts import Viewer
from server.bots import questions
from server.bots.pool import BotPool
from server.bots.questions import OpenQuestions, substitute_at
from server.bots.thinking import BotQuestion
from server.events.publisher import Publisher
from server.names import CommandKey
from server.ops.isolation import Spawn, isolated
from server.ops.metrics import Metrics
from server.ops.tracing import CAUSE
from server.refusals import refusal, refused
from server.sessions.registry import ConnectionRegistry
from server.sessions.subscriber import Subscriber
from server.sessions.subscribers import Subscribers
from server.store import Store, StoreClosed, StoreConflict, Write
from server.table.effects import (
    Answer,
    AskBot,
    AwaitDisconnect,
    Broadcast,
    Effect,
    LogError,
    Notify,
    Persist,
    Publish,
    SendSnapshot,
    Unsubscribe,
)
from server.table.entries import Acted, Seated
from server.table.guarded_game import RulesFailed
from server.table.table import Table
from server.tables.command_answers import CommandAnswers
from server.tables.guests import Guests
from server.tables.live_tables import LiveTables
from server.tables.rows import entry_rows, write_of
from server.tables.warm_up_notices import WarmUpNotices

log = structlog.get_logger()


class EffectRunner:
    """Carries out effects for all tables, which share the disk, the connections and the bots.

    `spawn` runs background tasks. `events` are called with the spectators' view.
    """

    def __init__(
        self,
        store: Store,
        connections: ConnectionRegistry,
        guests: Guests,
        live: LiveTables,
        subscribers: Subscribers,
        bots: BotPool,
        questions: OpenQuestions,
        warm_ups: WarmUpNotices,
        metrics: Metrics,
        now: Callable[[], float],
        spawn: Spawn,
        events: Publisher | None = None,
    ) -> None:
        self.answers = CommandAnswers(store, guests, connections, live, now, spawn)
        self._store = store
        self._connections = connections
        self._guests = guests
        self._live = live
        self._subscribers = subscribers
        self._bots = bots
        self._questions = questions
        self._warm_ups = warm_ups
        self._metrics = metrics
        self._now = now
        self._events = events
        # Bound once: every move passes by here, mostly to be filtered out.
        self._log = log.bind()

    def perform(self, table: Table, effects: Sequence[Effect]) -> None:
        """Carry out a table's effects in order, and set its next alarm.

        Each effect is carried out by itself, and no exception leaves this method.
        """
        while effects:
            more: list[Effect] = []
            for effect in effects:
                try:
                    self._carry_out(table, effect)
                except Exception as error:
                    more += self._not_carried_out(table, effect, error)
            effects = more
        if not table.busy:
            self._live.on_idle(table)

    def _carry_out(self, table: Table, effect: Effect) -> None:
        match effect:
            case Persist():
                self._persist(table, effect)
            case Answer():
                if effect.record:
                    self.answers.record(effect.key, effect.message, vain=effect.vain)
                else:
                    self._connections.answer(effect.key, effect.message)
            case Publish():
                failure = self._subscribers.of(table.code).publish(table, effect, self._now())
                if self._events is not None:
                    self._events.published(table, effect)
                if failure is not None:
                    self.perform(table, table.stop(failure, self._now()))
            case SendSnapshot():
                self._send_snapshot(table, effect)
            case Broadcast():
                self._subscribers.broadcast(table.code, effect.message)
                # Who is present is no entry, but the list of tables shows it.
                self._live.update_directory(table)
            case Notify(player, message):
                self._connections.notify(player, message)
            case AwaitDisconnect(player):
                self._await_disconnect(table, player)
            case Unsubscribe():
                self._subscribers.unsubscribe_player(table.code, effect.player, effect.reason)
            case AskBot():
                question = self.prepare_question(table, effect)
                self._questions.begin(table, effect, self._play_bot(table, effect, question))
            case LogError(error, rules):
                event = "game_failed" if rules else "table_failed"
                log.error(event, table=table.code, game=table.state.game, exc_info=error)
            case _:
                assert_never(effect)

    def _not_carried_out(self, table: Table, effect: Effect, error: Exception) -> list[Effect]:
        """Return the effects of an exception in an effect, for those it was meant for."""
        if isinstance(error, RulesFailed) and isinstance(effect, AskBot):
            # The table is being closed for that.
            return []
        if isinstance(effect, Persist):
            return table.write_failed(error, self._now())
        log.error("effect_failed", table=table.code, kind=type(effect).__name__, exc_info=error)
        match effect:
            case Answer(key=key):
                self._connections.answer(
                    key, refused(key.command, refusal("internal", "refused_answer_failed"))
                )
            case Publish():
                self._subscribers.fail(table.code, error)
            case AskBot():
                return table.asking_failed(error, self._now())
            case SendSnapshot(player=player):
                self._subscribers.snapshot_failed(table, player, error)
            case Unsubscribe(player=player):
                self._subscribers.fail(table.code, error, player)
            case Broadcast() | Notify() | AwaitDisconnect() | LogError():
                pass
            case _:
                assert_never(effect)
        return []

    def prepare_question(self, table: Table, ask: AskBot) -> BotQuestion:
        """Make the question for a bot, and send a notice if the bot is not ready.

        If the rules cannot compute the seat's view or moves, the match ends.
        """
        substitute = substitute_at(table, ask.strength, self._bots)
        if substitute is not None:
            self._warm_ups.asked(table, ask, substitute)
        try:
            needs_facts = self._bots.needs_facts(table.state.game, ask.strength)
            return questions.bot_question(table, ask, needs_facts)
        except RulesFailed as error:
            self.rules_failed(table, ask.seat, error)
            raise

    def send_snapshot(
        self,
        table: Table,
        connection: Subscriber,
        viewer: Viewer,
        answered: CommandKey | None = None,
    ) -> None:
        """Send a snapshot, after the answer to the command that requests one.

        Raises `RulesFailed` if the rules cannot compute the viewer's view; for a seat that ends the
        match.
        """
        try:
            self._subscribers.send_snapshot(table, connection, viewer, answered)
        except RulesFailed as error:
            self.rules_failed(table, viewer, error)
            raise
        self.tell_notices(table, connection)

    def tell_notices(self, table: Table, connection: Subscriber) -> None:
        """Send a new or returning client the notices that those at a table have got."""
        self._warm_ups.shown(table, connection)
        if late := table.late():
            connection.tell(late)

    def send_snapshots(self, connection: Subscriber) -> None:
        """Send a fresh snapshot of every followed table, and missed notices."""
        for code in connection.tables:
            table, viewer = self._live.get(code), self._subscribers.of(code).viewer(connection)
            if table is not None and viewer is not None:
                self._snapshot_or_unsubscribe(table, connection, viewer)
                self._subscribers.tell_missed(code, connection)
                self._subscribers.counts.joined(code, connection, viewer)

    def rules_failed(self, table: Table, viewer: Viewer, error: RulesFailed) -> None:
        """Handle an exception of the rules in a call on behalf of `viewer`."""
        if viewer >= 0:
            self.perform(table, table.stop(error, self._now()))
        else:
            log.error("game_failed", table=table.code, exc_info=error.error)

    def _persist(self, table: Table, effect: Persist) -> None:
        rows = entry_rows(table.code, effect.entries)
        write = Write(entries=rows)
        if effect.info:
            players = self._guests.newly_seated(effect.entries)
            write = write_of(table, effect, rows, self._now())._replace(players=players)
        self._store.commit(write, partial(self._committed, table, effect))

    def _committed(self, table: Table, written: Persist, error: Exception | None) -> None:
        """Answer and publish stored entries, or handle the failure to store them."""
        CAUSE.set(table.caused(written.entries))
        effects = table.committed(error, self._now())
        if isinstance(error, StoreConflict):
            effects = self.answers.as_before(written.entries[-1].key, effects)
        with isolated("table_failed", table.code):
            self._questions.cancel_stale(table)
        with isolated("table_failed", table.code):
            self._note(table, written, error)
        self.perform(table, effects)
        self._connections.flush()
        self._questions.prepare(table, new=written.info)

    def _note(self, table: Table, written: Persist, error: Exception | None) -> None:
        """Count stored rows, and record stored players and changes for the lobby."""
        if error is None:
            self._count(table, written)
            if written.info:
                for row in self._guests.newly_seated(written.entries):
                    self._guests.sat_down(row.id)
        elif not isinstance(error, StoreClosed):
            # A bot may still move while the server stops: nothing that was promised is lost.
            log.error("commit_failed", table=table.code, reason=str(error))
        if written.info:
            self._live.update_directory(table)

    def _count(self, table: Table, written: Persist) -> None:
        self._metrics.events.inc(len(written.entries))
        for entry in written.entries:
            if isinstance(entry.body, Seated):
                self._log_joined(table, entry.seq, entry.body)
                continue
            if not isinstance(entry.body, Acted):
                log.info(entry.body.kind, table=table.code, seq=entry.seq)
                continue
            seat, strength = entry.body.seat, entry.body.strength
            self._log.debug("act", table=table.code, seq=entry.seq, seat=seat, strength=strength)
            by_person = entry.body.by == "player"
            (self._metrics.moves if by_person else self._metrics.bot_moves).inc()

    def _log_joined(self, table: Table, seq: int, seated: Seated) -> None:
        connection = self._connections.newest(seated.player)
        address = None if connection is None else connection.address
        player, seat = seated.player, seated.seat
        log.info("seated", table=table.code, seq=seq, seat=seat, player=player, address=address)

    def _send_snapshot(self, table: Table, effect: SendSnapshot) -> None:
        """Send a table to a player: their seat on all connections, else to one program."""
        connections = self._connections.of(effect.player)
        if effect.viewer < 0:
            asked = [
                connection
                for connection in connections
                if effect.client in (None, connection.identity.client)
            ]
            connections = tuple(asked[-1:])
        shown = [
            self._snapshot_or_unsubscribe(table, connection, effect.viewer)
            for connection in connections
        ]
        if not any(shown):
            self.perform(table, table.player_disconnected(effect.player, self._now()))

    def _await_disconnect(self, table: Table, player: str) -> None:
        if not self._connections.of(player):
            self.perform(table, table.request_withdrawn(player, self._now()))
        else:
            self._live.note_request(player, table)

    def _snapshot_or_unsubscribe(
        self, table: Table, connection: Subscriber, viewer: Viewer
    ) -> bool:
        """Send a snapshot, or unsubscribe the connection if it cannot be made."""
        try:
            self.send_snapshot(table, connection, viewer)
        except RulesFailed:
            self._subscribers.unsubscribe(table.code, connection, "stopped")
            return False
        except Exception as error:
            connection.fail(error)
        return True

    async def _play_bot(self, table: Table, ask: AskBot, question: BotQuestion) -> None:
        """Let a bot choose, and the table play its move; cancelled when its turn is over."""
        rules = None if table.described is None else table.described.game
        try:
            choice = await self._bots.choose(question, rules)
        except Exception as error:
            self.perform(table, self._not_carried_out(table, ask, error))
        else:
            moved = table.bot_chose(ask, choice.decision.action, choice.strength, self._now())
            self.perform(table, moved)
        self._connections.flush()
