"""The value that a person means by what they typed for an option or a setting."""

from protocol.mirror import TableMirror
from protocol.to_server import ChangedSettings, OptionValue, SettingsInfo


class NotUnderstood(Exception):
    """What was typed is no command that can be done; the message says what would be."""


def option_value(text: str) -> OptionValue:
    """The value meant by `text`: a yes or no, a whole number, or a word."""
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
    """The same for the settings of a table; some of them may be the server's, one is a fraction."""
    if text == "default" and name in ("bot_delay", "turn_seconds", "events"):
        return None
    if name != "bot_delay":
        return option_value(text)
    try:
        return float(text)
    except ValueError:
        return text


def changed_settings(
    settings: SettingsInfo | ChangedSettings, name: str, text: str
) -> ChangedSettings:
    """`settings` with one of them as it was typed; `NotUnderstood` if it cannot be that."""
    try:
        return ChangedSettings.of(settings, **{name: setting_value(name, text)})
    except ValueError:
        raise NotUnderstood(f"{name} cannot be {text}") from None


def to_set(table: TableMirror) -> str:
    """An option that this table has as one types it, or a setting that every table has."""
    if "deals" in table.info.options:
        return "deals=2"
    chosen = next(iter(table.info.options.items()), ("turn_seconds", 60))
    value = ("yes" if chosen[1] else "no") if isinstance(chosen[1], bool) else chosen[1]
    return f"{chosen[0]}={value}"


def set_what(table: TableMirror) -> str:
    """What to tell somebody who has not said what to set."""
    some = to_set(table)
    return f"what do you want to set? For example: set {some}, or several: set {some} private=yes"
