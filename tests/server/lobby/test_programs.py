"""Programs that join: everybody is told that they are programs."""

from pathlib import Path

from protocol.to_client import SeatInfo
from server.table.entries import Seated
from server.table.log_format import parse_body
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server


async def program(server: ServerHarness, name: str = "Carl") -> TestClient:
    client = TestClient(server)
    await client.hello(name=name, program="minimal-bot")
    return client


def seat(client: TestClient, code: str, at: int) -> SeatInfo:
    return client.tables[code].info.seats[at]


async def test_a_program_that_joins_is_shown_as_one(tmp_path: Path) -> None:
    """A program is shown beside its player's name, also after a rematch and a restart."""
    async with open_server(tmp_path) as server:
        code, (ann,) = await server.table_of("Ann", options={"deals": 1})
        carl = await program(server)
        await carl.ask("join", table=code)
        (seated,) = [
            fact
            for event in ann.new_messages("event")
            for fact in event.get("facts", ())
            if fact["verb"] == "player_seated" and fact["args"]["seat"] == 1
        ]
        assert seated["args"] == {"seat": 1, "name": "Carl", "program": "minimal-bot"}
        assert [each.program for each in ann.tables[code].info.seats] == ["", "minimal-bot"]
        assert seat(ann, code, 1).kind == "human"
        await ann.ask("start", table=code)
        await server.play(code, 52, ann, carl)
        await ann.ask("rematch", table=code)
        assert seat(ann, code, 1).program == "minimal-bot"
        (listed,) = (await ann.ask("list_tables"))["tables"]
        assert listed["seats"][1]["program"] == "minimal-bot"
    async with open_server(tmp_path) as server:
        await ann.reconnect(server)
        assert seat(ann, code, 1).program == "minimal-bot"


async def test_the_host_of_a_program_s_table_is_one(tmp_path: Path) -> None:
    """A program that opens a table is shown as its host's."""
    async with open_server(tmp_path) as server:
        carl = await program(server)
        code = await carl.open_table()
        assert seat(carl, code, 0).program == "minimal-bot"


async def test_a_host_reads_that_a_program_asks(tmp_path: Path) -> None:
    """A host is told that a program asks to join."""
    async with open_server(tmp_path) as server:
        code, (ann,) = await server.match_of("Ann", settings={"bot_delay": 60.0})
        carl = await program(server)
        asked = await carl.ask("join", table=code)
        (notice,) = ann.new_messages("notice")
        assert (notice["name"], notice["program"]) == ("Carl", "minimal-bot")
        await ann.ask("admit", table=code, request=asked["request"])
        assert seat(ann, code, 1).program == "minimal-bot"


async def test_the_name_of_a_program_is_checked_like_a_player_s(tmp_path: Path) -> None:
    """The name of a program is checked as a player's."""
    async with open_server(tmp_path) as server:
        client = TestClient(server)
        for wrong in ("", " ", "a\x1b[2J", "x" * 25, "\u3164"):
            assert (await client.hello(name="Carl", program=wrong))["code"] == "bad_message"
        await client.hello(name="Carl", program="my   bot")
        code = await client.open_table()
        assert seat(client, code, 0).program == "my bot"


def test_people_who_sat_down_before_there_were_programs() -> None:
    """An older entry without a program is read."""
    assert parse_body("seated", '{"seat":1,"player":"bea","name":"Bea"}') == Seated(1, "bea", "Bea")
