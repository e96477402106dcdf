"""The value of an option or a setting that a person has typed."""

from types import NoneType

from client_cli.tell import tell
from protocol.mirror import TableMirror
from protocol.strengths import LEVELS, Wished, wished_strength
from protocol.table_settings import kinds_of
from protocol.to_server import ChangedSettings, OptionValue, SettingsInfo


class NotUnderstood(Exception):
    """The typed words are no possible command; the message says what is."""


def option_value(text: str) -> OptionValue:
    """The value meant by `text`: a yes or no, a whole number, or a word."""
    if text.lower() in tell("words.on").split():
        return True
    if text.lower() in tell("words.off").split():
        return False
    try:
        return int(text)
    except ValueError:
        return text


def setting_value(name: str, text: str) -> OptionValue | float | None:
    """The value of a table's setting meant by `text`: also the server's default, or a fraction."""
    kinds = kinds_of(name)
    if text == "default" and NoneType in kinds:
        return None
    if float not in kinds:
        return option_value(text)
    try:
        return float(text)
    except ValueError:
        return text


def changed_settings(
    settings: SettingsInfo | ChangedSettings, name: str, text: str
) -> ChangedSettings:
    """`settings` with one typed change; `NotUnderstood` if its value is impossible."""
    try:
        return ChangedSettings.of(settings, **{name: setting_value(name, text)})
    except ValueError:
        raise NotUnderstood(tell("typed.cannot_be", name=name, value=text)) from None


def to_set(table: TableMirror) -> str:
    """An option of this table, or a setting of every table, as one types it."""
    if "deals" in table.info.options:
        return "deals=2"
    chosen = next(iter(table.info.options.items()), ("turn_seconds", 60))
    value = ("yes" if chosen[1] else "no") if isinstance(chosen[1], bool) else chosen[1]
    return f"{chosen[0]}={value}"


def set_what(table: TableMirror) -> str:
    """The answer to a person who has not said what to set."""
    return tell("typed.set", one=to_set(table))


def said_yes() -> list[str]:
    """The words for yes."""
    return tell("words.yes").split()


def said_no() -> list[str]:
    """The words for no."""
    return tell("words.no").split()


def strength_meant(text: str) -> Wished | None:
    """The strength that `text` names, also in the current language."""
    words = {word: level for level in LEVELS for word in tell(f"words.{level}").split()}
    return words.get(text.lower()) or wished_strength(text)
