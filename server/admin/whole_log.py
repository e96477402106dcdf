"""The audit logs of all nodes as one: what administrators asked of any of them, by time."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress

from pydantic import ValidationError

from server.admin.answers import AuditLine, AuditLines
from server.admin.audit import AuditLog
from server.admin.errors import NotRecorded
from server.bus.bus import BusError
from server.crossing.neighbours import AuditRead, ReadAudit
from server.game_server import TablesServer
from server.node.for_administrators import ELSEWHERE_SECONDS
from server.store import Store, StoreError

MOST_BYTES = 256 * 1024
"""Of one node's lines, when another one asks for them."""
NAMES_SECONDS = 2.0
"""How long the database may take to name the nodes; the log is wanted most when it does not."""


class WholeLog:
    """Reads `audit`, the log of this process, and those of the other nodes; answers them too."""

    def __init__(self, server: TablesServer, store: Store, audit: AuditLog) -> None:
        self._server = server
        self._store = store
        self._audit = audit
        server.for_administrators.read_audit = self._for_another

    async def last(self, count: int) -> AuditLines:
        """The last `count` lines; `NotRecorded` if those of this process cannot be read."""
        try:
            own = await self._own(count)
        except OSError as error:
            raise NotRecorded(f"the audit log cannot be read ({error.strerror})") from None
        node = self._store.node
        if node is None:
            return AuditLines(log=own)
        names = [name for name in await self._others() if name != node.name]
        answers = await asyncio.gather(*(self._asked(name, count) for name in names))
        read = {name: told for name, told in zip(names, answers, strict=True) if told is not None}
        lines = [line.model_copy(update={"node": node.name}) for line in own]
        since = ""
        for name, told in read.items():
            of_node = [line.model_copy(update={"node": name}) for line in _parsed(told.lines)]
            lines += of_node
            if not told.whole and of_node:
                # What is older is not shown of anybody, or some of it would be missing.
                since = max(since, of_node[0].time)
        ordered = sorted((line for line in lines if line.time >= since), key=lambda line: line.time)
        missing = tuple(name for name in names if name not in read)
        return AuditLines(log=tuple(ordered[-count:]), missing=missing)

    async def _own(self, count: int) -> tuple[AuditLine, ...]:
        read: list[AuditLine] = []
        for line in await self._audit.last(count):
            with suppress(ValidationError):
                read.append(AuditLine.model_validate(line))
        return tuple(read)

    async def _others(self) -> list[str]:
        """The names of all nodes that there ever were, as far as that can be found out."""
        assert self._server.neighbours is not None, "a node has neighbours"
        names = set(self._server.neighbours.met())
        with suppress(StoreError, TimeoutError):
            async with asyncio.timeout(NAMES_SECONDS):
                names.update(row.name for row in await self._store.nodes())
        return sorted(names)

    async def _asked(self, node: str, count: int) -> AuditRead | None:
        assert self._server.neighbours is not None, "a node has neighbours"
        if node not in self._server.neighbours.here():
            return None
        try:
            answer = await self._server.neighbours.ask(node, ReadAudit(count), ELSEWHERE_SECONDS)
        except BusError:
            return None
        assert isinstance(answer, AuditRead)
        return answer if answer.is_kept else None

    async def _for_another(self, count: int) -> AuditRead:
        try:
            lines = [line.model_dump_json() for line in await self._own(count)]
        except OSError:
            return AuditRead(is_kept=False)
        size, kept = 0, 0
        for line in reversed(lines):
            size += len(line.encode())
            if size > MOST_BYTES:
                break
            kept += 1
        return AuditRead(tuple(lines[len(lines) - kept :]), whole=kept == len(lines))


def _parsed(lines: Iterable[str]) -> list[AuditLine]:
    """The lines that another node has sent, perhaps one of another version."""
    read: list[AuditLine] = []
    for line in lines:
        with suppress(ValidationError):
            read.append(AuditLine.model_validate_json(line))
    return read
