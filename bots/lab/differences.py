"""The differences of two plans, in the words of the command line they come from."""

import json
from collections.abc import Iterator, Mapping

_CALLED = {
    "source": "the game",
    "version": "its version",
    "seats": "the number of players",
    "parts": "what is played",
    "options": "the choice of options",
    "watched": "--watch",
    "longest": "--longest",
    "samples": "--samples",
}
"""By field of a plan; others are called by the name of the field."""


def differences(there: Mapping[str, object], here: Mapping[str, object]) -> Iterator[str]:
    """A sentence for each field in which plan `here` differs from plan `there`."""
    for name, value in here.items():
        other = there.get(name)
        if other != value:
            told, now = _told(name, other), _told(name, value)
            if told == now:
                yield f"{_called(name)} {now} has another text"
            else:
                yield f"{_called(name)} is {told} there and {now} here"


def _called(name: str) -> str:
    return _CALLED.get(name, f"the {name}")


def _told(name: str, value: object) -> str:
    match name, value:
        case "source", {"name": str(title)}:
            return title
        case "parts", [*parts]:
            return " and ".join(map(_part, parts))
        case "options", dict():
            return " ".join(f"{key}={_plain(each)}" for key, each in value.items()) or "none"
    return _plain(value)


def _part(part: object) -> str:
    match part:
        case {"bots": [*bots], "games": games, "turning": turning}:
            seated = ", in each seat in turn" if turning else ""
            return f"{_plain(games)} games of {','.join(map(_plain, bots))}{seated}"
    return _plain(part)


def _plain(value: object) -> str:
    """A word as it is, and a value in JSON; a missing one is the default."""
    if value is None:
        return "the default"
    return value if isinstance(value, str) else json.dumps(value)
