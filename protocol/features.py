"""What a server can do beyond the first form of this version of the protocol.

A server names all of it in `welcome.features`, and a client uses only what its server names; a
server that names nothing can do nothing of it. A name is that of a command or message
(``admit``), or that of a field behind the command, message or part that holds it
(``list_tables.page``, ``error.retry_after``, ``settings.latecomers``). A name is never taken back
within a version.
"""

from collections.abc import Collection, Iterator

from pydantic import BaseModel

from protocol.table_settings import CAME_LATER
from protocol.to_server import COMMANDS, ToServer
from protocol.version import JSON, MSGPACK

FEATURES: tuple[str, ...] = (
    "asked",
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
    "info.practice",
    "table.labels",
    "choices.texts",
    "fact.words",
    "question.reserve",
    "hint.weaker",
    "game.lowered",
    "hint.seconds",
    "table.layout",
    "game.labels",
    "game.layout",
    "hello.features",
    "hello.facts",
    "hello.legends",
    "legend",
    "table.digest",
    "table.earlier",
    "game.digest",
    "view.play",
    "lobby",
    "choices.ways",
    "choices.parts",
    "pick.way",
    "fact.holds",
    "option.help",
    "option.titles",
    "option.depends",
    "games.settings",
    "hint.titles",
    "hello.alongside",
    "hello.code",
    "hello.device",
    "device_code",
    "chat.apart",
    "notice.outage",
    "choices.prompt",
    "chat.phrase",
    "option.by_seats",
    "code_owner",
    "unchanged",
    "notice.same_address",
    "hello.heard",
    "chat.number",
    "chat.earlier",
    "welcome.renamed",
    "seat.alike",
    "info.seeded",
    "join.seeded",
    "moved",
    "watch.failed",
    "welcome.node",
    "words",
    "welcome.words",
    "game.about",
    "game.figures",
    "create_table.position",
    *(f"settings.{name}" for name in CAME_LATER),
    *(each.model_fields["type"].default for each in COMMANDS if each.later),
)
"""What this code knows; a server of it names them all."""

LEGENDS = "legend"
"""What tables of a game have in common comes once, and not with every table."""
INTERNAL_VALUES = "view.play"
"""The values that tell a bot how to play on from a view. No field, but what a field holds."""
APART = "chat.apart"
"""Lines of spectators among themselves: who does not know the field takes them for the server's."""
OUTAGES = "notice.outage"
"""That nothing can be saved just now, and that it can again. No field, but two kinds of notice."""
MISSED_CHAT = "chat.earlier"
"""Lines that were said while a connection was gone, once it is there again."""
UNCHANGED = "unchanged"
"""What no event tells of a table, where a client that comes back has missed none."""
PROMPTS = "choices.prompt"
"""What a player is asked, as a phrase beside the choices."""
SEEDED = "join.seeded"
"""A player is asked before they sit down where somebody has chosen the seed of the cards."""
MOVED = "moved"
"""At which address a table is that another node of the server has, in place of a refusal."""
WORDS = "words"
"""Events come in the compact form, with numbers for words (`protocol.compact_form`); in msgpack."""
ON_REQUEST = frozenset(
    {
        LEGENDS,
        INTERNAL_VALUES,
        "choices.parts",
        "pick.way",
        APART,
        OUTAGES,
        PROMPTS,
        UNCHANGED,
        MISSED_CHAT,
        SEEDED,
        MOVED,
        WORDS,
    }
)
"""Those of them that a server sends only to clients that name them in `hello`."""
FIRST_FORM = frozenset({INTERNAL_VALUES})
"""What a client gets that names nothing, as all did once."""


def asked_for(features: Collection[str], subprotocol: str = MSGPACK) -> frozenset[str]:
    """The features that a client gets whose `hello` names these.

    >>> asked_for([]) == FIRST_FORM, asked_for(["legend", "words", "news"], JSON)
    (True, frozenset({'legend'}))
    """
    if not features:
        return FIRST_FORM
    asked = ON_REQUEST.intersection(features)
    return asked - {WORDS} if subprotocol == JSON else asked


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
