"""Games described in RECYCLE that ship with the program: files ``NameN.rcy`` for N players.

The rules of a family (`Agram2` to `Agram5`) stand on one page, `Agram.md`.
"""

from importlib.resources import files

_FOLDER = files("engine.recycle.games")


def names() -> tuple[str, ...]:
    """The names of the descriptions, such as ``Hearts4``, in order."""
    found = (each.name for each in _FOLDER.iterdir())
    return tuple(sorted(name.removesuffix(".rcy") for name in found if name.endswith(".rcy")))


def description(name: str) -> str:
    """The text of the description with this name."""
    return _FOLDER.joinpath(f"{name}.rcy").read_text(encoding="utf-8")


def rules(name: str) -> str:
    """The rules page, in Markdown, of the description with this name."""
    family = name.rstrip("0123456789")
    return _FOLDER.joinpath(f"{family}.md").read_text(encoding="utf-8")
