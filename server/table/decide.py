"""The decider of a table: decides a command's entries, or its refusal.

Pure: it reads a state and writes nothing. Only this module checks the permissions of commands;
whether a *move* is legal, the game decides (`fold.advance`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import TypeAlias

from bots import strength_of, strengths
from engine import AnyGame, complete_options
from engine.facts import Seat
from protocol.to_server import (
    Act,
    AddBot,
    Admit,
    Back,
    Configure,
    Join,
    Kick,
    Leave,
    MakeHost,
    Ready,
    Rematch,
    RemoveBot,
    SeatCommand,
    Sit,
    StandIn,
    Start,
    TableSettings,
    Undo,
)
from server.names import Player
from server.table import refusals
from server.table.clocks import Clocks
from server.table.entries import (
    Acted,
    Body,
    BotAdded,
    BotRemoved,
    Closed,
    Configured,
    Dealt,
    HandedBack,
    HostPassed,
    Left,
    Moved,
    Readied,
    Reopened,
    Seated,
    Started,
    TakenOver,
    Undone,
)
from server.table.seating import heir
from server.table.state import TableState
from server.table.turn_clock import USUAL_RULE, TurnRule
from server.table.undo import MOST_STATES, turns_of

TableCommand: TypeAlias = SeatCommand | Act | Undo
"""The commands that a table carries out by itself."""

BOTS_LABEL = b"blackqueen.bots.1"
"""Before a chosen seed: the digest is what bots draw from, and tells nothing of the cards."""
MOST_UNDONE = 500
"""How often moves of one match may be taken back: each time its log grows."""
BOT_NAMES = ("Ada", "Blaise", "Carl", "Dora", "Emmy", "Felix", "Grace", "Hugo")


@dataclass(frozen=True, slots=True)
class Decider:
    """Decides commands for a `game`; `fresh_seed` gives 32 random bytes.

    `rule` is the turn clock of tables that do not set their own.
    """

    game: AnyGame
    fresh_seed: Callable[[], bytes]
    rule: TurnRule = USUAL_RULE

    def decide(
        self,
        state: TableState,
        command: TableCommand,
        player: Player,
        is_away: Callable[[Seat], bool],
    ) -> list[Body]:
        """Return the entries that `command` adds; raise `ProtocolError` or `EngineError`.

        `is_away` returns whether the connection of the player at a seat is gone.
        """
        _not_closed(state)
        match command:
            case Act():
                return self.move(state, command, player)
            case Join(seat=seat):
                return self.join(state, seat, player)
            case Admit():
                raise AssertionError("requests are the table's own business")
            case StandIn():
                raise AssertionError("whose time is up, only the table's clocks know")
            case Back():
                seat = self._require_seat(state, player)
                return [HandedBack(seat)] if state.chairs[seat].stand_in else []
            case Sit(seat=seat):
                own = self._require_seat(state, player)
                _require_phase(state, "lobby")
                return [] if seat == own else [Moved(own, _free_seat(state, seat))]
            case Leave():
                return self.leave(state, self._require_seat(state, player), is_away)
            case Ready(ready=ready):
                return self._ready(state, self._require_seat(state, player), ready)
            case Configure():
                return self._configure(state, command, player)
            case AddBot(strength=strength, seat=seat):
                self.require_host(state, player)
                _require_phase(state, "lobby")
                added: list[Body] = [self._bot(_free_seat(state, seat), strength)]
                return added
            case RemoveBot(seat=seat):
                self.require_host(state, player)
                _require_phase(state, "lobby")
                if _chair_kind(state, seat) != "bot":
                    raise refusals.of("no_bot_there", place=seat)
                return [BotRemoved(seat)]
            case Kick(seat=seat):
                self._require_other(state, player, seat)
                return self.leave(state, seat, is_away, kicked=True)
            case MakeHost(seat=seat):
                self._require_other(state, player, seat)
                if is_away(seat):
                    raise refusals.of("player_is_away", place=seat)
                return [HostPassed(state.chairs[seat].player)]
            case Start(fill=fill):
                return self._start(state, player, fill)
            case Undo(turn=turn):
                return self._undo(state, self._require_seat(state, player), turn)
            case Rematch():
                self.require_host(state, player)
                _require_phase(state, "finished")
                return [Reopened()]

    def leave(
        self,
        state: TableState,
        seat: Seat,
        is_away: Callable[[Seat], bool],
        kicked: bool = False,
    ) -> list[Body]:
        """Return the entries by which a player leaves a seat; the table closes with its last human.

        A host makes another player host first.
        """
        in_match = state.phase in ("playing", "paused")
        strength = _like_the_others(state) if in_match else None
        left = Left(seat, kicked, strength, BOT_NAMES[seat % len(BOT_NAMES)] if in_match else "")
        if len(state.humans()) == 1:
            return [left, Closed("left")]
        to = heir(state, is_away) if seat == state.host_seat else None
        return [left] if to is None else [HostPassed(state.chairs[to].player), left]

    def move(self, state: TableState, command: Act, player: Player) -> list[Body]:
        """Return the entries of a move, without a check by the rules."""
        _not_closed(state)
        seat = self._require_seat(state, player)
        if state.phase != "playing":
            raise refusals.wrong_phase(state.phase, "; wait")
        if command.turn != state.turn:
            raise refusals.turn_over(command.turn, state.turn)
        if seat in state.asked and seat not in state.to_act:
            raise refusals.answered_already(state)
        if seat not in state.to_act:
            raise refusals.of("not_your_turn")
        back: list[Body] = [HandedBack(seat)] if state.chairs[seat].stand_in else []
        return [*back, Acted(seat, command.action)]

    def stand_in(
        self, state: TableState, seat: Seat, player: Player, clocks: Clocks, now: float
    ) -> list[Body]:
        """Return the entry that gives an overdue player's seat to a bot; none if one plays it."""
        _not_closed(state)
        own = self._require_seat(state, player)
        _require_phase(state, "playing")
        if _chair_kind(state, seat) != "human" or seat == own:
            raise refusals.of("no_player_there", place=seat)
        host = state.host_seat
        absent = host is None or host == seat or clocks.is_away(host)
        if own != host and not absent:
            raise refusals.of("host_only")
        if state.chairs[seat].stand_in:
            return []
        if not clocks.has_run_out(state, seat, now):
            raise refusals.of("time_is_left", place=seat)
        return [TakenOver(seat, strengths(state.game)[-1])]

    def must_ask(self, state: TableState, player: Player) -> bool:
        """Whether the host decides if this player, without a seat in this match, may join."""
        return (
            state.phase in _MATCH
            and state.settings.latecomers == "ask"
            and not _known_seats(state, player)
        )

    def join(self, state: TableState, wanted: Seat | None, player: Player) -> list[Body]:
        """Return the entries by which a player takes a free seat, or a bot's in a match."""
        if state.seat_of(player.id) is not None:
            raise refusals.of("already_seated")
        if player.id in state.banned:
            raise refusals.of("removed")
        if state.phase == "lobby":
            return [Seated(_free_seat(state, wanted), player.id, player.name, player.program)]
        if state.phase not in _MATCH:
            raise refusals.wrong_phase(state.phase)
        # A match is joined in a bot's place, but never by a player who has seen other cards of it.
        bots = [seat for seat, chair in enumerate(state.chairs) if chair.kind == "bot"]
        known = _known_seats(state, player)
        if state.settings.latecomers == "never" and not known:
            raise refusals.of("match_is_closed")
        open_to_them = [seat for seat in bots if not known or seat in known]
        if wanted is not None:
            open_to_them = [seat for seat in open_to_them if seat == wanted]
        if not open_to_them:
            raise refusals.of("no_open_seat")
        return [Seated(open_to_them[0], player.id, player.name, player.program)]

    def _ready(self, state: TableState, seat: Seat, ready: bool) -> list[Body]:
        _require_phase(state, "lobby")
        readied: list[Body] = [Readied(seat, ready)]
        others = all(
            chair.kind == "bot" or chair.ready or at == seat
            for at, chair in enumerate(state.chairs)
        )
        return readied + (self._begin(state) if ready and others else [])

    def _configure(self, state: TableState, command: Configure, player: Player) -> list[Body]:
        self.require_host(state, player)
        _require_phase(state, "lobby")
        given = {**state.options, **(command.options or {})}
        options = dict(complete_options(self.game, len(state.chairs), given))
        return [Configured(options, self._settings(state, command.settings))]

    def _settings(self, state: TableState, given: TableSettings | None) -> TableSettings:
        """Return the settings after `configure`.

        A client sends all settings back, and was sent numbers: the present number changes nothing,
        even if it stands for a default, as the client may have changed another setting.
        """
        if given is None:
            return state.settings
        told = self.rule.told(state.settings, state.phase, [each.kind for each in state.chairs])
        if given.turn_seconds == told:
            return given.model_copy(update={"turn_seconds": state.settings.turn_seconds})
        return given

    def _start(self, state: TableState, player: Player, fill: int | None) -> list[Body]:
        self.require_host(state, player)
        _require_phase(state, "lobby")
        if state.free() and fill is None:
            raise refusals.of("seats_are_free", free=len(state.free()))
        added = [self._bot(seat, fill) for seat in state.free() if fill is not None]
        return added + self._begin(state)

    def _begin(self, state: TableState) -> list[Body]:
        # The bounds depend on the number of seats, so they are checked when the match starts.
        complete_options(self.game, len(state.chairs), state.options)
        if state.seed is None:
            # Two draws: what bots do must not depend on cards that they do not see.
            seed, bots = self.fresh_seed(), self.fresh_seed()
        else:
            seed, bots = state.seed, sha256(BOTS_LABEL + state.seed).digest()
        return [Started(), Dealt(seed.hex(), bots.hex())]

    def _undo(self, state: TableState, seat: Seat, wanted: int | None) -> list[Body]:
        _require_phase(state, "playing")
        if state.undo_points is None:
            raise refusals.of("undo_watched") if state.watched else refusals.of("undo_not_alone")
        if state.undone >= MOST_UNDONE:
            raise refusals.of("undo_too_often", most=MOST_UNDONE)
        turns = turns_of(state.undo_points, seat)
        kept = MOST_STATES - 1 if state.undo_points and state.undo_points[0].later else None
        if not turns:
            if kept is None:
                raise refusals.of("nothing_to_undo")
            raise refusals.of("nothing_to_undo_of", most=kept)
        turn = turns[-1] if wanted is None else wanted
        if turn not in turns:
            raise refusals.no_such_turn(turn, turns)
        # Nobody stands in for the only player: the match waits for them.
        return [Undone(seat, turn)]

    def _bot(self, seat: Seat, strength: int) -> Body:
        offered = strengths(self.game.info.id)
        if strength not in offered:
            raise refusals.no_such_strength(strength, tuple(offered))
        return BotAdded(seat, strength, BOT_NAMES[seat % len(BOT_NAMES)])

    def _require_seat(self, state: TableState, player: Player) -> Seat:
        seat = state.seat_of(player.id)
        if seat is None:
            raise refusals.of("not_seated")
        return seat

    def require_host(self, state: TableState, player: Player) -> None:
        """Raise `ProtocolError` unless the player is the host."""
        if state.host != player.id:
            self._require_seat(state, player)
            raise refusals.of("host_only")

    def _require_other(self, state: TableState, player: Player, seat: Seat) -> None:
        """Raise `ProtocolError` unless the host asks, and another player sits at `seat`."""
        self.require_host(state, player)
        if _chair_kind(state, seat) != "human" or seat == state.host_seat:
            raise refusals.of("no_player_there", place=seat)


_MATCH = ("playing", "paused")


def _like_the_others(state: TableState) -> int:
    """Return the strength of all bots at the table; medium if they differ, or without any."""
    bots = {chair.strength for chair in state.chairs if chair.kind == "bot"}
    only = bots.pop() if len(bots) == 1 else None
    return strength_of(state.game, "medium") if only is None else only


def _not_closed(state: TableState) -> None:
    if state.phase == "closed":
        raise refusals.just_closed()


def _require_phase(state: TableState, wanted: str) -> None:
    if state.phase != wanted:
        raise refusals.wrong_phase(state.phase)


def _known_seats(state: TableState, player: Player) -> list[Seat]:
    """Return the seats whose cards a player has seen in this match."""
    return [seat for who, seat in state.seen if who == player.id]


def _chair_kind(state: TableState, seat: Seat) -> str:
    if seat >= len(state.chairs):
        raise refusals.no_such_seat(seat, len(state.chairs))
    return state.chairs[seat].kind


def _free_seat(state: TableState, wanted: Seat | None) -> Seat:
    """Return the wanted seat, or the first free one; raise `ProtocolError` if it is taken."""
    if wanted is None:
        if not state.free():
            raise refusals.of("table_full")
        return state.free()[0]
    if _chair_kind(state, wanted) != "empty":
        raise refusals.of("seat_taken", place=wanted)
    return wanted
