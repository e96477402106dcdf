"""Both encodings: valid messages survive unchanged, and invalid ones are refused."""

import json
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import Codec, codec_for
from protocol.errors import ProtocolError
from protocol.to_client import Error, Event, Ok, ToClient
from protocol.to_server import MAX_RESUMED, Act, CreateTable, Hello, Ping, ToServer
from protocol.version import JSON, MSGPACK, SUBPROTOCOLS
from protocol.wire_form import wire_form
from tests.protocol.model_server import encode_frame
from tests.protocol.strategies import commands, instances, messages

codecs = pytest.mark.parametrize(
    "codec", [codec_for(name) for name in SUBPROTOCOLS], ids=SUBPROTOCOLS
)
MSGPACK_CODEC, JSON_CODEC = codec_for(MSGPACK), codec_for(JSON)


def refusal(codec: Codec, raw: bytes | str) -> ProtocolError:
    """The error that refuses `raw`, fit for an answer."""
    with pytest.raises(ProtocolError) as caught:
        codec.decode_command(raw)
    error = caught.value
    assert error.code == "bad_message"
    assert error.reason.isprintable()
    assert 0 < len(error.reason) <= 700
    return error


def encoded(codec: Codec, value: Any) -> bytes | str:
    """A frame that encodes any value."""
    packed: bytes = msgpack.packb(value) if codec is MSGPACK_CODEC else b""
    return packed if codec is MSGPACK_CODEC else json.dumps(value)


class TestRoundTrips:
    @codecs
    @given(command=commands())
    def test_every_command(self, codec: Codec, command: ToServer) -> None:
        """A command arrives as it was sent."""
        assert codec.decode_command(codec.encode_command(command)) == command

    @codecs
    @given(frame=st.lists(messages(), max_size=20))
    def test_every_message(self, codec: Codec, frame: list[ToClient]) -> None:
        """A frame of any length arrives as it was sent."""
        assert codec.decode_frame(encode_frame(codec, frame)) == frame

    @codecs
    def test_frames_are_what_the_socket_takes(self, codec: Codec) -> None:
        """msgpack uses binary frames, and JSON text frames."""
        kind = bytes if codec.subprotocol == MSGPACK else str
        assert type(encode_frame(codec, [Ok(id=1)])) is kind
        assert type(codec.encode_command(Ping(id=1))) is kind


class TestWhatClientsIgnore:
    @codecs
    @given(message=instances(Event), more=st.dictionaries(st.text("xyz", min_size=1), st.none()))
    def test_unknown_fields(self, codec: Codec, message: Event, more: dict[str, None]) -> None:
        """Unknown fields are ignored."""
        plain = json.loads(str(encode_frame(JSON_CODEC, [message])))[0]
        assert codec.decode_frame(encoded(codec, [plain | more])) == [message]

    @codecs
    def test_unknown_types(self, codec: Codec) -> None:
        """A message of an unknown type is skipped, and the others of its frame are read."""
        frame = [{"type": "fireworks"}, {"type": "pong", "id": 3}, {"no": "type"}]
        assert [m.type for m in codec.decode_frame(encoded(codec, frame))] == ["pong"]

    @codecs
    def test_unknown_error_codes(self, codec: Codec) -> None:
        """An error with an unknown code is still read as an answer."""
        error = {"type": "error", "id": 7, "code": "out_of_cheese", "reason": "none left"}
        expected = Error(id=7, code="internal", reason="none left")
        assert codec.decode_frame(encoded(codec, [error])) == [expected]

    @codecs
    @pytest.mark.parametrize("frame", [{}, 7, [7], [{"type": "pong"}]])
    def test_no_frame_at_all(self, codec: Codec, frame: Any) -> None:
        """A frame that is no list of messages is refused."""
        with pytest.raises(ProtocolError, match="bad_message"):
            codec.decode_frame(encoded(codec, frame))


# Whatever msgpack or JSON can hold, and a little more.
anything = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


class TestRefusals:
    @given(raw=st.binary(max_size=200) | st.text(max_size=200))
    def test_noise(self, raw: bytes | str) -> None:
        """Random bytes are refused with a reason, and cause no other error."""
        refusal(MSGPACK_CODEC, raw)
        refusal(JSON_CODEC, raw)

    @codecs
    @given(command=commands(), data=st.data())
    def test_commands_with_one_wrong_field(
        self, codec: Codec, command: ToServer, data: st.DataObject
    ) -> None:
        """A command with any field replaced is read or refused, and causes no other error."""
        plain = command.model_dump(mode="json")
        plain[data.draw(st.sampled_from([*plain, "extra"]))] = data.draw(anything)
        try:
            codec.decode_command(encoded(codec, plain))
        except ProtocolError:
            error = refusal(codec, encoded(codec, plain))
            assert error.id in (plain["id"], None)

    @given(command=commands(), changes=st.lists(st.tuples(st.integers(0), st.integers(0, 255))))
    def test_broken_frames(self, command: ToServer, changes: list[tuple[int, int]]) -> None:
        """A frame with a few changed bytes is read or refused, and causes no other error."""
        packed = MSGPACK_CODEC.encode_command(command)
        assert isinstance(packed, bytes)
        raw = bytearray(packed)
        for at, byte in changes:
            raw[at % len(raw)] = byte
        try:
            MSGPACK_CODEC.decode_command(bytes(raw))
        except ProtocolError:
            refusal(MSGPACK_CODEC, bytes(raw))

    @given(command=commands(), cut=st.integers(0))
    def test_frames_cut_off(self, command: ToServer, cut: int) -> None:
        """A truncated frame is refused."""
        for codec in (MSGPACK_CODEC, JSON_CODEC):
            raw = codec.encode_command(command)
            refusal(codec, raw[: cut % len(raw)])

    @pytest.mark.parametrize(
        ("raw", "said"),
        [
            (b"", "not one value in msgpack"),
            (b"\xc1", "not one value in msgpack"),
            (b"\xa2\xff\xff", "codec can't decode"),
            (b"\x80\x80", "extra data"),
            (b"\x91" * 5_000, "not one value in msgpack"),
            (b"\xdd\xff\xff\xff\xff", "not one value in msgpack"),
            (msgpack.packb(msgpack.ExtType(5, b"x")), "field 'type'"),
            (b"\x81\x01\x01", "not allowed for map key"),
            ("{}", "a text frame; blackqueen.v1.msgpack is sent in binary frames"),
        ],
    )
    def test_what_is_no_msgpack(self, raw: bytes | str, said: str) -> None:
        """Broken, deep and oversized msgpack is refused with a reason."""
        assert said in refusal(MSGPACK_CODEC, raw).reason

    @pytest.mark.parametrize(
        ("raw", "said"),
        [
            ("", "not one value in json"),
            ("{} {}", "trailing characters"),
            ("[" * 100_000, "recursion limit"),
            ('{"type": "ping", "id": NaN}', "not one value in json"),
            ('{"type": "ping", "id": 1e999}', "field 'id' of ping: must be a valid integer"),
            ('{"type": "ping", "id": ' + "9" * 5_000 + "}", "number out of range"),
            ('{"type": "ping", "id": ' + "9" * 1_000 + "}", "field 'id' of ping"),
            ("\ud800", "not one value in json"),
            ('{"type": "ping", "id": 1, "\\udc00": 1}', "not one value in json"),
            (b"{}", "a binary frame; blackqueen.v1.json is sent in text frames"),
        ],
    )
    def test_what_is_no_json(self, raw: bytes | str, said: str) -> None:
        """Broken and deep JSON, and numbers that are invalid or huge, are refused."""
        assert said in refusal(JSON_CODEC, raw).reason

    @codecs
    @pytest.mark.parametrize(
        "message",
        [
            {"type": "hello", "id": 5, "version": 1, "client": "lap\0top"},
            {"type": "act", "id": 5, "table": "ABCD", "turn": 2, "action": "play \0"},
            {"type": "create_table", "id": 5, "game": "hearts", "options": {"a\0": 1}},
            {"type": "create_table", "id": 5, "game": "hearts", "options": {"a": ["\0"]}},
        ],
        ids=["client", "action", "name", "deep"],
    )
    def test_a_text_with_a_zero_character(self, codec: Codec, message: Any) -> None:
        """Texts with a zero character are refused: some databases cannot store one."""
        error = refusal(codec, encoded(codec, message))
        assert error.reason == "a text must not hold the character U+0000"
        assert error.id == 5

    @codecs
    def test_zero_bytes_that_are_no_character(self, codec: Codec) -> None:
        """Zero bytes and escapes that are no zero character are accepted."""
        message = {"type": "act", "id": 65_536, "table": "ABCD", "turn": 2, "action": "\\u0000"}
        command = codec.decode_command(encoded(codec, message))
        assert command == Act(id=65_536, table="ABCD", turn=2, action="\\u0000")

    @codecs
    @pytest.mark.parametrize(
        ("message", "id", "said"),
        [
            ([], None, "must be an object"),
            ({}, None, "field 'type' is missing"),
            ({"type": "fly", "id": 4}, 4, "unknown type 'fly'; known are hello, add_device,"),
            ({"type": "x" * 5_000, "id": 4}, 4, "unknown type 'xxx"),
            ({"type": "ping"}, None, "field 'id' of ping is missing"),
            ({"type": "ping", "id": 0}, None, "greater than or equal to 1"),
            ({"type": "ping", "id": True}, None, "must be a valid integer"),
            ({"type": "ping", "id": 3.0}, None, "must be a valid integer"),
            ({"type": "ping", "id": "3"}, None, "must be a valid integer"),
            ({"type": "ping", "id": 2**53 + 1}, None, "less than or equal to"),
            ({"type": "ping", "id": 3, "id2": 4}, 3, "field 'id2' of ping is not known"),
            ({"type": "sit", "id": 3, "table": "A", "seat": "1"}, 3, "field 'seat' of sit"),
            ({"type": "act", "id": 3}, 3, "field 'table' of act is missing; field 'turn'"),
            ({"type": "chat", "id": 3, "table": "A", "text": "\x1b[2J"}, 3, "control characters"),
            ({"type": "chat", "id": 3, "table": "A", "text": " \t"}, 3, "must not be blank"),
            ({"type": "chat", "id": 3, "table": "A", "text": "a" * 501}, 3, "at most 500"),
            (
                {"type": "create_table", "id": 3, "game": "x", "settings": {"privat": True}},
                3,
                "field 'settings.privat' of create_table is not known",
            ),
            (
                {"type": "create_table", "id": 3, "game": "x", "settings": {"bot_delay": 1e300}},
                3,
                "less than or equal to 60",
            ),
            (
                {
                    "type": "create_table",
                    "id": 3,
                    "game": "x",
                    "options": {"o" * 9_999: []},
                    "a": 0,
                },
                3,
                "ooo…' of create_table: must be a valid boolean",
            ),
            ({"type": "ping", "id": 3} | dict.fromkeys("abcde"), 3, "and 2 more"),
        ],
    )
    def test_wrong_messages(self, codec: Codec, message: Any, id: int | None, said: str) -> None:
        """A wrong message is refused with what is wrong and where, and with its id if usable."""
        error = refusal(codec, encoded(codec, message))
        assert said in error.reason
        assert error.id == id

    @codecs
    @pytest.mark.parametrize(
        "fields",
        [
            {"type": "ping", **{f"x{number}": 0 for number in range(300)}},
            {"type": "configure", "table": "A", "options": {f"x{n}": [] for n in range(300)}},
            {"type": {"a": [[1, 2, 3]] * 100}},
        ],
        ids=["unknown fields", "wrong values", "nested"],
    )
    def test_messages_that_hold_very_much(self, codec: Codec, fields: dict[str, Any]) -> None:
        """A message with too many items is refused before they are checked."""
        error = refusal(codec, encoded(codec, {"id": 7, **fields}))
        assert error.id == 7
        assert error.reason == "a message holds at most 256 fields and values"

    @codecs
    def test_the_fullest_messages_fit(self, codec: Codec) -> None:
        """A message with the most allowed tables and options is accepted."""
        tables = {f"TABLE{number}": number for number in range(MAX_RESUMED)}
        hello = Hello(id=1, version=1, client="laptop", resume=tables)
        options: dict[str, bool | int | str] = {f"option {number}": number for number in range(64)}
        create = CreateTable(id=2, game="black_queen", options=options)
        for command in (hello, create):
            assert codec.decode_command(codec.encode_command(command)) == command

    def test_nan_in_a_number(self) -> None:
        """NaN, which msgpack can carry, is refused as a delay."""
        settings = {"bot_delay": float("nan")}
        message = {"type": "create_table", "id": 3, "game": "x", "settings": settings}
        assert "bot_delay" in refusal(MSGPACK_CODEC, msgpack.packb(message)).reason

    def test_bytes_are_no_text(self) -> None:
        """Byte strings of msgpack are refused where text is expected."""
        packed = msgpack.packb({"type": "sync", "id": 3, "table": b"PLUM"})
        assert "field 'table' of sync" in refusal(MSGPACK_CODEC, packed).reason

    def test_emoji_of_several_parts_are_text(self) -> None:
        """Joiners within emoji are accepted as text."""
        raw = '{"type": "chat", "id": 1, "table": "A", "text": "👩\u200d💻"}'
        assert JSON_CODEC.decode_command(raw).id == 1


class TestCodecs:
    @pytest.mark.parametrize("name", ["blackqueen.v0.json", "", None])
    def test_unknown_subprotocols(self, name: str | None) -> None:
        """An unknown subprotocol is refused by name."""
        with pytest.raises(ProtocolError, match=r"version_unsupported.*blackqueen\.v1\.json"):
            codec_for(name)

    @codecs
    def test_encoded_messages_join_without_packing_again(self, codec: Codec) -> None:
        """An encoded message can be joined into many frames without encoding it again."""
        parts = [codec.encode_message({"type": "pong", "id": n}) for n in range(40)]
        for size in (0, 1, 15, 16, 40):
            assert [m.type for m in codec.decode_frame(codec.frame(parts[:size]))] == (
                ["pong"] * size
            )

    @codecs
    def test_acts_are_acts(self, codec: Codec) -> None:
        """The hand-written encoding of `act` equals the model's."""
        plain = {"type": "act", "id": 9, "table": "PLUM", "turn": 4, "action": "play QS@5"}
        expected = Act(id=9, table="PLUM", turn=4, action="play QS@5")
        assert codec.decode_command(encoded(codec, plain)) == expected


@codecs
@given(message=messages())
def test_fields_join_to_the_message(codec: Codec, message: ToClient) -> None:
    """Separately encoded fields join to the bytes of the whole message."""
    form = wire_form(message)
    fields = codec.fields(form)
    assert codec.join(fields) == codec.encode_message(form)


PLAIN: dict[str, Any] = {"type": "act", "id": 3, "table": "K7QX", "turn": 1, "action": "play QS"}


def doubled(codec: Codec, name: str, inside: str | None = None) -> bytes | str:
    """A message with a doubled member, in the object `inside` or at the top."""
    if codec is JSON_CODEC:
        own = f'"{name}": {{"{inside}": "a:b", "{inside}": 2}}' if inside else f'"{name}": "x:y"'
        rest = ", ".join(f"{json.dumps(key)}: {json.dumps(PLAIN[key])}" for key in PLAIN)
        return f"{{{rest}, {own}}}"
    parts = [part for item in PLAIN.items() for part in item]
    packed = [msgpack.packb(part) for part in (*parts, name)]
    packed += [b"\x82", *map(msgpack.packb, (inside, 1, inside, 2))] if inside else [b"\xa1x"]
    return bytes([0x80 + len(PLAIN) + 1]) + b"".join(packed)


@codecs
class TestNamesThatAreThereTwice:
    @pytest.mark.parametrize("name", list(PLAIN))
    def test_a_message_with_a_field_twice_is_refused(self, codec: Codec, name: str) -> None:
        """A message with a doubled field is refused with its id: readers may differ on it."""
        error = refusal(codec, doubled(codec, name))
        assert error.reason == f"field '{name}' is there twice"
        assert error.id == (None if name == "id" else 3)

    def test_also_deep_inside(self, codec: Codec) -> None:
        error = refusal(codec, doubled(codec, "options", "deals"))
        assert error.reason == "field 'deals' is there twice"

    def test_colons_in_texts_are_none(self, codec: Codec) -> None:
        command = Hello(id=1, client="c", version=1, name='a: "b": {"c": 1}')
        assert codec.decode_command(codec.encode_command(command)) == command
