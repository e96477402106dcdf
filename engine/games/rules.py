"""The rules pages that lie beside the games, as text for whoever asks."""

from importlib.resources import files


def rules_text(game: str) -> str:
    """The Markdown of engine/games/`game`.md."""
    return files("engine.games").joinpath(f"{game}.md").read_text(encoding="utf-8")
