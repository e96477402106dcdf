"""What a server can do beyond the first form of this version of the protocol.

A server names all of it in `welcome.features`, and a client uses only what its server names; a
server that names nothing can do nothing of it. A name is that of a command or message
(``admit``), or that of a field behind the command, message or part that holds it
(``list_tables.page``, ``error.retry_after``, ``settings.latecomers``). A name is never taken back
within a version.
"""

from collections.abc import Iterator

from pydantic import BaseModel

from protocol.to_server import ToServer

FEATURES: tuple[str, ...] = (
    "admit",
    "asked",
    "settings.latecomers",
    "error.retry_after",
    "error.phrase",
    "option.phrase",
    "hint.phrase",
    "list_tables.page",
    "list_tables.size",
    "list_tables.game",
    "list_tables.free",
    "list_tables.phase",
    "list_tables.text",
    "tables.next",
    "welcome.url",
    "notice.seats",
    "notice.strength",
    "notice.seconds",
    "hint.strength",
    "hello.program",
    "seat.program",
    "notice.program",
    "game.bots",
    "game.teams",
    "undo",
    "info.practice",
    "table.labels",
    "choices.texts",
    "fact.words",
    "question.reserve",
    "stand_in",
    "back",
    "hint.weaker",
    "game.lowered",
    "settings.events",
    "hint.seconds",
    "table.layout",
    "game.labels",
    "game.layout",
    "follow_tables",
    "unfollow_tables",
    "lobby",
    "my_tables",
    "hello.features",
    "choices.ways",
    "choices.parts",
    "pick.way",
    "log",
    "fact.holds",
    "option.help",
    "option.titles",
    "option.depends",
    "games.settings",
    "hint.titles",
    "hello.alongside",
)
"""What this code knows; a server of it names them all."""

ON_REQUEST = frozenset({"choices.parts", "pick.way"})
"""Those of them that a server sends only to clients that name them in `hello`."""


def needed(command: ToServer) -> Iterator[str]:
    """The features that a server must have to understand `command`."""
    return _needed(command.type, command)


def _needed(name: str, part: BaseModel) -> Iterator[str]:
    if name in FEATURES:
        yield name
    for field, info in type(part).model_fields.items():
        held = getattr(part, field)
        if isinstance(held, BaseModel):
            yield from _needed(field, held)
        elif f"{name}.{field}" in FEATURES and held != info.default:
            yield f"{name}.{field}"
