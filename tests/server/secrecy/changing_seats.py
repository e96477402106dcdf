"""Two worlds with people who come and go: what a player is told of the past is compared.

Whole matches are played. In between, by equal draws in both worlds, connections are lost, replaced
and resumed from drawn entries, players get up, watch, come back, are kicked and replaced, and bots
stand in. After the match the table is open for a rematch, and seats are changed.
"""

from dataclasses import dataclass
from random import Random
from typing import Any

from engine import SPECTATOR
from engine.facts import Seat, seen_by
from protocol.wire_form import WireForm
from server.table.state import TableState
from tests.conformance.two_worlds import WorldPair
from tests.server.harness import ServerHarness
from tests.server.secrecy.two_worlds import (
    AnySubject,
    FrameRecorder,
    PairedMove,
    ScriptedPair,
    TwoWorldsRunner,
    short_match,
)

CHANGES = 12
"""Made to who sits where when the match is over."""


@dataclass(frozen=True, slots=True)
class WholeMatchPair(ScriptedPair):
    """Two worlds that look alike to one viewer to the end of the match.

    A spectator takes the seat `late` after so many moves, from when its view is alike.
    """

    late: tuple[Seat, int] | None
    number: int

    @property
    def hides(self) -> bool:
        """Whether a seat of other players was told different facts in the two worlds."""
        seats = set(range(self.worlds[0].setup.seats)) - {self.viewer}
        return any(self.told(0, seat) != self.told(1, seat) for seat in seats)

    def told(self, at: int, viewer: int) -> list[object]:
        """All facts that a viewer was told in one of the worlds."""
        return [seen_by(step.facts, viewer) for step in self._steps(at)]


def whole_match_pair_of(subject: AnySubject, number: int) -> WholeMatchPair:
    """The pair with this number, in which never shown cards are dealt differently."""
    rng = Random(number)
    played = short_match(subject, rng)
    viewer = rng.choice(played.viewers)
    both = WorldPair(subject, played, len(played.moves), viewer, rng)
    script = tuple(PairedMove(turn, "") for turn in both.turns())
    pair = WholeMatchPair(viewer, both.worlds, script, None, number)
    if viewer != SPECTATOR:
        return pair
    seat = rng.randrange(played.setup.seats)
    return WholeMatchPair(
        viewer, both.worlds, script, (seat, _alike_since(pair, seat, rng)), number
    )


def _alike_since(pair: WholeMatchPair, seat: Seat, rng: Random) -> int:
    """A number of moves from which a seat sees alike in both worlds to the end."""
    one, two = (pair._steps(at) for at in (0, 1))
    games = [world.game for world in pair.worlds]
    least = len(pair.script)
    while least > 0:
        before = [
            game.view(s[least - 1].state, seat) for game, s in zip(games, (one, two), strict=True)
        ]
        after = [seen_by(s[least].facts, seat) for s in (one, two)]
        if before[0] != before[1] or after[0] != after[1]:
            break
        least -= 1
    return rng.randint(least, len(pair.script))


class ReconnectingClient(FrameRecorder):
    """A player who may come and go."""

    here = True

    async def resume_from(self, seen: int) -> None:
        """Reconnect and resume from entry `seen`; an older connection is read to its end."""
        older, self.here = self.wire, True
        self.connect(self.server)
        older.deliver = self.frames.append
        await self.hello(resume={"TABLE": seen})
        await self.server.settle()


class PlayerList:
    """The people around the table of one world. `owners` play the seats, there or not."""

    def __init__(
        self,
        server: ServerHarness,
        owners: list[ReconnectingClient],
        observer: ReconnectingClient,
        rng: Random,
    ) -> None:
        self.server = server
        self.owners = owners
        self.observer = observer
        self.rng = rng
        self._people = [*owners, observer]
        # A player who never left their seat has a different history.
        self._steady = rng.random() < 0.5
        self._asked: list[ReconnectingClient] = []

    @property
    def state(self) -> TableState:
        return self.server.state("TABLE")

    def seat_of(self, client: ReconnectingClient) -> Seat | None:
        return self.state.seat_of(client.player)

    @property
    def host(self) -> ReconnectingClient:
        assert self.state.host is not None
        return self._who(self.state.host)

    async def ask(self, client: ReconnectingClient, type: str, **fields: Any) -> WireForm:
        """Carry out a command by somebody who is there for it."""
        await self.ensure_present(client)
        answer = await client.ask(type, table="TABLE", **fields)
        assert answer["type"] in ("ok", "hint", "asked"), answer
        if answer["type"] == "asked":
            self._asked.append(client)
        return answer

    async def ensure_present(self, client: ReconnectingClient) -> None:
        if not client.here:
            await self.lose_connection(client)

    async def lose_connection(self, client: ReconnectingClient) -> None:
        """Lose a connection, perhaps only by a newer one, and resume."""
        if client.here and self.rng.random() < 0.5:
            client.disconnect()
        # A player who saw nothing of this deal can be told the most, and too much.
        oldest = self.server.table("TABLE").history._mark.seq + self.rng.randint(0, 2)
        await client.resume_from(self.rng.choice((oldest, self.rng.randint(0, self.state.seq + 1))))

    async def random_change(self) -> None:
        """Let somebody come or go during the match."""
        client = self.observer if self.rng.random() < 0.6 else self.rng.choice(self.owners)
        seat = self.seat_of(client)
        match self.rng.randrange(9):
            case 0 | 1:
                await self.lose_connection(client)
            case 2 if seat is not None and self._may_get_up(client):
                await self.ask(client, "leave")
                if self.rng.random() < 0.7:
                    await self.ask(client, "watch")
            case 3 if client.here and seat is not None:
                client.disconnect()
                client.here = False
                # Long enough for a bot to stand in, and no turn's time is out before.
                await self.server.wait(31)
                if client is self.observer and self.rng.random() < 0.7:
                    await self.lose_connection(client)
            case 4 if seat not in (None, self.state.host_seat) and self._may_go(client):
                await self._replace(client)
            case 5 if seat is None and client in self.owners:
                await self.ensure_seated(self.owners.index(client))
            case 6 if self._sees():
                await self.ask(self.observer, "sync")
            case 7 if self.seat_of(self.observer) in self.state.to_act:
                await self.ask(self.observer, "hint")

    async def ensure_seated(self, seat: Seat) -> None:
        """Make the player of a seat present and seated."""
        owner = self.owners[seat]
        await self.ensure_present(owner)
        if self.seat_of(owner) is not None:
            return
        # A host who is away admits nobody.
        await self.ensure_present(self.host)
        asked = await self.ask(owner, "join", seat=seat)
        if asked["type"] == "asked":
            if self._sees() and self.rng.random() < 0.5:
                await self.ask(self.observer, "sync")
            await self.ask(self.host, "admit", request=asked["request"])
        assert self.seat_of(owner) == seat

    async def take_seat(self, seat: Seat) -> None:
        """Let the observer take a seat, whose player gets up for it."""
        owner = self.owners[seat]
        await self.ensure_seated(seat)
        if len(self.state.humans()) == 1:
            await self.ensure_seated((seat + 1) % len(self.owners))
        await self.ask(owner, "leave")
        self.owners[seat] = self.observer
        await self.ensure_seated(seat)

    def _may_get_up(self, client: ReconnectingClient) -> bool:
        """Whether somebody may leave without closing the table."""
        return len(self.state.humans()) > 1 and not (self._steady and client is self.observer)

    def _may_go(self, client: ReconnectingClient) -> bool:
        """Whether somebody may be removed for good: the observer seldom."""
        return client is not self.observer or (not self._steady and self.rng.random() < 0.1)

    async def _replace(self, client: ReconnectingClient) -> None:
        """Let the host remove somebody, and a stranger take the seat."""
        seat = self.owners.index(client)
        await self.ask(self.host, "kick", seat=seat)
        stranger = ReconnectingClient(self.server, self.observer.codec.subprotocol)
        stranger.features = self.observer.features
        await stranger.hello()
        self._people.append(stranger)
        self.owners[seat] = stranger
        await self.ensure_seated(seat)

    def _sees(self) -> bool:
        return self.observer.connection in self.server.game_server.subscribers.of("TABLE")

    # When the match is over

    async def rematch(self) -> None:
        """Change seats in the lobby for a rematch, with the observer resuming again and again."""
        for seat in range(len(self.owners)):
            await self.ensure_present(self.owners[seat])
        await self.ensure_present(self.observer)
        await self.ask(self.host, "rematch")
        await self._change_seats()
        await self.lose_connection(self.observer)
        for _ in range(CHANGES):
            await self._change()
            await self.lose_connection(self.observer)
        if self._sees():
            await self.ask(self.observer, "sync")

    async def _change_seats(self) -> None:
        """Move the observer to the seat of somebody who gives it up."""
        own = self.seat_of(self.observer)
        if own is None:
            return
        seat = self.rng.choice([seat for seat in range(len(self.owners)) if seat != own])
        chair = self.state.chairs[seat]
        if chair.kind == "bot":
            await self.ask(self.host, "remove_bot", seat=seat)
        elif chair.kind == "human":
            await self.ask(self._who(chair.player), "leave")
        await self.ask(self.observer, "sit", seat=seat)

    def _who(self, player: str) -> ReconnectingClient:
        return next(client for client in self._people if client.player == player)

    async def _change(self) -> None:
        free, own = self.state.free(), self.seat_of(self.observer)
        humans = [seat for seat in self.state.humans() if seat != own]
        bots = [seat for seat, chair in enumerate(self.state.chairs) if chair.kind == "bot"]
        banned = self.observer.player in self.state.banned
        match self.rng.randrange(7):
            case 0 | 1 if free and own is not None:
                await self.ask(self.observer, "sit", seat=self.rng.choice(free))
            # Who comes from where somebody was removed asks the host, and not at once again.
            case 0 | 1 if free and not banned and self.observer not in self._asked:
                await self.ask(self.observer, "join", seat=self.rng.choice(free))
            case 2 if own is not None and humans:
                await self.ask(self.observer, "leave")
                await self.ask(self.observer, "watch")
            case 3 if free:
                await self.ask(self.host, "add_bot", strength=0, seat=self.rng.choice(free))
            case 4 | 5 if bots:
                await self.ask(self.host, "remove_bot", seat=self.rng.choice(bots))
            case 4 | 5 if len(self.state.humans()) > 1 and humans:
                gone = self.state.chairs[self.rng.choice(humans)].player
                await self.ask(self._who(gone), "leave")
            case 6 if own not in (None, self.state.host_seat) and self._may_go(self.observer):
                await self.ask(self.host, "kick", seat=own)


class ChangingSeatsRunner(TwoWorldsRunner):
    """Plays both worlds of a `WholePair` among people who come and go."""

    clients = ReconnectingClient

    async def _frames(self, pair: ScriptedPair, at: int) -> list[bytes | str]:
        assert isinstance(pair, WholeMatchPair)
        # Bots hold seats, but the moves are those of the script.
        latecomers = "ask" if pair.number % 2 else "anyone"
        server, seats, walter = await self._started(pair, at, latecomers, bot_delay=1e6)
        owners = [client for client in seats if isinstance(client, ReconnectingClient)]
        observer = walter if pair.viewer == SPECTATOR else owners[pair.viewer]
        assert isinstance(observer, ReconnectingClient)
        people = PlayerList(server, owners, observer, Random(pair.number))
        for number, (turn, _) in enumerate(pair.script):
            server.now += 1
            if pair.late and pair.late[1] == number:
                await people.take_seat(pair.late[0])
            await people.random_change()
            await people.ensure_seated(turn.seat)
            if number == len(pair.script) - 1 and observer in owners:
                await people.ensure_seated(owners.index(observer))
            action, asked = turn.actions[at], people.state.turn
            await people.ask(owners[turn.seat], "act", turn=asked, action=action)
        await people.rematch()
        return observer.frames
