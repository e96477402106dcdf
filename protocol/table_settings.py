"""How a table is run, whatever is played at it: all that is to say of each setting but its words.

Log, lists, documents, terminal and page take the settings from here, and their words from
`protocol/texts`. A new setting is a field of `_Settings`, with its value for older tables in
`CAME_LATER`. If not every value of its type can be chosen, `TableSettings` has it as well.
"""

from collections.abc import Mapping
from types import NoneType
from typing import Literal, TypeAlias, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field

Latecomers: TypeAlias = Literal["ask", "never", "anyone"]


class _Settings(BaseModel):
    """The settings that clients are told as they were chosen."""

    model_config = ConfigDict(frozen=True)

    private: bool = Field(default=False, description="not listed; players need its code")
    hints: bool = Field(default=True, description="whether players may ask for hints")
    watchable: bool = Field(default=True, description="whether spectators may watch")
    events: bool | None = Field(
        default=None,
        description="whether the server's public events tell of it; null: if it is not private",
    )
    spectator_chat: bool = Field(
        default=False, description="whether spectators may chat among themselves"
    )


class TableSettings(_Settings):
    """The settings of a table, whatever game is played."""

    model_config = ConfigDict(extra="forbid")

    turn_seconds: int | None = Field(
        default=None,
        ge=0,
        le=86_400,
        description="seconds for each turn; 0: no turn clock; null: the server's rule",
    )
    bot_delay: float | None = Field(
        default=None, ge=0, le=60, description="seconds a bot waits; null: the server's setting"
    )
    latecomers: Latecomers = Field(
        default="ask", description="who may take a bot's seat in a running match"
    )


class SettingsInfo(_Settings):
    """The settings of a table as a client is told them; unknown settings are kept.

    `turn_seconds` is the number in force, whether the table or the server has set it. A newer
    server may have other bounds and other words.
    """

    model_config = ConfigDict(extra="allow")

    turn_seconds: int = 0
    bot_delay: float | None = None
    latecomers: str = "ask"


CAME_LATER: Mapping[str, object] = {
    "latecomers": "anyone",
    "events": None,
    "spectator_chat": False,
}
"""Settings that are no part of the protocol's first form, with what held at every table before."""

OFFERED: Mapping[str, tuple[float, ...]] = {
    "turn_seconds": (0, 30, 60, 120, 300),
    "bot_delay": (0, 0.3, 1, 2),
}
"""The numbers that a form offers for a setting; all of them are seconds."""


class ChangedSettings(TableSettings):
    """Settings as told to a client, with its changes; unknown settings are sent back."""

    model_config = ConfigDict(extra="allow")

    @classmethod
    def of(cls, told: SettingsInfo | TableSettings, **changes: object) -> "ChangedSettings":
        """`told` with `changes`; `ValueError` if no server takes one of these."""
        TableSettings.model_validate(changes)
        # What the server itself has said need not be looked at again, nor be understood.
        return cls.model_construct(**told.model_dump() | changes)


def kinds_of(name: str) -> tuple[object, ...]:
    """The types of a setting's values; the words themselves if it has words.

    >>> kinds_of("private"), kinds_of("latecomers")
    ((<class 'bool'>,), ('ask', 'never', 'anyone'))
    """
    annotation = TableSettings.model_fields[name].annotation
    return get_args(annotation) or (annotation,)


def offered_values(name: str) -> tuple[object, ...]:
    """The values that a form offers for a setting; None stands for the server's default.

    >>> offered_values("events"), offered_values("bot_delay")
    ((None, True, False), (None, 0, 0.3, 1, 2))
    >>> offered_values("latecomers")
    ('ask', 'never', 'anyone')
    """
    if get_origin(TableSettings.model_fields[name].annotation) is Literal:
        return kinds_of(name)
    unset = (None,) if NoneType in kinds_of(name) else ()
    return unset + ((True, False) if bool in kinds_of(name) else OFFERED[name])
