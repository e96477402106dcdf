"""A client whose events and answers a test scripts."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from random import Random
from types import SimpleNamespace
from typing import Any, cast

from engine.choices import random_action
from protocol.client_events import ClientEvent
from protocol.connection import Client
from protocol.errors import ErrorCode, ProtocolError
from protocol.mirror import TableMirror
from protocol.to_client import Ok, TableList
from protocol.to_server import Act, ListTables, ToServer


@dataclass
class ScriptedClient:
    """A connection with scripted events, on which commands are refused as `refusals` say.

    `lists` are the public tables for each `list_tables` in turn.
    """

    events_told: list[ClientEvent]
    refusals: list[ErrorCode | None] = field(default_factory=list)
    lists: list[list[TableMirror]] = field(default_factory=list)
    asked: list[tuple[type[ToServer], dict[str, Any]]] = field(default_factory=list)
    session: SimpleNamespace = field(
        default_factory=lambda: SimpleNamespace(
            tables={}, knows=lambda feature: True, sits_at=lambda code: False
        )
    )

    async def events(self) -> AsyncIterator[ClientEvent]:
        for client_event in self.events_told:
            mirror = getattr(client_event, "mirror", None)
            if mirror is not None:
                self.session.tables[mirror.table] = mirror
            yield client_event

    async def ask(self, kind: type[ToServer], **fields: Any) -> Ok | TableList:
        self.asked.append((kind, fields))
        refusal = self.refusals.pop(0) if self.refusals else None
        if refusal is not None:
            raise ProtocolError(refusal, "no")
        if kind is ListTables:
            return TableList(id=1, tables=tuple(each.info for each in self.lists.pop(0)))
        return Ok(id=1, table=fields.get("table"))

    @property
    def client(self) -> Client:
        return cast(Client, self)

    @property
    def moves(self) -> list[str]:
        return [fields["action"] for kind, fields in self.asked if kind is Act]

    @property
    def kinds(self) -> list[type[ToServer]]:
        return [kind for kind, _ in self.asked]


async def at_random(table: TableMirror) -> str:
    """A chooser for `protocol.playing` that takes any legal move."""
    return random_action(table.choices, Random(1))
