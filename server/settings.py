"""Every setting of the server, and where its value comes from.

A flag comes before the environment, the environment before the file, the file before the default.
The fields below are the only list of settings: flags, help and the check of the documentation are
derived from them. `Settings(...)` itself reads nothing but its arguments; `settings_from` does.
"""

import argparse
import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, get_args, get_origin

from pydantic import Field, ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

ENVIRONMENT = "BLACKQUEEN_"
OTHER_VARIABLES = frozenset({"config", "debug", "document", "factor"})
"""Variables with that prefix that are no settings: the file of them; those of clients and tests."""
DATABASE_FILE = "blackqueen.sqlite3"

Seconds = Annotated[float, Field(ge=0)]
AtLeastOne = Annotated[int, Field(ge=1)]


class SettingsError(Exception):
    """A setting cannot be used; the words say which, where it came from, and what to do."""

    code: ClassVar[str] = "bad_settings"


def _user_data() -> Path:
    from platformdirs import user_data_path

    return user_data_path("blackqueen", appauthor=False)


def _unset(words: str) -> dict[str, Any]:  # pydantic's own type for this argument
    """What to show as the default of a field whose default depends on the machine."""
    return {"shown": words}


class Settings(BaseSettings):
    """How this server runs. Times are in seconds, sizes in bytes."""

    model_config = SettingsConfigDict(
        env_prefix=ENVIRONMENT, env_ignore_empty=True, frozen=True, allow_inf_nan=False
    )

    host: str = Field("127.0.0.1", min_length=1, description="address to listen on")
    port: int = Field(8765, ge=0, le=65_535, description="port to listen on; 0 takes a free one")
    data: Path = Field(
        default_factory=_user_data,
        description="folder of the database",
        json_schema_extra=_unset("the user's data folder, `blackqueen` in it"),
    )
    database_url: str | None = Field(
        None,
        repr=False,  # may hold a password
        description="SQLAlchemy URL of the database",
        json_schema_extra=_unset(f"the SQLite file `{DATABASE_FILE}` in the data folder"),
    )
    log_format: Literal["auto", "json", "console"] = Field(
        "auto", description="form of the log on stderr; auto: console on a terminal, else json"
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="least severe log events to write"
    )
    games: Path | None = Field(
        None,
        description="folder of game descriptions to host, or one such file",
        json_schema_extra=_unset("none"),
    )
    allow_seeds: bool = Field(
        False, description="let the creator of a table choose the seed of its cards"
    )
    bot_delay: Seconds = Field(
        0.6, description="seconds a bot waits before it plays, so that people can follow"
    )
    bot_workers: AtLeastOne | None = Field(
        None,
        description="processes for bots that think long",
        json_schema_extra=_unset("one less than the processor has cores, at least 1"),
    )
    warm_bots: bool = Field(
        True,
        description="load what slow bots are compiled to at the start, not at their first move",
    )
    grace_seconds: Seconds = Field(30.0, description="seconds of absence before a bot plays a seat")
    abandon_seconds: Seconds = Field(
        3600.0, description="seconds until a table whose people are all away is given up"
    )
    lobby_seconds: Seconds = Field(1800.0, description="seconds until a table not started expires")
    finished_seconds: Seconds = Field(
        600.0, description="seconds a table stays open after its match for a rematch"
    )
    keep_days: float = Field(
        0.0, ge=0, description="days that closed tables stay in the database; 0: for ever"
    )
    drain_seconds: Seconds = Field(
        10.0, description="seconds a stopping server waits for its clients at most"
    )
    max_connections: AtLeastOne = Field(2000, description="connections at once")
    max_connections_per_address: int = Field(
        0, ge=0, description="connections at once from one address; 0: no limit"
    )
    max_tables: AtLeastOne = Field(2000, description="open tables at once")
    max_tables_per_player: AtLeastOne = Field(8, description="seats one player holds at once")
    message_bytes: int = Field(65_536, ge=1024, description="largest message a client may send")
    messages_per_second: float = Field(
        50.0, gt=0, description="messages a connection may send in the long run"
    )
    message_burst: AtLeastOne = Field(100, description="messages a connection may send at once")
    chat_per_minute: int = Field(20, ge=0, description="lines of chat a player may send; 0: none")
    send_buffer_bytes: int = Field(
        262_144, ge=4096, description="unsent bytes after which a slow client gets a snapshot only"
    )
    ping_seconds: float = Field(
        20.0, gt=0, description="seconds between pings that tell whether a client is there"
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return (init_settings,)

    @property
    def database(self) -> str:
        """The URL of the database in use."""
        if self.database_url is not None:
            return self.database_url
        return f"sqlite:///{self.data.expanduser() / DATABASE_FILE}"

    @property
    def workers(self) -> int:
        """The number of bot processes in use."""
        return self.bot_workers or max(1, (os.cpu_count() or 1) - 1)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting as people meet it, by whatever way they set it."""

    name: str
    flag: str
    variable: str
    default: str
    description: str


def all_settings() -> Iterator[Setting]:
    """Every setting in the order of the fields."""
    for name, field in Settings.model_fields.items():
        yield Setting(
            name, _flag(name), _variable(name), _default_text(field), field.description or ""
        )


def add_arguments(parser: argparse.ArgumentParser, *only: str) -> None:
    """One flag a setting (or for those named), and `--config`; unused flags leave no trace."""
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
        if kind is bool:
            parser.add_argument(
                setting.flag,
                action=argparse.BooleanOptionalAction,
                default=argparse.SUPPRESS,
                help=words,
            )
        else:
            parser.add_argument(
                setting.flag, metavar=_metavar(kind), default=argparse.SUPPRESS, help=words
            )


def settings_from(arguments: argparse.Namespace) -> Settings:
    """The settings by flags, environment, file and defaults; `SettingsError` says what is wrong."""
    path = getattr(arguments, "config", None)
    flags = {
        name: value for name, value in vars(arguments).items() if name in Settings.model_fields
    }
    environment = EnvSettingsSource(Settings)()
    file = {} if path is None else _read(Path(path))
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
    """What to say of each variable that looks like a setting of ours and sets nothing."""
    for variable in sorted(environment):
        name = variable.lower().removeprefix(ENVIRONMENT.lower())
        if name != variable.lower() and name not in {*Settings.model_fields, *OTHER_VARIABLES}:
            near = get_close_matches(name, Settings.model_fields, n=1)
            hint = (
                f"did you mean {_variable(near[0])}?" if near else "see `blackqueen serve --help`"
            )
            yield f"environment variable {variable} is no setting; {hint}"


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
        if name not in Settings.model_fields:
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
    return (
        f"{where}: {value!r} cannot be used: {fault}. "
        f"This is: {field.description} (default: {_default_text(field)})"
    )


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _variable(name: str) -> str:
    return ENVIRONMENT + name.upper()


def _default_text(field: FieldInfo) -> str:
    if isinstance(field.json_schema_extra, dict):
        return str(field.json_schema_extra["shown"])
    if isinstance(field.default, bool):
        return "yes" if field.default else "no"
    return f"{field.default:g}" if isinstance(field.default, float) else str(field.default)


def _metavar(kind: Any) -> str:  # an annotation can be any form of type
    if get_origin(kind) is Literal:
        return "|".join(get_args(kind))
    kinds = get_args(kind) or (kind,)
    if Path in kinds:
        return "DIR"
    return "TEXT" if str in kinds else "N"
