"""The log's own format: added and removed fields, and entries of newer programs."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import AnyGame
from engine.game import Option, OptionValue
from protocol.table_settings import TableSettings, offered_values
from server.store import EntryRow
from server.table import log_format
from server.table.entries import Acted, Configured, Entry, Left, Opened
from server.table.errors import BadLog, NewerLog
from server.table.fold import advance, open_table, replay
from server.table.log_format import KINDS, body_text, parse_body
from server.table.settings import settings_json, stored_settings, told_settings
from server.tables.rows import entry_of
from tests.server.table.harness import GAMES, TableHarness

USUAL = TableSettings()
SETTINGS: st.SearchStrategy[TableSettings] = st.fixed_dictionaries(
    {name: st.sampled_from(offered_values(name)) for name in TableSettings.model_fields}
).map(TableSettings.model_validate)


@given(chosen=SETTINGS)
def test_settings_are_kept_and_told_as_they_were_chosen(chosen: TableSettings) -> None:
    """Settings survive the log and the messages unchanged."""
    number = 0 if chosen.turn_seconds is None else chosen.turn_seconds
    told = told_settings(chosen, number)
    assert told.model_dump() == {**chosen.model_dump(), "turn_seconds": number}
    assert not told.model_extra
    assert stored_settings(json.loads(json.dumps(settings_json(chosen)))) == chosen


def test_bounds_of_today_do_not_hold_for_what_is_stored() -> None:
    """Today's bounds are not applied to stored settings."""
    stored = {**settings_json(USUAL), "turn_seconds": 1_000_000}
    assert stored_settings(stored).turn_seconds == 1_000_000


def test_a_setting_that_is_gone_is_passed_over() -> None:
    """A stored setting that no longer exists is ignored."""
    stored = {**settings_json(USUAL), "jokers": "wild"}
    assert stored_settings(stored) == USUAL


def test_tables_stored_before_there_were_latecomers_stay_open_to_all() -> None:
    """Tables stored before the setting stay open to all latecomers."""
    older = settings_json(USUAL)
    del older["latecomers"]
    assert USUAL.latecomers == "ask"
    assert stored_settings(older).latecomers == "anyone"


@pytest.mark.parametrize(
    "stored",
    [[], None, {}, {**settings_json(USUAL), "turn_seconds": "soon"}],
    ids=["a list", "nothing", "empty", "a word for a number"],
)
def test_what_are_no_settings_are_refused(stored: object) -> None:
    """Damaged settings are refused."""
    with pytest.raises(ValueError, match=r"setting|turn_seconds|validation"):
        stored_settings(stored)


def row(kind: str, body: Mapping[str, Any]) -> EntryRow:
    return EntryRow("TABLE", 7, kind, 0.0, json.dumps(body))


def test_a_kind_that_is_not_known_is_a_newer_programs() -> None:
    """An unknown kind of entry is refused as a newer program's."""
    with pytest.raises(NewerLog, match=r"entry 7 of table TABLE: .*'asked'"):
        entry_of(row("asked", {"seat": 0}))


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_format_that_is_not_known_is_a_newer_programs(kind: str) -> None:
    """An unknown format is refused as a newer program's."""
    unknown = log_format.FORMATS.get(kind, 1) + 1
    with pytest.raises(NewerLog, match=f"format {unknown} of '{kind}'"):
        entry_of(row(kind, {"format": unknown}))


@pytest.mark.parametrize("written", [0, -1, "2", None, 1.5])
def test_a_format_is_a_number_from_1(written: object) -> None:
    """A format is a number from 1; anything else is damage."""
    with pytest.raises(BadLog) as caught:
        entry_of(row("paused", {"format": written}))
    assert not isinstance(caught.value, NewerLog)


def test_an_older_format_is_brought_up_to_date_step_by_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An entry of an older format is converted step by step."""
    monkeypatch.setattr(log_format, "FORMATS", {"left": 3})
    monkeypatch.setattr(
        log_format,
        "UPGRADES",
        {
            ("left", 1): lambda body: {**body, "seat": body["chair"] - 1},
            ("left", 2): lambda body: {**body, "kicked": body["how"] == "kicked"},
        },
    )
    first = {"chair": 3, "how": "kicked"}
    assert parse_body("left", json.dumps(first)) == Left(2, kicked=True)
    second = {"format": 2, "seat": 2, "how": "left"}
    assert parse_body("left", json.dumps(second)) == Left(2)
    assert json.loads(body_text(Left(2)))["format"] == 3
    assert parse_body("left", body_text(Left(2))) == Left(2)


def test_every_format_has_its_steps() -> None:
    """Every format of a kind has a conversion step."""
    steps = {(kind, step) for kind, today in log_format.FORMATS.items() for step in range(1, today)}
    assert log_format.UPGRADES.keys() == steps
    assert log_format.FORMATS.keys() <= KINDS
    # Moves are written by hand, and would have to name their format there.
    written = json.loads(body_text(Acted(0, "pass"))).get("format", 1)
    assert written == log_format.FORMATS.get("act", 1)


def test_a_field_that_is_not_known_is_passed_over() -> None:
    """An unknown field of an entry is ignored."""
    assert parse_body("left", '{"seat":1,"mood":"cheerful"}') == Left(1)


class WithOptions:
    """A game with today's options."""

    def __init__(self, game: AnyGame, *options: Option) -> None:
        self._game = game
        self._options = options

    def options(self, seats: int) -> tuple[Option, ...]:
        return self._options

    def __getattr__(self, name: str) -> object:
        return getattr(self._game, name)


def test_options_are_those_the_game_has_now() -> None:
    """An option added later has its default, and a removed one is dropped."""
    game: Any = WithOptions(
        GAMES.game("black_queen"),
        Option("deals", "deals", 4, low=1, high=9),
        Option("jokers", "jokers", False),
    )
    stored: dict[str, OptionValue] = {"deals": 2, "columns": 8}
    opened = Opened("black_queen", game.info.version, 3, stored, USUAL)
    state = open_table(game, opened)
    assert state.options == {"deals": 2, "jokers": False}
    configured = Entry(1, 0.0, Configured({"columns": 0, "jokers": True}, USUAL))
    assert advance(game, state, (configured,)).state.options == {"deals": 4, "jokers": True}


@pytest.mark.parametrize(("version", "error"), [(99, NewerLog), (0, BadLog)])
def test_a_log_of_another_version_of_its_game_is_refused(version: int, error: type) -> None:
    """A log of another version of its game is refused, saying which program would do."""
    table = TableHarness()
    body = table.log[0].body
    assert isinstance(body, Opened)
    changed = Opened(body.game, version, body.seats, body.options, body.settings)
    with pytest.raises(BadLog) as caught:
        list(replay(GAMES, [table.log[0]._replace(body=changed), *table.log[1:]]))
    assert type(caught.value) is error
