"""The socket: who may open it, what it accepts, and what the audit log keeps."""

import asyncio
import json
import os
import pwd
import socket
import stat
import threading
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from structlog.typing import EventDict

from server.admin.answers import AdminAnswer
from server.admin.audit import FILE, AuditLog, Caller
from server.admin.browser_keys import BrowserKeys
from server.admin.listener import MOST_CONNECTIONS, AdminListener
from server.admin.requests import REQUEST_BYTES, AnyRequest
from server.admin.service import Administration
from server.admin.socket_file import PATH_BYTES, SocketUnusable, socket_path
from tests.server.harness import ServerHarness, open_server


class Failing(Administration):
    """An administration that raises an error."""

    async def carry_out(self, request: AnyRequest) -> AdminAnswer:
        raise KeyError("QS")


@pytest.fixture
def short() -> Any:  # a generator, as fixtures are
    """A folder whose path is short enough for a socket's name."""
    with TemporaryDirectory(prefix="bq-") as folder:
        yield Path(folder)


class Line:
    """A connection to the socket."""

    def __init__(self, reader: StreamReader, writer: StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def ask(self, request: object) -> dict[str, Any]:
        return await self.send(json.dumps(request).encode() + b"\n")

    async def send(self, raw: bytes) -> dict[str, Any]:
        self.writer.write(raw)
        answer: dict[str, Any] = json.loads(await self.reader.readline())
        return answer


@asynccontextmanager
async def line_to(folder: Path) -> AsyncIterator[Line]:
    reader, writer = await asyncio.open_unix_connection(str(socket_path(folder)))
    try:
        yield Line(reader, writer)
    finally:
        writer.close()


@asynccontextmanager
async def listening(
    folder: Path, server: ServerHarness, kind: type[Administration] = Administration
) -> AsyncIterator[AdminListener]:
    """The listening socket of a server, in `folder`."""
    audit, keys = AuditLog(folder / FILE, lambda: server.now), BrowserKeys(lambda: server.now)
    administration = kind(server.game_server, server.store, lambda: server.now, audit, keys)
    listener = AdminListener(administration, audit)
    async with asyncio.timeout(60), listener.listen(socket_path(folder)):
        yield listener


def audited(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / FILE).read_text().splitlines()]


async def test_only_the_owner_may_open_the_socket(tmp_path: Path, short: Path) -> None:
    """The socket has mode 0600, and is removed when the server stops."""
    async with open_server(tmp_path) as server:
        async with listening(short, server):
            mode = os.lstat(short / "admin.sock").st_mode
            assert stat.S_ISSOCK(mode)
            assert stat.S_IMODE(mode) == 0o600
        assert not (short / "admin.sock").exists()


async def test_requests_are_answered_line_by_line(tmp_path: Path, short: Path) -> None:
    """Each line is a request with an answer, also after an invalid line."""
    async with open_server(tmp_path) as server, listening(short, server), line_to(short) as line:
        assert (await line.ask({"act": "status"}))["answer"]["connections"] == 0
        assert (await line.send(b"what?\n"))["code"] == "bad_request"
        twice = json.dumps({"act": "tables"}).encode() + b"\n"
        assert (await line.send(twice + twice))["ok"]
        assert json.loads(await line.reader.readline())["ok"]


async def test_a_line_without_end_is_refused(tmp_path: Path, short: Path) -> None:
    """A line without end is refused, and its connection closed."""
    async with open_server(tmp_path) as server, listening(short, server), line_to(short) as line:
        answer = await line.send(b"x" * (REQUEST_BYTES + 1))
        assert answer["code"] == "bad_request"
        assert str(REQUEST_BYTES) in answer["reason"]
        assert await line.reader.read() == b""


async def test_connections_are_limited(tmp_path: Path, short: Path) -> None:
    """A connection above the limit is refused with a reason, and closing one makes room."""
    async with open_server(tmp_path) as server, listening(short, server):
        async with line_to(short) as first:
            assert (await first.ask({"act": "status"}))["ok"]
            others = [
                await asyncio.open_unix_connection(str(short / "admin.sock"))
                for _ in range(MOST_CONNECTIONS)
            ]
            reader, _ = others[-1]
            assert json.loads(await reader.readline())["code"] == "try_again"
            assert await reader.read() == b""
            for _, writer in others:
                writer.close()
        while True:
            async with line_to(short) as again:
                again.writer.write(b'{"act":"status"}\n')
                # Hung up on before it has read the line, as long as there is no room.
                with suppress(ConnectionError, ValueError):
                    if json.loads(await again.reader.readline())["ok"]:
                        return


async def test_every_act_is_audited_with_its_caller(tmp_path: Path, short: Path) -> None:
    """Every act is audited with its caller before and after; only the owner can read the file."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        async with listening(short, server), line_to(short) as line:
            await line.ask({"act": "players"})
            await line.ask({"act": "kick", "player": ann.player, "reason": "spam"})
            await line.ask({"act": "kick", "player": "Zoe"})
            await line.send(b"nonsense\n")
    told = audited(short)
    spam = {"player": ann.player, "reason": "spam"}
    assert [(each["act"], each["arguments"], each["result"]) for each in told] == [
        ("players", {}, "ok"),
        ("kick", spam, "begun"),
        ("kick", spam, "ok"),
        ("kick", {"player": "Zoe"}, "begun"),
        ("kick", {"player": "Zoe"}, "unknown_player"),
    ]
    assert {(each["uid"], each["pid"]) for each in told} == {(os.getuid(), os.getpid())}
    assert told[0]["time"] == "1970-01-12T13:46:40.000+00:00"
    assert stat.S_IMODE((short / FILE).stat().st_mode) == 0o600


async def test_nothing_is_done_that_cannot_be_recorded(
    tmp_path: Path, short: Path, log_events: list[EventDict]
) -> None:
    """An act that cannot be recorded is refused with a reason; reading is allowed."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        (short / FILE).mkdir()
        async with listening(short, server), line_to(short) as line:
            answer = await line.ask({"act": "kick", "player": ann.player})
            assert answer["code"] == "not_recorded"
            assert ann.closed() is None
            assert (await line.ask({"act": "players"}))["ok"]
        assert any(event["event"] == "admin_not_recorded" for event in log_events)


@pytest.mark.parametrize("kind", ["pipe", "read pipe", "link", "dead link"])
async def test_the_audit_log_is_a_file_or_nothing_is_done(
    tmp_path: Path, short: Path, kind: str
) -> None:
    """The audit log must be a plain file: a pipe or a link is refused."""
    path, other = short / FILE, short / "other"
    reader = None
    if kind.endswith("pipe"):
        os.mkfifo(path)
        reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK) if kind == "read pipe" else None
    else:
        if kind == "link":
            other.touch()
        path.symlink_to(other)
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        async with listening(short, server), line_to(short) as line:
            answer = await line.ask({"act": "kick", "player": ann.player})
            assert answer["code"] == "not_recorded"
            assert ann.closed() is None
    assert not other.exists() or other.read_bytes() == b""
    if reader is not None:
        os.close(reader)


async def test_a_line_that_was_written_in_part_is_not_recorded(
    tmp_path: Path, short: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line that was written only in part counts as not recorded."""
    write = os.write

    def write_a_part(file: int, data: bytes) -> int:
        # Of the audit log alone: the event loop wakes itself up by a write, too.
        return write(file, data[:-5] if b'"act"' in data else data)

    monkeypatch.setattr(os, "write", write_a_part)
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        async with listening(short, server), line_to(short) as line:
            answer = await line.ask({"act": "kick", "player": ann.player})
        assert answer["code"] == "not_recorded"
        assert "No space left on device" in answer["reason"]
        assert ann.closed() is None


async def test_users_are_named_in_a_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name of a user is looked up in a thread, since it may need the network."""
    asked = []

    def getpwuid(uid: int) -> object:
        asked.append(threading.current_thread())
        raise KeyError(uid)

    monkeypatch.setattr(pwd, "getpwuid", getpwuid)
    await AuditLog(tmp_path / FILE, lambda: 0.0).record(Caller(1, 2), "kick", {}, "ok")
    assert audited(tmp_path)[0]["user"] is None
    assert asked != []
    assert threading.main_thread() not in asked


async def test_a_mistake_of_ours_is_an_answer(
    tmp_path: Path, short: Path, log_events: list[EventDict]
) -> None:
    """An internal error is answered, the connection goes on, and the log has its place only."""
    async with (
        open_server(tmp_path) as server,
        listening(short, server, Failing),
        line_to(short) as line,
    ):
        for _ in range(2):
            assert (await line.ask({"act": "status"}))["code"] == "internal"
    assert [each["result"] for each in audited(short)] == ["internal", "internal"]
    assert sum(event["event"] == "admin_failed" for event in log_events) == 2


async def test_a_client_that_is_gone_harms_nobody(tmp_path: Path, short: Path) -> None:
    """A client that disconnects in a line or before its answer does no harm."""
    async with open_server(tmp_path) as server, listening(short, server):
        for raw in (b'{"act":', b'{"act":"tables"}\n' * 20):
            async with line_to(short) as line:
                line.writer.write(raw)
        async with line_to(short) as line:
            assert (await line.ask({"act": "status"}))["ok"]


async def test_the_socket_of_a_killed_server_is_replaced(tmp_path: Path, short: Path) -> None:
    """The socket of a killed server is replaced."""
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(short / "admin.sock"))
    left.close()
    async with open_server(tmp_path) as server, listening(short, server), line_to(short) as line:
        assert (await line.ask({"act": "status"}))["ok"]


async def test_the_socket_of_another_server_is_left_alone(tmp_path: Path, short: Path) -> None:
    """The socket of another running server is left alone, and so is its file."""
    async with open_server(tmp_path) as server, listening(short, server):
        with pytest.raises(SocketUnusable, match="another server answers there"):
            async with listening(short, server):
                pass
        async with line_to(short) as line:
            assert (await line.ask({"act": "status"}))["ok"]


async def test_another_file_is_left_alone(tmp_path: Path, short: Path) -> None:
    """A file that is no socket is left alone, at the start and at the end."""
    place = short / "admin.sock"
    place.write_text("mine")
    async with open_server(tmp_path) as server:
        with pytest.raises(SocketUnusable, match="something else"):
            async with listening(short, server):
                pass
        assert place.read_text() == "mine"
        place.unlink()
        async with listening(short, server):
            place.unlink()
            place.write_text("new")
        assert place.read_text() == "new"


async def test_a_path_that_is_too_long_says_so(tmp_path: Path, short: Path) -> None:
    """The error for a path that is too long has its length, the limit, and a remedy."""
    folder = short / ("x" * (PATH_BYTES - len(f"{short}//admin.sock") + 1))
    async with open_server(tmp_path) as server:
        with pytest.raises(SocketUnusable, match="108 bytes are too long for a Unix socket"):
            async with listening(folder, server):
                pass
        fits = folder.with_name(folder.name[1:])
        async with listening(fits, server), line_to(fits) as line:
            assert (await line.ask({"act": "status"}))["ok"]
