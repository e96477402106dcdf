"""The generated reference agrees with the code."""

import re
import runpy
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml

from protocol import reference
from protocol.asyncapi import MESSAGES, asyncapi
from protocol.errors import ERROR_CODES
from protocol.message import CloseReason, NoticeKind, Phase
from protocol.to_server import COMMANDS

DOCS = reference.DOCS


def references(part: Any) -> Iterator[str]:
    """Every `$ref` in a part of the document."""
    if isinstance(part, dict):
        for key, value in part.items():
            if key == "$ref":
                yield value
            else:
                yield from references(value)
    elif isinstance(part, list):
        for value in part:
            yield from references(value)


def resolve(document: Any, ref: str) -> Any:
    for step in ref.removeprefix("#/").split("/"):
        document = document[step]
    return document


class TestTheFiles:
    def test_they_are_up_to_date(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """The generated files equal what the code generates now."""
        monkeypatch.setattr("sys.argv", ["reference", "--check"])
        with pytest.raises(SystemExit) as ended:
            runpy.run_path(reference.__file__, run_name="__main__")
        assert ended.value.code == 0, capsys.readouterr().out

    def test_a_difference_is_found_and_mended(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """`--check` fails for a difference and writes nothing; else the files are rewritten."""
        guide, document = tmp_path / "protocol.md", tmp_path / "asyncapi.yaml"
        shutil.copy(DOCS / "protocol.md", guide)
        guide.write_text(guide.read_text().replace("`try_again` |", "`give_up` |"))
        before = guide.read_text()
        assert reference.main(["--check", "--docs", str(tmp_path)]) == 1
        assert str(guide) in capsys.readouterr().out
        assert guide.read_text() == before
        assert not document.exists()
        assert reference.main(["--docs", str(tmp_path)]) == 0
        assert guide.read_text() == (DOCS / "protocol.md").read_text()
        assert document.read_text() == (DOCS / "asyncapi.yaml").read_text()
        assert reference.main(["--check", "--docs", str(tmp_path)]) == 0

    def test_the_guide_names_everything(self) -> None:
        """Each command, message and error code has its row."""
        guide = (DOCS / "protocol.md").read_text()
        types = {model.model_fields["type"].default for model in (*COMMANDS, *MESSAGES)}
        for word in types | set(ERROR_CODES):
            assert f"\n| `{word}` |" in guide

    def test_the_guide_names_every_word(self) -> None:
        """Each kind of notice, each phase and each reason for closing a table is explained."""
        guide = (DOCS / "protocol.md").read_text()
        for words in (NoticeKind, Phase, CloseReason):
            for word in get_args(words):
                assert f"`{word}`" in guide

    def test_the_client_in_the_guide(self) -> None:
        """The example is Python, and what it imports exists."""
        guide = (DOCS / "protocol.md").read_text()
        [example] = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
        names: dict[str, Any] = {}
        exec(example, names)
        assert callable(names["play"])


class TestTheDocument:
    def test_it_is_yaml_for_what_the_models_say(self) -> None:
        """The YAML document reads back as the data it was made from."""
        assert yaml.safe_load((DOCS / "asyncapi.yaml").read_text()) == asyncapi()

    def test_every_reference_leads_somewhere(self) -> None:
        """Every `$ref` of the document has a target."""
        document = asyncapi()
        for ref in references(document):
            assert resolve(document, ref), ref

    def test_every_message_is_used(self) -> None:
        """Each command can be received, and each message is an answer or a notice."""
        document = asyncapi()
        used = {ref.rpartition("/")[2] for ref in references(document["operations"])}
        assert used == {model.__name__ for model in (*COMMANDS, *MESSAGES)} | {"connection"}

    def test_it_says_what_travels(self) -> None:
        """The document requires discriminators, and shows facts without audiences."""
        schemas = asyncapi()["components"]["schemas"]
        assert schemas["Act"]["required"] == ["type", "id", "table", "turn", "action"]
        assert schemas["Act"]["additionalProperties"] is False
        assert schemas["Move"]["required"][0] == "do"
        assert set(schemas["Fact"]["properties"]) == {
            *("verb", "args", "changes", "words", "holds")
        }
        assert "required" not in schemas["TableSettings"]
