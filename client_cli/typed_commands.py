"""Typed words at a table, resolved to one of its commands."""

from collections.abc import Iterable
from dataclasses import replace
from difflib import get_close_matches

from client_cli.effects import Effect, SendCommand
from client_cli.names import plays_alone
from client_cli.table_commands import (
    ALONE,
    AMONG_PEOPLE,
    MATCH,
    ON_REQUEST,
    TYPED_COMMANDS,
    TypedCommand,
    aliases,
)
from client_cli.tell import tell
from client_cli.typed_values import NotUnderstood
from protocol.mirror import TableMirror
from protocol.texts.language import spoken

_ALIKE = 0.7
"""How alike two words must be for one to be the other mistyped."""
_SHORT = 3
"""The length of words in which one slip leaves too little alike for that."""
_NOT_SUGGESTED = ("?", "chat")
"""Many a sentence begins with a word like "chat", such as "what"."""
_QUOTED = 40
"""How many characters of what was typed an answer repeats."""


def effect_of(typed: str, table: TableMirror) -> Effect | None:
    """The effect of a typed command; None if the first word is no command.

    `NotUnderstood` if the command is not for now or its words are wrong.
    """
    word, _, rest = typed.strip().partition(" ")
    command = TYPED_COMMANDS.get(aliases().get(word.lower(), word.lower()))
    if command is None:
        return None
    if not command.fits(table.info.phase):
        phase = table.info.phase
        if command.meanwhile and phase in MATCH:
            said = tell("typed.not_now_but", phase=phase, instead=command.meanwhile)
            raise NotUnderstood(said)
        raise NotUnderstood(tell("typed.not_now", phase=phase))
    if not command.open_to(table):
        raise NotUnderstood(tell("typed.seated_only"))
    effect = command.make(table, rest.strip())
    return replace(effect, typed=quoted(typed)) if isinstance(effect, SendCommand) else effect


def available_commands(table: TableMirror) -> list[TypedCommand]:
    """The commands that make sense at the table now."""
    return [
        command
        for command in TYPED_COMMANDS.values()
        if command.fits(table.info.phase)
        and command.open_to(table)
        # A player who is not asked need not know how to answer.
        and (table.latecomers or command.make not in ON_REQUEST)
        and command.make not in (AMONG_PEOPLE if plays_alone(table) else ALONE)
    ]


def unknown_command(typed: str, table: TableMirror) -> str:
    """The answer to words that are neither a command nor a move."""
    others = [word for word in aliases() if word not in _NOT_SUGGESTED]
    if meant := similar_word(typed, (*TYPED_COMMANDS, *others), chat=True):
        return tell("typed.meant", word=meant)
    if not TYPED_COMMANDS["say"].open_to(table):
        return tell("typed.unknown")
    return tell("typed.to_chat", text=quoted(typed))


def similar_word(typed: str, words: Iterable[str], *, chat: bool = False) -> str | None:
    """The one of `words` that the first word of `typed` may misspell.

    If that word may be the beginning of `chat`, fewer misspellings of short words are found.
    """
    first, known = typed.strip().partition(" ")[0].lower(), list(words)
    if near := get_close_matches(first, known, n=1, cutoff=_ALIKE):
        return near[0]
    short = [word for word in known if _is_short_slip(first, word, chat=chat)]
    return short[0] if len(short) == 1 else None


def _is_short_slip(typed: str, word: str, *, chat: bool) -> bool:
    """Whether two words of three letters differ by one letter, or by two that are swapped."""
    if len(typed) != _SHORT or len(word) != _SHORT:
        return False
    differ = [at for at in range(_SHORT) if typed[at] != word[at]]
    if len(differ) == 1:
        return not chat
    return differ in ([0, 1], [1, 2]) and sorted(typed) == sorted(word)


def quoted(typed: str) -> str:
    """The typed text as an answer repeats it: on one line, shortened."""
    told = " ".join(typed.split())
    return told if len(told) <= _QUOTED else f"{told[: _QUOTED - 1]}…"


def phase_words(phase: str) -> str:
    """The words for a table's `phase`; an unknown phase, of a newer server, is shown as it is."""
    return spoken().phases.get(phase, phase.replace("_", " "))
