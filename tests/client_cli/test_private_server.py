"""A player's private server: its environment."""

from pathlib import Path

import pytest

from client_cli.private_server import private_server


async def test_its_tables_are_in_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tables of a private server are in its own folder, not in another server's database."""
    monkeypatch.setenv("BLACKQUEEN_DATABASE_URL", f"sqlite:///{tmp_path}/hosted.sqlite3")
    async with private_server(tmp_path) as url:
        assert url.startswith("ws://127.0.0.1:")
    assert (tmp_path / "blackqueen.sqlite3").exists()
    assert not (tmp_path / "hosted.sqlite3").exists()
