"""The administrator's socket: a Unix socket that only the server's own user can open.

    accept ─▶ who is it? ─▶ a line ─▶ a request ─▶ audit log ─▶ done ─▶ audit log ─▶ a line

Its file is in the data folder, which belongs to the server by its claim on the database. So a file
that is there at the start is left from a server that was killed, unless somebody answers there.
"""

import asyncio
import os
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import structlog

from server.admin.answers import AdminAnswer, answer_line
from server.admin.audit import BEGUN, AuditLog, Caller
from server.admin.requests import READS, REQUEST_BYTES, AnyRequest, parse_request
from server.admin.service import Administration
from server.admin.socket_file import bound_to, caller_of
from server.nodes.admin_errors import BAD_REQUEST, INTERNAL, NOT_RECORDED, TRY_AGAIN, AdminError

log = structlog.get_logger()

SECONDS = 30.0
"""How long a connection may take for a request, and for reading its answer."""
MOST_CONNECTIONS = 8


class AdminListener:
    """Answers administrators, one request of a connection after the other."""

    def __init__(self, administration: Administration, audit: AuditLog) -> None:
        self._administration = administration
        self._audit = audit
        self._open: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def listen(self, path: Path) -> AsyncIterator[None]:
        """Accept administrators at `path` until the context ends, which removes the file.

        Raises `SocketUnusable` if the socket cannot be made.
        """
        listening = bound_to(path)
        made = os.stat(path)
        try:
            server = await asyncio.start_unix_server(
                self._connected, sock=listening, limit=REQUEST_BYTES
            )
            try:
                yield
            finally:
                server.close()
                answering = tuple(self._open)
                for task in answering:
                    task.cancel()
                await asyncio.gather(*answering, return_exceptions=True)
        finally:
            listening.close()
            with suppress(OSError):
                # Somebody may have put another file there.
                if os.path.samestat(made, os.stat(path)):
                    os.unlink(path)

    async def _connected(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None, "asyncio runs it in a task"
        self._open.add(task)
        try:
            if len(self._open) <= MOST_CONNECTIONS:
                caller = caller_of(writer.get_extra_info("socket"))
                await self._answer_all(reader, writer, caller)
            else:
                await self._write(
                    writer, AdminError(TRY_AGAIN, f"{MOST_CONNECTIONS} others ask already")
                )
        except (OSError, TimeoutError, asyncio.CancelledError):
            # Gone, or too slow, or the server stops.
            pass
        except Exception:
            log.exception("admin_failed")
        finally:
            self._open.discard(task)
            writer.close()

    async def _answer_all(self, reader: StreamReader, writer: StreamWriter, caller: Caller) -> None:
        while True:
            try:
                async with asyncio.timeout(SECONDS):
                    line = await reader.readuntil(b"\n")
            except asyncio.IncompleteReadError:
                return
            except asyncio.LimitOverrunError:
                too_long = AdminError(BAD_REQUEST, f"a request has at most {REQUEST_BYTES} bytes")
                await self._write(writer, too_long)
                return
            await self._write(writer, await self._answer(line, caller))

    async def _write(self, writer: StreamWriter, answer: AdminAnswer | AdminError) -> None:
        writer.write(answer_line(answer))
        async with asyncio.timeout(SECONDS):
            await writer.drain()

    async def _answer(self, line: bytes, caller: Caller) -> AdminAnswer | AdminError:
        try:
            request = parse_request(line)
        except AdminError as error:
            return error
        arguments = request.model_dump(exclude={"act"}, exclude_defaults=True)
        try:
            if not isinstance(request, READS):
                await self._audit.record(caller, request.act, arguments, BEGUN)
        except OSError as error:
            log.error("admin_not_recorded", reason=str(error))
            return AdminError(NOT_RECORDED, f"the audit log cannot be written ({error.strerror})")
        answer = await self._carried_out(request)
        result = answer.code if isinstance(answer, AdminError) else "ok"
        log.info("admin_act", kind=request.act, code=result, pid=caller.pid, uid=caller.uid)
        try:
            await self._audit.record(caller, request.act, arguments, result)
        except OSError as error:
            log.error("admin_not_recorded", reason=str(error))
        return answer

    async def _carried_out(self, request: AnyRequest) -> AdminAnswer | AdminError:
        try:
            return await self._administration.carry_out(request)
        except AdminError as error:
            return error
        except Exception:
            log.exception("admin_failed")
            return AdminError(INTERNAL, "the server made a mistake; its log has it")
