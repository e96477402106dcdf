"""Requests to other nodes, as rows that each node reads when it renews its lease.

asked here ─▶ done here
           └▶ a row ─▶ read and done by every other node, once ─▶ its answer: a row ─▶ read here

A request is for the nodes that live when it is made, by their epochs if it is for one. So none is
carried out by a process that began after it. A server that shares its database with no other writes
no row.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from secrets import token_hex
from typing import Any, NamedTuple, TypeAlias

import structlog

from server.nodes.admin_errors import (
    INTERNAL,
    NO_ANSWER,
    TRY_AGAIN,
    UNKNOWN_NODE,
    UNKNOWN_REQUEST,
    AdminError,
)
from server.nodes.other_nodes import OtherNodes
from server.ops.isolation import Spawn
from server.store import NodeAnswer, NodeRequest, Store, StoreError, Write
from server.store.membership import Membership

log = structlog.get_logger()

WORK_SECONDS = 2.0
"""How long a node may take for a request, beyond the two renewals for a row and its answer."""
REMEMBERED = 10_000
"""So many requests are remembered as done: a row may be read again for as long as a transaction of
any program on the database server lasts."""
LOOKS = 5
"""How often in a renewal it is looked for answers."""

Body: TypeAlias = dict[str, Any]
"""What is asked or answered: plain values, as JSON has them."""
Handler: TypeAlias = Callable[[Body], Awaitable[Body | None]]
"""Does what is asked and returns the answer; None where nobody waits for one."""


class NodeAnswers(NamedTuple):
    """The answers of nodes, by name, and the reasons why others have failed."""

    answers: dict[str, Body]
    failed: dict[str, AdminError]


class NodeRequests:
    """The requests of and to this process; `handlers` do them. `now` returns server time."""

    def __init__(self, store: Store, now: Callable[[], float], spawn: Spawn) -> None:
        self.handlers: dict[str, Handler] = {}
        self.others: OtherNodes | None = None
        """The other nodes, if this process is one."""
        self._store = store
        self._now = now
        self._spawn = spawn
        # The requests that were read, the last ones last.
        self._read: dict[str, None] = {}

    @property
    def name(self) -> str:
        """The name of this node; "" if this process is none."""
        return "" if self._store.node is None else self._store.node.name

    def row(self, kind: str, body: Body, node: str | None = None) -> tuple[NodeRequest, ...]:
        """Return the row of a request to all other nodes, or to one; empty without other nodes.

        A caller that stores it by itself gets no answers.
        """
        if self.others is None:
            return ()
        epoch = None if node is None else self.others.epoch(node)
        text = json.dumps(body)
        return (NodeRequest(token_hex(8), kind, self.name, node, epoch, text, self._now()),)

    async def here(self, kind: str, body: Body) -> Body:
        """Return this node's answer, or raise `AdminError`."""
        return await self._handled(kind, body) or {}

    async def _handled(self, kind: str, body: Body) -> Body | None:
        handler = self.handlers.get(kind)
        if handler is None:
            raise AdminError(
                UNKNOWN_REQUEST,
                f"node {self.name!r} does not do {kind!r}: it has another version, or no --admin",
            )
        return await handler(body)

    async def everywhere(
        self,
        kind: str,
        body: Body,
        along: Write | None = None,
        here: Callable[[], Awaitable[Body]] | None = None,
    ) -> NodeAnswers:
        """Return the answers of all nodes, this one first.

        `along` is stored before any node acts; raises `StoreError` if it cannot be. This node acts
        by `here`, if that is given. Raises `AdminError` if all nodes failed.
        """
        names = [] if self.others is None else self.others.here()
        rows = self.row(kind, body)
        if along is not None:
            await self._store.save(along._replace(requests=rows))
        own, told = await asyncio.gather(
            self.here(kind, body) if here is None else here(),
            self._asked(rows, names, stored=along is not None),
            return_exceptions=True,
        )
        if isinstance(told, BaseException):
            raise told
        if isinstance(own, AdminError):
            if not told.answers:
                raise own
            told.failed[self.name] = own
        elif isinstance(own, BaseException):
            raise own
        else:
            return NodeAnswers({self.name: own, **told.answers}, told.failed)
        return told

    async def at(self, node: str, kind: str, body: Body) -> Body:
        """Return one node's answer; raise `AdminError` if it is not alive, or has failed."""
        if node == self.name and node:
            return await self.here(kind, body)
        if self.others is None or self.others.epoch(node) is None:
            raise AdminError(
                UNKNOWN_NODE, f"there is no node {node!r}, or its lease is over; `nodes` lists them"
            )
        told = await self._asked(self.row(kind, body, node), [node], stored=False)
        for error in told.failed.values():
            raise error
        return told.answers[node]

    async def _asked(
        self, rows: Sequence[NodeRequest], nodes: Collection[str], *, stored: bool
    ) -> NodeAnswers:
        """Store a request, unless it is stored, and wait for the answers of these nodes."""
        if not rows:
            return NodeAnswers({}, {})
        try:
            if not stored:
                await self._store.save(Write(requests=tuple(rows)))
        except StoreError as error:
            reason = f"the database did not take the request: {error}"
            return NodeAnswers({}, {node: AdminError(TRY_AGAIN, reason) for node in nodes})
        assert self._store.node is not None, "without a node there is no row"
        return await self._answered(rows[0].id, nodes, self._store.node)

    async def _answered(
        self, request: str, nodes: Collection[str], node: Membership
    ) -> NodeAnswers:
        told, missing = NodeAnswers({}, {}), set(nodes)
        clock, seconds = (
            asyncio.get_running_loop().time,
            2 * node.lease.times.renewal + WORK_SECONDS,
        )
        until = clock() + seconds
        while missing and clock() < until:
            await asyncio.sleep(node.lease.times.renewal / LOOKS)
            try:
                answers = await self._store.node_answers(request)
            except StoreError as error:
                log.warning("node_answers_not_read", reason=str(error))
                continue
            for answer in answers:
                if answer.node in missing:
                    missing.remove(answer.node)
                    _sort(told, answer)
        for name in missing:
            told.failed[name] = AdminError(
                NO_ANSWER,
                f"node {name!r} has not answered within {seconds:.0f} s and may still do it, "
                "unless it is gone; see `nodes`, and ask again",
            )
        return told

    def read(self, rows: Sequence[NodeRequest]) -> None:
        """Carry out the other nodes' new requests."""
        for row in rows:
            if row.id not in self._read:
                self._note(row)
                self._spawn(self._do(row))

    def read_first(self, rows: Sequence[NodeRequest], seconds: float) -> list[tuple[str, Body]]:
        """Carry out the requests since this node's lease began.

        Returns the requests to other nodes in the last `seconds` before.
        """
        began = 0 if self._store.node is None else self._store.node.lease.began
        self.read([row for row in rows if row.changed >= began])
        since = self._now() - seconds
        earlier = [row for row in rows if row.changed < began and row.time > since]
        for row in earlier:
            self._note(row)
        return [(row.kind, json.loads(row.body)) for row in earlier]

    def _note(self, row: NodeRequest) -> None:
        self._read[row.id] = None
        if len(self._read) > REMEMBERED:
            del self._read[next(iter(self._read))]

    async def _do(self, row: NodeRequest) -> None:
        """Carry out the request of one row, and store its result."""
        told: Mapping[str, object]
        try:
            answer = await self._handled(row.kind, json.loads(row.body))
            if answer is None:
                return
            told = {"answer": answer}
        except AdminError as error:
            told = {"code": error.code, "reason": str(error)}
        except StoreError as error:
            told = {"code": TRY_AGAIN, "reason": f"the store does not answer: {error}"}
        except Exception:
            log.exception("node_request_failed", kind=row.kind, node=row.asked_by)
            told = {
                "code": INTERNAL,
                "reason": f"node {self.name!r} made a mistake; its log has it",
            }
        log.info("node_request", kind=row.kind, node=row.asked_by, code=told.get("code", "ok"))
        try:
            answered = NodeAnswer(row.id, self.name, json.dumps(told))
            await self._store.save(Write(node_answers=(answered,)))
        except StoreError as error:
            log.warning("node_request_not_answered", kind=row.kind, reason=str(error))


def _sort(told: NodeAnswers, answer: NodeAnswer) -> None:
    body = json.loads(answer.body)
    if "answer" in body:
        told.answers[answer.node] = body["answer"]
    else:
        told.failed[answer.node] = AdminError(body["code"], body["reason"])
