"""Chat and names: what reaches others, and what is refused."""

from pathlib import Path
from typing import Any, get_args

import pytest

from protocol.to_server import Command, ToServer
from protocol.version import JSON
from server.commands import handshake
from tests.server.client import TestClient
from tests.server.harness import open_server


async def test_a_line_of_chat_reaches_everybody_at_the_table(tmp_path: Path) -> None:
    """A line of chat reaches players and spectators with its author, and has no event number."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await server.table_of("Ann", "Bea")
        walter = await server.client("Walter", JSON)
        await walter.ask("watch", table=code)
        before = server.state(code).seq
        await ann.ask("chat", table=code, text="  good   luck ")
        heard = {"type": "chat", "table": code, "seat": 0, "name": "Ann", "text": "good luck"}
        for client in (ann, bea, walter):
            (line,) = client.new_messages("chat")
            assert line.pop("number") > 0
            assert line == heard
        assert server.state(code).seq == before


async def test_a_phrase_keeps_its_name(tmp_path: Path) -> None:
    """A phrase is sent with its name and words; an invalid name is dropped."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await server.table_of("Ann", "Bea")
        await ann.ask("chat", table=code, text="Viel Glück!", phrase="luck")
        (heard,) = bea.new_messages("chat")
        assert (heard["text"], heard["phrase"]) == ("Viel Glück!", "luck")
        refused = {"text": "Hello!", "phrase": "\x1b[2J"}
        assert await ann.refusal("chat", table=code, **refused) == "bad_message"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "\u200d",
        "two\nlines",
        "\x1b[2J",
        "\u202eabc",
        "x" * 501,
        "\x00",
        "\u3164",
        "王" * 700,
    ],
)
async def test_text_that_screens_should_not_show_is_refused(tmp_path: Path, text: str) -> None:
    """Chat that is unreadable, has control characters or is too long is refused."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await server.table_of("Ann", "Bea")
        assert await ann.refusal("chat", table=code, text=text) == "bad_message"
        assert bea.new_messages("chat") == []


@pytest.mark.parametrize(
    "name", ["\u3164", "A\u200dnn", "Z\u0351\u036b\u0343", "x" * 25, "🇩🇪" * 13]
)
async def test_names_that_cannot_be_seen_or_fill_the_screen_are_refused(
    tmp_path: Path, name: str
) -> None:
    """Invisible and oversized names are refused with a reason."""
    async with open_server(tmp_path) as server:
        answer = await TestClient(server).hello(name=name)
        assert (answer["type"], answer["code"]) == ("error", "bad_message")
        assert "field 'name' of hello: must " in answer["reason"]


async def test_names_of_old_are_cleaned_where_they_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stored names of older versions are shown cleaned, to their owner too."""
    old = "Bea\u3164\u0301 \x1b[2J" + "x" * 30
    monkeypatch.setattr(handshake, "clean", lambda name: old if name == "Bea" else name)
    monkeypatch.setattr(handshake, "shown_name", lambda name: name)
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await server.table_of("Ann", "Bea")
        assert server.state(code).chairs[1].name == old
        await bea.ask("leave", table=code)
        await bea.ask("join", table=code)
    monkeypatch.undo()
    async with open_server(tmp_path) as server:
        for client in (ann, bea):
            await client.reconnect(server)
        welcome = bea.new_messages("welcome")[-1]
        await bea.ask("chat", table=code, text="hello")
        (line,) = ann.new_messages("chat")
        await bea.ask("leave", table=code)
        names = {fact.args["name"] for fact in ann.tables[code].facts if "name" in fact.args}
        seated = ann.tables[code].info.seats[1].name
        assert server.state(code).chairs[1].name == ""
    shown = f"Bea [2J{'x' * 17}"
    assert [welcome["name"], line["name"], *names, seated] == [shown, shown, shown, ""]


async def test_only_those_who_sit_may_speak(tmp_path: Path) -> None:
    """Spectators may not chat by default."""
    async with open_server(tmp_path) as server:
        code, _ = await server.table_of("Ann", "Bea")
        walter = await server.client("Walter")
        await walter.ask("watch", table=code)
        assert await walter.refusal("chat", table=code, text="play hearts") == "not_seated"


async def test_spectators_chat_apart_where_the_table_lets_them(tmp_path: Path) -> None:
    """If the table allows it spectators chat apart, unseen by players and older clients."""
    async with open_server(tmp_path) as server:
        settings = {"spectator_chat": True}
        code, (ann, bea) = await server.table_of("Ann", "Bea", settings=settings)
        walter, wanda, outside = (TestClient(server) for _ in range(3))
        for name, client in {"Walter": walter, "Wanda": wanda, "Olga": outside}.items():
            await client.hello(name=name, features=["chat.apart"])
        older = await server.client("Older")
        for spectator in (walter, wanda, older):
            await spectator.ask("watch", table=code)
        await walter.ask("chat", table=code, text="Ann has it")
        line = {"type": "chat", "table": code, "seat": None, "name": "Walter", "apart": True}
        for hears in (walter, wanda):
            (heard,) = hears.new_messages("chat")
            assert heard.pop("number") > 0
            assert heard == {**line, "text": "Ann has it"}
        for deaf in (ann, bea, older):
            assert deaf.new_messages("chat") == []
        assert await outside.refusal("chat", table=code, text="hello") == "not_seated"
        await ann.ask("chat", table=code, text="hello all")
        assert [said["text"] for said in wanda.new_messages("chat")] == ["hello all"]


async def test_chat_has_a_limit_that_a_new_connection_does_not_lift(tmp_path: Path) -> None:
    """Chat has a limit per minute and player, also over reconnections."""
    async with open_server(tmp_path, chat_per_minute=3) as server:
        code, (ann, bea) = await server.table_of("Ann", "Bea")
        for _ in range(3):
            assert (await ann.ask("chat", table=code, text="hello"))["type"] == "ok"
        number = await ann.send("chat", table=code, text="again")
        assert ann.answers[number][-1]["code"] == "rate_limited"
        ann.disconnect()
        await ann.reconnect()
        await ann.send("chat", number, table=code, text="again")
        await server.settle()
        await server.wait(20)
        await ann.send("chat", number, table=code, text="again")
        await server.settle()
        answers = [answer.get("code") for answer in ann.answers[number]]
        assert answers == ["rate_limited", "rate_limited", None]
        assert [said["text"] for said in bea.new_messages("chat")] == ["hello"] * 3 + ["again"]


async def test_a_server_without_chat_says_so(tmp_path: Path) -> None:
    """If chat is switched off the refusal is final."""
    async with open_server(tmp_path, chat_per_minute=0) as server:
        code, (ann, _) = await server.table_of("Ann", "Bea")
        assert await ann.refusal("chat", table=code, text="hello") == "forbidden"


@pytest.mark.parametrize("kind", get_args(get_args(ToServer)[0]), ids=lambda kind: kind.__name__)
async def test_nothing_that_is_echoed_holds_control_characters(
    tmp_path: Path, kind: type[Command]
) -> None:
    """No refusal repeats control characters of what it quotes."""
    hostile = "\x1b]0;o\x07\x9b\u202e\n"
    async with open_server(tmp_path) as server:
        code, (ann, _) = await server.match_of("Ann", "Bea")
        type = kind.model_fields["type"].default
        fine: dict[str, Any] = {
            "version": 1,
            "client": "c",
            "turn": server.state(code).turn,
            "strength": 1,
            "seat": 0,
            "table": code,
            "game": "black_queen",
            "action": "play",
            "text": "hello",
        }
        usual: dict[str, Any] = {
            name: value for name, value in fine.items() if name in kind.model_fields
        }
        texts = (hostile, f"a{hostile}", {hostile: hostile}, {"a": hostile})
        names = kind.model_fields.keys() - {"type", "id"}
        wrong: list[dict[str, Any]] = [{hostile: hostile}]
        wrong += [{name: text} for name in names for text in texts]
        answers = [await ann.ask(type, **{**usual, **fields}) for fields in wrong]
        told = [text for message in [*answers, *ann.new_messages()] for text in texts_in(message)]
        assert "error" in told
        assert [text for text in told if not text.isprintable()] == []


def texts_in(form: object) -> list[str]:
    """Every string of a message, names of fields included."""
    if isinstance(form, str):
        return [form]
    if isinstance(form, dict):
        return [text for pair in form.items() for part in pair for text in texts_in(part)]
    if isinstance(form, list | tuple):
        return [text for part in form for text in texts_in(part)]
    return []
