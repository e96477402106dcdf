"""The canonical form, and the hand-written encoders compared with the models."""

from random import Random
from typing import Any

import msgpack
from hypothesis import given
from pydantic import TypeAdapter

from engine import (
    GAMES,
    Choices,
    Fact,
    Pick,
    Setup,
    Shuffler,
    View,
    Zone,
    complete_options,
    seed_from_int,
)
from engine.cards import FRENCH
from engine.choices import MovedCards, Parts, Way, random_action
from engine.facts import Lay, Move, Set, Show, private, seen_by
from engine.labels import Label
from engine.layout import Layout, ZoneHint
from engine.phrases import Phrase
from protocol.codec import codec_for
from protocol.to_client import Error, Event, Legend, Ok, Question, Snapshot, ToClient
from protocol.version import JSON, MSGPACK
from protocol.wire_form import (
    choices_form,
    error_message,
    event_message,
    fact_form,
    facts_form,
    legend_form,
    legend_message,
    ok_message,
    parts_form,
    question_form,
    snapshot_message,
    view_form,
    wire_form,
)
from tests.protocol.model_server import encode_frame
from tests.protocol.strategies import instances, messages

READERS = {kind: TypeAdapter[Any](kind) for kind in (Choices, Fact, View)}


def same(mine: Any, models: Any) -> bool:
    """Whether two plain values have equal bytes when packed, except for the order of fields."""
    return bool(_unpacked(mine) == _unpacked(models))


def _unpacked(value: Any) -> Any:
    return msgpack.unpackb(msgpack.packb(value))


def without(value: Any, *names: str) -> Any:
    """`value` without the fields of these names, at any depth."""
    if isinstance(value, dict):
        return {k: without(held, *names) for k, held in value.items() if k not in names}
    if isinstance(value, list | tuple):
        return [without(held, *names) for held in value]
    return value


class TestTheForm:
    @given(message=messages())
    def test_it_is_the_models_own_without_defaults(self, message: ToClient) -> None:
        """The canonical form is pydantic's without defaults, except for types."""
        dumped = message.model_dump(mode="json", exclude_defaults=True)
        names = ("type", "do")
        assert same(without(wire_form(message), *names), without(dumped, *names))

    def test_discriminators_stay(self) -> None:
        """Discriminators are written even if they have their default."""
        assert wire_form(Ok(id=1)) == {"type": "ok", "id": 1}

    def test_an_audience_is_never_told(self) -> None:
        """The audience of a fact is never written."""
        (fact,) = seen_by((private(1, "hand_dealt", {"seat": 1}),), 1)
        event = Event(table="PLUM", seq=3, facts=(fact,))
        for codec in (codec_for(MSGPACK), codec_for(JSON)):
            sent = encode_frame(codec, [event])
            assert "hand_dealt" in str(sent)
            assert "audience" not in str(sent)
        assert fact_form(fact) == {"verb": "hand_dealt", "args": {"seat": 1}}


class TestTheBuilders:
    @given(message=instances(Ok))
    def test_ok(self, message: Ok) -> None:
        """The hand-written `ok` equals the model's."""
        assert same(ok_message(message.id, message.table, message.seq), wire_form(message))

    @given(message=instances(Error))
    def test_error(self, message: Error) -> None:
        """The hand-written `error` equals the model's."""
        error = error_message(
            message.id, message.code, message.reason, message.retry_after, message.phrase
        )
        assert same(error, wire_form(message))

    def test_a_refusal_that_quotes_the_peer(self) -> None:
        """A refusal that quotes received text has no control characters in reason or phrase."""
        phrase = Phrase("option_unknown", {"option": "a\x1b[2Jb", "place": 1})
        error = error_message(1, "bad_option", "a\x1b[2Jb", phrase=phrase)
        assert error["reason"] == error["phrase"]["args"]["option"] == r"a\x1b[2Jb"
        assert error["phrase"]["args"]["place"] == 1

    @given(message=instances(Event))
    def test_event(self, message: Event) -> None:
        """The hand-written `event` equals the model's, with facts, changes and prompt."""
        built = event_message(
            message.table,
            message.seq,
            facts_form(message.facts),
            info=wire_form(message.info),
            question=question_of(message.question) if message.question else None,
        )
        assert same(built, wire_form(message))

    @given(message=instances(Snapshot))
    def test_snapshot(self, message: Snapshot) -> None:
        """The hand-written snapshot of a table equals the model's."""
        digest = {"digest": message.digest} if message.digest else {}
        built = snapshot_message(
            message.table,
            message.seq,
            message.seat,
            wire_form(message.info),
            message.view,
            facts_form(message.facts),
            question_of(message.question),
            {**legend_form(message.legend, message.labels, message.layout), **digest},
            message.earlier,
        )
        # A client of the first form needs a legend, even an empty one.
        assert same(built, {"legend": (), **wire_form(message)})

    def test_every_kind_of_change(self) -> None:
        """Each kind of change is written right, with and without its optional parts."""
        changes = (
            Lay({"deck": 3, "hand/0": 0}),
            Move("deck", "hand/0", ("QS",), hidden=True),
            Move("deck", "trick", 2),
            Show("trick", ("2C",)),
            Set("turn", (1,)),
            Set("trump", None),
        )
        assert fact_form(Fact("x", {}, changes))["changes"] == [
            {"do": "lay", "zones": {"deck": 3, "hand/0": 0}},
            {"do": "move", "source": "deck", "target": "hand/0", "cards": ("QS",), "hidden": True},
            {"do": "move", "source": "deck", "target": "trick", "cards": 2},
            {"do": "show", "zone": "trick", "cards": ("2C",)},
            {"do": "set", "key": "turn", "value": (1,)},
            {"do": "set", "key": "trump", "value": None},
        ]

    def test_parts_that_may_be_absent(self) -> None:
        """Absent parts are left out, and present ones are written even if empty."""
        assert question_form(3) == {"turn": 3}
        pick = Choices(picks=(Pick("pass", ("2C",), 0, 1),))
        asked = {"verb": "pass", "cards": ("2C",), "least": 0, "most": 1}
        assert question_form(3, (0, 1), pick, 2.5, (9, 0)) == {
            "turn": 3,
            "to_act": (0, 1),
            "choices": {"picks": (asked,)},
            "clock": 2.5,
            "reserve": (9, 0),
        }
        assert question_form(3, choices=Choices(("play 2C",)))["choices"] == {
            "actions": ("play 2C",)
        }
        worded = Choices(("play 2C",), texts=("play {card 2C}",))
        assert choices_form(worded) == {"actions": ("play 2C",), "texts": ("play {card 2C}",)}
        way, cards = Way("lay", "hand/0"), Parts(cards=("2C",))
        assert choices_form(Choices(("lay 2C",), ways=(way,), parts=(cards,))) == {
            "actions": ("lay 2C",),
            "ways": ({"title": "lay", "source": "hand/0"},),
            "parts": ({"cards": ("2C",)},),
        }
        whole = Parts(1, ("2C",), (0, 2), (3,), ("high",), (7,), (MovedCards(2, backs=(1,)),), 2)
        assert parts_form(whole) == wire_form(whole)
        assert whole.then
        assert parts_form(Parts()) == {}
        way_there = Way("give", target="hand/1")
        assert choices_form(Choices(ways=(way_there,)))["ways"] == (wire_form(way_there),)
        picked = Choices(picks=(Pick("give", ("2C",), 1, 1, 1),))
        assert choices_form(picked)["picks"] == (wire_form(picked.picks[0]),)
        told = Phrase("ask_give", {"count": 2})
        assert choices_form(Choices(prompt=told))["prompt"] == wire_form(told)
        asks = Choices(("play 2C",), prompt=Phrase("ask_lead"))
        assert choices_form(asks)["prompt"] == wire_form(Phrase("ask_lead"))
        assert question_form(3, choices=Choices())["choices"] == {}
        assert ok_message(1) == {"type": "ok", "id": 1}
        assert ok_message(1, "PLUM", 0) == {"type": "ok", "id": 1, "table": "PLUM", "seq": 0}
        assert event_message("PLUM", 4) == {"type": "event", "table": "PLUM", "seq": 4}
        parts = event_message("PLUM", 4, [{"verb": "x"}], {"phase": "lobby"}, {"turn": 1})
        assert parts.keys() == {"type", "table", "seq", "facts", "info", "question"}
        assert fact_form(Fact("x", words="y")) == {"verb": "x", "words": "y"}
        error = error_message(None, "try_again", "later", 1.5)
        assert (error["retry_after"], "phrase" in error) == (1.5, False)
        assert view_form(View()) == {}
        seen = view_form(View({"hand/0": Zone(("2C",), 1), "deck": Zone()}, {"turn": (0,)}))
        assert seen == {
            "zones": {"hand/0": {"cards": ("2C",), "backs": 1}, "deck": {}},
            "values": {"turn": (0,)},
        }

    def test_a_snapshot_with_and_without_labels(self) -> None:
        """A snapshot has labels only if the game has some."""
        parts = ("PLUM", 4, None, {"phase": "lobby"}, View(), (), {"turn": 1})
        labels = legend_form((), [Label("hand", "Hand")])
        assert labels["labels"] == ({"kind": "hand", "title": "Hand"},)
        plain = snapshot_message(*parts, legend_form(()))
        assert {**plain, "labels": labels["labels"]} == snapshot_message(*parts, labels)

    def test_a_legend_by_itself(self) -> None:
        """A legend sent by itself has the snapshot's fields, and its digest."""
        layout = Layout((ZoneHint("hand", "hand", "hand"),))
        message = Legend(digest="d", legend=FRENCH[:1], labels=(Label("hand", "x"),), layout=layout)
        form = legend_form(message.legend, message.labels, message.layout)
        assert same(legend_message("d", form), wire_form(message))

    def test_a_match_of_every_game(self) -> None:
        """Facts, views and choices of real matches survive encoding and decoding."""
        for info in GAMES:
            game, rng = GAMES.game(info.id), Random(1)
            options = complete_options(game, info.usual_seats, {})
            step = game.start(Setup(info.usual_seats, options, Shuffler(seed_from_int(1))))
            while seats := game.to_act(step.state):
                choices = game.choices(step.state, seats[0])
                view = game.view(step.state, seats[0])
                assert read(Choices, choices_form(choices)) == choices
                assert read(View, view_form(view)) == view
                step = game.apply(step.state, seats[0], random_action(choices, rng))
                for fact in seen_by(step.facts, seats[0]):
                    assert read(Fact, fact_form(fact)) == fact

    def test_the_legend(self) -> None:
        """The legend lists the deck as clients get it."""
        first = {"token": "2C", "label": "2♣", "group": "♣", "order": 0, "colour": "green"}
        assert legend_form(FRENCH)["legend"][0] == first


def question_of(question: Question) -> dict[str, Any]:
    return question_form(
        question.turn, question.to_act, question.choices, question.clock, question.reserve
    )


def read(kind: type[Any], form: dict[str, Any]) -> Any:
    """A part of a message as a client reads it."""
    return READERS[kind].validate_python(_unpacked(form))
