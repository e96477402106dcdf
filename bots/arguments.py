"""Words of a command line as values, for the commands that let bots play."""

from argparse import ArgumentTypeError


def positive(text: str) -> int:
    """A whole number from 1."""
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return number


def option(text: str) -> tuple[str, int | bool | str]:
    """An option of a game: ``columns=5``, ``hook=false``, ``rules=recycle``."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise ArgumentTypeError(f"{text!r} must look like NAME=VALUE")
    if value in ("true", "false"):
        return name, value == "true"
    return name, int(value) if value.removeprefix("-").isdecimal() else value
