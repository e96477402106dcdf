"""A newer client at this server, over a real socket."""

from pathlib import Path

import pytest

from protocol.features import FEATURES
from protocol.version import JSON, MSGPACK
from tests.server.socket_server import open_socket_server


@pytest.mark.parametrize("subprotocol", [MSGPACK, JSON])
async def test_a_hello_that_says_more_is_welcome(tmp_path: Path, subprotocol: str) -> None:
    """It cannot know yet what the server knows; then it learns it, and asks for nothing else."""
    async with open_socket_server(tmp_path) as server, server.socket(subprotocol) as raw:
        hello = {"type": "hello", "id": 1, "version": 1, "client": "c", "name": "Zoe"}
        await raw.send_message(
            {**hello, "mood": "cheerful", "screens": [{"width": 80, "lit": True}]}
        )
        [welcome] = await raw.receive()
        assert (welcome["type"], welcome["name"]) == ("welcome", "Zoe")
        assert list(welcome["features"]) == list(FEATURES)
        listed = await raw.ask("list_tables", id=2, free=1)
        assert listed["tables"] == []
        refused = await raw.ask("list_tables", id=3, with_music=True)
        assert refused["code"] == "bad_message"
        assert "'with_music' of list_tables is not known" in refused["reason"]
        unknown = await raw.ask("dance", id=4)
        assert unknown["code"] == "bad_message"
