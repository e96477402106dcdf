"""The terminal client and the bot at a newer server, over a real socket."""

import json
from collections.abc import AsyncIterator, Callable
from random import Random

import pytest

from client_cli.auto import AutoPlayer
from client_cli.lobby_view import draw_tables
from client_cli.narrator import narrate
from client_cli.output import JsonOutput, LineOutput, Output
from client_cli.shell import Shell
from client_cli.text import plain as plain_text
from protocol.client_events import ClientEvent, Noticed
from protocol.connection import connect
from protocol.errors import ProtocolError
from protocol.exits import Exit
from protocol.lines import record
from protocol.playing import SeatPlayer, always
from protocol.to_client import Closed, Notice, ToClient
from protocol.to_server import Act, Join, Ping, ToServer
from tests.client_cli.tables import WIDE, table
from tests.protocol.model_server import TABLE
from tests.protocol.model_socket_server import HASTY, ModelSocketServer, running
from tests.protocol.newer_messages import reworded
from tests.protocol.scripted_client import at_random

TYPED = ("?", "table", "score", "set private=yes", "start", "hint", "play QS")


def closing(command: ToServer) -> list[ToClient] | None:
    """A close for an unknown reason."""
    return [Closed(table=TABLE, reason="gone_fishing")] if isinstance(command, Ping) else None


async def visit(
    output: Callable[[list[str]], Output], typed: tuple[str, ...]
) -> tuple[Exit, list[str]]:
    """A visit to the newer server: its end and its output."""
    seen: list[str] = []
    server = ModelSocketServer(reword=reworded, answer=closing)
    async with running(server), connect(server.url, patience=HASTY) as client:
        await client.ask(Join, table=TABLE)
        shell = Shell(client, output(seen), substitute=AutoPlayer(Random(1)), stay=True)

        async def lines() -> AsyncIterator[str]:
            for text in typed:
                yield text
            await client.ask(Act, table=TABLE, turn=0, action="do it")
            # It is not answered: the table is closed instead.
            client.session.command(Ping)
            client._look_around()

        end = await shell.run(TABLE, lines())
    return end.code, seen


async def test_a_person_at_a_terminal() -> None:
    """Every command of a person works or says why not, and unknown news are sentences."""
    code, seen = await visit(lambda seen: LineOutput(lambda: WIDE, seen.append), TYPED)
    text = "".join(seen)
    assert code is Exit.REFUSED
    assert "The server says: new moon." in text
    assert "The server says: none left" in text
    assert "start: not now; the table is breathing space" in text
    assert "You are no longer at the table: gone fishing." in text


async def test_a_script() -> None:
    """Each line for a script is JSON with the server's words."""
    code, seen = await visit(lambda seen: JsonOutput(seen.append), TYPED)
    lines = [json.loads(line) for line in seen]
    assert code is Exit.REFUSED
    notice = {"type": "notice", "kind": "new_moon", "table": TABLE, "count": 3}
    assert notice in lines
    assert {"type": "closed", "table": TABLE, "reason": "gone_fishing"} in lines
    assert {line["phase"] for line in lines if line["type"] == "table"} == {"breathing_space"}


async def test_a_bot_over_the_network() -> None:
    """The bot waits through unknown phases and ends for unknown reasons."""
    told: list[ClientEvent] = []
    server = ModelSocketServer(reword=reworded, answer=closing)
    async with running(server), connect(server.url, patience=HASTY) as client:
        await client.ask(Join, table=TABLE)
        client.session.command(Ping)
        client._look_around()
        with pytest.raises(ProtocolError, match="lost the seat: gone fishing"):
            await SeatPlayer(client, TABLE, always(at_random)).play(told.append)
    assert {record(each)["type"] for each in told} >= {"table", "notice", "closed"}


@pytest.mark.parametrize("kind", ["new_moon", "\x1b]0;title\x07", ""])
def test_a_notice_of_an_unknown_kind_is_a_sentence(kind: str) -> None:
    """A notice of an unknown kind is a clean sentence."""
    text = plain_text(narrate(Noticed(Notice(kind=kind)), WIDE))
    assert text.startswith("The server says:")
    assert "\x1b" not in text


def test_lists_show_unknown_phases() -> None:
    """An unknown phase is listed by the server's word."""
    info = table().info.model_copy(update={"phase": "breathing_space"})
    assert "breathing_space" in plain_text(draw_tables([info], WIDE))
