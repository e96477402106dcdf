"""Public events of a table that moves to another node."""

from pathlib import Path

import pytest

from server.store import StoreUnavailable
from server.store.shared_tables import Changes
from tests.server.events.recording_broker import RecordingBroker
from tests.server.nodes.nodes import node_server
from tests.server.nodes.test_moving import follow, match_at, moving_of
from tests.server.nodes.test_whole_nodes import others_of, url
from tests.server.store.nodes import until
from tests.server.store.test_postgresql import execute

__all__ = ["url"]  # a fixture


async def test_the_next_owner_tells_of_a_table(url: str, tmp_path: Path) -> None:
    """The next owner publishes the table anew, with its turn."""
    broker, second = RecordingBroker(), RecordingBroker()
    second.retained = broker.retained
    async with (
        node_server(url, "a", tmp_path, broker=broker) as a,
        node_server(url, "b", tmp_path, broker=second) as b,
    ):
        await until(lambda: bool(others_of(a) and others_of(b)))
        code, ann, bea = await match_at(a)
        await a.play(code, 3, ann, bea)
        base = f"test/tables/black_queen/{code}"
        before, said = broker.messages("turn")[-1], len(broker.sent)
        assert second.messages() == []
        await moving_of(a).drain()
        await follow(b, ann, bea)
        await until(lambda: f"{base}/turn" in dict(second.sent))
        assert [payload for _, payload in broker.sent[said:] if not payload] == []
        (turn,) = second.messages("turn")
        assert (turn["turn"], turn["players"]) == (before["turn"], before["players"])
        assert broker.retained.keys() == {f"{base}/summary", f"{base}/turn"}
        said = len(broker.sent)
        assert a.events is not None
        # As after a connect.
        a.events.publisher.repair_all()
        await b.play(code, 2, ann, bea)
        assert len(broker.sent) == said
        assert second.messages("play")


async def test_what_others_may_retain_is_left_alone(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Retained messages that may be another node's are left alone."""
    broker = RecordingBroker()
    async with (
        node_server(url, "a", tmp_path) as a,
        node_server(url, "b", tmp_path, broker=broker) as b,
    ):
        await until(lambda: bool(others_of(a) and others_of(b)))
        assert b.events is not None
        publisher = b.events.publisher
        failed: list[int] = []

        async def fail(since: int) -> Changes:
            failed.append(since)
            raise StoreUnavailable("it cannot be read")

        monkeypatch.setattr(b.store, "changed_since", fail)
        ann, bea = await a.client("Ann"), await a.client("Bea")
        codes = [await ann.open_table(), await bea.open_table(), "GONE2"]
        execute(url, f"UPDATE tables SET summary = '{{}}' WHERE code = '{codes[1]}'")
        topics = [f"test/tables/black_queen/{code}/summary" for code in codes]
        for topic in topics:
            publisher.found(topic, b"{}")
        await until(lambda: bool(failed))
        for _ in range(3):
            publisher.remove_unknown()
        assert broker.sent == []
        monkeypatch.undo()

        def removes() -> bool:
            publisher.remove_unknown()
            return bool(broker.sent)

        await until(removes)
        assert broker.sent == [(topics[2], b"")]
