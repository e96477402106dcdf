"""The rules pages of the games, as text."""

from importlib.resources import files


def rules_text(game: str) -> str:
    """The Markdown of engine/games/`game`/rules.md; `FileNotFoundError` if it does not exist."""
    return files("engine").joinpath("games", game, "rules.md").read_text(encoding="utf-8")
