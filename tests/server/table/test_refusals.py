"""A refusal that is not stored is permanent: the command is never carried out later."""

from collections.abc import Callable, Iterator
from random import Random
from typing import TypeAlias

import pytest

from engine import AnyGame, complete_options
from engine.choices import random_action
from engine.errors import EngineError
from engine.facts import Seat
from engine.games.black_queen import BlackQueen
from engine.games.hearts import Hearts
from engine.match import Match
from protocol.errors import ProtocolError
from protocol.to_server import (
    Act,
    AddBot,
    Configure,
    Join,
    Kick,
    Leave,
    Ready,
    Rematch,
    RemoveBot,
    Sit,
    Start,
    TableSettings,
)
from server.names import Player
from server.table.answers import is_final
from server.table.decide import Decider, TableCommand
from server.table.entries import Acted, Body, Closed, Entry, Opened, Paused, Resumed, TakenOver
from server.table.fold import advance, open_table
from server.table.state import TableState
from tests.counts import count
from tests.server.table.minimal_games import BothAtOnce

PLAYERS = tuple(Player(name.lower(), name) for name in ("Ann", "Bea", "Cid", "Dan", "Eve"))
ANN, BEA, CID, _, EVE = PLAYERS
TABLE = "TABLE"
STEPS = 160
Asked: TypeAlias = tuple[Player, TableCommand]
Rule: TypeAlias = Callable[[TableState, TableCommand, Player, ProtocolError | EngineError], bool]


class Walk:
    """A table with random events; `refused` are commands refused for good."""

    def __init__(self, game: AnyGame, seats: int, rng: Random, rule: Rule, **options: int) -> None:
        self.game, self.rng, self.rule = game, rng, rule
        self.decider = Decider(game, lambda: rng.randbytes(32))
        chosen = complete_options(game, seats, options)
        opened = Opened(game.info.id, game.info.version, seats, dict(chosen), SETTINGS)
        self.state = open_table(game, opened)
        self.refused: dict[tuple[str, str], Asked] = {}
        self.revived: list[str] = []
        self._add([opened])

    def step(self) -> None:
        """Send a command or let the table do something by itself."""
        if self.rng.random() < 0.15:
            self._happen()
            return
        player = self.rng.choice(PLAYERS)
        command = self.rng.choice([*self._asks(player)])
        try:
            self._add(self.decider.decide(self.state, command, player, nobody_away))
        except (ProtocolError, EngineError) as error:
            if self.rule(self.state, command, player, error):
                self.refused[player.id, command.model_dump_json()] = (player, command)

    def _asks(self, player: Player) -> Iterator[TableCommand]:
        seats = len(self.state.chairs)
        seat = self.rng.randrange(seats + 2)
        at = {"id": 1, "table": TABLE}
        yield Join(**at, seat=self.rng.choice((None, seat)))
        yield Sit(**at, seat=seat)
        yield Leave(**at)
        yield Kick(**at, seat=seat)
        yield AddBot(**at, strength=0, seat=self.rng.choice((None, seat)))
        yield RemoveBot(**at, seat=seat)
        yield Start(**at, fill=0)
        yield Rematch(**at)
        yield Ready(**at)
        yield Configure(**at)
        for player_again in PLAYERS:
            yield Kick(**at, seat=self.state.seat_of(player_again.id) or 0)
        for _ in range(12):
            turn = max(0, self.state.turn + self.rng.choice((-2, -1, 0, 0, 0, 0, 0, 1)))
            yield Act(**at, turn=turn, action=self._action(player))

    def _action(self, player: Player) -> str:
        """A move that is offered to somebody, mostly to the player, or none at all."""
        asked = self.state.to_act
        if not asked or self.rng.random() < 0.1:
            return self.rng.choice(("play 7C", "play QS", "sing"))
        own = self.state.seat_of(player.id)
        seat = own if own in asked and self.rng.random() < 0.8 else self.rng.choice(asked)
        assert seat is not None
        return random_action(self.game.choices(self.state.play, seat), self.rng)

    def _happen(self) -> None:
        """Let something happen without a command: bots' moves, absences, pauses."""
        state, rng = self.state, self.rng
        if state.phase == "paused":
            self._add([Resumed()])
        elif state.phase == "playing":
            seat = rng.choice(state.to_act)
            chair = state.chairs[seat]
            action = random_action(self.game.choices(state.play, seat), rng)
            bodies: list[Body] = [Acted(seat, action, "bot" if chair.kind == "bot" else "clock")]
            if rng.random() < 0.2:
                bodies = [Paused()]
            elif rng.random() < 0.2 and chair.kind == "human" and not chair.stand_in:
                bodies = [TakenOver(seat, 0)]
            self._add(bodies)
        elif state.phase != "closed" and rng.random() < 0.01:
            self._add([Closed("expired")])

    def _add(self, bodies: list[Body]) -> None:
        for body in bodies:
            entry = Entry(self.state.seq + 1, 0.0, body)
            self.state = advance(self.game, self.state, (entry,)).state
        self._send_again()

    def _send_again(self) -> None:
        for player, command in self.refused.values():
            state = self.state
            try:
                for body in self.decider.decide(state, command, player, nobody_away):
                    state = advance(self.game, state, (Entry(state.seq + 1, 0.0, body),)).state
            except (ProtocolError, EngineError):
                continue
            self.revived.append(f"{player.name}: {command} in turn {self.state.turn}")


class Scene:
    """A table in a certain state, and what is refused there."""

    def __init__(self, game: AnyGame, seats: int) -> None:
        self.decider = Decider(game, lambda: bytes(32))
        options = dict(complete_options(game, seats, {}))
        opened = Opened(game.info.id, game.info.version, seats, options, SETTINGS)
        self.state = open_table(game, opened)
        self._add([opened])

    def done(self, player: Player, kind: type[TableCommand], **fields: object) -> "Scene":
        self._add(self.decider.decide(self.state, command_of(kind, fields), player, nobody_away))
        return self

    def happened(self, body: Body) -> "Scene":
        self._add([body])
        return self

    def is_final(self, player: Player, kind: type[TableCommand], **fields: object) -> bool:
        """Whether a command that is refused here is refused for good."""
        command, state = command_of(kind, fields), self.state
        try:
            for body in self.decider.decide(state, command, player, nobody_away):
                state = advance(self.decider.game, state, (Entry(state.seq + 1, 0.0, body),)).state
        except (ProtocolError, EngineError) as error:
            return is_final(self.state, command, player, error)
        raise AssertionError("this is not refused")

    def _add(self, bodies: list[Body]) -> None:
        for body in bodies:
            entry = Entry(self.state.seq + 1, 0.0, body)
            self.state = advance(self.decider.game, self.state, (entry,)).state


def nobody_away(seat: Seat) -> bool:
    return False


def command_of(kind: type[TableCommand], fields: dict[str, object]) -> TableCommand:
    return kind.model_validate({"id": 1, "table": TABLE, **fields})


def match(game: AnyGame) -> Scene:
    """Two people in a match of two."""
    scene = Scene(game, 2)
    return scene.done(ANN, Join).done(BEA, Join).done(ANN, Start)


def test_moves_that_are_refused_for_good() -> None:
    """Moves of past turns, of others, and against the rules are refused for good."""
    scene = match(Match(BlackQueen()))
    now = scene.state.turn
    (seat,) = scene.state.to_act
    asked, other = (ANN, BEA) if seat == 0 else (BEA, ANN)
    for player in (asked, other, EVE):
        assert scene.is_final(player, Act, turn=now - 1, action="play QS")
        assert not scene.is_final(player, Act, turn=now + 1, action="play QS")
    assert scene.is_final(asked, Act, turn=now, action="bid 3")
    assert scene.is_final(asked, Act, turn=now, action="sing")
    assert scene.is_final(other, Act, turn=now, action="play QS")
    # Eve may get the seat of a player who leaves.
    assert not scene.is_final(EVE, Act, turn=now, action="play QS")
    scene.happened(Paused())
    assert not scene.is_final(asked, Act, turn=now, action="play QS")
    assert not scene.is_final(other, Act, turn=now, action="play QS")


def test_moves_of_those_who_are_asked_at_once() -> None:
    """Among simultaneous moves those of players who have answered are refused for good."""
    scene = match(BothAtOnce())
    now = scene.state.turn
    assert not scene.is_final(ANN, Act, turn=now, action="sing")
    action = random_action(scene.decider.game.choices(scene.state.play, 0), Random(1))
    scene.done(ANN, Act, turn=now, action=action)
    assert scene.state.turn == now
    assert scene.is_final(ANN, Act, turn=now, action=action)
    assert not scene.is_final(BEA, Act, turn=now, action="sing")


def test_seats_that_are_not_there() -> None:
    """Seats that do not exist are refused for good, taken ones not."""
    scene = Scene(Match(BlackQueen()), 2).done(ANN, Join).done(BEA, Join)
    for kind in (Sit, Kick, RemoveBot):
        assert scene.is_final(ANN, kind, seat=2)
    assert scene.is_final(ANN, AddBot, strength=0, seat=2)
    assert scene.is_final(EVE, Join, seat=2)
    assert not scene.is_final(ANN, Sit, seat=1)
    assert not scene.is_final(ANN, Kick, seat=0)
    assert not scene.is_final(ANN, AddBot, strength=0, seat=1)
    assert not scene.is_final(EVE, Join, seat=1)
    assert not scene.is_final(EVE, Join)


def test_who_was_sent_away_and_what_is_closed() -> None:
    """Removed players and closed tables are refused for good."""
    scene = Scene(Match(BlackQueen()), 2).done(ANN, Join).done(BEA, Join)
    assert not scene.is_final(BEA, Kick, seat=0)
    assert not scene.is_final(ANN, Rematch)
    scene.done(ANN, Kick, seat=1)
    assert scene.is_final(BEA, Join)
    assert not scene.is_final(BEA, Ready)
    scene.done(ANN, Leave)
    assert scene.state.phase == "closed"
    assert scene.is_final(CID, Join)
    assert scene.is_final(ANN, Ready)


SETTINGS = TableSettings()
TABLES: dict[str, tuple[AnyGame, int, dict[str, int]]] = {
    "black queen": (Match(BlackQueen()), 3, {"deals": 1, "columns": 2}),
    "hearts": (Match(Hearts()), 4, {"target": 10}),
    "both at once": (BothAtOnce(), 2, {}),
}


def walks(name: str, rule: Rule, times: int) -> Iterator[Walk]:
    game, seats, options = TABLES[name]
    for number in range(times):
        walk = Walk(game, seats, Random(f"{name} {number}"), rule, **options)
        for _ in range(STEPS):
            walk.step()
            if walk.revived:
                break
        yield walk


@pytest.mark.parametrize("name", TABLES)
def test_what_is_refused_for_good_is_never_carried_out(name: str) -> None:
    """A command refused for good is refused again at every later state."""
    refused = 0
    for walk in walks(name, is_final, count(30)):
        assert walk.revived == []
        refused += len(walk.refused)
    assert refused > 30


@pytest.mark.parametrize("name", TABLES)
def test_most_refusals_are_not_for_good(name: str) -> None:
    """If all refusals were final some commands would be carried out later."""
    assert any(walk.revived for walk in walks(name, lambda *refusal: True, 30))
