"""The words a person types that are no moves, as a table: what each needs and what it does.

People count seats from 1, the wire from 0.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from client_cli.effects import Ask, Effect, End, Show
from protocol.mirror import TableMirror
from protocol.to_client import Phase
from protocol.to_server import (
    AddBot,
    Admit,
    ChangedSettings,
    Chat,
    Configure,
    Games,
    Hint,
    Kick,
    Leave,
    OptionValue,
    Ready,
    Rematch,
    RemoveBot,
    SettingsInfo,
    Sit,
    Start,
    TableSettings,
)


class NotUnderstood(Exception):
    """What was typed is no order; the text says what would be."""


_LOBBY: tuple[Phase, ...] = ("lobby",)
_MATCH: tuple[Phase, ...] = ("playing", "paused")
Make: TypeAlias = Callable[[TableMirror, str], Effect]


@dataclass(frozen=True, slots=True)
class Order:
    """`usage` and `help` are for people; `phases` say when the order makes sense, if not always.

    `idle` is the help outside a match and `watching` that for spectators, where they differ.
    """

    usage: str
    help: str
    make: Make
    phases: tuple[Phase, ...] = ()
    seated: bool = True
    idle: str = ""
    watching: str = ""

    def help_at(self, table: TableMirror) -> str:
        """What the order does for this person now."""
        if table.seat is None:
            return self.watching or self.help
        return self.help if table.info.phase in _MATCH else self.idle or self.help

    def fits(self, phase: str) -> bool:
        """Whether the order makes sense in this phase, which may be that of a newer server."""
        return not self.phases or phase in self.phases


def order_for(typed: str, table: TableMirror) -> Effect | None:
    """The effect of an order; None where the first word is none; `NotUnderstood` if it is wrong."""
    word, _, rest = typed.strip().partition(" ")
    order = ORDERS.get(ALIASES.get(word.lower(), word.lower()))
    if order is None:
        return None
    if not order.fits(table.info.phase):
        raise NotUnderstood(f"{order.usage}: not now, the table is {phase_words(table.info.phase)}")
    if order.seated and table.seat is None:
        raise NotUnderstood(f"{order.usage}: only who sits at the table can do that")
    return order.make(table, rest.strip())


def orders_now(table: TableMirror) -> list[Order]:
    """The orders that make sense at the table as it is."""
    return [
        order
        for order in ORDERS.values()
        if order.fits(table.info.phase)
        and not (order.seated and table.seat is None)
        # A player who is not asked need not know how to answer.
        and (table.latecomers or order.make not in (_admit, _refuse))
    ]


def phase_words(phase: str) -> str:
    """What a table is in `phase`; that of a newer server by its own word."""
    known = next((each for each in PHASES if each == phase), None)
    return phase.replace("_", " ") if known is None else PHASES[known]


PHASES: Mapping[Phase, str] = {
    "lobby": "waiting for players",
    "playing": "in the middle of a match",
    "paused": "paused: everybody is away",
    "finished": "done with its match",
    "closed": "closed",
}


def _seat(table: TableMirror, text: str) -> int:
    if text.isascii() and text.isdigit() and 1 <= int(text) <= len(table.info.seats):
        return int(text) - 1
    raise NotUnderstood(f"which seat? 1 to {len(table.info.seats)}")


def _hint(table: TableMirror, rest: str) -> Effect:
    return Ask(Hint, {"table": table.table})


def _rules(table: TableMirror, rest: str) -> Effect:
    return Ask(Games, {"game": table.info.game})


def _say(table: TableMirror, rest: str) -> Effect:
    if not rest:
        raise NotUnderstood("say what? for example: say good luck")
    return Ask(Chat, {"table": table.table, "text": rest})


def _leave(table: TableMirror, rest: str) -> Effect:
    return Ask(Leave, {"table": table.table})


def _ready(table: TableMirror, rest: str) -> Effect:
    return Ask(Ready, {"table": table.table, "ready": rest != "no"})


def _sit(table: TableMirror, rest: str) -> Effect:
    return Ask(Sit, {"table": table.table, "seat": _seat(table, rest)})


def _add(table: TableMirror, rest: str) -> Effect:
    strength, _, seat = rest.partition(" ")
    if not (strength.isascii() and strength.isdigit() and len(strength) == 1):
        raise NotUnderstood("how strong? for example: add 2, or add 2 4 for seat 4")
    fields: dict[str, object] = {"table": table.table, "strength": int(strength)}
    if seat.strip():
        fields["seat"] = _seat(table, seat.strip())
    return Ask(AddBot, fields)


def _remove(table: TableMirror, rest: str) -> Effect:
    return Ask(RemoveBot, {"table": table.table, "seat": _seat(table, rest)})


def _kick(table: TableMirror, rest: str) -> Effect:
    return Ask(Kick, {"table": table.table, "seat": _seat(table, rest)})


def _admit(table: TableMirror, rest: str) -> Effect:
    return Ask(Admit, {"table": table.table, "request": _request(table, "admit", rest)})


def _refuse(table: TableMirror, rest: str) -> Effect:
    request = _request(table, "refuse", rest)
    return Ask(Admit, {"table": table.table, "request": request, "admit": False})


def _request(table: TableMirror, verb: str, typed: str) -> int:
    """The number of the request that a person means by a name, or the beginning of one."""
    waiting = table.latecomers
    if not waiting:
        raise NotUnderstood(f"{verb} whom? nobody asks to be let in")
    words = typed.casefold()
    exact = [number for number, name in waiting.items() if name.casefold() == words]
    begun = [number for number, name in waiting.items() if name.casefold().startswith(words)]
    # Two may have one name; then their numbers tell them apart.
    numbered = [number for number in waiting if typed.removeprefix("#") == str(number)]
    for meant in (numbered, exact, begun):
        if len(meant) == 1:
            return meant[0]
    told = ", ".join(
        f"{name} (#{number})" if [*waiting.values()].count(name) > 1 else name
        for number, name in waiting.items()
    )
    raise NotUnderstood(f"{verb} whom? waiting: {told}")


def _start(table: TableMirror, rest: str) -> Effect:
    if not rest:
        free = sum(1 for chair in table.info.seats if chair.kind == "empty")
        if free and table.seat == table.info.host:
            are, filled = (
                ("seat is", "it with a bot") if free == 1 else ("seats are", "them with bots")
            )
            raise NotUnderstood(f"{free} {are} free; start 1 fills {filled} of strength 1")
        return Ask(Start, {"table": table.table})
    if not (rest.isascii() and rest.isdigit() and len(rest) == 1):
        raise NotUnderstood("how strong are the bots? for example: start 2")
    return Ask(Start, {"table": table.table, "fill": int(rest)})


_SET_WHAT = "set what? for example: set deals=2, or several: set deals=2 private=yes"


def _set(table: TableMirror, rest: str) -> Effect:
    changes = re.sub(r"\s*=\s*", "=", rest).split()
    options: dict[str, OptionValue] = {}
    settings: ChangedSettings | None = None
    for name, equals, text in (change.partition("=") for change in changes):
        if not equals or not name or not text:
            raise NotUnderstood(_SET_WHAT)
        if name in TableSettings.model_fields:
            settings = _changed(settings or table.info.settings, name, text)
        else:
            options[name] = option_value(text)
    if not changes:
        raise NotUnderstood(_SET_WHAT)
    fields: dict[str, object] = {"table": table.table}
    if options:
        fields["options"] = {**table.info.options, **options}
    if settings is not None:
        fields["settings"] = settings
    return Ask(Configure, fields)


def _changed(settings: SettingsInfo, name: str, text: str) -> ChangedSettings:
    try:
        return ChangedSettings.of(settings, **{name: setting_value(name, text)})
    except ValueError:
        raise NotUnderstood(f"{name} cannot be {text}") from None


def _rematch(table: TableMirror, rest: str) -> Effect:
    return Ask(Rematch, {"table": table.table})


def option_value(text: str) -> OptionValue:
    """What a person means by `text`: a yes or no, a whole number, or a word."""
    match text.lower():
        case "yes" | "true" | "on":
            return True
        case "no" | "false" | "off":
            return False
    try:
        return int(text)
    except ValueError:
        return text


def setting_value(name: str, text: str) -> OptionValue | float | None:
    """The same for the settings of a table, one of which may be a fraction or nothing."""
    if name != "bot_delay":
        return option_value(text)
    if text == "default":
        return None
    try:
        return float(text)
    except ValueError:
        return text


ORDERS: Mapping[str, Order] = {
    "hint": Order("hint", "what a bot would play here, and why", _hint, _MATCH),
    "table": Order("table", "draw the table again", lambda *_: Show("table"), seated=False),
    "score": Order("score", "the scores so far", lambda *_: Show("score"), seated=False),
    "rules": Order("rules", "the rules of the game", _rules, seated=False),
    "ready": Order("ready", "start when everybody is ready; ready no: not yet", _ready, _LOBBY),
    "sit": Order("sit 2", "move to another free seat", _sit, _LOBBY),
    "add": Order("add 2", "host: seat a bot of strength 2; add 2 4: at seat 4", _add, _LOBBY),
    "remove": Order("remove 3", "host: take the bot from seat 3", _remove, _LOBBY),
    "kick": Order("kick 1", "host: send the player at seat 1 away", _kick, _LOBBY),
    "admit": Order("admit Bob", "host: let a player in who asks for a bot's seat", _admit, _MATCH),
    "refuse": Order("refuse Bob", "host: do not let in a player who asks", _refuse, _MATCH),
    "set": Order("set deals=2", "host: change options or settings, one or several", _set, _LOBBY),
    "start": Order("start", "host: start; start 2: bots of strength 2 fill up", _start, _LOBBY),
    "rematch": Order("rematch", "host: open the table for another match", _rematch, ("finished",)),
    "say": Order("say hello", "talk to the table", _say),
    "leave": Order(
        "leave",
        "give up the seat; a bot plays on",
        _leave,
        seated=False,
        idle="give up the seat",
        watching="stop looking on",
    ),
    "quit": Order(
        "quit",
        "close the program, stay seated",
        lambda *_: End(),
        seated=False,
        watching="close the program",
    ),
    "help": Order("?", "this list", lambda *_: Show("help"), seated=False),
}
ALIASES: Mapping[str, str] = {
    "?": "help",
    "chat": "say",
    "seats": "table",
    "scores": "score",
    "exit": "quit",
    "hints": "hint",
}
