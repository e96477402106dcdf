"""A newer server and today's client: no addition ends a session."""

from typing import Any

import pytest
from hypothesis import given

from engine.facts import Fact
from protocol.codec import Codec
from protocol.errors import ProtocolError
from protocol.to_client import (
    Event,
    GameList,
    HintAnswer,
    Snapshot,
    TableList,
    ToClient,
    UnreadEvent,
    Welcome,
)
from protocol.wire_form import WireForm, wire_form
from tests.protocol.model_server import INFO, TABLE, ModelServer, welcome
from tests.protocol.newer_messages import (
    NEWS,
    STRANGE_CHANGE,
    STRANGE_VALUES,
    as_sent,
    codecs,
    heard,
    with_news,
)
from tests.protocol.strategies import instances, messages
from tests.protocol.test_wire_form import without


class TestReading:
    @codecs
    @given(message=messages())
    def test_unknown_fields_change_nothing(self, codec: Codec, message: ToClient) -> None:
        """Unknown fields are ignored anywhere in a message."""
        [told] = heard(with_news(wire_form(message)), codec=codec)
        assert type(told) is type(message)
        assert without(as_sent(told), *NEWS) == as_sent(message)

    def test_unknown_types_of_any_kind(self) -> None:
        """A type that is no word is treated as an unknown type."""
        assert heard({"type": ["x"]}, {"type": None}, {"type": 7}, {}) == []

    @given(snapshot=instances(Snapshot), fact=instances(Fact))
    def test_a_snapshot_without_what_is_unknown(self, snapshot: Snapshot, fact: Fact) -> None:
        """A snapshot drops changes and values of unknown kinds, and its view is complete."""
        strange = with_news(wire_form(snapshot))
        told = wire_form(fact)
        more = {
            **told,
            "args": {**told.get("args", {}), **STRANGE_VALUES},
            "changes": [STRANGE_CHANGE, *told.get("changes", ()), {"do": "set"}, 7],
        }
        strange["facts"] = [more, *strange["facts"], "no fact"]
        view = strange["view"]
        strange["view"] = {**view, "values": {**view.get("values", {}), **STRANGE_VALUES}}
        [understood] = heard(strange)
        assert isinstance(understood, Snapshot)
        assert understood.facts == (fact, *snapshot.facts)
        assert understood.view == snapshot.view

    @pytest.mark.parametrize(
        "fact",
        [
            {"verb": "x", "changes": [STRANGE_CHANGE]},
            {"verb": "x", "changes": [{"do": "set", "key": "a", "value": 0.5}]},
            {"verb": ["x"]},
            7,
        ],
    )
    def test_an_event_with_an_unknown_change_is_not_half_read(self, fact: Any) -> None:
        """An event with an unknown change is treated as missed, since its view would be wrong."""
        event = {"type": "event", "table": TABLE, "seq": 4, "facts": [{"verb": "y"}, fact]}
        assert heard(event) == [UnreadEvent(table=TABLE, seq=4)]

    @pytest.mark.parametrize("wrong", [{"info": 7}, {"question": {"turn": "x"}}])
    def test_an_event_in_another_form(self, wrong: WireForm) -> None:
        """An event whose known parts have another form is treated as missed."""
        event = {"type": "event", "table": TABLE, "seq": 4, **wrong}
        assert heard(event) == [UnreadEvent(table=TABLE, seq=4)]

    def test_an_event_with_unknown_words_is_read(self) -> None:
        """Unknown arguments of texts are read, and unknown choices are not offered."""
        choices = {"actions": ["play QS", 7], "picks": [{"verb": "pass"}]}
        told = {"verb": "y", "args": {"seat": 1, **STRANGE_VALUES}}
        question = {"turn": 4, "choices": choices}
        [event] = heard(
            {"type": "event", "table": TABLE, "seq": 4, "facts": [told], "question": question}
        )
        assert isinstance(event, Event)
        assert event.facts == (Fact("y", {"seat": 1}),)
        assert event.question is not None
        assert event.question.choices is not None
        assert event.question.choices.actions == ("play QS",)

    @pytest.mark.parametrize("head", [{"seq": 4}, {"table": TABLE}, {"table": 4, "seq": 4}])
    def test_an_event_of_nothing(self, head: WireForm) -> None:
        """An event without table and number is refused."""
        with pytest.raises(ProtocolError, match="bad_message"):
            heard({"type": "event", **head, "facts": [{"verb": "x", "changes": [STRANGE_CHANGE]}]})

    def test_lists_go_on_without_what_cannot_be_read(self) -> None:
        """A list drops items of an unknown form, and keeps the others."""
        game = {
            "id": "pile",
            "version": 1,
            "title": "Pile",
            "seats": [3],
            "usual_seats": 3,
            "strengths": [0, "best"],
            "options": [
                {"name": "deals", "title": "Deals", "default": 2},
                {"name": "pace", "title": "Pace", "default": [1.5]},
            ],
        }
        table = as_sent(INFO)
        hint = {"type": "hint", "id": 3, "table": TABLE, "turn": 1, "action": "x"}
        weighed = {"action": "x", "value": 1.0, "why": {"points": 2.0, "because": "so"}}
        [games, tables, hinted, hello] = heard(
            {"type": "games", "id": 1, "games": [game, {"id": 7}]},
            {"type": "tables", "id": 2, "tables": [{"table": 7}, table]},
            {**hint, "candidates": [weighed, {"action": []}]},
            {**as_sent(welcome(1)), "features": ["a", {"b": 1}]},
        )
        assert isinstance(games, GameList)
        assert [each.id for each in games.games] == ["pile"]
        assert [option.name for option in games.games[0].options] == ["deals"]
        assert games.games[0].strengths == (0,)
        assert isinstance(tables, TableList)
        assert tables.tables == (INFO,)
        assert isinstance(hinted, HintAnswer)
        assert [each.why for each in hinted.candidates] == [{"points": 2.0}]
        assert isinstance(hello, Welcome)
        assert hello.features == ("a",)

    @pytest.mark.parametrize(
        "message",
        [
            {"type": "table", "table": TABLE},
            {"type": "table", "facts": [[[{}]]], "view": {"values": 7}},
            {"type": "ok", "id": "seven"},
            {"type": "chat", "table": TABLE, "seat": 1, "name": ["Ann"], "text": "x"},
        ],
    )
    def test_what_is_no_message_is_refused(self, message: WireForm) -> None:
        """A frame without the fields that this version always sends is refused."""
        with pytest.raises(ProtocolError, match="bad_message"):
            heard(message)

    def test_faults_at_several_depths(self) -> None:
        """Each pass finds faults hidden by the previous one, up to a limit."""
        snapshot = as_sent(ModelServer(seat=0).snapshot())
        [told] = heard({**snapshot, "facts": [{"verb": "x", "args": {"a": [[1]]}, "changes": [7]}]})
        assert isinstance(told, Snapshot)
        assert told.facts == (Fact("x"),)
