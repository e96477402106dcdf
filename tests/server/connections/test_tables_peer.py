"""A gateway attaches itself to a node again and again, a moment later, until it has succeeded."""

import pytest

from server.bus.bus import Answered, Failure
from server.bus.local import Hub
from server.connections.registry import ConnectionRegistry
from server.connections.tables_nodes import AGAIN_SECONDS, TablesNodes
from server.crossing.parcels import Message
from server.crossing.requests import DONE, Attach
from server.ops.isolation import Beside


class Moment:
    """A clock that is set."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("failure", Failure)
async def test_what_keeps_a_gateway_from_attaching_does_so_for_a_moment(failure: Failure) -> None:
    """Also a fault of the node, and a bus that takes no more requests; never in a circle."""
    hub: Hub[Message] = Hub()
    gateway, tables = hub.join("gateway.g"), hub.join("tables.t")
    asked: list[Attach] = []
    failing = True

    def send(
        peer: str, port: str, request: Message, answered: Answered[Message], seconds: float
    ) -> None:
        if isinstance(request, Attach):
            asked.append(request)
            if not failing:
                tables.open_stream(f"for/gateway.g/{request.turn}")
            answered(failure if failing else DONE)

    gateway.send = send  # type: ignore[method-assign]
    clock = Moment()
    connections = ConnectionRegistry(lambda *_: None, clock)
    wanted: list[float] = []
    nodes = TablesNodes(
        gateway, connections, lambda: None, clock, wanted.append, Beside("failed").spawn
    )
    nodes.attach()
    assert (len(asked), nodes.is_ready) == (1, False)
    for number in range(2, 4):
        nodes.tick()
        assert len(asked) == number - 1
        assert nodes.next_tick() == wanted[-1] == clock.now + AGAIN_SECONDS
        clock.now += AGAIN_SECONDS
        nodes.tick()
        assert len(asked) == number
    failing = False
    clock.now += AGAIN_SECONDS
    nodes.tick()
    assert (nodes.only, nodes.next_tick()) == ("tables.t", None)
    assert [request.turn for request in asked] == [1, 2, 3, 4]
