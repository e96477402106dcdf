"""Everything published of matches and worlds, as heard by a reader of all topics."""

import json
import re
from typing import Any

from engine import SPECTATOR, Catalogue
from server.events.messages import Play
from server.ops.settings import Settings
from tests.server.controllable_store import ControllableStore
from tests.server.events.recording_broker import RecordingBroker
from tests.server.harness import ServerHarness
from tests.server.secrecy.two_worlds import AnySubject, ScriptedPair, TwoWorldsRunner, pair_of

SUITS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
CARD = re.compile(r"(10|[2-9JQKA])([♠♥♦♣])")


def with_tokens(text: str) -> str:
    """A text for people with its cards as programs write them: ``Ann plays QS.``"""
    return CARD.sub(lambda card: card[1].replace("10", "T") + SUITS[card[2]], text)


class Subscriber(RecordingBroker):
    """A reader of every topic who records how far each table was."""

    server: ServerHarness

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[tuple[int, dict[str, Any]]] = []
        self.observer = self._hear

    def _hear(self, topic: str, payload: bytes) -> None:
        if payload:
            message = json.loads(payload)
            table = self.server.game_server.live.get(message["table"])
            self.heard.append((0 if table is None else table.state.seq, message))


class PublicWorldsRunner(TwoWorldsRunner):
    """Records what is published in each world, in place of what a viewer is sent."""

    async def both(self, pair: ScriptedPair) -> tuple[list[bytes | str], list[bytes | str]]:
        """All topics and payloads in each world."""
        told: list[list[bytes | str]] = []
        for at in (0, 1):
            broker = RecordingBroker()
            self.broker = broker
            await self._frames(pair, at)
            told.append([part for message in broker.sent for part in message])
        return told[0], told[1]

    def _harness(
        self, settings: Settings, catalogue: Catalogue, store: ControllableStore
    ) -> ServerHarness:
        return ServerHarness(settings, catalogue, store, broker=self.broker)

    async def compare(self, subject: AnySubject, moves: int) -> None:
        """Play pairs of worlds that differ; what they publish must be equal, byte for byte."""
        number = 0
        while moves > 0:
            pair = pair_of(subject, number, SPECTATOR)
            number += 1
            if pair.differ:
                one, two = await self.both(pair)
                assert one == two
                moves -= len(pair.script)
                assert any(Play.model_fields["type"].default in str(part) for part in one)
