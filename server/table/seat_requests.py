"""Seat requests: players who ask to join, and wait for the host's answer.

They ask for a seat in a running match, or connect from an address of a player whom the host has
removed.

    join ─▶ asked ─▶ admitted by the host: an entry, a snapshot
                └──▶ over: refused, too late, withdrawn, or nobody there to decide

Requests are kept in memory only: they are no entries, and a restart ends them. The host answers a
request by its number. The host is told how each request ends, and so is a player who is not
admitted.
"""

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple, TypeAlias

from engine.facts import Seat
from protocol.errors import ProtocolError
from protocol.to_server import Admit, Join, Leave
from protocol.wire_form import WireForm, ok_message
from server.names import CommandKey, Player
from server.rate_limit import TokenBucket
from server.refusals import refusal, refused
from server.table.decide import Decider, TableCommand
from server.table.effects import Answer, AwaitDisconnect, Effect, Notify
from server.table.entries import Body
from server.table.origins import PlayerOrigins
from server.table.state import TableState

ANSWER_SECONDS = 60.0
"""How long the host may take to answer."""
MOST_REQUESTS = 10
"""How many players may ask at a table at the same time."""
REQUESTS_PER_MINUTE = 20
"""How many new requests the host is told of, so that a crowd of throwaway guests cannot pester."""
PAUSE_SECONDS = 5.0
"""How long a player must wait before asking again, so that they do not pester the host."""

Ending: TypeAlias = Literal[
    "admitted", "refused", "too_late", "withdrawn", "host_away", "full", "match_over", "over"
]
"""How a request ended; `over` if the server cannot keep it, or another player is the host now."""


class SeatRequest(NamedTuple):
    """A request for `seat`, or any seat if that is None; it is refused at `until`.

    A player who is `suspect` connects from an address of a player whom the host has removed.
    """

    number: int
    player: Player
    seat: Seat | None
    until: float
    suspect: bool


class RequestResult(NamedTuple):
    """The result of a command: effects at once, and entries for the log, which answer it."""

    effects: list[Effect]
    bodies: list[Body]


class SeatRequests:
    """The `requests` at one table, by their players."""

    def __init__(self, table: str, decider: Decider, origins: PlayerOrigins) -> None:
        self._table = table
        self._decider = decider
        self._origins = origins
        self.requests: dict[str, SeatRequest] = {}
        self._numbers = 0
        self._pauses: dict[str, float] = {}
        self._new: TokenBucket | None = None

    def number_from(self, last: int) -> None:
        """Skip request numbers up to `last`, which may have been used before a restart."""
        self._numbers = last

    def __contains__(self, player: str) -> bool:
        return player in self.requests

    def due(self) -> float | None:
        """Return when the next request is refused; None without requests."""
        return min((request.until for request in self.requests.values()), default=None)

    def command(
        self,
        command: TableCommand,
        player: Player,
        key: CommandKey,
        state: TableState,
        is_away: Callable[[Seat], bool],
        now: float,
    ) -> RequestResult | None:
        """Handle a command of a latecomer or about one; return None for any other command.

        Raises `ProtocolError` if it is refused.
        """
        match command:
            case Join(seat=seat) if self._must_ask(state, player):
                # There must be a seat for this player before the host is asked.
                self._decider.join(state, seat, player)
                host = state.host_seat
                if host is None or is_away(host):
                    raise refusal("forbidden", "refused_host_away")
                return RequestResult(self._ask(player, seat, key, state, now), [])
            case Admit():
                self._decider.require_host(state, player)
                return self._decided(command, key, state, now)
            case Leave() if player.id in self:
                answer = Answer(key, ok_message(key.command, self._table), record=True)
                return RequestResult([answer, *self.withdrawn(player.id, state, now)], [])
        return None

    def withdrawn(self, player: str, state: TableState, now: float) -> list[Effect]:
        """End the request of a player who is gone, or has left."""
        return self._end("withdrawn", state, now, lambda request: request.player.id == player)

    def away(self, seat: Seat, state: TableState, now: float) -> list[Effect]:
        """End all requests if the host is away."""
        return self._end("host_away", state, now) if seat == state.host_seat else []

    def arrived(self, seat: Seat, state: TableState) -> list[Effect]:
        """Tell a host who reconnects before they counted as away about waiting players."""
        if seat != state.host_seat:
            return []
        requests = self.requests.values()
        return [told for each in requests for told in self._tell_host("latecomer", each, state)]

    def moved_on(self, before: TableState, state: TableState, now: float) -> list[Effect]:
        """End the requests that the table's new state has decided."""
        if not self.requests:
            return []
        told = self._end("admitted", state, now, lambda each: _is_in(state, each.player))
        if _stage(state) != _stage(before):
            told += self._end("match_over" if _stage(before) == "match" else "over", state, now)
        elif state.host != before.host:
            # The old host can no longer answer, and the new one has not been asked.
            told += self._end("over", state, now)
        elif not any(chair.kind == _room(state) for chair in state.chairs):
            told += self._end("full", state, now)
        return told

    def forgotten(self, state: TableState, now: float) -> list[Effect]:
        """End all requests, as the table is about to leave this process."""
        return self._end("over", state, now)

    def tick(self, state: TableState, now: float) -> list[Effect]:
        """Refuse the requests that the host has not answered in time."""
        return self._end("too_late", state, now, lambda request: request.until <= now)

    def _ask(
        self, player: Player, seat: Seat | None, key: CommandKey, state: TableState, now: float
    ) -> list[Effect]:
        """Make a request; a player's second request is answered with the first."""
        request = self.requests.get(player.id)
        told: list[Effect] = []
        if request is None:
            self._may_ask(player, now)
            self._numbers += 1
            suspect = self._origins.is_suspect(player.id)
            request = SeatRequest(self._numbers, player, seat, now + ANSWER_SECONDS, suspect)
            self.requests[player.id] = request
            told = [*self._tell_host("latecomer", request, state), AwaitDisconnect(player.id)]
        answer: WireForm = {
            "type": "asked",
            "id": key.command,
            "table": self._table,
            "request": request.number,
            "seconds": max(0.0, request.until - now),
        }
        return [Answer(key, answer, record=True), *told]

    def _must_ask(self, state: TableState, player: Player) -> bool:
        return self._decider.must_ask(state, player) or self._origins.is_suspect(player.id)

    def _may_ask(self, player: Player, now: float) -> None:
        self._pauses = {who: until for who, until in self._pauses.items() if until > now}
        if player.id in self._pauses:
            wait = self._pauses[player.id] - now
            raise refusal("try_again", "refused_asked_already", retry_after=wait)
        if len(self.requests) >= MOST_REQUESTS:
            raise refusal("table_full", "refused_waiting", {"most": MOST_REQUESTS})
        if self._new is None:
            self._new = TokenBucket.full(REQUESTS_PER_MINUTE / 60, REQUESTS_PER_MINUTE, now)
        if not self._new.take(now):
            wait = self._new.seconds_until(now)
            raise refusal("try_again", "refused_asking", retry_after=wait)

    def _decided(
        self, command: Admit, key: CommandKey, state: TableState, now: float
    ) -> RequestResult:
        requests = {request.number: request for request in self.requests.values()}
        request = requests.get(command.request)
        if request is None:
            raise refusal("unknown_request", "refused_request_over", {"request": command.request})
        if not command.admit:
            answer = Answer(key, ok_message(key.command, self._table), record=True)
            over = self._end("refused", state, now, lambda each: each is request)
            return RequestResult([answer, *over], [])
        try:
            bodies = self._decider.join(state, request.seat, request.player)
        except ProtocolError as error:
            # Another player has taken their seat since.
            answer = Answer(key, refused(key.command, error), record=True)
            over = self._end("full", state, now, lambda each: each is request)
            return RequestResult([answer, *over], [])
        return RequestResult([], bodies)

    def _end(
        self,
        how: Ending,
        state: TableState,
        now: float,
        which: Callable[[SeatRequest], bool] = lambda request: True,
    ) -> list[Effect]:
        """End these requests: tell the host how, and the players unless they know."""
        told: list[Effect] = []
        for request in tuple(filter(which, self.requests.values())):
            del self.requests[request.player.id]
            if how != "admitted":
                self._pauses[request.player.id] = now + PAUSE_SECONDS
            if how not in ("admitted", "withdrawn"):
                notice = {**self._notice("refused", request), "reason": how}
                told.append(Notify(request.player.id, notice))
            told += self._tell_host("latecomer_gone", request, state, {"reason": how})
        return told

    def _tell_host(
        self, kind: str, request: SeatRequest, state: TableState, more: WireForm | None = None
    ) -> Iterator[Effect]:
        if state.host is not None:
            player = request.player
            notice = {**self._notice(kind, request), "name": player.name, **(more or {})}
            if player.program:
                notice["program"] = player.program
            if request.suspect:
                notice["same_address"] = True
            yield Notify(state.host, notice)

    def _notice(self, kind: str, request: SeatRequest) -> WireForm:
        return {"type": "notice", "kind": kind, "table": self._table, "request": request.number}


def _stage(state: TableState) -> str:
    """Return the stage of a request: a seat before the match, one in the match, or none."""
    return {"lobby": "lobby", "playing": "match", "paused": "match"}.get(state.phase, "")


def _room(state: TableState) -> str:
    """Return the kind of seats that a player may take."""
    return "empty" if state.phase == "lobby" else "bot"


def _is_in(state: TableState, player: Player) -> bool:
    return state.seat_of(player.id) is not None
