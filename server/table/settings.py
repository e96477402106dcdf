"""How a table is run, as its log has it: a type of its own, so that the wire may change.

A log can be read for ever. Settings that no longer exist are left out; a setting that is newer than
the log has the value that held then, whatever the default of new tables is.

To add a setting: the field, its value for older logs in `CAME_LATER`, and both translations.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from pydantic import TypeAdapter

from protocol.to_server import SettingsInfo, TableSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSettings:
    """No field has a default: code that makes settings must say all of them.

    `turn_seconds` is None where the server's rule holds (`server.table.clocks`).
    """

    private: bool
    turn_seconds: int | None
    hints: bool
    watchable: bool
    bot_delay: float | None
    latecomers: Literal["ask", "never", "anyone"]
    events: bool | None
    spectator_chat: bool


CAME_LATER: Mapping[str, object] = {
    "latecomers": "anyone",
    "events": None,
    "spectator_chat": False,
}
"""What held at every table before there was a setting for it; by the setting's name."""

_NAMES = tuple(field.name for field in fields(LogSettings))
_SETTINGS = TypeAdapter(LogSettings)


def stored_settings(stored: object) -> LogSettings:
    """The settings that a log of any age has as `stored`; `ValueError` if they are none."""
    if not isinstance(stored, dict):
        raise ValueError("settings are a JSON object")
    known = {name: stored[name] for name in _NAMES if name in stored}
    return _SETTINGS.validate_python({**CAME_LATER, **known})


def settings_json(settings: LogSettings) -> dict[str, Any]:
    """As they are written into a log."""
    return {name: getattr(settings, name) for name in _NAMES}


def from_wire(settings: TableSettings) -> LogSettings:
    """The settings of a message as the log has them."""
    return LogSettings(
        private=settings.private,
        turn_seconds=settings.turn_seconds,
        hints=settings.hints,
        watchable=settings.watchable,
        bot_delay=settings.bot_delay,
        latecomers=settings.latecomers,
        events=settings.events,
        spectator_chat=settings.spectator_chat,
    )


def to_wire(settings: LogSettings, turn_seconds: int) -> SettingsInfo:
    """The settings of a log as messages tell them; `turn_seconds` is the number in force."""
    return SettingsInfo(
        private=settings.private,
        turn_seconds=turn_seconds,
        hints=settings.hints,
        watchable=settings.watchable,
        bot_delay=settings.bot_delay,
        latecomers=settings.latecomers,
        events=settings.events,
        spectator_chat=settings.spectator_chat,
    )
