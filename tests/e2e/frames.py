"""Checks every frame that players received at a table against the cards they had been shown."""

from collections import defaultdict
from dataclasses import replace
from typing import Any

import pytest

from engine import GAMES
from protocol.connection import Client
from tests.e2e.stored import StoredTable
from tests.server.secrecy.leak_checker import LeakChecker
from tests.server.secrecy.recorded_match import RecordedMatch, SentMessage


class Frames:
    """The frames that the recorded clients received; the clients play at one table."""

    def __init__(self) -> None:
        self.sent: list[SentMessage] = []

    def hear(self, client: Client, patch: pytest.MonkeyPatch) -> None:
        """Record from now on every frame sent to a client, which must be welcomed already."""
        codec, player = client._codec, client.session.player
        assert player is not None
        last = 0

        def load(raw: bytes | str) -> Any:  # whatever the frame holds
            nonlocal last
            frame = codec.load(raw)
            for message in client._first._compact.long_form(frame):
                last = max(last, message.get("seq", 0))
                self.sent.append(SentMessage(player, last, message))
            return frame

        heard = replace(codec, load=load)
        for each in (client, client._first):
            patch.setattr(each, "_codec", heard)

    def check(self, stored: StoredTable) -> None:
        """Raise `Leak` if a message had a card that its receiver had not been shown."""
        recording = RecordedMatch(
            stored.code, stored.game.info.id, len(stored.state.chairs), self.sent
        )
        recording.log += stored.entries
        # What they asked matters where an action is refused, and theirs were all offered.
        recording.said = defaultdict(dict)
        checker = LeakChecker(recording, GAMES)
        for sent in self.sent:
            checker.check(sent)
        assert {"event", "table"} <= {sent.message["type"] for sent in self.sent}
