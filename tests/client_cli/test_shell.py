"""The loop around a controller: typed lines, events and answers in turn."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from client_cli.auto import AutoPlayer
from client_cli.effects import End, Remark
from client_cli.names import waiting_for
from client_cli.output import LineOutput
from client_cli.shell import Shell
from client_cli.terminal import no_lines
from engine.facts import Fact
from protocol.client_events import (
    Answer,
    Chatted,
    ClientEvent,
    Disconnected,
    Noticed,
    PresenceChanged,
    Reconnected,
    TableClosed,
    TableSnapshot,
)
from protocol.connection import Client
from protocol.errors import ConnectionLost, ProtocolError
from protocol.exits import verdict
from protocol.mirror import TableMirror
from protocol.texts.language import speaking
from protocol.to_client import (
    ChatNotice,
    GameCard,
    GameList,
    HintAnswer,
    Notice,
    Ok,
    Presence,
    StrengthInfo,
)
from protocol.to_server import Act, Chat, Games, Leave, ToServer
from tests.client_cli.tables import ANNS_TURN, CODE, FREE, WIDE, bot, event, human, played, table

CARD = GameCard(
    id="queens", version=1, title="Queens", seats=(4,), usual_seats=4, options=(), strengths=(0, 1)
)
LEFT = TableClosed(ANNS_TURN, "left")


class Server:
    """A scripted connection: the test sends events and receives commands."""

    def __init__(self, *told: ClientEvent | Exception) -> None:
        self.asked: list[str] = []
        self.fields: list[dict[str, Any]] = []
        self.refusals: dict[type[ToServer], Exception] = {}
        self.last: type[ToServer] = Leave
        self.session = SimpleNamespace(tables=dict[str, TableMirror]())
        self._told: asyncio.Queue[ClientEvent | Exception | None] = asyncio.Queue()
        for client_event in told:
            self.tell(client_event)

    def tell(self, client_event: ClientEvent | Exception | None) -> None:
        self._told.put_nowait(client_event)

    async def events(self) -> AsyncIterator[ClientEvent]:
        while (client_event := await self._told.get()) is not None:
            if isinstance(client_event, Exception):
                raise client_event
            yield client_event

    async def ask(self, kind: type[ToServer], **fields: Any) -> Answer:
        name = kind.model_fields["type"].default
        self.asked.append(name)
        if kind is self.last:
            self.tell(LEFT)
        if kind in self.refusals:
            raise self.refusals[kind]
        self.fields.append(fields)
        if kind is Games:
            easy = StrengthInfo(strength=1, levels=("easy", "medium"))
            known = {"bots": (easy,), "lowered": ("strong",)}
            return GameList(id=1, games=(CARD.model_copy(update=known),))
        if name == "hint":
            return HintAnswer(id=1, table=CODE, turn=7, action="play TC")
        return Ok(id=1)


class Seat:
    """A shell on a `Server`, and what the person sees."""

    def __init__(self, server: Server) -> None:
        self.seen = ""
        self.output = LineOutput(lambda: WIDE, self._write)
        client = cast(Client, server)
        self.shell = Shell(client, self.output, substitute=AutoPlayer(Random(1)), stay=True)

    async def runs(self, *typed: str) -> End:
        async def lines() -> AsyncIterator[str]:
            for text in typed:
                yield text
            await asyncio.Event().wait()

        return await self.shell.run(CODE, lines())

    def _write(self, text: str) -> None:
        self.seen += text


async def test_a_word_for_a_strength_is_sent_as_a_number() -> None:
    """A word for a strength is sent as the number of the game's card."""
    server = Server(TableSnapshot(table(phase="lobby")))
    await Seat(server).runs("add easy", "add 1", "leave")
    assert sorted(server.asked) == ["add_bot", "add_bot", "games", "leave"]
    added = [fields["strength"] for fields in server.fields if "strength" in fields]
    assert added == [1, 1]


@pytest.mark.parametrize("typed", ["add medium", "start medium"])
async def test_a_word_for_the_bot_of_another_word_is_told(typed: str) -> None:
    """A word that names the bot of another word is reported."""
    for language, told in (
        ("en", "medium and easy are the same bot here."),
        ("de", "mittel und leicht sind hier derselbe Bot."),
    ):
        seat = Seat(server := Server(TableSnapshot(table(phase="lobby"))))
        with speaking(language):
            await seat.runs(typed, "leave")
        assert seat.seen.count(told) == 1
        assert "games" in server.asked


async def test_a_plainer_bot_than_the_word_means_is_told() -> None:
    """A word that names a weaker bot without Numba is reported with the remedy."""
    seats = [Seat(Server(TableSnapshot(table(phase="lobby")))) for _ in range(2)]
    for seat, word in zip(seats, ("easy", "strong"), strict=True):
        await seat.runs(f"add {word}", "leave")
    assert "Numba" not in seats[0].seen
    told = " ".join(seats[1].seen.split())
    assert "The strong bot of Queens needs Numba" in told
    assert "the easy bot plays instead" in told
    assert "pip install 'blackqueen[strong]'" in told


async def test_what_is_typed_is_asked_and_answered() -> None:
    """A typed move, a hint and leaving are sent and answered."""
    server = Server(TableSnapshot(ANNS_TURN))
    seat = Seat(server)
    assert await seat.runs("TC", "hint", "leave") == End()
    assert server.asked == ["act", "hint", "leave"]
    assert seat.seen.startswith("── Black Queen")
    assert "Hint: play 10♣\n" in seat.seen
    assert seat.seen.endswith("You have left the table.\n")


async def test_a_refusal_is_told() -> None:
    """A refusal is told with advice."""
    server = Server(TableSnapshot(ANNS_TURN))
    server.refusals[Act] = ProtocolError("stale_turn", "turn 7 is over")
    seat = Seat(server)
    await seat.runs("TC", "leave")
    assert "turn 7 is over. Look at the table again: the question has changed.\n" in seat.seen


async def test_other_tables_are_not_told_here() -> None:
    """Events and chat of other tables are not shown."""
    other = replace(table(seats=(human("Zoe"),)), table="OTHER")
    chat = ChatNotice(table="OTHER", seat=0, name="Zoe", text="hello")
    here = ChatNotice(table=CODE, seat=1, name="Bob", text="hi")
    told = (TableSnapshot(ANNS_TURN), event(other, played(0, "2C")), Chatted(chat), Chatted(here))
    seat = Seat(Server(*told, LEFT))
    assert await seat.runs() == End()
    assert "Zoe" not in seat.seen
    assert "Bob: hi" in seat.seen


async def test_a_lobby_that_is_over_is_not_drawn() -> None:
    """A player who arrives after the start sees the match, not the lobby."""
    lobby = table(phase="lobby", seq=3, turn=0)
    server = Server(TableSnapshot(lobby), event(ANNS_TURN, played(2, "KC"), before=lobby), LEFT)
    server.session.tables[CODE] = ANNS_TURN
    seat = Seat(server)
    await seat.runs()
    assert "options" not in seat.seen
    assert "Your turn." in seat.seen


@pytest.mark.parametrize("before", [(), (TableSnapshot(ANNS_TURN),)])
@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (ConnectionLost("gave up"), 3),
        (ProtocolError("replaced", "connected from elsewhere"), 4),
        (None, 3),
    ],
)
async def test_the_end_of_the_connection_is_the_end(
    before: tuple[ClientEvent, ...], failure: Exception | None, code: int
) -> None:
    """The end of the connection ends the shell, seated or not."""
    server = Server(*before)
    server.tell(failure)
    with pytest.raises((ConnectionLost, ProtocolError, ExceptionGroup)) as raised:
        await Seat(server).runs()
    assert verdict(raised.value)[0] == code


async def test_a_command_that_was_lost_with_the_connection_is_told_once() -> None:
    """A command lost with the connection is reported once."""
    server = Server(TableSnapshot(ANNS_TURN))
    server.refusals[Chat] = ConnectionLost("gave up")
    seat = Seat(server)
    server.tell(ConnectionLost("gave up"))
    with pytest.raises(ExceptionGroup):
        await seat.runs("say hello")
    assert "gave up" not in seat.seen


async def test_without_lines_the_seat_plays_by_itself() -> None:
    """Without input the seat plays by itself from the start."""
    server = Server(TableSnapshot(ANNS_TURN))
    server.last = Act
    seat = Seat(server)
    assert await seat.shell.run(CODE, no_lines()) == End()
    assert server.asked == ["hint", "act"]
    assert "Hint" not in seat.seen


async def test_the_prompt_follows_the_table() -> None:
    """The prompt is bare before one sits at a table, and nothing completes."""
    server = Server(TableSnapshot(ANNS_TURN), LEFT)
    seat = Seat(server)
    assert (seat.shell.prompt(), seat.shell.complete("t")) == ("> ", [])
    await seat.runs()
    assert (seat.shell.prompt(), seat.shell.complete("t")) == ("your move> ", ["TC", "table"])


async def test_the_prompt_says_that_there_is_no_connection() -> None:
    """The prompt says that there is no connection until it is back."""
    seat = Seat(Server(TableSnapshot(ANNS_TURN), Disconnected("it broke off"), LEFT))
    await seat.runs()
    assert seat.shell.prompt() == "connecting...> "
    seat = Seat(Server(TableSnapshot(ANNS_TURN), Disconnected("it broke off"), Reconnected(), LEFT))
    await seat.runs()
    assert seat.shell.prompt() == "your move> "


async def test_the_prompt_is_that_of_a_question() -> None:
    """The prompt asks a pending question."""
    server = Server(TableSnapshot(ANNS_TURN))
    prompts: list[str] = []

    class Asked(LineOutput):
        def remark(self, remark: Remark) -> None:
            prompts.append(shell.prompt())
            server.tell(LEFT)

    output = Asked(lambda: WIDE, lambda text: None)
    shell = Shell(cast(Client, server), output, substitute=AutoPlayer(Random(1)), by_hand=True)

    async def lines() -> AsyncIterator[str]:
        yield "leave"
        await asyncio.Event().wait()

    assert await shell.run(CODE, lines()) == End()
    assert prompts == ["yes or no> "]


async def test_the_prompt_asks_for_no_start_of_a_match_that_has_begun() -> None:
    """The prompt does not ask to start a match that has begun."""
    server = Server(TableSnapshot(table(phase="lobby")), LEFT)
    seat = Seat(server)
    await seat.runs()
    assert seat.shell.prompt() == "start, add or ?> "
    server.session.tables[CODE] = table()
    assert seat.shell.prompt() == "> "


async def test_a_person_who_waits_is_told_once_for_whom() -> None:
    """A waiting person is told once for whom, and again when the turn changes."""
    server = Server(TableSnapshot(table(to_act=(1,))))
    told: list[str] = []

    class Listening(LineOutput):
        def waiting(self, table: TableMirror) -> None:
            told.append(waiting_for(table, WIDE))
            if len(told) == 1:
                after = table_after(table, to_act=(2,))
                server.tell(event(after, played(1, "2C"), before=table))
            else:
                server.tell(LEFT)

    shell = Shell(
        cast(Client, server),
        Listening(lambda: WIDE, lambda text: None),
        substitute=AutoPlayer(Random(1)),
        by_hand=True,
        patience=0.0,
    )
    assert await shell.run(CODE, silence()) == End()
    assert told == ["Blaise is thinking", "Carl is thinking"]


async def test_a_host_is_told_what_is_next_when_that_changes() -> None:
    """A host is told what to do next when it changes, but not after the start."""
    alone = table(seats=(human("Ann"), FREE), phase="lobby")
    both = replace(table(seats=(human("Ann"), human("Bob", ready=False)), phase="lobby"), seq=21)
    sits = Fact("player_seated", {"seat": 1, "name": "Bob"})
    ready = Fact("player_ready", {"seat": 1, "ready": True})
    then = replace(table(seats=(human("Ann"), human("Bob")), phase="lobby"), seq=22)
    for newest, told in (({}, True), ({CODE: table()}, False)):
        server = Server(
            TableSnapshot(alone), event(both, sits, before=alone), event(then, ready, before=both)
        )
        server.session.tables.update(newest)
        server.tell(LEFT)
        _, written = await read_by_a_person(server)
        advice = "Bob sits down.\nBob is not ready yet. Wait, or type start to begin.\n"
        assert (advice in written) is told
        assert ("Bob is ready.\nType start to begin.\n" in written) is told


@pytest.mark.parametrize(("known", "told"), [(True, "easy bot"), (False, "bot 1")])
async def test_a_person_reads_words_for_strengths(known: bool, told: str) -> None:
    """A person reads strengths as words of the game's card, or as numbers without it."""
    server = Server(TableSnapshot(table(seats=(human("Ann"), bot("Ada", 1)))), LEFT)
    if not known:
        server.refusals[Games] = ProtocolError("unknown_game", "no such game")
    _, written = await read_by_a_person(server)
    assert f"  Ada  {told}" in written


async def test_words_for_strengths_are_known_before_the_first_picture() -> None:
    """The words for strengths are known before the first picture."""
    seats = table(seats=(human("Ann"), bot("Ada", 1)))
    back = event(seats, Fact("handed_back", {"seat": 0}))
    here = PresenceChanged(seats, Presence(table=CODE, seat=0, away=False))
    notice = Noticed(Notice(kind="spectators", table=CODE, count=1), seats)
    first = TableSnapshot(seats)
    server = Server(first, first, back, first, here, notice, LEFT)
    shell, drawn = await read_by_a_person(server)
    assert drawn.count("  Ada  easy bot") == 3
    assert "bot 1" not in drawn
    assert shell.table is not None
    assert shell.table.bots


def table_after(before: TableMirror, *, to_act: tuple[int, ...]) -> TableMirror:
    return replace(table(to_act=to_act, turn=8), seq=before.seq + 1)


async def read_by_a_person(server: Server) -> tuple[Shell, str]:
    """The shell at the end of the server's events, and what a person has read by then."""
    seen: list[str] = []
    shell = Shell(
        cast(Client, server),
        LineOutput(lambda: WIDE, seen.append),
        substitute=AutoPlayer(Random(1)),
        by_hand=True,
    )
    await shell.run(CODE, silence())
    return shell, "".join(seen)


async def silence() -> AsyncIterator[str]:
    """An input of nothing typed."""
    await asyncio.Event().wait()
    yield ""
