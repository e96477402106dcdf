"""The broadcaster of one table: sends an event to everybody there with as little work as possible.

A message is built once for all viewers who may see the same, and encoded once for each encoding.
"""

from collections.abc import Iterator
from typing import TypeAlias

from engine.facts import SPECTATOR, AddressedFact, Viewer, all_public, seen_by
from protocol.codec import codec_for
from protocol.events import EventEncoder, Fields
from protocol.features import INTERNAL_VALUES
from protocol.version import SUBPROTOCOLS
from protocol.wire_form import WireForm
from server.sessions.spectator_counts import SpectatorCounts
from server.sessions.subscriber import Subscriber, tell_all
from server.table.effects import Publish
from server.table.guarded_game import RulesFailed
from server.table.messages import info_of, question_for, question_without_choices
from server.table.table import Table

_ENCODERS = {
    (name, internal): EventEncoder(codec_for(name), internal)
    for name in SUBPROTOCOLS
    for internal in (False, True)
}
_Kind: TypeAlias = tuple[str, Viewer | None, frozenset[str]]
"""Those get the same bytes who read them alike and may see the same."""


class Broadcaster:
    """The connections at one table, each with the viewer whose view it gets."""

    def __init__(self, code: str, counts: SpectatorCounts) -> None:
        self._code = code
        self._counts = counts
        self._viewers: dict[Subscriber, Viewer] = {}

    def __bool__(self) -> bool:
        return bool(self._viewers)

    def __iter__(self) -> Iterator[tuple[Subscriber, Viewer]]:
        return iter(tuple(self._viewers.items()))

    def __contains__(self, connection: Subscriber) -> bool:
        return connection in self._viewers

    @property
    def spectators(self) -> int:
        """How many of them have no seat."""
        return sum(1 for viewer in self._viewers.values() if viewer == SPECTATOR)

    def add(self, connection: Subscriber, viewer: Viewer) -> None:
        """Let a connection follow the table as `viewer`, from now on."""
        before = self._viewers.get(connection)
        self._viewers[connection] = viewer
        if before != viewer:
            self._counts.joined(self._code, connection, viewer)

    def remove(self, connection: Subscriber) -> None:
        """Let a connection no longer follow the table."""
        if self._viewers.pop(connection, None) is not None:
            self._counts.left(self._code, connection)

    def viewer(self, connection: Subscriber) -> Viewer | None:
        """As whom a connection follows the table; None if it does not."""
        return self._viewers.get(connection)

    def publish(self, table: Table, publish: Publish, now: float) -> RulesFailed | None:
        """Let new entries wait for everybody at the table.

        Returns the failure if the rules could not say what a seat may do: that seat still gets the
        facts. A connection for which anything else fails is closed, and reconnects.
        """
        failure: RulesFailed | None = None
        last = len(publish.steps) - 1
        for place, step in enumerate(publish.steps):
            final = place == last
            info = info_of(table) if final and publish.info else None
            failure = self._publish_one(table, step.seq, step.facts, info, final, now) or failure
        return failure

    def _publish_one(
        self,
        table: Table,
        seq: int,
        facts: tuple[AddressedFact, ...],
        info: WireForm | None,
        final: bool,
        now: float,
    ) -> RulesFailed | None:
        failure: RulesFailed | None = None
        asked = table.state.to_act if final else ()
        alike = all_public(facts)
        told: dict[tuple[str, bool], Fields] = {}
        events: dict[_Kind, bytes] = {}
        for connection, viewer in self._viewers.items():
            try:
                subprotocol = connection.codec.subprotocol
                features = connection.features
                shown_as = None if alike and viewer not in asked else viewer
                kind = (subprotocol, shown_as, features)
                event = events.get(kind)
                if event is None:
                    form = (subprotocol, INTERNAL_VALUES in features)
                    encoder = _ENCODERS[form]
                    fields = told.get(form)
                    if fields is None or not alike:
                        shown = [fact for fact, _ in facts] if alike else seen_by(facts, viewer)
                        fields = told[form] = encoder.telling(table.code, seq, shown, info)
                    question: WireForm | None = None
                    if final:
                        try:
                            question = question_for(table, viewer, now, features)
                        except RulesFailed as error:
                            failure, question = error, question_without_choices(table, now)
                    event = events[kind] = encoder.asking(fields, question)
                connection.tell_encoded(event)
            except Exception as error:
                # It may not miss a number, so it has to reconnect for this one.
                connection.fail(error)
        return failure

    def broadcast(self, message: WireForm) -> None:
        """Let a message outside the sequence wait for everybody at the table."""
        tell_all(self._viewers, message)

    def tell_spectators(self, message: WireForm, feature: str) -> None:
        """The same for the spectators alone, and of them for those who have asked for `feature`."""
        spectators = (
            connection for connection, viewer in self._viewers.items() if viewer == SPECTATOR
        )
        tell_all(
            [connection for connection in spectators if feature in connection.features], message
        )
