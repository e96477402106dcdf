"""The settings of a table in its log, and in messages.

A log can be read for ever. Settings that no longer exist are left out; a setting that is newer than
the log has the value that held then, whatever the default of new tables is. Bounds hold for
settings that are chosen today, and not for old ones.
"""

from typing import Any

from pydantic import create_model

from protocol.table_settings import CAME_LATER, SettingsInfo, TableSettings

_FIELDS: dict[str, Any] = {
    # Without a default a field must be there, so that damage is not mistaken for age.
    name: (field.annotation, CAME_LATER.get(name, ...))
    for name, field in TableSettings.model_fields.items()
}
_STORED = create_model("_STORED", **_FIELDS)


def stored_settings(stored: object) -> TableSettings:
    """Read the settings of a log of any age from `stored`; raise `ValueError` if invalid."""
    return TableSettings.model_construct(**vars(_STORED.model_validate(stored)))


def settings_json(settings: TableSettings) -> dict[str, Any]:
    """Return the settings as they are written into a log: all of them, including defaults."""
    return {name: getattr(settings, name) for name in _FIELDS}


def told_settings(settings: TableSettings, turn_seconds: int) -> SettingsInfo:
    """Return the settings for messages; `turn_seconds` is the number in force."""
    return SettingsInfo(**{**settings_json(settings), "turn_seconds": turn_seconds})
