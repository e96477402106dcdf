"""The commands that a person types at a table, moves aside: what each needs and does.

People count seats from 1, the wire from 0.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeAlias

from client_cli.effects import Effect, End, PlayBy, SendCommand, Show
from client_cli.names import plays_alone
from client_cli.typed_players import player_meant, request_meant, seat_meant
from client_cli.typed_values import (
    NotUnderstood,
    changed_settings,
    option_value,
    set_what,
    to_set,
)
from protocol.message import Phase
from protocol.mirror import TableMirror
from protocol.strengths import LEVELS, wished_strength
from protocol.to_server import (
    AddBot,
    Admit,
    Back,
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
    Sit,
    StandIn,
    Start,
    TableSettings,
    Undo,
)

MATCH: tuple[Phase, ...] = ("playing", "paused")
"""The phases of a match."""
_LOBBY: tuple[Phase, ...] = ("lobby",)
Make: TypeAlias = Callable[[TableMirror, str], Effect]


@dataclass(frozen=True, slots=True)
class TypedCommand:
    """A command that a person can type; `make` gives its effect from the table and the rest typed.

    `usage` and `help` are for people; `phases` say when the command makes sense, if not always.

    `meanwhile` says what to do in a match if the command is not for matches.

    `idle` is the help outside a match, `watching` that for spectators and `alone` that for a person
    who plays with bots, where they differ.
    """

    usage: str
    help: str
    make: Make
    phases: tuple[Phase, ...] = ()
    seated: bool = True
    idle: str = ""
    watching: str = ""
    alone: str = ""
    meanwhile: str = ""

    def usage_at(self, table: TableMirror) -> str:
        """How to type the command, with an example that this table has."""
        return f"set {to_set(table)}" if self.make is _set else self.usage

    def help_at(self, table: TableMirror) -> str:
        """The help of the command for this person now."""
        if table.seat is None:
            return self.watching or self.help
        if table.info.phase not in MATCH:
            return self.idle or self.help
        return (self.alone if plays_alone(table) else "") or self.help

    def fits(self, phase: str) -> bool:
        """Whether the command makes sense in this phase, which may be that of a newer server."""
        return not self.phases or phase in self.phases


def _hint(table: TableMirror, rest: str) -> Effect:
    if rest.lower() not in ("", "full"):
        raise NotUnderstood("type hint, or hint full for the figures behind it")
    return SendCommand(Hint, {"table": table.table}, full=bool(rest))


def _undo(table: TableMirror, rest: str) -> Effect:
    if rest:
        raise NotUnderstood("type undo alone; type it again to go back further")
    return SendCommand(Undo, {"table": table.table})


def _rules(table: TableMirror, rest: str) -> Effect:
    return SendCommand(Games, {"game": table.info.game})


def _help(table: TableMirror, rest: str) -> Effect:
    """The commands; with ``options`` what can be set, which the server knows."""
    if rest.lower() in ("options", "option", "settings", "set"):
        return SendCommand(Games, {"game": table.info.game}, full=True)
    return Show("help")


def _say(table: TableMirror, rest: str) -> Effect:
    if not rest:
        raise NotUnderstood("what do you want to say? For example: say good luck")
    return SendCommand(Chat, {"table": table.table, "text": rest})


def _leave(table: TableMirror, rest: str) -> Effect:
    return SendCommand(Leave, {"table": table.table})


def _ready(table: TableMirror, rest: str) -> Effect:
    return SendCommand(Ready, {"table": table.table, "ready": rest != "no"})


def _sit(table: TableMirror, rest: str) -> Effect:
    return SendCommand(Sit, {"table": table.table, "seat": seat_meant(table, rest)})


def _add(table: TableMirror, rest: str) -> Effect:
    typed, _, seat = rest.partition(" ")
    strength = wished_strength(typed)
    if strength is None:
        if meant := get_close_matches(typed.lower(), LEVELS, n=1):
            raise NotUnderstood(f"how strong? Did you mean add {meant[0]}?")
        raise NotUnderstood("how strong? For example: add easy, or add 2 4 for seat 4")
    fields: dict[str, object] = {"table": table.table, "strength": strength}
    if seat.strip():
        fields["seat"] = seat_meant(table, seat.strip())
    return SendCommand(AddBot, fields)


def _remove(table: TableMirror, rest: str) -> Effect:
    return SendCommand(RemoveBot, {"table": table.table, "seat": seat_meant(table, rest)})


def _kick(table: TableMirror, rest: str) -> Effect:
    return SendCommand(Kick, {"table": table.table, "seat": player_meant(table, rest)})


def _admit(table: TableMirror, rest: str) -> Effect:
    return SendCommand(Admit, {"table": table.table, "request": request_meant(table, rest)})


def _refuse(table: TableMirror, rest: str) -> Effect:
    request = request_meant(table, rest)
    return SendCommand(Admit, {"table": table.table, "request": request, "admit": False})


def _auto(table: TableMirror, rest: str) -> Effect:
    if not rest:
        return PlayBy(itself=True)
    return SendCommand(StandIn, {"table": table.table, "seat": seat_meant(table, rest)})


def _back(table: TableMirror, rest: str) -> Effect:
    if table.stand_in:
        return SendCommand(Back, {"table": table.table})
    return PlayBy(itself=False)


def _start(table: TableMirror, rest: str) -> Effect:
    if not rest:
        free = sum(1 for chair in table.info.seats if chair.kind == "empty")
        if free and table.seat == table.info.host:
            are, filled = (
                ("seat is", "it with a bot") if free == 1 else ("seats are", "them with bots")
            )
            raise NotUnderstood(f"{free} {are} free; start medium fills {filled}")
        return SendCommand(Start, {"table": table.table})
    fill = wished_strength(rest)
    if fill is None:
        raise NotUnderstood("how strong are the bots? For example: start easy, or start 2")
    return SendCommand(Start, {"table": table.table, "fill": fill})


def _set(table: TableMirror, rest: str) -> Effect:
    changes = re.sub(r"\s*=\s*", "=", rest).split()
    options: dict[str, OptionValue] = {}
    settings: ChangedSettings | None = None
    for name, equals, text in (change.partition("=") for change in changes):
        if not equals or not name or not text:
            raise NotUnderstood(set_what(table))
        if name in TableSettings.model_fields:
            settings = changed_settings(settings or table.info.settings, name, text)
        else:
            options[name] = option_value(text)
    if not changes:
        raise NotUnderstood(set_what(table))
    fields: dict[str, object] = {"table": table.table}
    if options:
        fields["options"] = {**table.info.options, **options}
    if settings is not None:
        fields["settings"] = settings
    return SendCommand(Configure, fields)


def _rematch(table: TableMirror, rest: str) -> Effect:
    return SendCommand(Rematch, {"table": table.table})


ON_REQUEST: tuple[Make, ...] = (_admit, _refuse)
"""The answers to players who ask to be let in."""
ALONE: tuple[Make, ...] = (_undo,)
"""What is only for a person who plays with bots."""
TYPED_COMMANDS: Mapping[str, TypedCommand] = {
    "hint": TypedCommand(
        "hint",
        "what the strongest bot here would play, and why; hint full: with figures",
        _hint,
        MATCH,
    ),
    "undo": TypedCommand(
        "undo", "take your last move of this deal back, where you play with bots", _undo, MATCH
    ),
    "table": TypedCommand("table", "show the table again", lambda *_: Show("table"), seated=False),
    "hand": TypedCommand(
        "hand", "your cards, and the moves you may make", lambda *_: Show("hand"), MATCH
    ),
    "score": TypedCommand("score", "the scores so far", lambda *_: Show("score"), seated=False),
    "last": TypedCommand(
        "last", "the last trick, and who took it", lambda *_: Show("last"), MATCH, seated=False
    ),
    "history": TypedCommand(
        "history", "this deal so far", lambda *_: Show("history"), seated=False
    ),
    "rules": TypedCommand("rules", "the rules of the game", _rules, seated=False),
    "ready": TypedCommand("ready", "say that you are ready; ready no: not yet", _ready, _LOBBY),
    "sit": TypedCommand("sit 2", "move to another free seat", _sit, _LOBBY),
    "add": TypedCommand(
        "add medium",
        "host: add a bot that is easy, medium or strong; add 2 4: of strength 2 at seat 4",
        _add,
        _LOBBY,
    ),
    "remove": TypedCommand("remove 3", "host: remove the bot at seat 3", _remove, _LOBBY),
    "kick": TypedCommand(
        "kick 1",
        "host: remove the player at seat 1; kick Bob: by name",
        _kick,
        _LOBBY,
        meanwhile="You can before the next match. When a player's time is up, auto 3 lets a bot "
        "play at seat 3",
    ),
    "admit": TypedCommand("admit Bob", "host: let Bob play in a bot's place", _admit, MATCH),
    "refuse": TypedCommand("refuse Bob", "host: do not let Bob play", _refuse, MATCH),
    "set": TypedCommand(
        "set deals=2", "host: change options or settings, one or several", _set, _LOBBY
    ),
    "start": TypedCommand(
        "start", "host: start; start medium: such bots take the free seats", _start, _LOBBY
    ),
    "rematch": TypedCommand("rematch", "host: play another match", _rematch, ("finished",)),
    "say": TypedCommand("say hello", "chat with the table", _say),
    "auto": TypedCommand(
        "auto",
        "let your seat play by itself until the match is over, then you type again; "
        "auto 3: seat 3, whose time is up",
        _auto,
        alone="let your seat play by itself until the match is over, then you type again",
    ),
    "back": TypedCommand("back", "play for yourself again", _back),
    "leave": TypedCommand(
        "leave",
        "give up your seat; a bot takes it",
        _leave,
        seated=False,
        idle="give up your seat",
        alone="give up your seat; the match ends",
        watching="stop watching",
    ),
    "quit": TypedCommand(
        "quit",
        "close the program; at a server your seat is kept",
        lambda *_: End(early=True),
        seated=False,
        watching="close the program",
    ),
    "help": TypedCommand("?", "this list; ? options: what can be set", _help, seated=False),
}
ALIASES: Mapping[str, str] = {
    "?": "help",
    "chat": "say",
    "seats": "table",
    "scores": "score",
    "exit": "quit",
    "hints": "hint",
}
