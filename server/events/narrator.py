"""Turns the spectators' events of a table into public events.

`told_to_spectators` is the only source of these messages, and calls the functions that the
broadcaster calls for a spectator: the facts in their audience, and a question without choices.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pydantic_core import to_json

from engine.cards import LegendCard
from engine.facts import SPECTATOR, Fact, seen_by
from protocol.texts import sentence
from protocol.wire_form import WireForm, fact_form
from server.table.effects import Publish
from server.table.fold import FactsByEntry
from server.table.messages import question_for
from server.table.state import TableState
from server.table.table import Table

TABLE_FACTS = frozenset(
    {
        "table_opened",
        "player_seated",
        "player_moved",
        "player_left",
        "player_kicked",
        "bot_added",
        "bot_removed",
        "player_ready",
        "configured",
        "host_changed",
        "match_started",
        "taken_over",
        "handed_back",
        "timed_out",
        "paused",
        "resumed",
        "rematch_opened",
        "table_closed",
    }
)
"""The facts of the table itself, which the list of tables shows too. All others are of a match."""


class PublishedEntries(NamedTuple):
    """New entries as they were when they were published; all of it is frozen."""

    steps: FactsByEntry
    state: TableState
    question: WireForm


class SpectatorView(NamedTuple):
    """The spectators' view of new entries: the facts of each, and the players to act after it."""

    facts: tuple[tuple[Fact, ...], ...]
    question: WireForm | None


def captured(table: Table, publish: Publish, now: float) -> PublishedEntries:
    """Capture the input of `told_to_spectators`; a move waits for no more than this."""
    return PublishedEntries(publish.steps, table.state, question_for(table, SPECTATOR, now))


def told_to_spectators(news: PublishedEntries) -> SpectatorView:
    """Return the spectators' view of new entries, without facts hidden before spectators come.

    A match that one person plays alone with bots has spectators once somebody watches it: until
    then moves can be taken back, and only the facts of the table itself are published.
    """
    steps = tuple(seen_by(step.facts, SPECTATOR) for step in news.steps)
    if is_alone(news.state):
        steps = tuple(tuple(f for f in facts if f.verb in TABLE_FACTS) for facts in steps)
        return SpectatorView(steps, None)
    return SpectatorView(steps, news.question)


def is_alone(state: TableState) -> bool:
    """Whether only its one player has seen the match in play or just played."""
    players = {player for player, _ in state.seen}
    return state.play is not None and len(players) <= 1 and not state.watched


class TopicMessage(NamedTuple):
    """An event, ready to be sent below the topic of its table."""

    type: str
    payload: bytes


class Narrator:
    """Makes the public events of one table under its public name.

    The events have the fields of the models in `server.events.messages`, by which they are not
    made, as that would take ten times as long at every move.

    `info` is the table's entry in the list of tables. `number` is the number of its last event.
    """

    def __init__(self, name: str, info: WireForm) -> None:
        self.name = name
        self.number = 0
        self._deal: int | None = None
        self._totals: tuple[int, ...] | None = None
        self._question: WireForm | None = None
        self._asked_at = 0.0
        self._turn: tuple[Any, ...] | None = None
        self.listed(info)

    def listed(self, info: WireForm) -> None:
        """Update the table's entry in the list of tables."""
        self._info = info
        self._players = _players(info)
        self._names = tuple(player["name"] for player in self._players)

    @property
    def is_playing(self) -> bool:
        """Whether a match is played, according to the list of tables."""
        return bool(self._info["phase"] == "playing")

    @property
    def shown(self) -> tuple[Any, ...]:
        """All values of a summary except numbers and times."""
        info = self._info
        about = (info["phase"], info["host"], info["match"], info["options"], self._players)
        return (*about, self._deal, self._totals)

    def summary(self, now: float) -> bytes:
        """Return the present summary of the table."""
        info = self._info
        return self._json(
            "summary",
            now,
            title=info["title"],
            private=info.get("settings", {}).get("private", False),
            phase=info["phase"],
            host=info["host"],
            players=self._players,
            options=info["options"],
            match=info["match"],
            seeded=info.get("seeded", False),
            deal=self._deal,
            totals=self._totals,
        )

    def asked(self, question: WireForm | None, now: float) -> None:
        """Record the question that spectators see since `now`."""
        self._question = question
        self._asked_at = now

    def turn(self) -> bytes | None:
        """Return the players to act, if they have changed since the last call."""
        info, question = self._info, self._question
        asked: tuple[WireForm, ...] = ()
        if question is not None and info["phase"] == "playing":
            asked = tuple(
                {"seat": seat, "name": self._names[seat], "kind": self._kind(seat)}
                for seat in question.get("to_act", ())
            )
        turn = 0 if question is None else question["turn"]
        shown = (info["match"], turn, asked)
        if shown == self._turn or (self._turn is None and not asked):
            return None
        self._turn = shown
        clock = question.get("clock") if question and asked else None
        match = info["match"]
        return self._json(
            "turn", self._asked_at, match=match, turn=turn, players=asked, clock=clock
        )

    def events(
        self, facts: Sequence[Fact], legend: Sequence[LegendCard], now: float
    ) -> Iterator[TopicMessage]:
        """Make the events of one entry from the spectators' view of it."""
        match = self._info["match"]
        said = [sentence(fact, self._names, legend, None) or "" for fact in facts]
        plays: list[int] = []
        changes: list[int] = []
        for at, fact in enumerate(facts):
            if fact.verb not in TABLE_FACTS:
                plays.append(at)
            elif fact.verb == "table_opened":
                title, private = self._info["title"], self._info["settings"].get("private", False)
                yield self._event("opened", now, title=title, private=private, text=said[at])
            elif fact.verb == "match_started":
                self._deal = self._totals = None
                yield self._event("started", now, match=match, players=self._players, text=said[at])
            elif fact.verb == "table_closed":
                reason = str(fact.args["reason"])
                yield self._event("closed", now, reason=reason, text=said[at])
            else:
                changes.append(at)
        if changes:
            yield self._event("changed", now, **_told(facts, said, changes))
        if plays:
            yield self._event("play", now, match=match, **_told(facts, said, plays))
        for at in plays:
            yield from self._results(facts[at], said[at], match, now)

    def skip(self, steps: Sequence[Sequence[Fact]]) -> None:
        """Skip some entries, and leave a gap in the numbers for their events."""
        for facts in steps:
            if facts:
                self.number += 1
            for fact in facts:
                if fact.verb == "match_started":
                    self._deal = self._totals = None
                else:
                    self._note(fact)

    def _results(self, fact: Fact, text: str, match: int, now: float) -> Iterator[TopicMessage]:
        self._note(fact)
        args: dict[str, Any] = dict(fact.args)
        match fact.verb:
            case "deal_scored":
                kept = {name: args[name] for name in ("deal", "scores", "totals")}
                yield self._event(
                    "deal_result", now, match=match, names=self._names, **kept, text=text
                )
            case "match_ended":
                kept = {name: args[name] for name in ("totals", "ranks")}
                yield self._event(
                    "match_result", now, match=match, names=self._names, **kept, text=text
                )

    def _note(self, fact: Fact) -> None:
        """Store the parts of a fact of the match that a summary shows."""
        args: dict[str, Any] = dict(fact.args)
        if fact.verb == "deal_started":
            self._deal = args["deal"]
        elif fact.verb == "deal_scored":
            self._totals = args["totals"]

    def _kind(self, seat: int) -> str:
        player = self._players[seat]
        return "bot" if player["kind"] == "bot" or player["stand_in"] else "human"

    # The fields of a payload, of many types.
    def _event(self, kind: str, now: float, **fields: Any) -> TopicMessage:
        self.number += 1
        return TopicMessage(kind, self._json(kind, now, **fields))

    def _json(self, kind: str, now: float, **fields: Any) -> bytes:
        return to_json(
            {
                "table": self.name,
                "game": self._info["game"],
                "number": self.number,
                "time": round(now, 3),
                "type": kind,
                **fields,
            }
        )


def _players(info: WireForm) -> tuple[WireForm, ...]:
    return tuple(
        {
            "seat": seat,
            "kind": chair["kind"],
            "name": chair.get("name", ""),
            "strength": chair.get("strength"),
            "stand_in": chair.get("stand_in", False),
            "program": chair.get("program", ""),
        }
        for seat, chair in enumerate(info["seats"])
    )


def _told(facts: Sequence[Fact], said: Sequence[str], which: Sequence[int]) -> WireForm:
    """Return some of the facts, and their text."""
    return {
        "facts": [fact_form(facts[at]) for at in which],
        "text": " ".join(filter(None, (said[at] for at in which))),
    }
