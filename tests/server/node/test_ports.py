"""Who may ask the tables what: a gateway for its own connections, and no other peer anything."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from protocol.to_server import FollowTables, Leave, Sync, Watch
from server.bus.bus import Bus, BusError, Failure, ask
from server.crossing.names import Key, Player, hashed
from server.crossing.parcels import Message, stream_for
from server.crossing.requests import (
    ARRIVALS,
    COMMANDS,
    DONE,
    LINKS,
    PLAYERS,
    UNKNOWN,
    Arriving,
    Asked,
    Attach,
    Elsewhere,
    Follow,
    Gone,
    Introduced,
    Known,
    Refused,
    Resumed,
)
from server.store import PlayerRow
from server.store.errors import StoreUnavailable
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server

ADDRESS = "192.0.2.9"


class Stranger:
    """Another peer on the bus of a server."""

    def __init__(self, server: ServerHarness, name: str) -> None:
        hub = server.game_server._node._ports._bus._hub  # type: ignore[attr-defined]
        self.bus: Bus[Message] = hub.join(name)
        self.heard: list[Message] = []
        self.over = False

    async def ask(self, port: str, request: Message) -> Message:
        """What the tables answer. `BusError` if nothing."""
        return await ask(self.bus, "tables", port, request, 60.0)

    async def arrive(self, number: int, player: str, shown: str | None) -> Message:
        """Say that a player arrives on a connection, whose program has `shown` a token."""
        token = hashed(str(shown))
        return await self.ask(
            ARRIVALS, Arriving(self.bus.name, number, player, "", token, ADDRESS, (), True)
        )

    async def resume(self, number: int, player: str, guest: PlayerRow | None = None) -> Message:
        """Say that a player was welcomed on a connection, perhaps as a guest."""
        who, codec = Player(player, "Somebody"), "blackqueen.v1.json"
        features: frozenset[str] = frozenset()
        request = Resumed(
            self.bus.name, number, who, "laptop", "hash", "", codec, ADDRESS, {}, features
        )
        return await self.ask(LINKS, request._replace(guest=guest))

    async def attach(self) -> None:
        """Begin, as a gateway."""
        assert await self.ask(LINKS, Attach(self.bus.name, 1)) == DONE

    def event(self, number: int, payload: Message) -> None:
        self.heard.append(payload)

    def missed(self, last: int) -> None:
        raise AssertionError

    def ended(self) -> None:
        self.over = True


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[ServerHarness]:
    """A server whose bus others can join."""
    async with open_server(tmp_path) as server:
        yield server


async def leaves(stranger: Stranger, number: int, client: TestClient, code: str) -> Message:
    """What the tables say to a command on a connection that bears a client's name."""
    command = Leave(id=99, table=code)
    key = Key(client.player, client.client_id, 99)
    asked = Asked(stranger.bus.name, number, key, command, fresh=False)
    return await stranger.ask(COMMANDS, asked)


@pytest.mark.parametrize("name", ["tables.t2", "anybody"])
@pytest.mark.parametrize("claimed", ["", "gateway"])
async def test_only_gateways_are_heard(
    server: ServerHarness, name: str, claimed: str, log_events: Any
) -> None:
    """What another peer asks is carried out by nobody, whatever it says who it is."""
    stranger, claimed = Stranger(server, name), claimed or name
    for port, request in (
        (LINKS, Attach(claimed, 1)),
        (PLAYERS, Introduced(ADDRESS, "hash", known=False)),
        (ARRIVALS, Arriving(claimed, 1, "ann", "laptop", "hash", ADDRESS, (), known=True)),
    ):
        with pytest.raises(BusError) as error:
            await stranger.ask(port, request)
        assert error.value.code is Failure.FAULT
    assert not server.game_server.links.is_here("ann")
    assert {event["event"] for event in log_events} == {"request_failed"}


async def test_a_gateway_speaks_for_its_own_connections_only(server: ServerHarness) -> None:
    """Neither the number of another's connection nor the name of its player is of use."""
    code, (ann, bea) = await server.match_of("Ann", "Bea")
    walter = await server.client("Walter")
    stranger = Stranger(server, "gateway.g2")
    await stranger.attach()
    number = ann.connection.number
    assert await leaves(stranger, number, ann, code) == UNKNOWN
    assert await stranger.ask(LINKS, Gone(stranger.bus.name, number)) == DONE
    with pytest.raises(BusError):
        await stranger.ask(LINKS, Gone("gateway", number))
    assert isinstance(await stranger.arrive(5, walter.player, walter.token), Known)
    assert await stranger.resume(5, walter.player) == DONE
    assert await leaves(stranger, 5, ann, code) == UNKNOWN
    await server.settle()
    assert (ann.closed(), server.table(code).clocks.is_away(0)) == (None, False)
    assert server.state(code).seat_of(ann.player) == 0
    await server.play(code, 2, ann, bea)


async def test_a_gateway_is_not_believed_whose_connection_it_is(server: ServerHarness) -> None:
    """Without a token of theirs it gets nobody's cards, be they seated or a guest; nor by a row."""
    _, (ann, _) = await server.match_of("Ann", "Bea")
    walter = await server.client("Walter")
    stranger = Stranger(server, "gateway.g2")
    await stranger.attach()
    for number, client in enumerate((ann, walter)):
        refused = await stranger.arrive(number, client.player, "a guess")
        assert isinstance(refused, Refused)
        assert refused.code == "unauthorized"
        assert await stranger.resume(number, client.player) == UNKNOWN
    # Who is known to nobody may be another node's guest; their row says nothing of others.
    forged = PlayerRow(ann.player, "Ann", hashed("a guess"), 0.0, seen=0.0, sat=False)
    assert isinstance(await stranger.arrive(5, "nobody", "a guess"), Known)
    assert await stranger.resume(5, "nobody", guest=forged) == DONE
    assert isinstance(await stranger.arrive(6, ann.player, "a guess"), Refused)
    assert len(server.game_server.links.of(ann.player)) == 1
    # A new player whom this node has named, too, as it stood still while another one did.
    twin = forged._replace(id="twin", token_hash=hashed("new"))
    server.game_server.guests.add(twin, server.now)
    named = twin._replace(id="named")
    assert isinstance(await stranger.arrive(7, named.id, "new"), Known)
    assert await stranger.resume(7, named.id, guest=named) == DONE
    server.game_server.guests.sat_down(twin.id)
    assert server.game_server.guests.by_token(twin.token_hash) == named
    # A token that was not shown here for a while is looked up.
    server.now += 120.0
    assert isinstance(await stranger.arrive(8, ann.player, ann.token), Known)
    assert isinstance(await stranger.arrive(9, ann.player, walter.token), Refused)


async def test_a_move_that_is_not_stored_yet_is_known_at_another_gateway(
    server: ServerHarness,
) -> None:
    """Its client may come in there and send it again: that is no new one."""
    code, clients = await server.match_of("Ann", "Bea")
    mover = next(client for client in clients if client.tables[code].my_turn)
    mirror = mover.tables[code]
    fields = {"table": code, "turn": mirror.question.turn, "action": mirror.choices.actions[0]}
    stranger = Stranger(server, "gateway.g2")
    await stranger.attach()
    token = hashed(str(mover.token))
    come = Arriving("gateway.g2", 5, mover.player, mover.client_id, token, ADDRESS, (code,), True)
    server.store.hold_writes()
    await mover.send("act", 900, **fields)
    assert await stranger.ask(ARRIVALS, come) == Known(900)
    server.store.release_writes()
    await server.settle()
    assert mover.answers[900][-1]["type"] == "ok"


async def test_nobody_follows_the_stream_of_another_gateway(server: ServerHarness) -> None:
    """The parcels for a gateway, with the cards of its players, are for it alone."""
    code, (ann, bea) = await server.match_of("Ann", "Bea")
    stranger = Stranger(server, "gateway.g2")
    stranger.bus.follow("tables", stream_for("gateway", 1), 0, stranger)
    await server.play(code, 2, ann, bea)
    assert (stranger.over, stranger.heard) == (True, [])


async def test_a_player_is_let_in_only_where_they_have_arrived(server: ServerHarness) -> None:
    """Not under another name, not after the connection is gone, not twice, not if refused."""
    ann = await server.client("Ann")
    bea = await server.client("Bea")
    ann.disconnect()
    stranger = Stranger(server, "gateway.g2")
    await stranger.attach()
    assert await stranger.resume(1, ann.player) == UNKNOWN
    await stranger.arrive(2, bea.player, bea.token)
    assert await stranger.resume(2, ann.player) == UNKNOWN
    await stranger.arrive(3, ann.player, ann.token)
    await stranger.ask(LINKS, Gone(stranger.bus.name, 3))
    assert await stranger.resume(3, ann.player) == UNKNOWN
    assert not server.game_server.links.is_here(ann.player)
    await stranger.arrive(4, ann.player, ann.token)
    assert await stranger.resume(4, ann.player) == DONE
    assert await stranger.resume(4, ann.player) == UNKNOWN
    revoked = server.game_server._node._ports._players._devices._revoked
    revoked[hashed(str(ann.token))] = server.now + 60.0
    assert isinstance(await stranger.arrive(6, ann.player, ann.token), Refused)
    assert await stranger.resume(6, ann.player) == UNKNOWN


async def test_nothing_is_said_after_the_tables_have_hung_up(
    server: ServerHarness, log_events: Any
) -> None:
    """What happens while they stop costs no errors, though nobody hears of it."""
    _, (ann, _) = await server.match_of("Ann", "Bea")
    server.game_server._node._ports.fence()
    server.game_server.links.of(ann.player)[0].put({"type": "notice", "kind": "draining"})
    server.game_server.settle()
    await server.game_server.tick()
    assert [event["event"] for event in log_events if event["log_level"] == "error"] == []


async def test_a_connection_that_closes_meanwhile_follows_nothing(server: ServerHarness) -> None:
    """What it asked to follow while the store was asked is not shown to nobody for ever."""
    ann = await server.client("Ann")
    code = await ann.open_table()
    walter = await server.client("Walter")
    stranger = Stranger(server, "gateway.g2")
    await stranger.attach()
    await stranger.arrive(5, walter.player, walter.token)
    assert await stranger.resume(5, walter.player) == DONE
    answers: list[Message | Failure] = []
    commands = Watch(id=7, table=code), FollowTables(id=8), Sync(id=9, table=code)
    for command in commands:
        key = Key(walter.player, "laptop", command.id)
        asked = Asked(stranger.bus.name, 5, key, command, fresh=False)
        stranger.bus.send("tables", COMMANDS, asked, answers.append, 60.0)
    assert answers == []
    assert await stranger.ask(LINKS, Gone(stranger.bus.name, 5)) == DONE
    async with asyncio.timeout(60.0):
        while len(answers) < len(commands):  # noqa: ASYNC110 - the store answers from a thread
            await asyncio.sleep(0.005)
    assert answers == [DONE] * len(commands)
    assert server.game_server.subscribers.spectators(code) == 0
    assert len(server.game_server.feed) == 0


async def test_a_spectators_connection_stays_where_the_store_cannot_be_read(
    tmp_path: Path,
) -> None:
    """Their gateway hears that nobody has the table just now, and asks again."""
    async with open_server(tmp_path) as server:
        code = await (await server.client("Ann")).open_table()
    async with open_server(tmp_path) as server:
        bea = await server.client("Bea")
        gateway = Stranger(server, "gateway.g2")
        await gateway.attach()
        assert isinstance(await gateway.arrive(1, bea.player, bea.token), Known)
        assert await gateway.resume(1, bea.player) == DONE
        follow = Follow(gateway.bus.name, 1, code)

        async def fail(name: str) -> None:
            raise StoreUnavailable("disk gone")

        server.store.gate = fail
        assert await gateway.ask(LINKS, follow) == Elsewhere("")
        server.store.gate = None
        assert await gateway.ask(LINKS, follow) == DONE
