"""Events in the compact form are read as the messages that they are in the long one."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Choices, Fact, Pick
from engine.choices import MovedCards, Parts, Way
from engine.facts import Change, Lay, Move, Set, Show
from engine.phrases import Phrase
from protocol import compact_form, compact_reader
from protocol.codec import codec_for
from protocol.compact_form import (
    HUNDREDTHS,
    LONGEST_WORD,
    MOST_LISTS,
    MOST_TIMES,
    MOST_WORDS,
)
from protocol.compact_reader import CompactReader
from protocol.errors import ProtocolError
from protocol.events import CompactEventEncoder
from protocol.to_client import Event, Pong, Question, ToClient
from protocol.version import JSON, MSGPACK
from protocol.wire_form import QuestionParts, wire_form
from tests.protocol.strategies import TEXT, instances

CODEC = codec_for(MSGPACK)
WORDS = ("QS", "2C", "play ", "seat", "card", "hand/1", "trick", "{card ", "card_played", "turn")
FACT = Fact("card_played", {"seat": 1}, (Move("hand/1", "trick", ("QS",)), Set("turn", (2,))))
TEXTS = st.text(TEXT, max_size=12) | st.lists(st.sampled_from([*WORDS, " ", "}", "é"])).map("".join)


def words(number: int, told: Sequence[str] = WORDS) -> bytes:
    """The message that tells a list of words."""
    return CODEC.encode_message({"type": "words", "number": number, "words": told})


def parts(question: Question | None) -> QuestionParts | None:
    if question is None:
        return None
    fields = (question.turn, question.to_act, question.choices, question.clock, question.reserve)
    return QuestionParts(*fields)


def encoded(event: Event, encoder: CompactEventEncoder) -> bytes:
    """An event as a server encodes it."""
    info = None if event.info is None else wire_form(event.info)
    return encoder.encode(event.table, event.seq, event.facts, info, parts(event.question))


def read(*messages: bytes, reader: CompactReader | None = None) -> list[ToClient]:
    """What a client reads in a frame."""
    return CODEC.decode_frame(CODEC.frame(messages), reader or CompactReader())


def compact(*event: Any) -> bytes:
    """A made-up event."""
    packed: bytes = msgpack.packb(event)
    return packed


def to_hundredths(event: Event) -> Event:
    """`event` with its clock as the compact form tells it."""
    question = event.question
    if question is None or question.clock is None or not 0 <= question.clock < 1e9:
        return event
    if min(question.reserve, default=0) < 0:
        # This is sent in the long form.
        return event
    clock = round(question.clock * HUNDREDTHS) / HUNDREDTHS
    return event.model_copy(update={"question": question.model_copy(update={"clock": clock})})


class TestReading:
    @given(event=instances(Event), told=st.lists(TEXTS, max_size=200))
    def test_any_event(self, event: Event, told: list[str]) -> None:
        """Whatever the words are: all that an event says comes back, clocks to the hundredth."""
        encoder = CompactEventEncoder(7, told)
        for _ in range(2):
            assert read(words(7, told), encoded(event, encoder)) == [to_hundredths(event)]

    @given(
        texts=st.lists(TEXTS, max_size=20),
        told=st.lists(TEXTS, max_size=200),
        args=st.dictionaries(TEXTS, TEXTS | st.integers(-9, 300), max_size=3),
    )
    def test_texts_with_words_in_them(
        self, texts: list[str], told: list[str], args: dict[str, Any]
    ) -> None:
        """In actions and their words, in arguments and values, in the names of cards and zones."""
        cards = tuple(texts[:3])
        changes: tuple[Change, ...] = (Show("x", cards), Move("x", "y", cards))
        changes += tuple(Set(text, text) for text in texts)
        choices = Choices(tuple(texts), (Pick("give", cards, 0, 2),), texts=tuple(texts))
        facts = tuple(Fact(text, args, changes, text, holds=True) for text in texts)
        event = Event(table="PLUM", seq=3, facts=facts, question=Question(turn=1, choices=choices))
        encoder = CompactEventEncoder(0, told)
        assert read(words(0, told), encoded(event, encoder)) == [event]

    @given(data=st.data())
    def test_any_sequence_on_a_connection(self, data: st.DataObject) -> None:
        """Two lists of words, events in both forms and other messages, in frames of any size."""
        encoders = {number: CompactEventEncoder(number, WORDS[number:]) for number in (1, 2)}
        reader, told = CompactReader(), set[int]()
        for _ in range(data.draw(st.integers(1, 5))):
            sent: list[bytes] = []
            expected: list[ToClient] = []
            for event in data.draw(st.lists(instances(Event), max_size=4)):
                number = data.draw(st.integers(0, 3))
                if number in encoders:
                    if number not in told:
                        sent.append(words(number, WORDS[number:]))
                        told.add(number)
                    sent.append(encoded(event, encoders[number]))
                    expected.append(to_hundredths(event))
                else:
                    message = event if number else Pong(id=1)
                    sent.append(CODEC.encode_message(wire_form(message)))
                    expected.append(message)
            assert read(*sent, reader=reader) == expected

    def test_every_part(self) -> None:
        """Each part of a question and each kind of change, with its defaults and without them."""
        changes = (Lay({"trick": 0, "x": 3}), Move("trick", "x", 2, hidden=True), Set("turn", None))
        facts = (Fact("x"), Fact("x", {"a": 1}), Fact("x", {}, changes), Fact("x", words="QS y"))
        choices = (
            None,
            Choices(),
            Choices(("pass",)),
            Choices(("play QS", "play 2C", "pass", "play QS@2"), texts=("a b", "a c", "d", "")),
            Choices(picks=(Pick("pass", ("QS",), 0, 1), Pick("x", (), 0, 0, way=1))),
            Choices(("x",), ways=(Way("x"), Way("x", "y"), Way("x", "", "z"))),
            Choices(("x",), parts=(Parts(1, ("QS",), then=(MovedCards(2),)),)),
            Choices(("x",), prompt=Phrase("ask")),
            Choices(("x",), prompt=Phrase("ask", {"card": "QS"}), parts=(Parts(),)),
        )
        encoder = CompactEventEncoder(0, WORDS)
        for offered in choices:
            for clock in (None, 0.0, 12.34):
                for reserve in ((), (300,), (300, 300, 2), (0, 0, 7, 7)):
                    asked = Question(
                        turn=3, to_act=(0, 2), choices=offered, clock=clock, reserve=reserve
                    )
                    event = Event(table="PLUM", seq=300, facts=facts, question=asked)
                    assert read(words(0), encoded(event, encoder)) == [event]

    def test_a_form_that_it_does_not_have_is_sent_in_the_long_one(self) -> None:
        """A reserve or clock that no server of ours has comes as it is."""
        for asked in (QuestionParts(1, reserve=(5, -3)), QuestionParts(1, clock=-1.5)):
            event = Event(table="PLUM", seq=1, question=Question(**asked._asdict()))
            assert read(words(0), encoded(event, CompactEventEncoder(0, WORDS))) == [event]

    def test_what_is_remembered_is_bounded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Texts beyond the bound push out the older ones and are encoded all the same."""
        monkeypatch.setattr(compact_form, "REMEMBERED", 3)
        encoder = CompactEventEncoder(0, WORDS)
        for number in range(9):
            actions = tuple(f"play {number + more}" for more in range(5))
            asked = Question(turn=1, choices=Choices(actions))
            event = Event(table="PLUM", seq=1, facts=(Fact(f"x{number}"),), question=asked)
            assert read(words(0), encoded(event, encoder)) == [event]
            form = encoder._form
            assert max(map(len, (form._text, form._spelt, form._cut, form._middles))) <= 5


class TestTheForm:
    def test_an_event_in_bytes(self) -> None:
        """The example of docs/protocol.md."""
        asked = QuestionParts(5, (2,), Choices(("play 2C", "play QS")), 12.5)
        made = CompactEventEncoder(0, WORDS).encode("PLUM", 9, [FACT], None, asked)
        assert msgpack.unpackb(made) == [
            0,
            "PLUM",
            9,
            [[8, [3, 1], [[1, 5, 6, [0]], [0, 9, [2]]]]],
            [5, [2], [[[2, "", 1, 0]]], 1250],
        ]
        told = " ".join(f"{byte:02x}" for byte in made)
        assert told == (
            "95 00 a4 50 4c 55 4d 09 91 93 08 92 03 01 92 94 01 05 06 91 00 93 00 09 91 02 94 05"
            " 91 02 91 91 94 02 a0 01 00 cd 04 e2"
        )

    def test_a_word_that_is_not_in_the_list_stays_a_text(self) -> None:
        """And words within a text make it bytes, if it is shorter so."""
        facts = [Fact("moved", {"action": "play {card QS}", "by": "QS", "é": "play QS é"})]
        made = msgpack.unpackb(CompactEventEncoder(0, WORDS).encode("PLUM", 9, facts))
        spelt = bytes((0x82, 0x87, 0x80)) + b"}"
        assert made[3] == [["moved", ["action", spelt, "by", "QS", "é", "play QS é"]]]

    def test_it_is_much_shorter(self) -> None:
        """An event with its question takes less than a third of the bytes of the long form."""
        event = Event(
            table="PLUM", seq=9, facts=(FACT,), question=Question(turn=5, to_act=(2,), clock=12.5)
        )
        long_form = CODEC.encode_message(wire_form(event))
        assert 3 * len(encoded(event, CompactEventEncoder(0, WORDS))) < len(long_form)


class TestWhatAServerMustNotSend:
    @pytest.mark.parametrize(
        "event",
        [
            (),
            (1, "PLUM", 3, []),
            ("0", "PLUM", 3, []),
            (True, "PLUM", 3, []),
            ([], "PLUM", 3, []),
            (0,),
            (0, "PLUM", 3, 5),
            (0, "PLUM", 3, [[10]]),
            (0, "PLUM", 3, [[-1]]),
            (0, "PLUM", 3, [[True]]),
            (0, "PLUM", 3, [[1.5]]),
            (0, "PLUM", 3, [[b"\x8a"]]),
            (0, "PLUM", 3, [[]]),
            (0, "PLUM", 3, [["x", [1]]]),
            (0, "PLUM", 3, [["x", {"seat": 1}]]),
            (0, "PLUM", 3, [["x", [], [[4, 1, 2]]]]),
            (0, "PLUM", 3, [["x", [], [[0, 1]]]]),
            (0, "PLUM", 3, [["x", [], [[]]]]),
            (0, "PLUM", 3, [["x", [], [[3, 1]]]]),
            (0, "PLUM", 3, [["x", [], [[1, 1, 2]]]]),
            (0, "PLUM", 3, [], [1, [], [[["play "]]]]),
            (0, "PLUM", 3, [], [1, [], [[[2, "", 10]]]]),
            (0, "PLUM", 3, [], [1, [], None, "soon"]),
            (0, "PLUM", 3, [], [1, [], None, None, [5, -MOST_TIMES - 1]]),
            (0, "PLUM", 3, [], [1, [], None, None, [-1]]),
            (0, "PLUM", "x", []),
            (0, 5, 3, []),
        ],
        ids=repr,
    )
    def test_what_is_not_in_the_form(self, event: tuple[Any, ...]) -> None:
        """A number that was not told, a part that is missing, a part of the wrong kind."""
        with pytest.raises(ProtocolError) as error:
            read(words(0), compact(*event))
        assert error.value.code == "bad_message"

    def test_a_list_that_was_not_told_is_named(self) -> None:
        """Also where another connection was told it."""
        with pytest.raises(ProtocolError, match="list of words that was not told: 3"):
            read(words(0), compact(3, "PLUM", 1, []))

    def test_without_a_reader_there_is_no_compact_form(self) -> None:
        """As in JSON, whose events have names."""
        with pytest.raises(ProtocolError):
            CODEC.decode_frame(CODEC.frame([compact(0, "PLUM", 1, [])]))
        with pytest.raises(ProtocolError, match="was not told"):
            codec_for(JSON).decode_frame('[[0,"PLUM",1,[]]]', CompactReader())

    def test_words_that_are_too_many_or_too_long(self) -> None:
        """What a client keeps for a server is bounded."""
        for told in (["x"] * (MOST_WORDS + 1), ["x" * (LONGEST_WORD + 1)], [5], "x"):
            with pytest.raises(ProtocolError):
                read(words(0, told))  # type: ignore[arg-type]
        reader = CompactReader()
        read(*map(words, range(MOST_LISTS)), reader=reader)
        read(words(0, ["y"]), reader=reader)
        assert read(compact(0, "PLUM", 1, [[0]]), reader=reader) == [
            Event(table="PLUM", seq=1, facts=(Fact("y"),))
        ]
        with pytest.raises(ProtocolError, match=f"more than {MOST_LISTS} lists"):
            read(words(MOST_LISTS), reader=reader)

    def test_a_frame_that_comes_to_too_much(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A few bytes may stand for many long words, but not for any number of them."""
        monkeypatch.setattr(compact_reader, "MOST_CHARACTERS", 5 * LONGEST_WORD)
        told, reader = words(0, ["x" * LONGEST_WORD]), CompactReader()
        long = [b"\x80" * 4]
        assert read(told, compact(0, "PLUM", 1, [long]), reader=reader)
        for event in ([b"\x80" * 6], ["x", [0] * 12]):
            with pytest.raises(ProtocolError, match="come to too much"):
                read(compact(0, "PLUM", 1, [event]), reader=reader)
        choices = [[[0, 0, "a", "b", "c"]]]
        with pytest.raises(ProtocolError, match="come to too much"):
            read(compact(0, "PLUM", 1, [], [1, [], choices]), reader=reader)
        assert read(compact(0, "PLUM", 1, [long]), reader=reader)

    def test_numbers_that_come_too_often(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """However often a number comes again: all of a frame's numbers together are bounded."""
        monkeypatch.setattr(compact_reader, "MOST_CHARACTERS", 8 * 3 * MOST_TIMES)
        reader, few = CompactReader(), [1, [], None, None, [300, -MOST_TIMES, -MOST_TIMES]]
        assert read(words(0), compact(0, "PLUM", 1, [], few), reader=reader)
        many = [*few[:4], [300, *[-MOST_TIMES] * 4]]
        with pytest.raises(ProtocolError, match="come to too much"):
            read(compact(0, "PLUM", 1, [], many), reader=reader)

    @given(
        event=st.recursive(
            st.none() | st.booleans() | st.integers(-3, 12) | st.binary() | st.text() | st.floats(),
            lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(), inner),
            max_leaves=40,
        )
    )
    def test_anything_else(self, event: Any) -> None:
        """Whatever stands in a frame, it is read, or refused as a fault of the server."""
        made = event if isinstance(event, list) else [event]
        for message in (made, [0, "PLUM", 3, made], [0, "PLUM", 3, [], made]):
            with suppress(ProtocolError):
                read(words(0), compact(*message))


class TestGrowing:
    def test_more_than_a_client_knows(self) -> None:
        """A newer server may add to the end of each part, and send new changes in the long form."""
        moved, shown = [1, 5, 6, 2, False, "new"], [2, 6, [0], "new"]
        fact = [8, [3, 1], [[0, 9, 1, "new"], moved, shown], False, None, "new"]
        pick, way, prompt = [2, [0], 0, 1, 0, "new"], [2, 5, 6, "new"], [2, [], "new"]
        choices = [[], [], [pick], [way], prompt, None, "new"]
        asked = [5, [2], choices, 100, [3], "new"]
        [event] = read(words(0), compact(0, "PLUM", 1, [fact], asked, None, "new"))
        assert event == Event(
            table="PLUM",
            seq=1,
            facts=(
                Fact(
                    "card_played",
                    {"seat": 1},
                    (Set("turn", 1), Move("hand/1", "trick", 2), Show("trick", ("QS",))),
                ),
            ),
            question=Question(
                turn=5,
                to_act=(2,),
                choices=Choices(
                    picks=(Pick("play ", ("QS",), 0, 1),),
                    ways=(Way("play ", "hand/1", "trick"),),
                    prompt=Phrase("play "),
                ),
                clock=1.0,
                reserve=(3,),
            ),
        )

    def test_an_unknown_change_asks_for_a_snapshot(self) -> None:
        """It is read as in the long form: as an event that nobody can follow."""
        change = {"do": "swap", "zones": ["x", "y"]}
        [event] = read(words(0), compact(0, "PLUM", 4, [[8, [], [change]]]))
        assert (type(event).__name__, event.type) == ("UnreadEvent", "event")


def test_every_list_of_words_is_one_of_texts() -> None:
    """A word may be there twice, be empty, or be in no language."""
    told: Iterable[str] = ("", "", "QS", "QS", "é", "x\ny")
    event = Event(table="PLUM", seq=1, facts=tuple(map(Fact, told)))
    assert read(words(0, [*told]), encoded(event, CompactEventEncoder(0, [*told]))) == [event]
