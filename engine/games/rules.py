"""The rules pages that lie in the games' folders, as text for whoever asks."""

from importlib.resources import files


def rules_text(game: str) -> str:
    """The Markdown of engine/games/`game`/rules.md; `FileNotFoundError` if there is none."""
    return files("engine").joinpath("games", game, "rules.md").read_text(encoding="utf-8")
