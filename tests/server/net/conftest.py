"""Fixtures: a server on a real socket, with a match that must not be disturbed."""

import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import structlog

from tests.server.socket_server import (
    BackgroundMatch,
    SocketServer,
    background_match,
    open_socket_server,
)

Logged = list[structlog.typing.EventDict]


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[SocketServer]:
    async with open_socket_server(tmp_path) as server:
        yield server


@pytest.fixture
async def background(
    server: SocketServer, log_events: Logged, caplog: pytest.LogCaptureFixture
) -> AsyncIterator[BackgroundMatch]:
    """A match that must not be disturbed, and a log that must show no fault."""
    caplog.set_level(logging.INFO)
    async with background_match(server.url) as background:
        yield background
        await background.wait_for_moves()
    assert [event for event in log_events if "exc_info" in event] == []
    assert [event for event in log_events if event["log_level"] in ("error", "critical")] == []
    assert [record for record in caplog.records if record.exc_info] == []
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
