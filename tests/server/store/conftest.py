"""A store on a real file, closed after the test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.store import Store


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'cards.sqlite3'}"


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    opened = await Store.open(url)
    yield opened
    await opened.close()
