"""A thin asyncio shell around the client's session: connections that come back by themselves.

    async with connect("ws://127.0.0.1:8765", name="Ann") as client:
        await client.ask(Join, table="PLUM")
        async for event in client.events():
            ...

Each connection has a task that listens and reconnects, one that sends and one that watches over
silence (`protocol.node_socket`); all meaning lies in `protocol.client`. Who does not iterate over
`events` lets them pile up.
"""

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from random import Random
from typing import Any, overload

from protocol.address import invitation
from protocol.awaited_answers import AwaitedAnswers
from protocol.client import ClientSession
from protocol.client_events import (
    Answer,
    Answered,
    ClientEvent,
    PutOff,
)
from protocol.codec import codec_for
from protocol.dial import PATIENT, Backoff
from protocol.errors import PASSING, ConnectionLost, ProtocolError
from protocol.features import FIRST_FORM, LEGENDS, MOVED, UNCHANGED, WORDS
from protocol.mirror import TableMirror
from protocol.node_connection import NodeConnection
from protocol.node_socket import NodeSocket
from protocol.node_visits import NodeVisits, gave_up
from protocol.to_client import (
    Asked,
    CodeOwner,
    DeviceCode,
    DeviceList,
    Error,
    GameList,
    HintAnswer,
    Lobby,
    LogPage,
    Ok,
    OwnTables,
    PlayerPreferences,
    Pong,
    ReviewPage,
    TableList,
)
from protocol.to_server import (
    AddDevice,
    Devices,
    FollowTables,
    Games,
    Hint,
    Join,
    ListTables,
    Log,
    MyTables,
    Ping,
    Preferences,
    Review,
    ToServer,
    WhoseCode,
)
from protocol.version import MSGPACK


class Client:
    """A player's session with a server; made by `connect`."""

    def __init__(
        self, url: str, session: ClientSession, subprotocol: str, patience: Backoff
    ) -> None:
        self.url = url
        self.session = session
        self.failure: ConnectionLost | ProtocolError | None = None
        self._codec = codec_for(subprotocol)
        self._patience = patience
        self._rng = Random()
        self._told: asyncio.Queue[ClientEvent | None] = asyncio.Queue()
        self._answers = AwaitedAnswers()
        self._put_off: dict[int, int] = {}
        self._first = NodeSocket(session, session.first, self._codec, patience, self._hear_of)
        self._visits = NodeVisits(session, patience, self._socket_of, self._hear_of, self._fail)

    @property
    def invitation(self) -> str:
        """The address with which other people can find the server."""
        return invitation(self.session.public_url, self.url)

    @property
    def tables(self) -> Mapping[str, TableMirror]:
        """The mirror of each followed table, by its code."""
        return self.session.tables

    @property
    def token(self) -> str | None:
        """The secret with which a client comes back as its player; None before the welcome."""
        return self.session.token

    # For the owner

    @overload
    async def ask(self, kind: type[Join], **fields: Any) -> Ok | Asked: ...
    @overload
    async def ask(self, kind: type[Games], **fields: Any) -> GameList: ...
    @overload
    async def ask(self, kind: type[ListTables], **fields: Any) -> TableList: ...
    @overload
    async def ask(self, kind: type[FollowTables], **fields: Any) -> Lobby: ...
    @overload
    async def ask(self, kind: type[MyTables], **fields: Any) -> OwnTables: ...
    @overload
    async def ask(self, kind: type[AddDevice], **fields: Any) -> DeviceCode: ...
    @overload
    async def ask(self, kind: type[WhoseCode], **fields: Any) -> CodeOwner: ...
    @overload
    async def ask(self, kind: type[Devices], **fields: Any) -> DeviceList: ...
    @overload
    async def ask(self, kind: type[Preferences], **fields: Any) -> PlayerPreferences: ...
    @overload
    async def ask(self, kind: type[Log], **fields: Any) -> LogPage: ...
    @overload
    async def ask(self, kind: type[Review], **fields: Any) -> ReviewPage: ...
    @overload
    async def ask(self, kind: type[Hint], **fields: Any) -> HintAnswer: ...
    @overload
    async def ask(self, kind: type[Ping], **fields: Any) -> Pong: ...
    @overload
    async def ask(self, kind: type[ToServer], **fields: Any) -> Ok: ...
    async def ask(self, kind: type[ToServer], **fields: Any) -> Answer:
        """Send a command and wait for its answer, across reconnections.

        An error answer is raised as `ProtocolError`, and giving up the connection as
        `ConnectionLost`.
        """
        self._answers.check_open()
        command = self.session.command(kind, **fields)
        self._look_around()
        return await self._answers.answer_to(command.id)

    async def events(self) -> AsyncIterator[ClientEvent]:
        """All client events from the first welcome on, until `connect` is left.

        Raises `ConnectionLost` when reconnecting is given up, `ProtocolError` when the server
        refuses us for good.
        """
        while (event := await self._told.get()) is not None:
            yield event
        self._told.put_nowait(None)
        if self.failure is not None:
            raise self.failure

    # The connections

    async def open(self) -> None:
        """Make one attempt to connect and to be welcomed.

        `ConnectionLost` where the server cannot be reached, `ProtocolError` where it refuses us.
        """
        await self._first.open()

    async def listen(self) -> None:
        """Read from the server, over as many first connections as it takes."""
        try:
            while True:
                await self._reopen(self._lose(await self._first.hear()))
        except (ConnectionLost, ProtocolError) as failure:
            self._fail(failure)
            await self._first.close()

    def _lose(self, reason: str) -> str:
        self._hear_of(self.session.lost(reason))
        return reason

    async def _reopen(self, reason: str) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._patience.give_up_after
        asked_for = 0.0
        while True:
            delay = self._first.delay(at_least=asked_for)
            if any(other.online for other in self.session.others):
                # The tables go on meanwhile.
                deadline = loop.time() + self._patience.give_up_after
            if loop.time() + delay > deadline:
                raise gave_up(self._patience, reason)
            await asyncio.sleep(delay)
            asked_for = 0.0
            try:
                return await self.open()
            except ConnectionLost as error:
                reason = str(error)
            except ProtocolError as error:
                afresh = error.code == "unauthorized" and self.session.start_afresh()
                if error.code not in PASSING and not afresh:
                    raise
                reason, asked_for = error.reason, error.retry_after or 0.0

    async def send(self) -> None:
        """Send the session's messages on the first connection, whenever there are some."""
        await self._first.send()

    async def watch(self) -> None:
        """Close a dead first connection without waiting for the operating system."""
        await self._first.watch()

    async def visit(self) -> None:
        """Keep connections to the other nodes that have tables of this session."""
        await self._visits.go_on()

    async def close(self) -> None:
        """Close the connection; callers that still wait get an error."""
        await self._first.close()
        self._end(ConnectionLost(f"the connection to {self.url} was closed"))

    def _look_around(self) -> None:
        """Open and close other connections as the session wants, and send its messages."""
        self._first.wake()
        self._visits.look_around()

    # What is heard

    def _hear_of(self, events: list[ClientEvent]) -> None:
        for event in events:
            match event:
                case Answered(command, answer):
                    self._resolve(command.id, answer)
                case PutOff(command, error):
                    self._send_later(command, error)
            self._told.put_nowait(event)
        self._look_around()

    def _socket_of(self, at: NodeConnection) -> NodeSocket:
        return NodeSocket(self.session, at, self._codec, self._patience, self._hear_of)

    def _resolve(self, id: int, answer: Answer | Error) -> None:
        self._put_off.pop(id, None)
        self._answers.resolve(id, answer)

    def _send_later(self, command: ToServer, error: Error) -> None:
        attempt = self._put_off.get(command.id, 0)
        asked_for = error.retry_after or 0.0
        if attempt == self._patience.retries or asked_for > self._patience.give_up_after:
            self.session.forget(command.id)
            self._resolve(command.id, error)
            return
        self._put_off[command.id] = attempt + 1
        delay = self._patience.delay(attempt, self._rng, at_least=asked_for)
        asyncio.get_running_loop().call_later(delay, self._send_again, command.id)

    def _send_again(self, id: int) -> None:
        self.session.again(id)
        self._look_around()

    def _fail(self, failure: ConnectionLost | ProtocolError) -> None:
        self.failure = failure
        self._end(failure)

    def _end(self, why: ConnectionLost | ProtocolError) -> None:
        self._answers.end(why)
        self._told.put_nowait(None)


@asynccontextmanager
async def connect(
    url: str,
    *,
    name: str | None = None,
    token: str | None = None,
    program: str | None = None,
    wanted: Collection[str] = (LEGENDS, UNCHANGED),
    code: str | None = None,
    device: str | None = None,
    subprotocol: str = MSGPACK,
    patience: Backoff = PATIENT,
) -> AsyncIterator[Client]:
    """A welcomed client for as long as the block lasts.

    `token` comes from an earlier welcome (`client.token`) and makes one the same player.
    `program` is the name of a program that plays; None: a person does. `wanted` are features of
    `protocol.features.ON_REQUEST` that the server is to use. A one-time `code` makes one a further
    device, called `device`, of the player who asked for it.
    Raises `ConnectionLost` or `ProtocolError` if the first attempt fails.
    """
    session = ClientSession(
        url=url,
        name=name,
        token=token,
        program=program,
        wanted=(*(wanted or FIRST_FORM), MOVED, WORDS),
        code=code,
        device=device,
    )
    client = Client(url, session, subprotocol, patience)
    await client.open()
    # Entered by hand, so that what the block raises leaves it as it is and not in a group.
    tasks = asyncio.TaskGroup()
    await tasks.__aenter__()
    running = [tasks.create_task(each()) for each in (client.listen, client.send, client.watch)]
    running.append(tasks.create_task(client.visit()))
    try:
        yield client
    finally:
        for task in running:
            task.cancel()
        try:
            await tasks.__aexit__(None, None, None)
        finally:
            await client.close()
