"""The sources of settings: flags, the environment, a TOML file.

A flag comes before the environment, the environment before the file, the file before the default.
"""

import argparse
import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic import ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import EnvSettingsSource

from server.ops.removed_settings import REMOVED
from server.ops.settings import ENVIRONMENT, Settings, SettingsError

OTHER_VARIABLES = frozenset({"config", "debug", "document", "factor", "pairs"})
"""Variables of ours that are no settings: the file of them; those of clients and tests."""


@dataclass(frozen=True, slots=True)
class ServerSetting:
    """One setting as users see it, with each way to set it."""

    name: str
    flag: str
    variable: str
    default: str
    description: str


def all_settings() -> Iterator[ServerSetting]:
    """Return every setting in the order of the fields."""
    for name, field in Settings.model_fields.items():
        yield ServerSetting(
            name, _flag(name), _variable(name), _default_text(field), field.description or ""
        )


def add_arguments(parser: argparse.ArgumentParser, *only: str) -> None:
    """Add one flag for each setting (or those named), and `--config`, without defaults."""
    parser.add_argument(
        "--config",
        metavar="FILE",
        default=os.environ.get(_variable("config")) or None,
        help=f"TOML file of settings (or {_variable('config')})",
    )
    for setting in all_settings():
        if only and setting.name not in only:
            continue
        words = f"{setting.description} (default: {setting.default})".replace("%", "%%")
        kind = Settings.model_fields[setting.name].annotation
        if kind in (bool, bool | None):
            parser.add_argument(
                setting.flag,
                action=argparse.BooleanOptionalAction,
                default=argparse.SUPPRESS,
                help=words,
            )
        else:
            parser.add_argument(
                setting.flag,
                metavar=_metavar(setting.name, kind),
                default=argparse.SUPPRESS,
                help=words,
            )
    for name in () if only else REMOVED:
        parser.add_argument(
            _flag(name), nargs="?", default=argparse.SUPPRESS, help=argparse.SUPPRESS
        )


def settings_from(arguments: argparse.Namespace) -> Settings:
    """Read settings from flags, environment, file and defaults, or raise `SettingsError`."""
    path = getattr(arguments, "config", None)
    flags = {
        name: value for name, value in vars(arguments).items() if name in Settings.model_fields
    }
    environment = EnvSettingsSource(Settings)()
    file = {} if path is None else _read(Path(path))
    if gone := list(_removed(arguments, os.environ, path, file)):
        raise SettingsError("\n".join(gone))
    try:
        return Settings(**{**file, **environment, **flags})
    except ValidationError as error:
        raise SettingsError(
            "\n".join(
                _explain(
                    str(fault["loc"][0]), fault["input"], fault["msg"], flags, environment, path
                )
                for fault in error.errors()
            )
        ) from None


def unknown_variables(environment: Mapping[str, str]) -> Iterator[str]:
    """Warn of each variable that looks like a setting of this server and is none."""
    for variable in sorted(environment):
        name = variable.lower().removeprefix(ENVIRONMENT.lower())
        if name != variable.lower() and name not in {*Settings.model_fields, *OTHER_VARIABLES}:
            near = get_close_matches(name, Settings.model_fields, n=1)
            hint = (
                f"did you mean {_variable(near[0])}?" if near else "see `blackqueen serve --help`"
            )
            yield f"environment variable {variable} is no setting; {hint}"


def _removed(
    arguments: argparse.Namespace,
    environment: Mapping[str, str],
    path: str | None,
    file: Mapping[str, object],
) -> Iterator[str]:
    """Return the replacement of each removed setting, by where it is still given."""
    variables = {name.upper() for name, value in environment.items() if value}
    for name, instead in REMOVED.items():
        if name in vars(arguments):
            yield f"{_flag(name)}: {instead}"
        if _variable(name) in variables:
            yield f"environment variable {_variable(name)}: {instead}"
        if name in file:
            yield f"{path}: {name}: {instead}"


def _read(path: Path) -> dict[str, Any]:  # TOML values, checked by `Settings` afterwards
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(
            f"{path}: cannot be read ({error.strerror}); name a file that exists, or leave "
            "--config out"
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"{path}: is not TOML ({error}); write lines such as `port = 8765`"
        ) from None
    for name in values:
        if name not in {*Settings.model_fields, *REMOVED}:
            raise SettingsError(f"{path}: unknown setting {name!r}; {_suggest(name)}")
    return values


def _suggest(name: str) -> str:
    near = get_close_matches(name.replace("-", "_").lower(), Settings.model_fields, n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"there are {', '.join(Settings.model_fields)}"


def _explain(
    name: str,
    value: object,
    fault: str,
    flags: Mapping[str, object],
    environment: Mapping[str, object],
    path: str | None,
) -> str:
    if name in flags:
        where = _flag(name)
    elif name in environment:
        where = f"environment variable {_variable(name)}"
    else:
        where = f"{path}: {name}"
    field = Settings.model_fields[name]
    # A setting that is not to be seen may hold a password.
    shown = repr(value) if field.repr else "its value"
    return (
        f"{where}: {shown} cannot be used: {fault}. "
        f"This is: {field.description} (default: {_default_text(field)})"
    )


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _variable(name: str) -> str:
    return ENVIRONMENT + name.upper()


def _default_text(field: FieldInfo) -> str:
    if isinstance(field.json_schema_extra, dict):
        return str(field.json_schema_extra["shown"])
    if field.default in (None, ()):
        return "none"
    if isinstance(field.default, bool):
        return "yes" if field.default else "no"
    return f"{field.default:g}" if isinstance(field.default, float) else str(field.default)


def _metavar(name: str, kind: Any) -> str:  # an annotation can be any form of type
    if get_origin(kind) is Literal:
        return "|".join(get_args(kind))
    if get_origin(kind) is tuple:
        return "LIST"
    kinds = get_args(kind) or (kind,)
    if Path in kinds:
        return "FILE" if name.endswith("_file") else "DIR"
    return "TEXT" if str in kinds else "N"
