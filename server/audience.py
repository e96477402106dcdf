"""Who looks at a table, and how an event reaches them all with as little work as possible.

A message is built once for everybody who may see the same, and encoded once for each encoding.
"""

from collections.abc import Iterator, KeysView

from engine.facts import EVERYONE, Fact, Viewer, seen_by
from protocol.codec import codec_for
from protocol.encode import Plain
from protocol.events import EventEncoder, Fields
from protocol.version import SUBPROTOCOLS
from server.connection import Connection
from server.table.effects import Publish
from server.table.plain import info_of, question_for
from server.table.table import Table

_ENCODERS = {name: EventEncoder(codec_for(name)) for name in SUBPROTOCOLS}


class Audience:
    """The connections at one table, each with whom it may see as."""

    def __init__(self) -> None:
        self._viewers: dict[Connection, Viewer] = {}

    def __bool__(self) -> bool:
        return bool(self._viewers)

    def __iter__(self) -> Iterator[tuple[Connection, Viewer]]:
        return iter(tuple(self._viewers.items()))

    def __contains__(self, connection: Connection) -> bool:
        return connection in self._viewers

    @property
    def connections(self) -> KeysView[Connection]:
        return self._viewers.keys()

    def add(self, connection: Connection, viewer: Viewer) -> None:
        self._viewers[connection] = viewer

    def remove(self, connection: Connection) -> None:
        self._viewers.pop(connection, None)

    def viewer(self, connection: Connection) -> Viewer | None:
        return self._viewers.get(connection)

    def publish(self, table: Table, publish: Publish, now: float) -> None:
        """Put new entries into everybody's next frame, except for those who have fallen behind."""
        last = len(publish.steps) - 1
        for place, (seq, facts) in enumerate(publish.steps):
            final = place == last
            info = info_of(table) if final and publish.info else None
            self._publish_one(table, seq, facts, info, final, now)

    def _publish_one(
        self,
        table: Table,
        seq: int,
        facts: tuple[Fact, ...],
        info: Plain | None,
        final: bool,
        now: float,
    ) -> None:
        asked = table.state.to_act if final else ()
        alike = all(fact.audience == EVERYONE for fact in facts)
        told: dict[str, Fields] = {}
        events: dict[tuple[str, Viewer | None], bytes] = {}
        for connection, viewer in self._viewers.items():
            if connection.lagging_since is not None:
                continue
            subprotocol = connection.session.codec.subprotocol
            kind = (subprotocol, None if alike and viewer not in asked else viewer)
            event = events.get(kind)
            if event is None:
                encoder = _ENCODERS[subprotocol]
                fields = told.get(subprotocol)
                if fields is None or not alike:
                    shown = facts if alike else seen_by(facts, viewer)
                    fields = told[subprotocol] = encoder.telling(table.code, seq, shown, info)
                question = question_for(table, viewer, now) if final else None
                event = events[kind] = encoder.asking(fields, question)
            connection.put_encoded(event)

    def tell(self, message: Plain) -> None:
        """Put a message outside the sequence into the next frames, but not of the slow."""
        encoded: dict[str, bytes] = {}
        for connection in self._viewers:
            if connection.lagging_since is not None:
                continue
            codec = connection.session.codec
            if codec.subprotocol not in encoded:
                encoded[codec.subprotocol] = codec.encode_message(message)
            connection.put_encoded(encoded[codec.subprotocol])
