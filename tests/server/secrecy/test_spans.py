"""Nothing hidden leaves by spans: whoever has all of them cannot tell two worlds apart."""

from pathlib import Path

import pytest

from engine import SPECTATOR
from server.ops.spans import SpanRecorder, recording
from server.ops.tracing import Trace
from tests.counts import count
from tests.games.catalogue import BROKEN
from tests.server.controllable_store import ControllableStore
from tests.server.secrecy.two_worlds import ScriptedPair, TwoWorldsRunner, pair_of

MOVES = 20
"""So many are made in worlds that differ."""


class SpannedWorldsRunner(TwoWorldsRunner):
    """Keeps the spans of each world in place of what a viewer is sent."""

    async def both(self, pair: ScriptedPair) -> tuple[list[bytes | str], list[bytes | str]]:
        """What the spans of each world tell, but for their times and the ids drawn at random."""
        told: list[list[bytes | str]] = []
        for at in (0, 1):
            hello = Trace("1" * 32, "2" * 16)
            self.patch.setattr("server.commands.router.new_trace", lambda hello=hello: hello)
            with recording(SpanRecorder(most=10**6)) as recorder:
                await self._frames(pair, at)
            told.append(
                [
                    repr((span.name, span.trace, dict(span.attributes), span.failed))
                    for span in recorder.waiting
                ]
            )
        return told[0], told[1]


async def test_two_worlds_have_the_same_spans(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither how work ends nor what kind it is depends on what a spectator may not know."""
    store = await ControllableStore.open(f"sqlite:///{tmp_path / 'worlds.sqlite3'}")
    store.players_only = True
    runner = SpannedWorldsRunner(store, tmp_path, monkeypatch)
    number, moves = 0, 0
    while moves < count(MOVES):
        pair = pair_of(BROKEN["black_queen"].subject(None), number, SPECTATOR)
        number += 1
        if pair.differ:
            one, two = await runner.both(pair)
            assert one == two
            assert any("tables act" in str(span) for span in one)
            moves += len(pair.script)
    await store.close()
