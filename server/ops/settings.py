"""Every setting of the server.

The fields below are the only list of settings: flags, help and the check of the documentation are
derived from it. `Settings(...)` reads only its arguments; `server.ops.settings_sources` finds their
values.
"""

import os
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict

from server.ops.public_url import PublicUrl

ENVIRONMENT = "BLACKQUEEN_"
"""The prefix of the settings' environment variables."""
DATABASE_FILE = "blackqueen.sqlite3"

Seconds = Annotated[float, Field(ge=0)]
AtLeastOne = Annotated[int, Field(ge=1)]


def _split(value: object) -> object:
    """Split a list that is written as one text with commas, as in flags."""
    if not isinstance(value, str):
        return value
    return [word.strip() for word in value.split(",") if word.strip()]


Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split)]
Networks = Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode, BeforeValidator(_split)]


class SettingsError(Exception):
    """A setting cannot be used; the message says which, its origin, and what to do."""

    code: ClassVar[str] = "bad_settings"


def _user_data() -> Path:
    from platformdirs import user_data_path

    return user_data_path("blackqueen", appauthor=False)


def _unset(words: str) -> dict[str, Any]:  # pydantic's own type for this argument
    """Return the text shown as the default of a field whose default depends on the machine."""
    return {"shown": words}


class Settings(BaseSettings):
    """The settings of the server. Times are in seconds, sizes in bytes."""

    model_config = SettingsConfigDict(
        env_prefix=ENVIRONMENT,
        env_ignore_empty=True,
        frozen=True,
        allow_inf_nan=False,
        # Files that were written elsewhere have other line ends.
        str_strip_whitespace=True,
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
    new_database: bool = Field(
        False, description="create an empty database although an earlier one is gone"
    )
    events: str | None = Field(
        None,
        repr=False,  # may hold a password
        description="MQTT broker that is told what spectators may see, "
        "`mqtts://[USER[:PASSWORD]@]HOST[:PORT][/PREFIX]`",
    )
    events_password_file: Path | None = Field(
        None,
        description="file with the password for that broker in its first line",
    )
    events_ca_file: Path | None = Field(
        None,
        description="file of the authorities that may have signed the broker's certificate",
        json_schema_extra=_unset("the system's authorities"),
    )
    events_certificate_file: Path | None = Field(
        None,
        description="file with this server's own certificate for the broker",
    )
    events_key_file: Path | None = Field(
        None,
        description="file with the key of that certificate",
        json_schema_extra=_unset("the certificate's file"),
    )
    trusted_network: bool = Field(
        False,
        description="reach broker and database on other machines without TLS, too, because nobody "
        "else can read the network in between",
    )
    node_url: str | None = Field(
        None,
        description="address of this server alone, if several share a database in PostgreSQL: "
        "clients go there for a table that it has",
        json_schema_extra=_unset("none: no other server uses this database"),
    )
    admin: bool | None = Field(
        None,
        description="answer `blackqueen admin` on a Unix socket in the data folder",
        json_schema_extra=_unset("yes, unless `--database-url` is given"),
    )
    log_format: Literal["auto", "json", "console"] = Field(
        "auto", description="form of the log on stderr; auto: console on a terminal, else json"
    )
    log_level: Literal["auto", "debug", "info", "warning", "error"] = Field(
        "auto",
        description="least severe log events to write; auto: warning on a terminal, else info",
    )
    log_addresses: bool = Field(True, description="write the addresses of clients into the log")
    games: Path | None = Field(
        None,
        description="folder of game descriptions to host, or one such file",
    )
    allow_seeds: bool = Field(
        False, description="let the creator of a table choose the seed of its cards"
    )
    opening: str | None = Field(
        None,
        repr=False,  # holds a key
        description="what the page opens for the browser that has its key, once: set by "
        "`blackqueen play --browser`",
    )
    bot_delay: Seconds = Field(
        0.6, description="seconds a bot waits before it plays, so that people can follow"
    )
    bot_workers: AtLeastOne | None = Field(
        None,
        description="processes for slow bots",
        json_schema_extra=_unset("one less than the processor has cores, at least 1"),
    )
    warm_bots: bool = Field(
        False,
        description="compile or load the bots that need it at the start, not when a table first "
        "needs them",
    )
    plain_bots: bool = Field(
        False, description="offer only bots that need no compiling, as if Numba were missing"
    )
    grace_seconds: Seconds = Field(30.0, description="seconds of absence before a bot plays a seat")
    turn_seconds: int = Field(
        120,
        ge=0,
        le=86_400,
        description="seconds for each turn at tables with more than one person that do not set "
        "their own; 0: no turn clock there",
    )
    reserve_seconds: int = Field(
        300,
        ge=0,
        le=86_400,
        description="further seconds that each of them may use in a match, with that clock",
    )
    abandon_seconds: Seconds = Field(
        3600.0, description="seconds until a table is closed after all its people have left"
    )
    lobby_seconds: Seconds = Field(
        1800.0, description="seconds until a table without a started match expires"
    )
    finished_seconds: Seconds = Field(
        600.0, description="seconds a table stays open after its match for a rematch"
    )
    keep_days: float = Field(
        0.0, ge=0, description="days that closed tables stay in the database; 0: for ever"
    )
    answer_days: float = Field(
        30.0,
        ge=0,
        description="days in which a command sent again gets its first answer again; 0: for ever",
    )
    guest_days: float = Field(
        365.0,
        ge=0,
        description="days after which players who did not come back are deleted; 0: never",
    )
    drain_seconds: Seconds = Field(
        10.0, description="seconds within which a server that is told to stop has ended, at least 1"
    )
    max_connections: AtLeastOne = Field(2000, description="connections at once")
    max_connections_per_address: int | None = Field(
        None,
        ge=0,
        description="connections at once from one address; 0: no limit",
        json_schema_extra=_unset("its share: an eighth and a fiftieth of all, or less"),
    )
    tls_certificate_file: Path | None = Field(
        None,
        description="file with this server's certificate and those of its authorities: players and "
        "pages are then reached by `wss://` and `https://` alone",
        json_schema_extra=_unset("none: TLS is left to a proxy"),
    )
    tls_key_file: Path | None = Field(
        None,
        description="file with the key of that certificate",
        json_schema_extra=_unset("the certificate's file"),
    )
    public_url: str | None = Field(
        None,
        description="the server's address behind a proxy, perhaps with a path: pages from there "
        "may play, and invitations name it",
    )
    allowed_hosts: Names = Field(
        (),
        description="names, besides IP addresses and `localhost`, under which browsers may reach "
        "the server itself, separated by commas",
    )
    trusted_proxies: Networks = Field(
        (),
        description="addresses or networks of proxies whose X-Forwarded-For is trusted, "
        "separated by commas",
    )
    max_tables: AtLeastOne = Field(2000, description="open tables at once")
    max_tables_per_address: int | None = Field(
        None,
        ge=0,
        description="open tables that were opened from one address; 0: no limit",
        json_schema_extra=_unset("its share: an eighth and a fiftieth of all, or less"),
    )
    max_lobby_tables_per_address: int = Field(
        50,
        ge=0,
        description="tables opened from one address that wait for their match; 0: no limit",
    )
    max_tables_per_player: AtLeastOne = Field(8, description="seats one player holds at once")
    message_bytes: int = Field(65_536, ge=1024, description="largest message a client may send")
    messages_per_second: float = Field(
        50.0, gt=0, description="messages a connection may send in the long run"
    )
    message_burst: AtLeastOne = Field(100, description="messages a connection may send at once")
    bytes_per_second: AtLeastOne | None = Field(
        None,
        description="bytes of any kind that may arrive on a connection in the long run",
        json_schema_extra=_unset("1,024 for each of `messages_per_second`, at least 131,072"),
    )
    byte_burst: AtLeastOne | None = Field(
        None,
        description="bytes that may arrive on a connection at once",
        json_schema_extra=_unset(
            "the largest of 4 times `message_bytes`, 1,024 for each of `message_burst`, and 524,288"
        ),
    )
    frames_per_second: float | None = Field(
        None,
        gt=0,
        description="frames that may arrive on a connection in the long run, pings, pongs and "
        "parts of messages included",
        json_schema_extra=_unset("twice `messages_per_second`"),
    )
    frame_burst: AtLeastOne | None = Field(
        None,
        description="frames that may arrive on a connection at once",
        json_schema_extra=_unset("twice `message_burst`, plus 64"),
    )
    hello_seconds: float = Field(
        10.0, gt=0, description="seconds within which a new connection must say hello"
    )
    address_connections_per_second: float = Field(
        100.0,
        ge=0,
        description="connections an address may open in the long run; faster ones wait, 3 seconds "
        "at most; 0: no limit",
    )
    address_connection_burst: AtLeastOne = Field(
        300, description="connections an address may open at once"
    )
    address_pages_per_second: float = Field(
        20.0,
        ge=0,
        description="plain HTTP requests an address may send in the long run; 0: no limit",
    )
    address_page_burst: AtLeastOne = Field(
        1000, description="plain HTTP requests an address may send at once"
    )
    address_messages_per_second: float = Field(
        0.0,
        ge=0,
        description="messages all connections of an address may send in the long run; 0: no limit",
    )
    address_message_burst: AtLeastOne = Field(
        1000, description="messages all connections of an address may send at once"
    )
    chat_per_minute: int = Field(20, ge=0, description="lines of chat a player may send; 0: none")
    send_buffer_bytes: int = Field(
        262_144, ge=4096, description="unsent bytes after which a slow client gets a snapshot only"
    )
    ping_seconds: float = Field(
        20.0,
        gt=0,
        description="seconds of silence after which a client is asked whether it is there",
    )

    @field_validator("public_url", "node_url")
    @classmethod
    def _is_url(cls, value: str | None) -> str | None:
        if value is not None:
            PublicUrl.parse(value)
        return value

    @field_validator("bytes_per_second", "byte_burst", "frames_per_second", "frame_burst")
    @classmethod
    def _above_messages(cls, value: float | None, info: ValidationInfo) -> float | None:
        """Keep other limits above those of messages, so that clients get `rate_limited`."""
        allowed = info.data
        least = {
            "bytes_per_second": 256 * allowed.get("messages_per_second", 0),
            "byte_burst": 1024 + allowed.get("message_bytes", 0),
            "frames_per_second": 1.5 * allowed.get("messages_per_second", 0),
            "frame_burst": 50 + allowed.get("message_burst", 0),
        }[str(info.field_name)]
        if value is not None and value < least:
            raise ValueError(f"must be at least {least:g}, to lie above what messages may use")
        return value

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Read nothing but the arguments: `server.ops.settings_sources` finds them."""
        return (init_settings,)

    @property
    def database(self) -> str:
        """The URL of the database in use."""
        if self.database_url is not None:
            return self.database_url
        return f"sqlite:///{self.data.expanduser() / DATABASE_FILE}"

    @property
    def has_tls(self) -> bool:
        """Whether the server uses TLS itself."""
        return self.tls_certificate_file is not None

    @property
    def has_admin(self) -> bool:
        """Whether administrators are served: by default if the database is in the data folder."""
        if self.admin is None:
            return self.database_url is None
        return self.admin

    @property
    def public(self) -> PublicUrl | None:
        """The parsed public URL."""
        return None if self.public_url is None else PublicUrl.parse(self.public_url)

    @property
    def workers(self) -> int:
        """The number of bot processes in use."""
        return self.bot_workers or max(1, (os.cpu_count() or 1) - 1)
