"""Records the frames between a page and the server, for a comparison with the table's log."""

import json
from collections.abc import Sequence
from typing import Any

from playwright.async_api import Page, WebSocket

from engine.facts import Seat
from server.table.entries import Acted
from tests.e2e.stored import StoredTable

# A message in JSON, of any type.
Message = dict[str, Any]


class PageWire:
    """The moves of one page and their answers, over all its connections.

    `names` are the player names that the page received last, by seat. `lagged` counts, for each
    time that the page did not read fast enough, how many snapshots of its table it was sent after
    that.
    """

    def __init__(self, page: Page) -> None:
        self.moves: dict[tuple[str, int], Message] = {}
        self.answers: dict[tuple[str, int], list[Message]] = {}
        self.notices: list[str] = []
        self.lagged: list[int] = []
        self.connections = 0
        self.player = ""
        self.names: tuple[str, ...] = ()
        page.on("websocket", self._opened)

    @property
    def acknowledged(self) -> dict[tuple[str, int], Message]:
        """The first final answer to each move that was accepted, by (client, number)."""
        return {
            key: answers[0]
            for key in self.moves
            if (answers := self.final_answers(key)) and answers[0]["type"] == "ok"
        }

    def final_answers(self, key: tuple[str, int]) -> list[Message]:
        """Return the answers to a command after which its client need not send it again."""
        return [each for each in self.answers.get(key, ()) if each.get("code") != "try_again"]

    def _opened(self, socket: WebSocket) -> None:
        self.connections += 1
        client = ""

        def sent(frame: str | bytes) -> None:
            nonlocal client
            message: Message = json.loads(frame)
            if message["type"] == "hello":
                client = message["client"]
            if message["type"] == "act":
                self.moves[client, message["id"]] = message

        def received(frame: str | bytes) -> None:
            for message in json.loads(frame):
                self._heard(client, message)

        socket.on("framesent", sent)
        socket.on("framereceived", received)

    def _heard(self, client: str, message: Message) -> None:
        if message["type"] == "welcome":
            self.player = message["player"]
        if message["type"] == "notice":
            self.notices.append(message["kind"])
            if message["kind"] == "lagging":
                self.lagged.append(0)
        if message["type"] == "table" and self.lagged:
            self.lagged[-1] += 1
        if message["type"] in ("ok", "error") and message.get("id") is not None:
            self.answers.setdefault((client, message["id"]), []).append(message)
        if info := message.get("info"):
            self.names = tuple(chair.get("name", "") for chair in info["seats"])


def check(stored: StoredTable, seat: Seat, wires: Sequence[PageWire]) -> None:
    """Check that the log has each acknowledged move of one player's pages once, and no other move.

    Each repeated answer is the same as the first, and names the entry of the log.
    """
    entries = {
        (entry.key.client, entry.key.command): entry
        for entry in stored.entries
        if entry.key is not None and isinstance(entry.body, Acted) and entry.body.seat == seat
    }
    acted = [entry.body for entry in stored.entries if isinstance(entry.body, Acted)]
    assert len(entries) == sum(body.seat == seat and body.by == "player" for body in acted)
    sent = {key: move for wire in wires for key, move in wire.moves.items()}
    promised = {key: answer for wire in wires for key, answer in wire.acknowledged.items()}
    for wire in wires:
        for key in wire.answers:
            finals = wire.final_answers(key)
            assert finals == finals[:1] * len(finals), "a command was answered in two ways"
    assert promised.keys() <= entries.keys(), "a move was promised and not made"
    assert entries.keys() <= sent.keys(), "a move was made that nobody has clicked"
    for key, entry in entries.items():
        assert entry.body == Acted(seat, sent[key]["action"])
        assert key not in promised or promised[key]["seq"] == entry.seq
