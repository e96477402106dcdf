"""The commands that a person types at a table, moves aside: what each needs and does.

People count seats from 1, the wire from 0.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeAlias

from client_cli.effects import Effect, End, PlayBy, SendCommand, Show
from client_cli.names import level_word, plays_alone
from client_cli.tell import has_text, tell, told
from client_cli.typed_players import player_meant, request_meant, seat_meant
from client_cli.typed_values import (
    NotUnderstood,
    changed_settings,
    option_value,
    said_no,
    set_what,
    strength_meant,
    to_set,
)
from protocol.message import Phase
from protocol.mirror import TableMirror
from protocol.strengths import LEVELS
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
    MakeHost,
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
    """A typed command; `make` gives its effect from the table and the rest of the line.

    `phases` say when the command makes sense, if not always. Its name and help for people are among
    the texts, under ``commands.NAME``.
    """

    name: str
    make: Make
    phases: tuple[Phase, ...] = ()
    seated: bool = True

    @property
    def usage(self) -> str:
        """How to type the command, by an example."""
        return tell(f"commands.{self.name}.usage")

    @property
    def meanwhile(self) -> str:
        """What to do in a match if the command is not for matches; empty if nothing."""
        return self._text("meanwhile")

    def usage_at(self, table: TableMirror) -> str:
        """How to type the command, with an example that this table has."""
        return f"set {to_set(table)}" if self.make is _set else self.usage

    def help_at(self, table: TableMirror) -> str:
        """The help of the command for this person now."""
        others = self._text("alone") if plays_alone(table) else ""
        if table.seat is None:
            others = self._text("watching")
        elif table.info.phase not in MATCH:
            others = self._text("idle")
        return others or tell(f"commands.{self.name}.help")

    def _text(self, kind: str) -> str:
        key = f"commands.{self.name}.{kind}"
        return tell(key) if has_text(key) else ""

    def open_to(self, table: TableMirror) -> bool:
        """Whether the command is for the person at this table."""
        if table.seat is not None or not self.seated:
            return True
        return self.make is _say and table.info.settings.spectator_chat

    def fits(self, phase: str) -> bool:
        """Whether the command makes sense in this phase, which may be that of a newer server."""
        return not self.phases or phase in self.phases


def _hint(table: TableMirror, rest: str) -> Effect:
    if rest.lower() not in ("", "full"):
        raise NotUnderstood(tell("typed.hint"))
    return SendCommand(Hint, {"table": table.table}, full=bool(rest))


def _undo(table: TableMirror, rest: str) -> Effect:
    if rest:
        raise NotUnderstood(tell("typed.undo"))
    return SendCommand(Undo, {"table": table.table})


def _rules(table: TableMirror, rest: str) -> Effect:
    return SendCommand(Games, {"game": table.info.game})


def _help(table: TableMirror, rest: str) -> Effect:
    """The effect of ``help``: the commands, or with ``options`` the options and settings."""
    if rest.lower() in ("options", "option", "settings", "set"):
        return SendCommand(Games, {"game": table.info.game}, full=True)
    return Show("help")


def _say(table: TableMirror, rest: str) -> Effect:
    if not rest:
        raise NotUnderstood(tell("typed.say"))
    return SendCommand(Chat, {"table": table.table, "text": rest})


def _leave(table: TableMirror, rest: str) -> Effect:
    return SendCommand(Leave, {"table": table.table})


def _ready(table: TableMirror, rest: str) -> Effect:
    return SendCommand(Ready, {"table": table.table, "ready": rest.lower() not in said_no()})


def _sit(table: TableMirror, rest: str) -> Effect:
    return SendCommand(Sit, {"table": table.table, "seat": seat_meant(table, rest)})


def _add(table: TableMirror, rest: str) -> Effect:
    typed, _, seat = rest.partition(" ")
    strength = strength_meant(typed)
    if strength is None:
        if meant := get_close_matches(typed.lower(), map(level_word, LEVELS), n=1):
            raise NotUnderstood(tell("typed.how_strong_meant", word=meant[0]))
        raise NotUnderstood(tell("typed.how_strong"))
    fields: dict[str, object] = {"table": table.table, "strength": strength}
    if seat.strip():
        fields["seat"] = seat_meant(table, seat.strip())
    return SendCommand(AddBot, fields)


def _remove(table: TableMirror, rest: str) -> Effect:
    return SendCommand(RemoveBot, {"table": table.table, "seat": seat_meant(table, rest)})


def _kick(table: TableMirror, rest: str) -> Effect:
    return SendCommand(Kick, {"table": table.table, "seat": player_meant(table, rest)})


def _host(table: TableMirror, rest: str) -> Effect:
    return SendCommand(MakeHost, {"table": table.table, "seat": player_meant(table, rest)})


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
            raise NotUnderstood(tell("typed.free", count=free))
        return SendCommand(Start, {"table": table.table})
    fill = strength_meant(rest)
    if fill is None:
        raise NotUnderstood(tell("typed.start"))
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
AMONG_PEOPLE: tuple[Make, ...] = (_kick, _host)
"""What is only for somebody with whom another person sits."""
TYPED_COMMANDS: Mapping[str, TypedCommand] = {
    command.name: command
    for command in (
        TypedCommand("hint", _hint, MATCH),
        TypedCommand("undo", _undo, MATCH),
        TypedCommand("table", lambda *_: Show("table"), seated=False),
        TypedCommand("hand", lambda *_: Show("hand"), MATCH),
        TypedCommand("score", lambda *_: Show("score"), seated=False),
        TypedCommand("last", lambda *_: Show("last"), MATCH, seated=False),
        TypedCommand("history", lambda *_: Show("history"), seated=False),
        TypedCommand("rules", _rules, seated=False),
        TypedCommand("ready", _ready, _LOBBY),
        TypedCommand("sit", _sit, _LOBBY),
        TypedCommand("add", _add, _LOBBY),
        TypedCommand("remove", _remove, _LOBBY),
        TypedCommand("kick", _kick, _LOBBY),
        TypedCommand("host", _host),
        TypedCommand("admit", _admit, (*_LOBBY, *MATCH)),
        TypedCommand("refuse", _refuse, (*_LOBBY, *MATCH)),
        TypedCommand("set", _set, _LOBBY),
        TypedCommand("start", _start, _LOBBY),
        TypedCommand("rematch", _rematch, ("finished",)),
        TypedCommand("say", _say),
        TypedCommand("auto", _auto),
        TypedCommand("back", _back),
        TypedCommand("leave", _leave, seated=False),
        TypedCommand("quit", lambda *_: End(early=True), seated=False),
        TypedCommand("help", _help, seated=False),
    )
}


def aliases() -> Mapping[str, str]:
    """Other words for commands in the current language: ``?`` for ``help``."""
    return {word: name for name, words in told("aliases").items() for word in words.split()}
