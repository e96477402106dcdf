"""Public events of nodes that share a database: each tells of its own tables."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from protocol.wire_form import WireForm
from server.events.broker import Broker
from server.events.publisher import Publisher
from server.events.service import EventService, connections_to, presence_of
from server.events.topics import Topics
from server.tables.directory import TableDirectory
from tests.mosquitto import Mosquitto
from tests.mqtt_client import PATIENCE, MqttClient, connected
from tests.server.events.recording_broker import RecordingBroker
from tests.server.events.test_service import TABLE
from tests.server.harness import open_server

TOPICS = Topics("p", "secret")
PRIVATE: WireForm = {**TABLE, "settings": {"private": True, "events": True}}
SUMMARY, TURN = (f"p/tables/hearts/ABCDE/{kind}" for kind in ("summary", "turn"))


class OneNode:
    """A node's directory and publisher, which publishes immediately when it may."""

    def __init__(self, broker: RecordingBroker) -> None:
        self.holds_lease = True
        self.publisher = Publisher(broker.publish, TOPICS, lambda: 1.0, self.tell)
        self.directory = TableDirectory(self.publisher)
        self.publisher.share(lambda: self.holds_lease, self.directory.codes_elsewhere)

    def tell(self) -> None:
        while self.publisher.tell(100):
            pass


def test_a_giver_leaves_what_is_retained_to_the_taker() -> None:
    """A node that gives a table away keeps its retained messages for the next owner, which
    publishes them anew and removes the turn of nobody.
    """
    broker = RecordingBroker()
    first, second = OneNode(broker), OneNode(broker)
    first.directory.update("ABCDE", TABLE, ())
    broker.retained[TURN] = b"{}"
    said = len(broker.sent)
    first.directory.hand_over("ABCDE", "b")
    first.publisher.repair_all()
    assert len(broker.sent) == said
    second.directory.update("ABCDE", {**TABLE, "phase": "paused"}, ())
    first.directory.learn("ABCDE", TABLE, (), "b")
    assert [topic for topic, _ in broker.sent[said:]] == [SUMMARY, TURN]
    assert b'"paused"' in broker.retained[SUMMARY]
    assert TURN not in broker.retained


def test_only_what_no_node_knows_is_removed() -> None:
    """Only retained messages of tables unknown to all nodes are removed, after a while."""
    broker = RecordingBroker()
    first, second = OneNode(broker), OneNode(broker)
    second.directory.update("ABCDE", TABLE, ())
    second.directory.update("SECRET22", PRIVATE, ())
    kept = {*broker.retained}
    stale = "p/tables/hearts/GONE2/summary"
    broker.publish(stale, b"{}", retain=True)
    for topic, payload in tuple(broker.retained.items()):
        first.publisher.found(topic, payload)
    assert len(broker.retained) == 3
    first.publisher.remove_unknown()
    assert len(broker.retained) == 3
    first.directory.learn("ABCDE", TABLE, (), "b")
    first.directory.learn("SECRET22", PRIVATE, (), "b")
    first.publisher.remove_unknown()
    assert broker.retained.keys() == kept


def test_nothing_is_told_without_the_lease() -> None:
    """Without a sure lease events wait, and are dropped if it is lost."""
    broker = RecordingBroker()
    node = OneNode(broker)
    node.directory.update("ABCDE", TABLE, ())
    said = len(broker.sent)
    node.holds_lease = False
    node.directory.update("ABCDE", {**TABLE, "phase": "paused"}, ())
    node.directory.remove("ABCDE")
    node.directory.update("FGHJK", {**TABLE, "table": "FGHJK"}, ())
    node.publisher.repair_all()
    assert len(broker.sent) == said
    node.holds_lease = True
    node.tell()
    assert [*broker.retained] == [SUMMARY.replace("ABCDE", "FGHJK")]


async def test_the_turn_of_a_taken_match_is_told_once_it_is_loaded(tmp_path: Path) -> None:
    """The turn of a taken match is published once it is loaded."""
    told = RecordingBroker()
    async with open_server(tmp_path, broker=told) as server:
        code, _ = await server.match_of("Ann", "Bea", game="black_queen", options={"deals": 1})
        table, info = server.table(code), server.game_server.tables.directory.info(code)
        assert info is not None
        topic = f"p/tables/black_queen/{code}/turn"
        broker = RecordingBroker()
        broker.retained[topic] = b"{}"
        taker = OneNode(broker)
        taker.directory.update(code, info, ())
        assert broker.retained[topic] == b"{}"
        taker.publisher.taken(table)
        (asked,) = broker.messages("turn")
        assert asked["players"] == told.messages("turn")[-1]["players"] != []


@asynccontextmanager
async def telling(broker: Mosquitto, prefix: str, node: str) -> AsyncIterator[EventService]:
    """A node that publishes to a real broker."""
    topics = Topics(prefix, "secret")
    presence = presence_of(topics, "1.0", None)
    connections = connections_to(Broker.at(broker.url), topics, presence, node)
    service = EventService(connections, topics, lambda: 1.0, presence, True, 0.1, 0.0)
    running = asyncio.ensure_future(service.run())  # noqa: TID251 - ended below
    try:
        yield service
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


async def test_nodes_share_a_broker(mosquitto: Mosquitto) -> None:
    """Nodes share a broker, and the server is shown as there until the last one ends."""
    prefix = mosquitto.topic()
    server = f"{prefix}/server"
    listener = MqttClient(Broker.at(mosquitto.url), f"listener of {prefix}", server)

    def said() -> list[bool]:
        return [json.loads(payload)["online"] for payload in listener.payloads]

    async def until(*last: bool) -> None:
        """Wait until this was published last."""
        await listener.until(lambda: tuple(said()[-len(last) :]) == last)

    async with connected(listener):
        async with telling(mosquitto, prefix, "b") as second:
            async with telling(mosquitto, prefix, "a") as first:
                await until(True)
                async with asyncio.timeout(PATIENCE):
                    while not (first.is_connected and second.is_connected):  # noqa: ASYNC110
                        await asyncio.sleep(0.01)
                # As the broker says it for a node that is lost.
                gone = presence_of(Topics(prefix, "secret"), "0.9", None).gone
                await listener.publish(*gone)
                await until(False, True, True)
                listener.heard.clear()
            await until(False, True)
            assert [each.counts()["reconnects"] for each in (first, second)] == [0, 0]
        await until(False)
