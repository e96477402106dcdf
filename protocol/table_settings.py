"""How a table is run, whatever is played at it: as it is told, set and changed."""

from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

Latecomers: TypeAlias = Literal["ask", "never", "anyone"]


class SettingsInfo(BaseModel):
    """How a table is run, as a client is told it; settings it does not know are kept.

    `turn_seconds` is the number in force, whether the table or the server has set it.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    private: bool = False
    turn_seconds: int = 0
    hints: bool = True
    watchable: bool = True
    bot_delay: float | None = None
    latecomers: str = "ask"
    events: bool | None = None
    spectator_chat: bool = False


class TableSettings(BaseModel):
    """How a table is to be run, whatever is played at it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    private: bool = Field(default=False, description="not listed; players need its code")
    turn_seconds: int | None = Field(
        default=None,
        ge=0,
        le=86_400,
        description="seconds for each turn; 0: no turn clock; null: the server's rule",
    )
    hints: bool = Field(default=True, description="whether players may ask for hints")
    watchable: bool = Field(default=True, description="whether spectators may watch")
    bot_delay: float | None = Field(
        default=None, ge=0, le=60, description="seconds a bot waits; null: the server's setting"
    )
    latecomers: Latecomers = Field(
        default="ask", description="who may take a bot's seat in a running match"
    )
    events: bool | None = Field(
        default=None,
        description="whether the server's public events tell of it; null: if it is not private",
    )
    spectator_chat: bool = Field(
        default=False, description="whether spectators may chat among themselves"
    )


class ChangedSettings(TableSettings):
    """Settings that a client was told, changed and sends back: what it does not know included."""

    model_config = ConfigDict(frozen=True, extra="allow")

    @classmethod
    def of(cls, told: SettingsInfo | TableSettings, **changes: object) -> "ChangedSettings":
        """`told` with `changes`; `ValueError` if no server takes one of these."""
        TableSettings.model_validate(changes)
        # What the server itself has said need not be looked at again, nor be understood.
        return cls.model_construct(**told.model_dump() | changes)
