"""The reference of public events agrees with the models, and messages with both."""

from pathlib import Path

import pytest
from pydantic import TypeAdapter

from protocol.reference import DOCS
from server.events.messages import Event, Retained
from server.events.reference import MESSAGES, asyncapi, main
from tests.server.events.recording_broker import RecordingBroker
from tests.server.harness import open_server


def test_the_reference_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    """docs/events.yaml and docs/events.md equal what is generated."""
    assert main(["--check"]) == 0, capsys.readouterr()


def test_drift_is_found_and_written_anew(tmp_path: Path) -> None:
    """A changed file is an error until it is generated again."""
    (tmp_path / "events.md").write_text((DOCS / "events.md").read_text("utf-8"), "utf-8")
    assert main(["--check", "--docs", str(tmp_path)]) == 1
    assert main(["--docs", str(tmp_path)]) == 0
    assert main(["--check", "--docs", str(tmp_path)]) == 0


def test_the_document_is_whole() -> None:
    """Every message has a topic, an operation and a schema."""
    made = asyncapi()
    assert (
        set(made["channels"])
        == set(made["operations"])
        == {model.model_fields["type"].default for model in MESSAGES}
    )
    assert {model.__name__ for model in MESSAGES} <= set(made["components"]["schemas"])


async def test_what_is_sent_can_be_read_by_the_models(tmp_path: Path) -> None:
    """Every published message can be read by the models."""
    broker = RecordingBroker()
    anything: TypeAdapter[Event | Retained] = TypeAdapter(Event | Retained)
    async with open_server(tmp_path, broker=broker) as server:
        code, clients = await server.match_of("Ann", "Bea", options={"deals": 1})
        await server.play(code, 1000, *clients)
    for topic, payload in broker.sent:
        read = anything.validate_json(payload)
        assert topic.endswith(f"/{read.type}")
        assert type(read)(**read.model_dump()) == read
