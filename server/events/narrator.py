"""What spectators are sent of a table, told as public events.

`told_to_spectators` is the only way from a table to here, and asks the same functions as the
broadcaster does for a spectator: the facts in their audience, and a question without choices.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from engine.cards import LegendCard
from engine.facts import SPECTATOR, Fact, seen_by
from protocol.texts import sentence
from protocol.wire_form import WireForm
from server.events.messages import (
    Asked,
    Changed,
    Closed,
    DealResult,
    Event,
    MatchResult,
    Opened,
    Play,
    Player,
    Started,
    Summary,
    Told,
    Turn,
)
from server.table.effects import Publish
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


class SpectatorView(NamedTuple):
    """What spectators are told of new entries: the facts of each, and whose turn it is after."""

    facts: tuple[tuple[Fact, ...], ...]
    question: WireForm | None


def told_to_spectators(table: Table, publish: Publish, now: float) -> SpectatorView:
    """What a spectator is sent of new entries, less what is hidden from who has not come to watch.

    A match that one person plays alone with bots has spectators once somebody watches it: until
    then moves can be taken back, and only the facts of the table itself are told.
    """
    steps = tuple(seen_by(step.facts, SPECTATOR) for step in publish.steps)
    if is_alone(table.state):
        steps = tuple(tuple(f for f in facts if f.verb in TABLE_FACTS) for facts in steps)
        return SpectatorView(steps, None)
    return SpectatorView(steps, question_for(table, SPECTATOR, now))


def is_alone(state: TableState) -> bool:
    """Whether the match in play or just played has been seen by nobody but its only player."""
    players = {player for player, _ in state.seen}
    return state.play is not None and len(players) <= 1 and not state.watched


class Narrator:
    """Tells of one table, by the name that subscribers know it by.

    `info` is what the list of tables shows of it. `number` is that of its last event.
    """

    def __init__(self, name: str, info: WireForm) -> None:
        self.name = name
        self.number = 0
        self._deal: int | None = None
        self._totals: tuple[int, ...] | None = None
        self._turn: tuple[Any, ...] | None = None
        self.listed(info)

    def listed(self, info: WireForm) -> None:
        """The table is shown otherwise in the list of tables."""
        self._info = info
        self._players = _players(info)
        self._names = tuple(player.name for player in self._players)

    @property
    def shown(self) -> tuple[Any, ...]:
        """All that a summary shows beside numbers and times."""
        info = self._info
        about = (info["phase"], info["host"], info["match"], info["options"], self._players)
        return (*about, self._deal, self._totals)

    def summary(self, now: float) -> Summary:
        """The table as it is."""
        info = self._info
        return Summary(
            **self._about(now),
            title=info["title"],
            private=info.get("settings", {}).get("private", False),
            phase=info["phase"],
            host=info["host"],
            players=self._players,
            options=info["options"],
            match=info["match"],
            deal=self._deal,
            totals=self._totals,
        )

    def turn(self, question: WireForm | None, now: float) -> Turn | None:
        """Whose turn it is, if that has changed."""
        info = self._info
        asked: tuple[Asked, ...] = ()
        if question is not None and info["phase"] == "playing":
            asked = tuple(
                # Checked by nobody, like the other models of every move: that would cost as much.
                Asked.model_construct(seat=seat, name=self._names[seat], kind=self._kind(seat))
                for seat in question.get("to_act", ())
            )
        turn = 0 if question is None else question["turn"]
        shown = (info["match"], turn, asked)
        if shown == self._turn or (self._turn is None and not asked):
            return None
        self._turn = shown
        return Turn.model_construct(
            **self._about(now),
            match=info["match"],
            turn=turn,
            players=asked,
            clock=question.get("clock") if question and asked else None,
        )

    def events(
        self, facts: Sequence[Fact], legend: Sequence[LegendCard], now: float
    ) -> Iterator[Event]:
        """The events of one entry, from what spectators are told of it."""
        match = self._info["match"]
        said = [sentence(fact, self._names, legend, None) or "" for fact in facts]
        plays = [at for at, fact in enumerate(facts) if fact.verb not in TABLE_FACTS]
        changes: list[int] = []
        for at, fact in enumerate(facts):
            if fact.verb == "table_opened":
                title, private = self._info["title"], self._info["settings"].get("private", False)
                yield Opened(**self._next(now), title=title, private=private, text=said[at])
            elif fact.verb == "match_started":
                self._deal = self._totals = None
                yield Started(**self._next(now), match=match, players=self._players, text=said[at])
            elif fact.verb == "table_closed":
                reason = str(fact.args["reason"])
                yield Closed(**self._next(now), reason=reason, text=said[at])
            elif fact.verb in TABLE_FACTS:
                changes.append(at)
        if changes:
            yield Changed(**self._next(now), **_told(facts, said, changes))
        if plays:
            about = {**self._next(now), **_told(facts, said, plays)}
            yield Play.model_construct(match=match, **about)
        for at in plays:
            yield from self._results(facts[at], said[at], match, now)

    def _results(self, fact: Fact, text: str, match: int, now: float) -> Iterator[Event]:
        args: dict[str, Any] = dict(fact.args)
        match fact.verb:
            case "deal_started":
                self._deal = args["deal"]
            case "deal_scored":
                self._totals = args["totals"]
                yield DealResult(
                    **self._next(now),
                    match=match,
                    deal=args["deal"],
                    names=self._names,
                    scores=args["scores"],
                    totals=args["totals"],
                    text=text,
                )
            case "match_ended":
                yield MatchResult(
                    **self._next(now),
                    match=match,
                    names=self._names,
                    totals=args["totals"],
                    ranks=args["ranks"],
                    text=text,
                )

    def _kind(self, seat: int) -> str:
        player = self._players[seat]
        return "bot" if player.kind == "bot" or player.stand_in else "human"

    def _next(self, now: float) -> dict[str, Any]:
        self.number += 1
        return self._about(now)

    def _about(self, now: float) -> dict[str, Any]:  # arguments of a model, which checks them
        return {
            "table": self.name,
            "game": self._info["game"],
            "number": self.number,
            "time": round(now, 3),
        }


def _players(info: WireForm) -> tuple[Player, ...]:
    return tuple(
        Player(
            seat=seat,
            kind=chair["kind"],
            name=chair.get("name", ""),
            strength=chair.get("strength"),
            stand_in=chair.get("stand_in", False),
            program=chair.get("program", ""),
        )
        for seat, chair in enumerate(info["seats"])
    )


def _told(facts: Sequence[Fact], said: Sequence[str], which: Sequence[int]) -> dict[str, Any]:
    told = tuple(
        Told.model_construct(verb=f.verb, args=f.args, changes=f.changes, words=f.words)
        for f in (facts[at] for at in which)
    )
    return {"facts": told, "text": " ".join(filter(None, (said[at] for at in which)))}
