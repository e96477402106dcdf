"""Every setting of the server.

The fields below are the only list of them: flags, help and the check of the documentation are
derived from it. `Settings(...)` reads nothing but its arguments; where their values come from is
said in `server.settings_sources`.
"""

import os
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

ENVIRONMENT = "BLACKQUEEN_"
"""What the names of their variables begin with."""
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
