"""A room for one table: a manual clock, a controllable disk, and followers.

It carries out the table's effects as the server's shell does, without any I/O, and notices at
once when a promise is broken that holds for every table: entries are numbered without a gap, a
command is answered once, and what a follower was sent folds to what they may see.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, TypeVar

from bots.random_bot import random_action
from engine import EMPTY_VIEW, SPECTATOR, AnyGame, Catalogue, Match, View, fold
from engine.choices import Action
from engine.facts import AddressedFact, Fact, Seat, Viewer, seen_by
from engine.game import complete_options
from engine.games.black_queen import BlackQueen
from engine.games.hearts import Hearts
from protocol.to_server import Command, TableSettings
from protocol.wire_form import WireForm
from server.table.clocks import Timing
from server.table.decide import CommandHandler, Player, TableCommand
from server.table.effects import Answer, Ask, Dismiss, Effect, Persist, Publish, Show, Tell
from server.table.entries import Acted, By, Entry, Key, Opened, Seated
from server.table.fold import open_table, outcome_of, replay
from server.table.history import History
from server.table.messages import view_of
from server.table.settings import from_wire
from server.table.state import TableState
from server.table.table import Table
from tests.server.table.both_at_once import BothAtOnce
from tests.server.table.faulty import FAULTY

GAMES = Catalogue((Match(BlackQueen()), Match(Hearts()), BothAtOnce(), *FAULTY))
TIMING = Timing(bot_delay=0.5, grace=30, abandon=3600, lobby=1800, finished=600)
CODE = "TABLE"
OPEN_TO_ALL = TableSettings(latecomers="anyone")
"""A match may be joined in a bot's place without anybody being asked, as once everywhere."""

Told = TypeVar("Told", bound=Effect)


@dataclass
class Follower:
    """Somebody who follows the table: the viewer, what they folded, the last number they saw."""

    viewer: Viewer
    view: View
    seq: int


class Room:
    """`log` is what is on the disk, `told` all effects in order, `asked` the bots' open questions.

    While `held` is set the disk keeps writes back until `commit` or `fail`; while `broken` is set
    it refuses them. Bots answer when `think` is called.
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
        self.told: list[Effect] = []
        self.answers: defaultdict[Key, list[WireForm]] = defaultdict(list)
        self.asked: list[Ask] = []
        self._thoughts: list[Action] = []
        self.connected = {host}
        self.followers = {"walter": Follower(SPECTATOR, EMPTY_VIEW, 0)}
        self.held, self.broken = False, broken
        self.game: AnyGame = GAMES.game(game)
        self._commands = 0
        self._waiting: Persist | None = None
        self._rng = Random(seats)
        complete = dict(complete_options(self.game, seats, options or {}))
        version = self.game.info.version
        opened = Opened(game, version, seats, complete, from_wire(settings))
        state = self.start = open_table(self.game, opened)
        handler = CommandHandler(self.game, lambda: self._rng.randbytes(32))
        self.table = Table(CODE, handler, state, History(self.game, state), timing)
        self._do(self.table.create([opened, Seated(0, host, host.title())], self._key(host), 1000))

    # What people do

    def say(self, who: str, kind: type[Command], **fields: Any) -> WireForm:
        """A command and its answer, which the disk must not keep waiting."""
        key = self.send(who, kind, **fields)
        (answer,) = self.answers[key]
        return answer

    def send(self, who: str, kind: type[Command], **fields: Any) -> Key:
        """A command whose answer may come later."""
        key = self._key(who)
        command: TableCommand = kind(id=key.command, table=CODE, **fields)  # type: ignore[assignment, call-arg]
        if who not in self.connected:
            self.back(who)
        # Else every invariant about waiting commands would be blind to one never answered.
        self.answers[key] = []
        self._do(self.table.command(command, Player(who, who.title()), key, self.now))
        return key

    def refusal(self, who: str, kind: type[Command], **fields: Any) -> str:
        """The code of the error that answers a command; the log must not have grown."""
        before = len(self.log)
        answer = self.say(who, kind, **fields)
        assert answer["type"] == "error"
        assert len(self.log) == before
        return str(answer["code"])

    def lose(self, who: str) -> None:
        """A player's connection is gone."""
        self.connected.discard(who)
        self.followers.pop(who, None)
        self._do(self.table.player_disconnected(who, self.now))
        self._do(self.table.request_withdrawn(who, self.now))

    def back(self, who: str) -> None:
        """A player's connection is there again."""
        self.connected.add(who)
        self._follow(who)
        self._do(self.table.player_connected(who, self.now))

    # What time, bots and the disk do

    def wait(self, seconds: float) -> None:
        """Let time go by, with the table woken whenever it wants to be."""
        end = self.now + seconds
        while (due := self.table.due()) is not None and due <= end and not self.table.busy:
            self.now = max(self.now, due)
            self.tick()
        self.now = end

    def tick(self) -> None:
        """Wake the table now; where something is due, that must not be in vain."""
        due, before = self.table.due(), len(self.told)
        busy = self.table.busy
        self._do(self.table.tick(self.now))
        if due is not None and due <= self.now and not busy:
            later = self.table.due()
            moved_on = later is None or later > self.now
            assert len(self.told) > before or moved_on, "the alarm rings for ever"

    def think(self, late: bool = False) -> None:
        """The bot that was asked first (or, if it is `late`, last) makes its move."""
        at = -1 if late else 0
        ask, action = self.asked[at], self._thoughts[at]
        del self.asked[at], self._thoughts[at]
        self.chosen(ask, action)

    def chosen(self, ask: Ask, action: Action) -> None:
        """A bot's answer arrives."""
        self._do(self.table.bot_chose(ask, action, self.now))

    def commit(self) -> None:
        """The write that was held back reaches the disk."""
        self._written(None)
        self._settle()

    def fail(self) -> None:
        """The write that was held back is lost."""
        self._written(OSError("disk full"))
        self._settle()

    def repair(self) -> None:
        """The disk works again, and writes what it held back."""
        self.held = self.broken = False
        self._settle()

    # What there is to see

    @property
    def writing(self) -> bool:
        """Whether a write is held back."""
        return self._waiting is not None

    @property
    def state(self) -> TableState:
        return self.table.state

    def phase(self) -> str:
        return self.table.state.phase

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

    def last(self, kind: type[Told]) -> Told:
        """The latest effect of a kind."""
        return next(effect for effect in reversed(self.told) if isinstance(effect, kind))

    def verbs(self) -> Iterator[str]:
        """The verbs of the public facts, in order."""
        return (fact.verb for step in self.facts for fact in step)

    def check(self) -> None:
        """All that must hold of a table at any moment when the disk is still."""
        self.check_log()
        self.check_views()
        assert all(len(answers) == 1 for answers in self.answers.values())

    def check_log(self) -> None:
        """The log is numbered without a gap, and its replay is what happened."""
        assert [entry.seq for entry in self.log] == list(range(1, len(self.log) + 1))
        replayed = [step for _, step in replay(GAMES, self.log)]
        assert replayed[-1].state == self.state
        assert [step.facts for step in replayed] == self.facts
        outcome = outcome_of(self.game, self.state)
        assert outcome_of(self.game, replayed[-1].state) == outcome
        assert outcome is not None or self.state.phase != "finished"
        assert outcome is None or self.state.phase not in ("playing", "paused")

    def check_views(self) -> None:
        """What each follower was sent, live or in a snapshot, folds to what they may see."""
        if self.state.play is None:
            return
        for follower in self.followers.values():
            assert follower.view == view_of(self.table, follower.viewer)
            assert follower.view == fold(self._known_to(follower.viewer))

    def _known_to(self, viewer: Viewer) -> tuple[Fact, ...]:
        """The facts of this deal that a seat was shown, whoever held it, or else a stranger's."""
        history = self.table.history
        return history.facts_of_deal("") if viewer < 0 else history.facts_for_seat(viewer)

    def _choose(self, seat: Seat) -> Action:
        """The move of a bot in a seat, chosen from what the seat knows."""
        choices = self.game.choices(self.state.play, seat)
        return random_action(choices, self._rng)

    def _key(self, who: str) -> Key:
        self._commands += 1
        return Key(who, "laptop", self._commands)

    def _follow(self, who: str) -> None:
        seat = self.state.seat_of(who)
        if seat is not None:
            self.followers[who] = Follower(seat, view_of(self.table, seat), self.state.seq)

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
        self._carry_out(self.table.committed(error, self.now))

    def _carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            self.told.append(effect)
            match effect:
                case Persist():
                    assert self._waiting is None, "one write at a time"
                    self._waiting = effect
                case Answer():
                    self.answers[effect.key].append(effect.message)
                    assert len(self.answers[effect.key]) == 1, "a command is answered once"
                case Publish():
                    self._publish(effect)
                case Show(player=player, viewer=viewer):
                    assert self.state.seat_of(player) == viewer
                    if player in self.connected:
                        self._follow(player)
                    else:
                        self._carry_out(self.table.player_disconnected(player, self.now))
                case Dismiss(player=None):
                    self.followers.clear()
                case Dismiss(player=str(player)):
                    self.followers.pop(player, None)
                case Ask():
                    self.asked.append(effect)
                    self._thoughts.append(self._choose(effect.seat))
                case Tell():
                    pass

    def _publish(self, publish: Publish) -> None:
        for seq, facts, _ in publish.steps:
            self.facts.append(facts)
            assert len(self.facts) == seq, "an entry is published once and in order"
            for follower in self.followers.values():
                assert seq == follower.seq + 1
                follower.seq = seq
                for fact in seen_by(facts, follower.viewer):
                    before = EMPTY_VIEW if fact.verb == "deal_started" else follower.view
                    follower.view = fold((fact,), before)
