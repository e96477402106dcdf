"""Joining a match late at a terminal: the newcomer waits, and the host answers by name."""

import asyncio
import json
from argparse import ArgumentParser
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from client_cli import join, run_table
from client_cli.auto import AutoPlayer
from client_cli.effects import End, SendCommand
from client_cli.narrator import narrate
from client_cli.output import JsonOutput, LineOutput
from client_cli.seating import take_seat
from client_cli.shell import Shell
from client_cli.text import plain
from client_cli.typed_commands import available_commands, effect_of
from client_cli.typed_values import NotUnderstood
from protocol.client_events import Noticed
from protocol.connection import Client, connect
from protocol.errors import ProtocolError
from protocol.exits import Exit
from protocol.lines import record
from protocol.playing import SeatPlayer, always
from protocol.to_client import Notice
from protocol.to_server import Admit, CreateTable, Join, Start, TableSettings
from protocol.wire_form import WireForm
from server.table import seat_requests
from tests.client_cli.tables import CODE, WIDE, table
from tests.protocol.model_socket_server import HASTY
from tests.protocol.scripted_client import at_random
from tests.server.socket_server import SocketServer, open_socket_server

ASKED = replace(table(phase="playing"), latecomers={3: "Bob", 4: "Bobby", 5: "Özge", 6: "Özge"})


@pytest.mark.parametrize(
    ("typed", "request_number", "admit"),
    [
        ("admit bob", 3, True),
        ("admit Bobby", 4, True),
        ("refuse bobb", 4, False),
        ("admit #6", 6, True),
        ("refuse 5", 5, False),
    ],
)
def test_the_host_answers_by_name(typed: str, request_number: int, admit: bool) -> None:
    """The host answers by a name, its prefix, or the request's number."""
    command = effect_of(typed, ASKED)
    assert isinstance(command, SendCommand)
    assert command.kind is Admit
    assert command.fields.get("admit", True) is admit
    assert command.fields["request"] == request_number


@pytest.mark.parametrize("typed", ["admit", "admit özge", "refuse zoe", "admit #7", "admit b"])
def test_who_is_meant_must_be_clear(typed: str) -> None:
    """An ambiguous name is refused with the waiting players' names and numbers."""
    with pytest.raises(NotUnderstood, match=r"Waiting: Bob, Bobby, Özge \(#5\), Özge \(#6\)$"):
        effect_of(typed, ASKED)


def test_nobody_waits() -> None:
    """Without requests the commands are not in the help, and say so when typed."""
    assert not {"admit", "refuse"} & {
        command.usage.split()[0] for command in available_commands(table())
    }
    assert {"admit", "refuse"} <= {
        command.usage.split()[0] for command in available_commands(ASKED)
    }
    with pytest.raises(NotUnderstood, match="nobody is asking"):
        effect_of("admit Bob", table())


@pytest.mark.parametrize(
    ("notice", "said"),
    [
        (
            Notice(kind="latecomer", name="B\x1b[2Job"),
            "B[2Job asks to join. Type admit B[2Job, or refuse B[2Job.",
        ),
        (Notice(kind="latecomer_gone", name="Bob", reason="withdrawn"), "Bob no longer asks"),
        (Notice(kind="latecomer_gone", name="Bob", reason="admitted"), ""),
        (Notice(kind="latecomer_gone", reason="of_tomorrow"), "Somebody no longer asks"),
        (Notice(kind="refused", reason="host_away"), "You cannot join: the host is away."),
        (Notice(kind="refused", reason="of_tomorrow"), "You cannot join: of tomorrow."),
    ],
)
def test_what_is_told(notice: Notice, said: str) -> None:
    """Each player concerned is told in a clean sentence, but not the host who just decided."""
    told = plain(narrate(Noticed(notice), WIDE))
    assert told.startswith(said)
    assert bool(told) == bool(said)
    assert "\x1b" not in told


class Person:
    """A person at a terminal: what they see, and what they type at which time."""

    def __init__(self, client: Client, *, script: bool = False) -> None:
        self.client = client
        self.seen: list[str] = []
        self.news = asyncio.Event()
        self.typed: asyncio.Queue[str] = asyncio.Queue()
        output = JsonOutput(self._write) if script else LineOutput(lambda: WIDE, self._write)
        self.shell = Shell(client, output, substitute=AutoPlayer(Random(1)), stay=True)

    async def stays(self, code: str) -> End:
        return await self.shell.run(code, self._lines())

    def hears(self, form: WireForm) -> None:
        self._write(json.dumps(form, separators=(",", ":")))

    async def sees(self, words: str) -> None:
        while words not in "".join(self.seen):
            self.news.clear()
            await self.news.wait()

    async def _lines(self) -> AsyncIterator[str]:
        while True:
            yield await self.typed.get()

    def _write(self, text: str) -> None:
        self.seen.append(text)
        self.news.set()


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[SocketServer]:
    async with open_socket_server(tmp_path) as server:
        yield server


@asynccontextmanager
async def match(server: SocketServer, **settings: object) -> AsyncIterator[tuple[Client, str]]:
    """Ann's match of Black Queen against two bots that never finish thinking."""
    async with connect(server.url, name="Ann") as ann:
        chosen = TableSettings.model_validate({"bot_delay": 60.0, **settings})
        fields = {"game": "black_queen", "seats": 3, "settings": chosen}
        code = (await ann.ask(CreateTable, **fields)).table
        assert code is not None
        await ann.ask(Start, table=code, fill=0)
        yield ann, code


@pytest.mark.parametrize("script", [False, True])
async def test_asking_and_being_admitted(server: SocketServer, script: bool) -> None:
    """Both sides read about a request and its admission, and the newcomer sits down."""
    async with match(server) as (client, code), connect(server.url, name="Bob") as other:
        ann, bob = Person(client, script=script), Person(other, script=script)
        async with asyncio.TaskGroup() as group:
            host = group.create_task(ann.stays(code))
            await ann.sees('"table"' if script else "table")
            assert await take_seat(other, code, None) == code
            guest = group.create_task(bob.stays(code))
            await bob.sees('"asked"' if script else "The host is asked")
            await ann.sees('"latecomer"' if script else "Type admit Bob, or refuse Bob.")
            assert code not in other.session.tables
            ann.typed.put_nowait("admit bob")
            await bob.sees('"seat":1' if script else "── Black Queen")
            await ann.sees('"player_seated"' if script else "Bob takes Blaise's seat.")
            for person in (ann, bob):
                person.typed.put_nowait("quit")
            await host
            await guest
    assert "no longer asks" not in "".join(ann.seen)
    if script:
        lines = [json.loads(line) for line in "".join(ann.seen).splitlines()]
        (notice,) = [line for line in lines if line.get("kind") == "latecomer"]
        assert (notice["name"], notice["table"]) == ("Bob", code)


async def test_being_refused_ends_the_program(server: SocketServer) -> None:
    """A refused request ends the program with the reason."""
    async with match(server) as (client, code), connect(server.url, name="Bob") as other:
        ann, bob = Person(client), Person(other)
        async with asyncio.TaskGroup() as group:
            host = group.create_task(ann.stays(code))
            await take_seat(other, code, 1)
            guest = group.create_task(refused(bob, code))
            await ann.sees("Type admit Bob")
            ann.typed.put_nowait("refuse bob")
            assert "no seat at table" in await guest
            ann.typed.put_nowait("admit bob")
            await ann.sees("nobody is asking to join")
            ann.typed.put_nowait("quit")
            await host
    assert "You cannot join: the host refused." in "".join(bob.seen)


async def test_who_is_refused_chooses_another_table(
    server: SocketServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A player refused at one table returns to the list of tables."""
    async with match(server) as (client, code):
        answers = iter([code, "quit"])

        async def ask(question: str) -> str:
            return next(answers)

        monkeypatch.setattr(run_table, "interactive", lambda: True)
        monkeypatch.setattr(run_table, "ask_line", ask)
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
        parser = ArgumentParser()
        join.add_arguments(parser)
        arguments = parser.parse_args([server.url, "--name", "Bob"])
        async with asyncio.TaskGroup() as group:
            guest = group.create_task(join._join(arguments))
            async for event in client.events():
                match event:
                    case Noticed(Notice(kind="latecomer", request=request)):
                        await client.ask(Admit, table=code, request=request, admit=False)
                        break
            assert await guest == Exit.DONE
    told = capsys.readouterr().out
    assert told.count("Black Queen") == 2
    assert "You cannot join: the host refused." in told


async def refused(person: Person, code: str) -> str:
    with pytest.raises(ProtocolError, match="forbidden") as caught:
        await person.stays(code)
    return caught.value.reason


async def test_a_lost_connection_asks_again(
    server: SocketServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a lost connection the withdrawn request is made again for that seat."""
    monkeypatch.setattr(seat_requests, "PAUSE_SECONDS", 0.0)
    async with AsyncExitStack() as stack:
        client, code = await stack.enter_async_context(match(server))
        other = await stack.enter_async_context(connect(server.url, name="Bob", patience=HASTY))
        ann, bob = Person(client), Person(other)
        async with asyncio.TaskGroup() as group:
            host = group.create_task(ann.stays(code))
            await take_seat(other, code, 2)
            guest = group.create_task(bob.stays(code))
            await ann.sees("Type admit Bob")
            await other._first.close()
            await ann.sees("Bob no longer asks")
            ann.seen.clear()
            await ann.sees("Type admit Bob")
            ann.typed.put_nowait("admit bob")
            await bob.sees("── Black Queen")
            assert other.session.tables[code].seat == 2
            for person in (ann, bob):
                person.typed.put_nowait("quit")
            await host
            await guest


@pytest.mark.parametrize("program", [False, True])
async def test_who_is_admitted_while_reconnecting_sits_down(
    server: SocketServer, monkeypatch: pytest.MonkeyPatch, program: bool
) -> None:
    """A player who is admitted while reconnecting sits down without another request."""
    back = asyncio.Event()
    async with AsyncExitStack() as stack:
        client, code = await stack.enter_async_context(match(server))
        other = await stack.enter_async_context(connect(server.url, name="Bob"))
        reopen = other.open

        async def reopen_later() -> None:
            await back.wait()
            await reopen()

        monkeypatch.setattr(other, "open", reopen_later)
        monkeypatch.setattr(server.game_server, "disconnected", lambda connection: None)
        ann, bob = Person(client), Person(other)
        async with asyncio.TaskGroup() as group:
            host = group.create_task(ann.stays(code))
            await take_seat(other, code, None)
            player = SeatPlayer(other, code, always(at_random))
            coming = (
                player.play(lambda told: bob.hears(record(told))) if program else bob.stays(code)
            )
            guest = group.create_task(coming)
            await ann.sees("Type admit Bob")
            await other._first.close()
            ann.typed.put_nowait("admit bob")
            await ann.sees("Bob takes Blaise's seat.")
            back.set()
            await bob.sees('"type":"table"' if program else "── Black Queen")
            ann.typed.put_nowait("quit")
            await host
            guest.cancel()


async def test_a_bot_over_the_network_waits_as_people_do(server: SocketServer) -> None:
    """A bot program waits for admission, and gives up with a reason when refused."""
    async with match(server) as (ann, code), connect(server.url, name="Bot") as client:
        await client.ask(Join, table=code)
        async with asyncio.TaskGroup() as group:
            player = SeatPlayer(client, code, always(at_random))
            playing = group.create_task(bot_refused(player))
            async for event in ann.events():
                if isinstance(event, Noticed):
                    assert event.mirror is not None
                    [number] = event.mirror.latecomers
                    break
            await ann.ask(Admit, table=code, request=number, admit=False)
            assert "the host refused" in await playing


async def bot_refused(player: SeatPlayer) -> str:
    with pytest.raises(ProtocolError, match="not let in") as caught:
        await player.play()
    return caught.value.reason


def test_a_list_of_requests_is_gone_with_the_connection() -> None:
    """The list of requests is cleared with the host's connection."""
    assert ASKED.alone().latecomers == {}
    assert ASKED.alone().alone() == ASKED.alone()
    assert ASKED.table == CODE
