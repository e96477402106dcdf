"""One table alone, with a manual clock, a controllable disk, and clients that follow it.

The harness carries out the table's effects as the server does, without any I/O, and notices at once
when a promise is broken that holds for every table: entries are numbered without a gap, a command
is answered once, and what a follower was sent folds to what they may see.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, TypeVar

from bots.random_bot import random_action
from engine import AnyGame, Catalogue, Match
from engine.choices import Action
from engine.facts import AddressedFact, Seat
from engine.game import complete_options
from engine.games.black_queen import BlackQueen
from engine.games.hearts import Hearts
from protocol.to_server import Command, TableSettings
from protocol.wire_form import WireForm
from server.names import CommandKey, Player
from server.table.clocks import Timing
from server.table.decide import Decider, TableCommand
from server.table.effects import (
    Answer,
    AskBot,
    Broadcast,
    Effect,
    Persist,
    Publish,
    SendSnapshot,
    Unsubscribe,
)
from server.table.entries import Acted, By, Entry, Opened, Seated, entries_after
from server.table.fold import advance, open_table, outcome_of, replay
from server.table.history import History
from server.table.state import TableState
from server.table.table import Table
from tests.server.table.followers import Followers
from tests.server.table.minimal_games import FAULTY, BothAtOnce

GAMES = Catalogue((Match(BlackQueen()), Match(Hearts()), BothAtOnce(), *FAULTY))
TIMING = Timing(bot_delay=0.5, grace=30, abandon=3600, lobby=1800, finished=600)
CODE = "TABLE"
OPEN_TO_ALL = TableSettings(latecomers="anyone")
"""A match may be joined in a bot's place without anybody being asked, as once everywhere."""

AnyEffect = TypeVar("AnyEffect", bound=Effect)


class TableHarness:
    """`log` is what is on the disk, `effects` are all effects in order.

    While `held` is set the disk keeps writes back until `commit` or `fail`; while `broken` is set
    it refuses them. `questions` are what bots have been asked; one answers when `bot_moves` is
    called.
    """

    def __init__(
        self,
        game: str = "both_at_once",
        seats: int = 2,
        host: str = "ann",
        options: Mapping[str, object] | None = None,
        settings: TableSettings = OPEN_TO_ALL,
        timing: Timing = TIMING,
        broken: bool = False,
    ) -> None:
        self.now = 1000.0
        self.log: list[Entry] = []
        self.facts: list[tuple[AddressedFact, ...]] = []
        self.effects: list[Effect] = []
        self.answers: defaultdict[CommandKey, list[WireForm]] = defaultdict(list)
        self.questions: list[AskBot] = []
        self.turns: list[int] = []
        self._thoughts: list[Action] = []
        self.connected = {host}
        self.followers = Followers()
        self.held, self.broken = False, broken
        self.game: AnyGame = GAMES.game(game)
        self._commands = 0
        self._waiting: Persist | None = None
        self._rng = Random(seats)
        complete = dict(complete_options(self.game, seats, options or {}))
        version = self.game.info.version
        opened = Opened(game, version, seats, complete, settings)
        state = self.start = open_table(self.game, opened)
        decider = Decider(self.game, lambda: self._rng.randbytes(32), timing.rule)
        self.actor = Table(CODE, decider, state, History(self.game, state), timing)
        key = self._key(host)
        entries = entries_after(0, [opened, Seated(0, host, host.title())], key, 1000)
        self._do(self.actor.create(advance(self.game, state, entries), key, 1000))

    # What people do

    def ask(self, who: str, kind: type[Command], **fields: Any) -> WireForm:
        """Send a command; returns its answer, which the disk must not hold back."""
        key = self.send(who, kind, **fields)
        (answer,) = self.answers[key]
        return answer

    def send(self, who: str, kind: type[Command], **fields: Any) -> CommandKey:
        """Send a command; returns its key in `answers`, where its answer comes later."""
        key = self._key(who)
        command: TableCommand = kind(id=key.command, table=CODE, **fields)  # type: ignore[assignment, call-arg]
        if who not in self.connected:
            self.reconnect(who)
        # Else every invariant about waiting commands would be blind to one never answered.
        self.answers[key] = []
        self._do(self.actor.command(command, Player(who, who.title()), key, self.now))
        return key

    def refusal(self, who: str, kind: type[Command], **fields: Any) -> str:
        """The code of the error that answers a command, which must add nothing to the log."""
        before = len(self.log)
        answer = self.ask(who, kind, **fields)
        assert answer["type"] == "error"
        assert len(self.log) == before
        return str(answer["code"])

    def watch(self, who: str, asks: bool = False) -> CommandKey | None:
        """Let somebody without a seat watch, by a command if they `ask`, else by resuming."""
        key = self._key(who) if asks else None
        self._do(self.actor.watch(who, key, self.now))
        return key

    def disconnect(self, who: str) -> None:
        """End a player's connection."""
        self.connected.discard(who)
        self.followers.remove(who)
        self._do(self.actor.player_disconnected(who, self.now))
        self._do(self.actor.request_withdrawn(who, self.now))

    def reconnect(self, who: str) -> None:
        """Restore a player's connection."""
        self.connected.add(who)
        self._follow(who)
        self._do(self.actor.player_connected(who, self.now))

    # What time, bots and the disk do

    def wait(self, seconds: float) -> None:
        """Advance the time, waking the table whenever it wants to be."""
        end = self.now + seconds
        while (due := self.actor.due()) is not None and due <= end and not self.actor.busy:
            self.now = max(self.now, due)
            self.tick()
        self.now = end

    def tick(self) -> None:
        """Wake the table now; if something is due, that must have an effect."""
        due, before = self.actor.due(), len(self.effects)
        busy = self.actor.busy
        self._do(self.actor.tick(self.now))
        if due is not None and due <= self.now and not busy:
            later = self.actor.due()
            moved_on = later is None or later > self.now
            assert len(self.effects) > before or moved_on, "the table is due for ever"

    def bot_moves(self, late: bool = False) -> None:
        """Let the bot that was asked first (or, if `late`, last) move."""
        at = -1 if late else 0
        ask, action = self.questions[at], self._thoughts[at]
        del self.questions[at], self._thoughts[at]
        self.bot_answers(ask, action)

    def bot_answers(self, ask: AskBot, action: Action) -> None:
        """Deliver a bot's answer."""
        self._do(self.actor.bot_chose(ask, action, ask.strength, self.now))

    def commit(self) -> None:
        """Write what was held back to the disk."""
        self._written(None)
        self._settle()

    def fail(self) -> None:
        """Lose the write that was held back."""
        self._written(OSError("disk full"))
        self._settle()

    def repair(self) -> None:
        """Repair the disk, which then writes what it held back."""
        self.held = self.broken = False
        self._settle()

    # What there is to see

    @property
    def writing(self) -> bool:
        """Whether a write is held back."""
        return self._waiting is not None

    @property
    def state(self) -> TableState:
        return self.actor.state

    def phase(self) -> str:
        return self.actor.state.phase

    def standing_in(self) -> list[Seat]:
        """The seats where a bot plays for an absent player."""
        return [seat for seat, chair in enumerate(self.state.chairs) if chair.stand_in]

    def last_by(self) -> By:
        """The maker of the last move, which is the last entry."""
        body = self.log[-1].body
        assert isinstance(body, Acted)
        return body.by

    @property
    def kinds(self) -> list[str]:
        """The log by kinds of entry."""
        return [entry.body.kind for entry in self.log]

    def last(self, kind: type[AnyEffect]) -> AnyEffect:
        """The latest effect of a kind."""
        return next(effect for effect in reversed(self.effects) if isinstance(effect, kind))

    def verbs(self) -> Iterator[str]:
        """The verbs of the public facts, in order."""
        return (fact.verb for step in self.facts for fact in step)

    def check(self) -> None:
        """Check everything that must hold of a table when the disk is idle."""
        self.check_log()
        self.check_views()
        assert all(len(answers) == 1 for answers in self.answers.values())

    def check_log(self) -> None:
        """Check that the log has no gap, and that its replay is what happened."""
        assert [entry.seq for entry in self.log] == list(range(1, len(self.log) + 1))
        replayed = [step for _, step in replay(GAMES, self.log)]
        assert replayed[-1].state == self.state
        assert [step.facts for step in replayed] == self.facts
        outcome = outcome_of(self.game, self.state)
        assert outcome_of(self.game, replayed[-1].state) == outcome
        assert outcome is not None or self.state.phase != "finished"
        assert outcome is None or self.state.phase not in ("playing", "paused")

    def check_views(self) -> None:
        """Check that what each follower was sent folds to what they may see."""
        if self.state.play is not None:
            self.followers.check(self.actor)

    def _choose(self, seat: Seat) -> Action:
        """The move of a bot in a seat, from what the seat knows."""
        choices = self.game.choices(self.state.play, seat)
        return random_action(choices, self._rng)

    def _key(self, who: str) -> CommandKey:
        self._commands += 1
        return CommandKey(who, "laptop", self._commands)

    def _follow(self, who: str) -> None:
        seat = self.state.seat_of(who)
        if seat is not None:
            self.followers.add(who, self.actor, seat)

    def _do(self, effects: list[Effect]) -> None:
        self._carry_out(effects)
        self._settle()

    def _settle(self) -> None:
        """Let the disk work, unless it is held."""
        while self._waiting is not None and not self.held:
            self._written(OSError("disk full") if self.broken else None)

    def _written(self, error: Exception | None) -> None:
        written, self._waiting = self._waiting, None
        assert written is not None, "nothing waits for the disk"
        if error is None:
            self.log += written.entries
        self._carry_out(self.actor.committed(error, self.now))
        self.turns.append(self.state.turn)

    def _carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            self.effects.append(effect)
            match effect:
                case Persist():
                    assert self._waiting is None, "one write at a time"
                    self._waiting = effect
                case Answer():
                    self.answers[effect.key].append(effect.message)
                    assert len(self.answers[effect.key]) == 1, "a command is answered once"
                case Publish():
                    self._publish(effect)
                case SendSnapshot(player=player, viewer=viewer) if viewer < 0:
                    self.followers.add(player, self.actor, viewer)
                case SendSnapshot(player=player, viewer=viewer):
                    assert self.state.seat_of(player) == viewer
                    if player in self.connected:
                        self._follow(player)
                    else:
                        self._carry_out(self.actor.player_disconnected(player, self.now))
                case Unsubscribe(player=None):
                    self.followers.clear()
                case Unsubscribe(player=str(player)):
                    self.followers.remove(player)
                case AskBot():
                    self.questions.append(effect)
                    self._thoughts.append(self._choose(effect.seat))
                case Broadcast():
                    pass

    def _publish(self, publish: Publish) -> None:
        for seq, facts, _ in publish.steps:
            self.facts.append(facts)
            assert len(self.facts) == seq, "an entry is published once and in order"
            self.followers.publish(seq, facts)
