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
from server.crossing.parcels import Told
from server.table.effects import Publish
from server.table.messages import info_of, question_for, question_without_choices
from server.table.rules import RulesFailed
from server.table.table import Table
from server.tables.link import Link, put_to_all
from server.tables.mail import Mail
from server.tables.spectator_counts import SpectatorCounts

_ENCODERS = {
    (name, internal): EventEncoder(codec_for(name), internal)
    for name in SUBPROTOCOLS
    for internal in (False, True)
}
_Receivers: TypeAlias = dict[Mail, list[int]]


class Broadcaster:
    """The connections at one table, each with the viewer whose view it gets."""

    def __init__(self, code: str, counts: SpectatorCounts) -> None:
        self._code = code
        self._counts = counts
        self._viewers: dict[Link, Viewer] = {}

    def __bool__(self) -> bool:
        return bool(self._viewers)

    def __iter__(self) -> Iterator[tuple[Link, Viewer]]:
        return iter(tuple(self._viewers.items()))

    def __contains__(self, link: Link) -> bool:
        return link in self._viewers

    @property
    def spectators(self) -> int:
        """How many of them have no seat."""
        return sum(1 for viewer in self._viewers.values() if viewer == SPECTATOR)

    def add(self, link: Link, viewer: Viewer) -> None:
        """Let a connection follow the table as `viewer`, from now on."""
        before = self._viewers.get(link)
        self._viewers[link] = viewer
        if before != viewer:
            self._counts.joined(self._code, link, viewer)

    def remove(self, link: Link) -> None:
        """Let a connection no longer follow the table."""
        if self._viewers.pop(link, None) is not None:
            self._counts.left(self._code, link)

    def viewer(self, link: Link) -> Viewer | None:
        """As whom a connection follows the table; None if it does not."""
        return self._viewers.get(link)

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
        # Each gateway gets each event once, with the connections that it is for.
        events: dict[tuple[str, Viewer | None, frozenset[str]], tuple[bytes, _Receivers]] = {}
        for link, viewer in self._viewers.items():
            try:
                subprotocol = link.codec.subprotocol
                features = link.features
                shown_as = None if alike and viewer not in asked else viewer
                kind = (subprotocol, shown_as, features)
                made = events.get(kind)
                if made is None:
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
                    made = events[kind] = encoder.asking(fields, question), {}
                event, receivers = made
                numbers = receivers.get(link.mail)
                if numbers is None:
                    numbers = receivers[link.mail] = [link.number]
                    link.mail.put(Told(numbers, event, passing=True))
                else:
                    numbers.append(link.number)
            except Exception as error:
                # It may not miss a number, so it has to reconnect for this one.
                link.fail(error)
        return failure

    def broadcast(self, message: WireForm) -> None:
        """Let a message outside the sequence wait for everybody at the table."""
        put_to_all(self._viewers, message)

    def tell_spectators(self, message: WireForm, feature: str) -> None:
        """The same for the spectators alone, and of them for those who have asked for `feature`."""
        spectators = (link for link, viewer in self._viewers.items() if viewer == SPECTATOR)
        put_to_all([link for link in spectators if feature in link.features], message)
