"""Descriptions on disk: found in folders and read as text, without crashing on odd files."""

from contextlib import suppress
from pathlib import Path
from shutil import copymode

from engine.recycle.limits import TEXT_LIMITS

SUFFIXES = (".rcy", ".gdl")
"""The endings of description files, now and in older versions of the language."""
_BYTES = 4 * TEXT_LIMITS.characters
"""No readable text is longer, whatever its characters."""


class Unreadable(Exception):
    """The reason why a file cannot be the text of a description."""


def descriptions(path: Path) -> list[Path]:
    """The descriptions in a folder and its subfolders, in order; a file stands for itself."""
    if not path.is_dir():
        return [path]
    try:
        found = [each for each in path.rglob("*") if each.suffix in SUFFIXES and each.is_file()]
    except OSError as error:
        raise Unreadable(_reason(error)) from None
    if not found:
        raise Unreadable(f"the folder has no description, {' or '.join(SUFFIXES)}")
    return sorted(found)


def read(path: Path) -> str:
    """The text of a file; raises `Unreadable`."""
    try:
        if path.exists() and not path.is_file():
            raise Unreadable("this is a folder" if path.is_dir() else "this is no plain file")
        with path.open("rb") as file:
            content = file.read(_BYTES + 1)
    except OSError as error:
        raise Unreadable(_reason(error)) from None
    if len(content) > _BYTES:
        raise Unreadable(
            f"the file is too long, at most {TEXT_LIMITS.characters} characters are read"
        )
    if b"\0" in content:
        raise Unreadable("this is no text file")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise Unreadable(f"this is no text in UTF-8: line {line} has other bytes") from None


def write(path: Path, text: str) -> None:
    """Replace the content of the file, completely or not at all."""
    if path.is_dir():
        raise Unreadable("this is a folder")
    # Through a link, which stays a link.
    path = path.resolve()
    beside = path.with_name(f".{path.name}.new")
    try:
        beside.write_text(text, encoding="utf-8", newline="\n")
        if path.exists():
            copymode(path, beside)
        beside.replace(path)
    except OSError as error:
        with suppress(OSError):
            beside.unlink()
        raise Unreadable(_reason(error)) from None


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
