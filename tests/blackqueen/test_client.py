"""`blackqueen.client`: what authors of bots and clients are promised."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from blackqueen import client
from blackqueen.client import (
    Choices,
    Client,
    IllegalMove,
    Join,
    MatchResult,
    Pick,
    ProtocolError,
    Turn,
    connect,
    open_table,
    play,
    play_match,
    take_seat,
)
from protocol.asyncapi import answers
from protocol.to_client import Snapshot
from protocol.to_server import COMMANDS, Hello
from tests.blackqueen.surface import PROMISED, surface
from tests.client_cli.tables import ANNS_TURN, CODE, table
from tests.games.catalogue import SERVER_SUBJECTS
from tests.repository import ROOT
from tests.server.conftest import log_events, plain_bots  # noqa: F401 - used by their names
from tests.server.socket_server import SocketServer, open_socket_server

pytestmark = pytest.mark.usefixtures("log_events", "plain_bots")


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[SocketServer]:
    async with open_socket_server(tmp_path) as running:
        yield running


class Lucky:
    """Plays at random, and keeps what it was asked."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []

    def choose(self, turn: Turn) -> str:
        self.turns.append(turn)
        return turn.random_action(Random(len(self.turns)))


class Stubborn:
    """Knows but one move."""

    def choose(self, turn: Turn) -> str:
        return "bid 99"


class Broken:
    """Has a bug."""

    def choose(self, turn: Turn) -> str:
        raise ZeroDivisionError(turn.game)


def test_what_was_promised_is_there() -> None:
    """Nothing of version 1 is gone, and nothing that could be left out is needed now."""
    promised = set(PROMISED.read_text().split())
    assert client.VERSION.startswith("1.")
    now = set(surface())
    assert promised <= now
    new = now - promised
    needed = {line for line in new if line.endswith(")") and not line.endswith(("=)", "()"))}
    assert {line for line in needed if line.partition("(")[0] + "()" in promised} == set()


def test_every_command_can_be_sent() -> None:
    """All of them and their answers have names here, except hello, which the client says itself."""
    commands = set(COMMANDS) - {Hello}
    models = commands | {answer for each in commands for answer in answers(each)} - {Snapshot}
    assert {model.__name__ for model in models} <= set(client.__all__)


async def test_a_match_with_one_method(server: SocketServer) -> None:
    """A table of one's own against the server's bots, played to the end."""
    bot = Lucky()
    async with connect(server.url, name="Ann") as ann:
        code = await open_table(ann, "hearts", options={"target": 10})
        assert list(ann.tables) == [code]
        assert ann.token
        result = await play_match(ann, code, bot)
    assert isinstance(result, MatchResult)
    assert (result.table, result.seat, result.names[0]) == (code, 0, "Ann")
    assert result.rank == result.ranks[0]
    first = bot.turns[0]
    assert (first.game, first.seat, first.match) == ("hearts", 0, 1)
    assert len(first.hand) == 13
    assert first.options["target"] == 10


async def test_the_examples_of_the_page_run(
    server: SocketServer, capsys: pytest.CaptureFixture[str]
) -> None:
    """A bot in one method, and a program with several matches on one connection."""
    page = (ROOT / "docs" / "writing-a-bot.md").read_text()
    one, several, _ = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names: dict[str, Any] = {}
    exec(one.replace("ws://localhost:8765", server.url), names)
    await asyncio.to_thread(names["main"])
    exec(several, names)

    async def short_table(client: Client, game: str, **more: Any) -> str:
        return await open_table(client, game, options=SERVER_SUBJECTS[game].short, **more)

    names["open_table"] = short_table
    await names["three_matches"](server.url, names["FirstMove"]())
    results = [line for line in capsys.readouterr().out.splitlines() if "MatchResult" in line]
    assert len(results) == 4
    assert ["Robo" in line for line in results] == [False, True, True, True]


async def test_a_seat_at_a_table_of_others(server: SocketServer) -> None:
    """The next open table, whoever opened it."""
    async with connect(server.url, name="Ann") as ann, connect(server.url, name="Bob") as bob:
        code = (await ann.ask(client.CreateTable, game="schnapsen", options={"target": 1})).table
        assert code is not None
        assert await take_seat(bob) == code
        await ann.ask(client.Start, table=code)
        await ann.ask(client.Leave, table=code)
        result = await play_match(bob, code, Lucky())
        assert result is not None
        assert result.seat == 1


async def test_a_program_says_that_it_is_one(
    server: SocketServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the name of its file or the one that it gives, unless a person plays with it."""

    async def shown(**fields: str) -> str:
        async with connect(server.url, name="Ann", **fields) as ann:  # type: ignore[arg-type]
            code = await open_table(ann, "hearts")
            return ann.tables[code].info.seats[0].program

    monkeypatch.setattr("sys.argv", ["/somewhere/minimal_bot.py", "ws://localhost:8765"])
    assert await shown() == "minimal_bot"
    assert await shown(program="Robo 2") == "Robo 2"
    assert await shown(program="") == ""
    for unnamed in ([], [""], ["-c", "3"]):
        monkeypatch.setattr("sys.argv", unnamed)
        assert await shown() == "python"


@pytest.mark.parametrize(
    ("bot", "error"), [(Stubborn(), IllegalMove), (Broken(), ZeroDivisionError)]
)
async def test_a_bot_that_fails_gives_its_seat_up(
    server: SocketServer, bot: client.Bot, error: type[Exception]
) -> None:
    """A bot of the server plays on for the others, at once."""
    async with connect(server.url, name="Ann") as ann, connect(server.url, name="Bob") as bob:
        code = (await ann.ask(client.CreateTable, game="hearts")).table
        assert code is not None
        await bob.ask(Join, table=code)
        await ann.ask(client.Start, table=code, fill=0)
        with pytest.raises(error):
            await play_match(ann, code, bot)
        await bob.ask(client.Sync, table=code)
        assert [seat.kind for seat in bob.tables[code].info.seats] == ["bot", "human", "bot", "bot"]


def test_the_time_to_answer_holds_the_reserve() -> None:
    """Of the own seat; without a clock there is no end."""
    for clock, reserve, seconds in ((20.0, (7, 9), 27.0), (20.0, (), 20.0), (None, (), None)):
        asked = ANNS_TURN.question.model_copy(update={"clock": clock, "reserve": reserve})
        assert Turn.of(replace(ANNS_TURN, question=asked)).seconds == seconds


async def test_a_table_that_is_gone_is_an_error(server: SocketServer) -> None:
    """As every refusal of the server."""
    async with connect(server.url, name="Ann") as ann:
        with pytest.raises(ProtocolError, match="unknown_table"):
            await take_seat(ann, "NOPE")


def test_a_match_is_here_or_there() -> None:
    """A table and a game cannot both be meant."""
    with pytest.raises(ValueError, match="not both"):
        play("ws://127.0.0.1:1", Lucky(), table=CODE, game="hearts")


def test_a_turn_holds_what_the_seat_knows() -> None:
    """Everything of the table that a choice may need."""
    turn = Turn.of(ANNS_TURN)
    assert (turn.table, turn.number, turn.seat, turn.names[1]) == (CODE, 7, 0, "Blaise")
    assert turn.choices.actions[0] == "play 2C"
    assert turn.hand == ("2C", "9C", "TC", "4D", "QS", "AH")
    assert turn.random_action(Random(1)) in turn.choices.actions
    assert turn.random_action() in turn.choices.actions
    assert turn.view.number("points/2") == -14


@pytest.mark.parametrize("other", [table(to_act=(1,)), table(seat=None, to_act=(0,))])
def test_a_turn_is_ours(other: client.TableMirror) -> None:
    """Where somebody else is asked there is none."""
    with pytest.raises(ValueError, match="nothing is asked of us"):
        Turn.of(other)


def test_a_turn_as_json_has_every_field() -> None:
    """One line of ASCII, in which nothing has to be guessed."""
    pick = Pick("pass", ("2C", "3D"), 1, 2)
    question = ANNS_TURN.question.model_copy(update={"choices": Choices((), (pick,))})
    text = Turn.of(replace(ANNS_TURN, question=question)).to_json()
    assert text.isascii()
    assert "\n" not in text
    form = json.loads(text)
    assert form["type"] == "turn"
    assert form["choices"] == {
        "actions": [],
        "picks": [{"verb": "pass", "cards": ["2C", "3D"], "least": 1, "most": 2}],
    }
    assert form["view"]["zones"]["column/0/1"] == {"cards": ["JC"], "backs": 1}
    assert form["view"]["values"]["turn"] == [0]
    assert form["seconds"] is None
    assert form["facts"][0]["verb"] == "card_played"
    assert form["legend"][0]["token"] == "2C"
    assert set(form) == {
        *("type", "table", "game", "match", "turn", "seat", "names", "options"),
        *("choices", "view", "facts", "legend", "seconds"),
    }
