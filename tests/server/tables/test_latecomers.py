"""Latecomers at a whole server: lost connections, repeated commands, restarts."""

from pathlib import Path

import pytest

from server.table.seat_requests import PAUSE_SECONDS
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server


async def match(
    server: ServerHarness, *names: str, **settings: object
) -> tuple[str, list[TestClient]]:
    """A match of three seats, with bots in those that nobody of `names` takes."""
    slow = {"bot_delay": 60.0, **settings}
    return await server.match_of(*names, seats=3, settings=slow)


async def test_strangers_do_not_get_seat_after_seat(tmp_path: Path) -> None:
    """Several throwaway guests are shown no hands."""
    async with open_server(tmp_path) as server:
        code, (ann,) = await match(server, "Ann")
        for at in (1, 2, 3):
            stranger = await server.client(f"Stranger {at}")
            assert (await stranger.ask("join", table=code))["type"] == "asked"
            assert [message["type"] for message in stranger.new_messages()] == ["welcome", "asked"]
        assert [notice["name"] for notice in ann.new_messages("notice")] == [
            "Stranger 1",
            "Stranger 2",
            "Stranger 3",
        ]
        assert [chair.kind for chair in server.state(code).chairs] == ["human", "bot", "bot"]


async def test_requests_count_as_seats(tmp_path: Path) -> None:
    """Requests count for the limit of seats."""
    async with open_server(tmp_path, max_tables_per_player=2) as server:
        matches = [await match(server, f"Host {number}") for number in range(3)]
        late = await server.client("Late")
        answers = [await late.ask("join", table=code) for code, _ in matches]
        assert [answer["type"] for answer in answers] == ["asked", "asked", "error"]
        assert answers[2]["code"] == "too_many_tables"
        await late.ask("leave", table=matches[0][0])
        assert (await late.ask("join", table=matches[2][0]))["type"] == "asked"


async def test_who_asks_again_at_the_limit_hears_of_their_request(tmp_path: Path) -> None:
    """A repeated request at the limit is answered as one of the seats."""
    async with open_server(tmp_path, max_tables_per_player=1) as server:
        code, _ = await match(server, "Ann")
        late = await server.client("Late")
        asked = await late.ask("join", table=code)
        again = await late.ask("join", table=code)
        assert (again["type"], again["request"]) == ("asked", asked["request"])


async def test_admission_brings_a_snapshot(tmp_path: Path) -> None:
    """An admitted player gets a snapshot without the seat's past, and everybody is told."""
    async with open_server(tmp_path) as server:
        code, (ann, cid) = await match(server, "Ann", "Cid")
        bea = await server.client("Bea")
        await bea.ask("watch", table=code)
        bea.new_messages()
        asked = await bea.ask("join", table=code)
        assert [message["type"] for message in bea.new_messages()] == ["asked"]
        assert (await ann.ask("admit", table=code, request=asked["request"]))["type"] == "ok"
        (snapshot,) = bea.new_messages("table")
        assert snapshot["seat"] == 2
        events = [event for event in cid.new_messages("event") if event["seq"] == snapshot["seq"]]
        assert [fact["verb"] for fact in events[-1]["facts"]] == ["player_seated"]
        assert await cid.refusal("admit", table=code, request=1) == "forbidden"


async def test_a_lost_connection_withdraws(tmp_path: Path) -> None:
    """A lost connection withdraws the request, unless a newer one exists."""
    async with open_server(tmp_path) as server:
        code, (ann,) = await match(server, "Ann")
        bea = await server.client("Bea")
        await bea.ask("join", table=code)
        ann.new_messages("notice")
        older = bea.connection
        await bea.reconnect()
        server.game_server.disconnected(older)
        await server.settle()
        assert ann.new_messages("notice") == []
        assert bea.player in server.table(code).seat_requests
        bea.disconnect()
        await server.settle()
        (notice,) = ann.new_messages("notice")
        assert (notice["kind"], notice["reason"]) == ("latecomer_gone", "withdrawn")
        assert bea.player not in server.table(code).seat_requests


async def test_a_host_on_a_new_connection_hears_who_waits(tmp_path: Path) -> None:
    """A host on a new connection is told the open requests."""
    async with open_server(tmp_path) as server:
        code, (ann, cid) = await match(server, "Ann", "Cid")
        bea = await server.client("Bea")
        await bea.ask("join", table=code)
        for client in (ann, cid):
            client.new_messages()
            older = client.connection
            await client.reconnect()
            server.game_server.disconnected(older)
        (notice,) = ann.new_messages("notice")
        assert (notice["kind"], notice["name"], notice["request"]) == ("latecomer", "Bea", 1)
        assert cid.new_messages("notice") == []
        assert (await ann.ask("admit", table=code, request=1))["type"] == "ok"


async def test_leaving_withdraws_and_stops_watching(tmp_path: Path) -> None:
    """`leave` withdraws a request and stops watching."""
    async with open_server(tmp_path) as server:
        code, (ann,) = await match(server, "Ann")
        bea = await server.client("Bea")
        await bea.ask("watch", table=code)
        await bea.ask("join", table=code)
        assert (await bea.ask("leave", table=code))["type"] == "ok"
        kinds = [notice["kind"] for notice in ann.new_messages("notice")]
        assert [kind for kind in kinds if kind != "spectators"] == ["latecomer", "latecomer_gone"]
        assert await bea.refusal("leave", table=code) == "not_seated"


@pytest.mark.parametrize("restart", [False, True])
async def test_the_same_command_has_the_same_answer(tmp_path: Path, restart: bool) -> None:
    """A repeated join has the answer `asked`, and a notice once it is over."""
    async with open_server(tmp_path) as server:
        code, (ann,) = await match(server, "Ann")
        bea = await server.client("Bea")
        # Only players who have sat somewhere are known after a restart.
        await bea.open_table()
        await bea.send("join", 50, table=code)
        await server.settle()
        (first,) = bea.answers[50]
        await bea.send("join", 50, table=code)
        await server.settle()
        assert bea.answers[50] == [first, first]
        assert bea.new_messages("notice") == []
        assert len(ann.new_messages("notice")) == 1
        if not restart:
            await ann.ask("admit", table=code, request=first["request"], admit=False)
            bea.new_messages()
            await bea.send("join", 50, table=code)
            await server.settle()
            assert bea.answers[50] == [first] * 3
            (notice,) = bea.new_messages("notice")
            assert notice == over(code)
    if restart:
        async with open_server(tmp_path) as server:
            await bea.reconnect(server)
            bea.new_messages()
            await bea.send("join", 50, table=code)
            await server.settle()
            assert bea.new_messages() == [first, over(code)]
            assert await bea.refusal("join", table=code) == "forbidden"
            await ann.reconnect(server)
            assert (await bea.ask("join", table=code))["type"] == "asked"


def over(code: str) -> dict[str, object]:
    notice = {"type": "notice", "kind": "refused", "table": code}
    return {**notice, "request": 1, "reason": "over"}


async def test_who_was_admitted_is_not_told_that_it_is_over(tmp_path: Path) -> None:
    """A repeated join after admission has its old answer and no notice."""
    async with open_server(tmp_path) as server:
        code, (ann,) = await match(server, "Ann")
        bea = await server.client("Bea")
        await bea.send("join", 50, table=code)
        await server.settle()
        await ann.ask("admit", table=code, request=1)
        await bea.send("join", 50, table=code)
        await server.settle()
        assert [answer["type"] for answer in bea.answers[50]] == ["asked", "asked"]
        assert bea.new_messages("notice") == []


async def test_a_pause_settles_nothing(tmp_path: Path) -> None:
    """A join that must wait after a refusal may be repeated later."""
    async with open_server(tmp_path) as server:
        code, (ann,) = await match(server, "Ann")
        bea = await server.client("Bea")
        await bea.ask("join", table=code)
        await ann.ask("admit", table=code, request=1, admit=False)
        await bea.send("join", 60, table=code)
        await server.settle()
        assert bea.answers[60][-1]["code"] == "try_again"
        await server.wait(PAUSE_SECONDS)
        await bea.send("join", 60, table=code)
        await server.settle()
        assert bea.answers[60][-1]["type"] == "asked"


async def test_time_refuses_without_anybody(tmp_path: Path) -> None:
    """A request is refused by time alone."""
    async with open_server(tmp_path) as server:
        code, _ = await match(server, "Ann")
        bea = await server.client("Bea")
        asked = await bea.ask("join", table=code)
        await server.wait(asked["seconds"])
        assert [notice["reason"] for notice in bea.new_messages("notice")] == ["too_late"]


async def test_a_guest_who_is_gone_before_being_heard_waits_for_nothing(tmp_path: Path) -> None:
    """A request of a guest who is gone is withdrawn when its turn comes."""
    async with open_server(tmp_path) as server:
        code, (ann, cid) = await match(server, "Ann", "Cid")
        bea = await server.client("Bea")
        server.store.hold_writes()
        await cid.send("leave", table=code)
        await bea.send("join", table=code)
        bea.disconnect()
        ann.new_messages()
        server.store.release_writes()
        await server.settle()
        assert [notice["kind"] for notice in ann.new_messages("notice")] == [
            "latecomer",
            "latecomer_gone",
        ]
        assert bea.player not in server.table(code).seat_requests


async def test_a_request_number_of_before_a_restart_admits_nobody(tmp_path: Path) -> None:
    """A request number of before a restart admits nobody."""
    async with open_server(tmp_path) as server:
        code, (ann,) = await match(server, "Ann")
        bea = await server.client("Bea")
        request = (await bea.ask("join", table=code))["request"]
    async with open_server(tmp_path, now=server.now + 1) as server:
        await ann.reconnect(server)
        eve = await server.client("Eve")
        asked = await eve.ask("join", table=code)
        assert await ann.refusal("admit", table=code, request=request) == "unknown_request"
        assert server.state(code).seat_of(eve.player) is None
        assert (await ann.ask("admit", table=code, request=asked["request"]))["type"] == "ok"


@pytest.mark.parametrize("admitted", [True, False])
async def test_who_leaves_while_being_seated_has_left(tmp_path: Path, admitted: bool) -> None:
    """A player who leaves while being seated has left."""
    async with open_server(tmp_path) as server:
        code, (ann,) = await match(server, "Ann", latecomers="ask" if admitted else "anyone")
        bea = await server.client("Bea")
        await bea.ask("watch", table=code)
        if admitted:
            request = (await bea.ask("join", table=code))["request"]
        server.store.hold_writes()
        if admitted:
            await ann.send("admit", table=code, request=request)
        else:
            await bea.send("join", table=code)
        number = await bea.send("leave", table=code)
        server.store.release_writes()
        await server.settle()
        assert [answer["type"] for answer in bea.answers[number]] == ["ok"]
        assert [chair.kind for chair in server.state(code).chairs] == ["human", "bot", "bot"]
        assert code not in bea.tables
        assert await bea.refusal("leave", table=code) == "not_seated"


async def test_who_leaves_before_their_turn_to_sit_down_has_left(tmp_path: Path) -> None:
    """A player who leaves before being seated at a busy table has left."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        code = await ann.open_table(seats=3)
        bea = await server.client("Bea")
        await bea.ask("watch", table=code)
        server.store.hold_writes()
        await ann.send("ready", table=code)
        await bea.send("join", table=code)
        await bea.send("leave", table=code)
        server.store.release_writes()
        await server.settle()
        assert server.state(code).seat_of(bea.player) is None
        assert code not in bea.tables
        assert ann.tables[code].seq == server.state(code).seq
