"""The settings of a table as its log has them, and as messages tell them.

A log can be read for ever. Settings that no longer exist are left out; a setting that is newer than
the log has the value that held then, whatever the default of new tables is. Bounds hold for what is
chosen today, and not for what was once.
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
    """The settings that a log of any age has as `stored`; `ValueError` if they are none."""
    return TableSettings.model_construct(**vars(_STORED.model_validate(stored)))


def settings_json(settings: TableSettings) -> dict[str, Any]:
    """The settings as they are written into a log: all of them, also the usual ones."""
    return {name: getattr(settings, name) for name in _FIELDS}


def told_settings(settings: TableSettings, turn_seconds: int) -> SettingsInfo:
    """The settings as messages tell them; `turn_seconds` is the number in force."""
    return SettingsInfo(**{**settings_json(settings), "turn_seconds": turn_seconds})
