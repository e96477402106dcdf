"""A question to a seat: what the seat knows, and what it may do."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from engine.cards import LegendCard
from engine.choices import Action, Choices, random_action
from engine.facts import Fact, Seat
from engine.views import View
from protocol.mirror import TableMirror
from protocol.to_client import Question
from protocol.wire_form import facts_form, wire_form


@dataclass(frozen=True, slots=True)
class Turn:
    """What one seat is asked: everything that it knows, and its choices. Seats count from 0.

    `number` is the number of the question at its table, and `match` that of the match. `facts` are
    those of this deal, `legend` describes the cards of the deck. `seconds` is how long the answer
    may take; None: as long as it wants.
    """

    table: str
    game: str
    match: int
    number: int
    seat: Seat
    names: tuple[str, ...]
    options: Mapping[str, int | bool | str]
    choices: Choices
    view: View
    facts: tuple[Fact, ...]
    legend: tuple[LegendCard, ...]
    seconds: float | None = None

    @classmethod
    def of(cls, table: TableMirror) -> "Turn":
        """The question that stands at a table where our seat is asked; `ValueError` elsewhere."""
        if table.seat is None or not table.my_turn:
            raise ValueError(f"nothing is asked of us at table {table.table}")
        return cls(
            table=table.table,
            game=table.info.game,
            match=table.info.match,
            number=table.question.turn,
            seat=table.seat,
            names=table.names,
            options=table.info.options,
            choices=table.choices,
            view=table.view,
            facts=table.facts,
            legend=table.legend,
            seconds=_seconds(table.question, table.seat),
        )

    @property
    def hand(self) -> tuple[str, ...]:
        """The cards in our hand; empty in a game without hands."""
        return self.view.cards("hand", self.seat)

    def random_action(self, rng: Random | None = None) -> Action:
        """A legal move, drawn at random."""
        return random_action(self.choices, Random() if rng is None else rng)

    def to_json(self) -> str:
        """The question as one line of JSON in ASCII, as a program of `bot --engine` reads it."""
        return json.dumps(self._form(), separators=(",", ":"))

    def _form(self) -> dict[str, Any]:  # as JSON holds it
        """The wire form with every field, even empty ones, except in facts and backs."""
        picks = [
            {"verb": pick.verb, "cards": pick.cards, "least": pick.least, "most": pick.most}
            for pick in self.choices.picks
        ]
        zones = {
            name: {"cards": zone.cards, "backs": zone.backs}
            for name, zone in self.view.zones.items()
        }
        return {
            "type": "turn",
            "table": self.table,
            "game": self.game,
            "match": self.match,
            "turn": self.number,
            "seat": self.seat,
            "names": self.names,
            "options": self.options,
            "choices": {"actions": self.choices.actions, "picks": picks},
            "view": {"zones": zones, "values": wire_form(self.view.values)},
            "facts": facts_form(self.facts),
            "legend": wire_form(self.legend),
            "seconds": self.seconds,
        }


def _seconds(question: Question, seat: Seat) -> float | None:
    """The time left to answer, with the seat's reserve; None without a clock."""
    reserve = question.reserve[seat] if seat < len(question.reserve) else 0
    return None if question.clock is None else question.clock + reserve
