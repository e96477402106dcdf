"""A client's picture of one table: a snapshot, and every event after it folded in."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from engine.cards import LegendCard
from engine.choices import NO_CHOICES, Choices
from engine.errors import EngineError
from engine.facts import Fact, Seat
from engine.labels import Label
from engine.layout import NO_LAYOUT, Layout
from engine.views import EMPTY_VIEW, View, fold
from protocol.to_client import (
    Event,
    Notice,
    Question,
    Snapshot,
    StrengthInfo,
    TableInfo,
    Unchanged,
    UnreadEvent,
)


class OutOfSync(Exception):
    """Events are missing before this one, so that a new snapshot is needed."""


class UnsupportedEvent(OutOfSync):
    """The event is the next one, but this client cannot follow it; the next may fail as well."""


@dataclass(frozen=True, slots=True)
class TableMirror:
    """A table as this client may see it after event `seq`. `seat` is its own; None watches.

    `facts` are those of the deal in play. Folded from nothing they give `view`, unless the client
    took its seat after the deal began: what happened before is then told as everybody saw it; or
    unless a newer server told of changes that this client does not know. `latecomers` are the names
    of those who ask its owner, the host, to be let in, by the numbers of their requests; `late`
    are the seats whose time to answer is up, as far as the server has told. `bots` are the
    strengths of the game in words and `teams` the seats that play together, where the client has
    asked for the game.
    """

    table: str
    seq: int
    seat: Seat | None
    info: TableInfo
    view: View
    facts: tuple[Fact, ...]
    question: Question
    legend: tuple[LegendCard, ...]
    latecomers: Mapping[int, str] = field(default_factory=dict)
    late: frozenset[Seat] = frozenset()
    labels: tuple[Label, ...] = ()
    layout: Layout = NO_LAYOUT
    bots: tuple[StrengthInfo, ...] = ()
    teams: tuple[tuple[Seat, ...], ...] = ()

    @classmethod
    def of(cls, snapshot: Snapshot, before: "TableMirror | None" = None) -> "TableMirror":
        """The table of `snapshot`, with what no snapshot tells taken from the table `before`."""
        late = frozenset() if before is None else before.late_at(snapshot.question)
        return cls(
            table=snapshot.table,
            seq=snapshot.seq,
            seat=snapshot.seat,
            info=snapshot.info,
            view=snapshot.view,
            facts=snapshot.facts,
            question=snapshot.question,
            legend=snapshot.legend,
            latecomers=before.latecomers if before else {},
            late=late,
            labels=snapshot.labels,
            layout=snapshot.layout,
            bots=before.bots if before else (),
            teams=before.teams if before else (),
        )

    @property
    def my_turn(self) -> bool:
        """Whether this client's seat may act now."""
        return self.seat is not None and self.seat in self.question.to_act

    @property
    def choices(self) -> Choices:
        """The client's choices; none if it may not act now."""
        return self.question.choices or NO_CHOICES

    @property
    def stand_in(self) -> bool:
        """Whether a bot plays the client's seat until the player takes it back."""
        seats = self.info.seats
        return self.seat is not None and 0 <= self.seat < len(seats) and seats[self.seat].stand_in

    @property
    def names(self) -> tuple[str, ...]:
        """The names by seat; an empty name for an empty seat."""
        return tuple(seat.name for seat in self.info.seats)

    def title(self, kind: str) -> str:
        """The title of the zones or values of this kind; their own name if the game gives none."""
        label = next((each for each in self.labels if each.kind == kind), None)
        named = label or self.layout.zone(kind) or self.layout.value(kind)
        return kind.removesuffix("_team").replace("_", " ") if named is None else named.title

    def follow(self, event: Event) -> "TableMirror":
        """The table after the next event; `OutOfSync` if `event` is not the next one."""
        if event.seq != self.seq + 1:
            raise OutOfSync(f"event {event.seq} comes after event {self.seq}")
        if isinstance(event, UnreadEvent):
            raise UnsupportedEvent(f"event {event.seq} holds what this client does not know")
        deal = _deal_starts(event.facts)
        question = event.question or self.question
        try:
            view = fold(event.facts[deal or 0 :], self.view if deal is None else EMPTY_VIEW)
        except EngineError as error:
            raise UnsupportedEvent(f"event {event.seq} does not fit: {error}") from error
        return replace(
            self,
            seq=event.seq,
            seat=_seat_after(self.seat, event.facts),
            info=event.info or self.info,
            view=view,
            facts=(self.facts if deal is None else ()) + event.facts[deal or 0 :],
            question=question,
            late=self.late_at(question),
        )

    def with_presence(self, seat: Seat, away: bool) -> "TableMirror":
        """The table after a player's connection came or went, which no event tells."""
        seats = tuple(
            chair.model_copy(update={"away": away}) if at == seat else chair
            for at, chair in enumerate(self.info.seats)
        )
        return replace(self, info=self.info.model_copy(update={"seats": seats}))

    def late_at(self, question: Question) -> frozenset[Seat]:
        """The seats that still have no time left for `question`, as far as the client knows."""
        goes_on = question.turn == self.question.turn and question.clock == 0
        return self.late if goes_on else frozenset()

    def with_times(self, unchanged: Unchanged) -> "TableMirror":
        """The table with its current clocks and the present players."""
        times = {"clock": unchanged.clock, "reserve": unchanged.reserve}
        question = self.question.model_copy(update=times)
        return replace(self, info=unchanged.info, question=question, late=self.late_at(question))

    def with_notice(self, notice: Notice) -> "TableMirror":
        """The table after a notice about a request to join or about late players."""
        match notice.kind:
            case "latecomer" | "latecomer_gone":
                return self.with_latecomer(notice)
            case "time_up" if not self.late.issuperset(notice.seats):
                return replace(self, late=self.late.union(notice.seats))
        return self

    def with_latecomer(self, notice: Notice) -> "TableMirror":
        """The table after a request to join was made or has ended."""
        latecomers = {**self.latecomers}
        latecomers.pop(notice.request or 0, None)
        if notice.kind == "latecomer" and notice.request is not None:
            latecomers[notice.request] = notice.name or ""
        return replace(self, latecomers=latecomers)

    def alone(self) -> "TableMirror":
        """The table without requests to join."""
        return replace(self, latecomers={}) if self.latecomers else self


def _deal_starts(facts: tuple[Fact, ...]) -> int | None:
    """The index at which a new deal begins, from where earlier facts no longer count."""
    starts = [at for at, fact in enumerate(facts) if fact.verb == "deal_started"]
    return starts[-1] if starts else None


def _seat_after(seat: Seat | None, facts: tuple[Fact, ...]) -> Seat | None:
    for fact in facts:
        if fact.verb == "player_moved" and seat is not None and fact.args.get("seat") == seat:
            to = fact.args.get("to")
            seat = to if isinstance(to, int) else seat
    return seat
