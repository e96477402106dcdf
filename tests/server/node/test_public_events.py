"""Public events of a table that goes from one node to another."""

from pathlib import Path

import pytest

from tests.server.events.recording_courier import RecordingCourier
from tests.server.node.several_nodes import open_several
from tests.server.node.test_moving import drained
from tests.server.node.test_several_nodes import match_at, url

__all__ = ["url"]  # a fixture


async def test_the_next_owner_tells_of_a_table(
    request: pytest.FixtureRequest, url: str, tmp_path: Path
) -> None:
    """The first one leaves what is retained, and the next says it anew, with the turn."""
    broker, second_courier = RecordingCourier(), RecordingCourier()
    second_courier.retained = broker.retained
    seed = request.config.getoption("randomly_seed", 0)
    async with open_several(url, tmp_path, seed) as nodes:
        first = await nodes.begin("a", broker)
        second = await nodes.begin("b", second_courier)
        code, clients = await match_at(nodes, "a")
        await first.play(code, 3, *clients[:2])
        base = f"test/tables/black_queen/{code}"
        before, said = broker.messages("turn")[-1], len(broker.sent)
        assert second_courier.messages() == []
        await drained(first)
        await nodes.until(lambda: f"{base}/turn" in dict(second_courier.sent))
        assert [payload for _, payload in broker.sent[said:] if not payload] == []
        (turn,) = second_courier.messages("turn")
        assert (turn["turn"], turn["players"]) == (before["turn"], before["players"])
        assert broker.retained.keys() == {f"{base}/summary", f"{base}/turn"}
        said = len(broker.sent)
        assert first.events is not None
        # As after a connect.
        first.events.publisher.repair_all()
        await second.play(code, 2, *clients[:2])
        assert len(broker.sent) == said
        assert second_courier.messages("play")
