"""The broadcaster of one table: sends an event to all its clients with little work.

A message is built once for all viewers with equal views, and encoded once for each encoding.
"""

from collections.abc import Iterator
from typing import TypeAlias

from engine.facts import SPECTATOR, AddressedFact, Viewer, all_public, seen_by
from protocol.codec import codec_for
from protocol.compact_form import MOST_LISTS
from protocol.events import Encoder, EventEncoder, Fields
from protocol.features import INTERNAL_VALUES, WORDS
from protocol.version import SUBPROTOCOLS
from protocol.wire_form import QuestionParts, WireForm
from server.games.words import GameWords, words_of
from server.sessions.spectator_counts import SpectatorCounts
from server.sessions.subscriber import Subscriber, tell_all
from server.table.effects import Publish
from server.table.guarded_game import RulesFailed
from server.table.messages import info_of, public_question, with_choices
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
        self._words: GameWords | None = None

    def __bool__(self) -> bool:
        return bool(self._viewers)

    def __iter__(self) -> Iterator[tuple[Subscriber, Viewer]]:
        return iter(tuple(self._viewers.items()))

    def __contains__(self, connection: Subscriber) -> bool:
        return connection in self._viewers

    @property
    def spectators(self) -> int:
        """The number of connections without a seat."""
        return sum(1 for viewer in self._viewers.values() if viewer == SPECTATOR)

    def add(self, connection: Subscriber, viewer: Viewer) -> None:
        """Let a connection follow the table as `viewer`, from now on."""
        before = self._viewers.get(connection)
        self._viewers[connection] = viewer
        if before is None:
            connection.tables += (self._code,)
        if before != viewer:
            self._counts.joined(self._code, connection, viewer)

    def remove(self, connection: Subscriber) -> None:
        """Stop sending the table to a connection."""
        if self._viewers.pop(connection, None) is not None:
            connection.tables = tuple(code for code in connection.tables if code != self._code)
            self._counts.left(self._code, connection)

    def viewer(self, connection: Subscriber) -> Viewer | None:
        """Return the viewer as whom a connection follows the table; None if it does not."""
        return self._viewers.get(connection)

    def publish(self, table: Table, publish: Publish, now: float) -> RulesFailed | None:
        """Queue new entries for all connections at the table.

        Returns the failure if the rules could not list a seat's moves: that seat still gets the
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
        question: QuestionParts | None = None
        told: dict[Encoder, Fields] = {}
        events: dict[_Kind, tuple[bytes, GameWords | None]] = {}
        for connection, viewer in self._viewers.items():
            try:
                subprotocol = connection.codec.subprotocol
                features = connection.features
                if len(connection.words) >= MOST_LISTS and not self._is_told_words(connection):
                    features -= {WORDS}
                shown_as = None if alike and viewer not in asked else viewer
                kind = (subprotocol, shown_as, features)
                event = events.get(kind)
                if event is None:
                    encoder, words = self._encoder(table, subprotocol, features)
                    fields = told.get(encoder)
                    if fields is None or not alike:
                        shown = [fact for fact, _ in facts] if alike else seen_by(facts, viewer)
                        fields = told[encoder] = encoder.telling(table.code, seq, shown, info)
                    if final and question is None:
                        question = public_question(table, now)
                    asks = question
                    if question is not None and viewer in asked:
                        try:
                            asks = with_choices(question, table, viewer, features)
                        except RulesFailed as error:
                            failure = error
                    event = events[kind] = encoder.asking(fields, asks), words
                encoded, words = event
                if words is not None and words.number not in connection.words:
                    # They tell nothing of a table, so nothing holds them back.
                    connection.put_encoded(words.message)
                    connection.words += (words.number,)
                connection.tell_encoded(encoded)
            except Exception as error:
                # It may not miss a number, so it has to reconnect for this one.
                connection.fail(error)
        return failure

    def _is_told_words(self, connection: Subscriber) -> bool:
        return self._words is not None and self._words.number in connection.words

    def _encoder(
        self, table: Table, subprotocol: str, features: frozenset[str]
    ) -> tuple[Encoder, GameWords | None]:
        internal = INTERNAL_VALUES in features
        if WORDS not in features:
            return _ENCODERS[subprotocol, internal], None
        if self._words is None:
            self._words = words_of(table.game.info, len(table.state.chairs))
        return self._words.encoders[internal], self._words

    def broadcast(self, message: WireForm) -> None:
        """Queue a message outside the sequence for all connections at the table."""
        tell_all(self._viewers, message)

    def tell_spectators(self, message: WireForm, feature: str) -> None:
        """Queue a message for the spectators whose programs have asked for `feature`."""
        spectators = (
            connection for connection, viewer in self._viewers.items() if viewer == SPECTATOR
        )
        tell_all(
            [connection for connection in spectators if feature in connection.features], message
        )
