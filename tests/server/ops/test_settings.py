"""Where a setting's value comes from, and the error if it cannot be used."""

import re
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

import pytest
from pydantic import ValidationError
from structlog.typing import EventDict

from server.admin import command
from server.ops.settings import Settings, SettingsError
from server.ops.settings_sources import (
    ServerSetting,
    add_arguments,
    all_settings,
    unknown_variables,
)
from server.ops.settings_sources import settings_from as read
from server.ops.start_lines import tell_what_is_ignored

OTHER = {
    "host": "0.0.0.0",
    "port": "0",
    "data": "elsewhere",
    "public_url": "https://cards.example.org/play",
    "allowed_hosts": "cards.lan,cards",
    "games": "shelf",
    "events": "mqtts://broker/cards",
    "events_password_file": "mqtt.password",
    "events_ca_file": "ca.pem",
    "events_certificate_file": "server.pem",
    "events_key_file": "server.key",
    "tls_certificate_file": "server.pem",
    "tls_key_file": "server.key",
    "trusted_network": "true",
    "node_url": "wss://cards.example.org/n/a/",
    "database_url": "postgresql://somewhere/cards",
    "log_format": "json",
    "log_level": "debug",
    "log_addresses": "false",
    "admin": "true",
    "allow_seeds": "true",
    "new_database": "true",
    "bot_delay": "0.25",
    "bot_workers": "3",
    "warm_bots": "true",
    "plain_bots": "true",
    "max_connections_per_address": "5",
    "message_bytes": "2048",
    "bytes_per_second": "200000",
    "byte_burst": "200000",
    "frames_per_second": "200",
    "frame_burst": "400",
    "trusted_proxies": "127.0.0.1, 10.0.0.0/8",
    "send_buffer_bytes": "8192",
    "opening": "a key and JSON",
}
"""A value other than the default for each setting that does not take the number 17."""

SETTINGS = list(all_settings())


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for setting in SETTINGS:
        monkeypatch.delenv(setting.variable, raising=False)
    monkeypatch.delenv("BLACKQUEEN_CONFIG", raising=False)


def parsed(*words: str) -> Namespace:
    parser = ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(words)


def settings_from(*words: str) -> Settings:
    return read(parsed(*words))


def other(setting: ServerSetting) -> str:
    return OTHER.get(setting.name, "17")


def words_for(setting: ServerSetting) -> list[str]:
    match other(setting):
        case "true":
            return [setting.flag]
        case "false":
            return [setting.flag.replace("--", "--no-", 1)]
        case value:
            return [setting.flag, value]


def toml(tmp_path: Path, text: str) -> str:
    path = tmp_path / "server.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def toml_line(name: str, value: str) -> str:
    plain = value in ("true", "false") or value.replace(".", "", 1).isdigit()
    return f"{name} = {value}" if plain else f'{name} = "{value}"'


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_every_way_sets_every_setting(
    setting: ServerSetting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A flag, a variable and a line of the file give equal values for every setting."""
    by_flag = settings_from(*words_for(setting))
    by_file = settings_from("--config", toml(tmp_path, toml_line(setting.name, other(setting))))
    monkeypatch.setenv(setting.variable, other(setting))
    by_variable = settings_from()
    assert by_flag == by_variable == by_file
    assert getattr(by_flag, setting.name) != getattr(Settings(), setting.name)


def test_flag_comes_before_variable_before_file_before_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A flag overrides the environment, the environment the file, the file the default."""
    path = toml(tmp_path, "port = 1\nhost = 'a'\nmax_tables = 4")
    monkeypatch.setenv("BLACKQUEEN_PORT", "2")
    monkeypatch.setenv("BLACKQUEEN_HOST", "b")
    settings = settings_from("--config", path, "--port", "3")
    assert (settings.port, settings.host, settings.max_tables) == (3, "b", 4)
    assert settings.message_burst == Settings().message_burst


def test_flag_of_yes_or_no_can_say_no(monkeypatch: pytest.MonkeyPatch) -> None:
    """`--no-…` overrides a true value of the environment."""
    monkeypatch.setenv("BLACKQUEEN_ALLOW_SEEDS", "yes")
    assert settings_from().allow_seeds
    assert not settings_from("--no-allow-seeds").allow_seeds


def test_environment_can_name_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`BLACKQUEEN_CONFIG` stands for `--config`."""
    monkeypatch.setenv("BLACKQUEEN_CONFIG", toml(tmp_path, "port = 4321"))
    assert settings_from().port == 4321


def test_empty_variable_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty variable counts as not set."""
    monkeypatch.setenv("BLACKQUEEN_PORT", "")
    assert settings_from().port == 8765


def test_settings_made_in_code_read_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """`Settings` built in code ignore the environment."""
    monkeypatch.setenv("BLACKQUEEN_PORT", "1")
    assert Settings().port == 8765


def test_a_text_loses_the_blanks_and_line_ends_around_it() -> None:
    """Text values lose the blanks and line ends around them."""
    pasted = Settings(public_url=" https://cards.example.org/play\r\n", host="0.0.0.0 ")
    assert (pasted.public_url, pasted.host) == ("https://cards.example.org/play", "0.0.0.0")


def test_settings_do_not_change() -> None:
    """A running server's settings are frozen."""
    with pytest.raises(ValidationError, match="frozen"):
        Settings().port = 1  # type: ignore[misc]  # the point of the test


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--port", "65536"], r"^--port: '65536' cannot be used: .*65535"),
        (["--port", "-1"], r"^--port: '-1' cannot be used: .*greater than or equal to 0"),
        (["--bot-delay", "soon"], r"^--bot-delay: 'soon' .*number.*default: 0\.6"),
        (["--bot-delay", "inf"], r"^--bot-delay: 'inf' .*finite"),
        (["--log-format", "xml"], r"^--log-format: 'xml' .*'auto', 'json' or 'console'"),
        (["--bot-workers", "0"], r"^--bot-workers: '0' .*greater than or equal to 1"),
    ],
)
def test_bad_flag_is_named_with_what_it_takes(words: list[str], said: str) -> None:
    """The error for a flag has the flag, the value, the bound and the default."""
    with pytest.raises(SettingsError, match=said):
        settings_from(*words)


def test_bad_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error for a value of the environment names the variable."""
    monkeypatch.setenv("BLACKQUEEN_PORT", "eight")
    with pytest.raises(SettingsError, match=r"^environment variable BLACKQUEEN_PORT: 'eight' "):
        settings_from()


def test_bad_line_of_the_file_is_named(tmp_path: Path) -> None:
    """The error for a value of the file names the file."""
    path = toml(tmp_path, "max_tables = 0")
    with pytest.raises(SettingsError, match=r"server\.toml: max_tables: 0 "):
        settings_from("--config", path)


def test_all_bad_settings_are_told_at_once() -> None:
    """All wrong settings are reported at once."""
    with pytest.raises(SettingsError) as caught:
        settings_from("--port", "x", "--max-tables", "y")
    assert [line.split(":")[0] for line in str(caught.value).splitlines()] == [
        "--port",
        "--max-tables",
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("bot-delay = 1", r"unknown setting 'bot-delay'; did you mean 'bot_delay'\?"),
        ("max_table = 1", r"unknown setting 'max_table'; did you mean 'max_tables'\?"),
        ("colour = 1", r"unknown setting 'colour'; there are host, port, data"),
    ],
)
def test_unknown_setting_in_the_file_is_refused(line: str, said: str, tmp_path: Path) -> None:
    """An unknown setting in the file is refused."""
    with pytest.raises(SettingsError, match=said):
        settings_from("--config", toml(tmp_path, line))


def test_a_variable_that_sets_nothing_is_told_with_what_may_be_meant() -> None:
    """A variable that sets nothing is reported with a similar one, and is no error."""
    environment = {
        "BLACKQUEEN_PROT": "3",
        "blackqueen_hots": "x",
        "BLACKQUEEN_COLOUR": "red",
        "blackqueen_port": "1",
        "BLACKQUEEN_PORT": "1",
        "BLACKQUEEN_CONFIG": "server.toml",
        "BLACKQUEEN_FACTOR": "3",
        "BLACKQUEEN_PAIRS": "all",
        "BLACKQUEEN_DEBUG": "1",
        "PATH": "/bin",
    }
    assert list(unknown_variables(environment)) == [
        "environment variable BLACKQUEEN_COLOUR is no setting; see `blackqueen serve --help`",
        "environment variable BLACKQUEEN_PROT is no setting; did you mean BLACKQUEEN_PORT?",
        "environment variable blackqueen_hots is no setting; did you mean BLACKQUEEN_HOST?",
    ]


def test_the_log_warns_of_variables_that_set_nothing(log_events: list[EventDict]) -> None:
    """The log warns once of each variable that sets nothing."""
    tell_what_is_ignored({"BLACKQUEEN_PROT": "3", "BLACKQUEEN_PORT": "3"})
    (event,) = log_events
    assert (event["event"], event["log_level"]) == ("unknown_variable", "warning")
    assert "BLACKQUEEN_PROT is no setting" in event["reason"]


def test_missing_file_is_an_error(tmp_path: Path) -> None:
    """A missing configuration file is an error."""
    with pytest.raises(SettingsError, match=r"none\.toml: cannot be read \(No such file"):
        settings_from("--config", str(tmp_path / "none.toml"))


@pytest.mark.parametrize("content", [b"port: 1", b"\xff\xfe"])
def test_file_that_is_not_toml_is_an_error(content: bytes, tmp_path: Path) -> None:
    """An invalid TOML file is an error with its place."""
    path = tmp_path / "server.toml"
    path.write_bytes(content)
    with pytest.raises(SettingsError, match=r"server\.toml: is not TOML"):
        settings_from("--config", str(path))


def test_help_names_every_setting_and_its_default() -> None:
    """`--help` names every setting and its default."""
    parser = ArgumentParser()
    add_arguments(parser)
    text = " ".join(parser.format_help().split())
    for setting in SETTINGS:
        assert setting.flag in text
        assert f"{setting.description} (default: {setting.default})" in text


def test_database_is_a_file_in_the_data_folder() -> None:
    """The database is a file in the data folder unless a URL is set."""
    assert Settings(data=Path("/srv/cards")).database == "sqlite:////srv/cards/blackqueen.sqlite3"
    assert Settings(database_url="postgresql://x/y").database == "postgresql://x/y"


def test_password_of_the_database_is_not_printed() -> None:
    """Printing the settings shows no password."""
    assert "hunter2" not in repr(Settings(database_url="postgresql://cards:hunter2@x/y"))


def test_one_core_is_left_to_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots get all cores but one, and at least one process."""
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    assert Settings().workers == 7
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    assert Settings().workers == 1
    assert Settings(bot_workers=3).workers == 3


def test_the_hosting_guide_names_flags_that_exist() -> None:
    """The hosting guide names only existing flags of the server and `blackqueen admin`."""
    guide = Path(__file__).parents[3].joinpath("docs/hosting.md").read_text(encoding="utf-8")
    known = {"--no"}
    for add in (add_arguments, command.add_arguments):
        parser = ArgumentParser()
        add(parser)
        known.update(re.findall(r"--[a-z-]+", parser.format_help()))
    named = set(re.findall(r"`(--[a-z-]+[a-z])", guide))
    assert len(named) > 20
    assert named <= known


def test_help_of_the_command_does_not_load_settings() -> None:
    """`blackqueen --help` does not import the settings."""
    program = (
        "import sys; from blackqueen.main import main; main(['--help']);"
        "sys.exit('pydantic' in sys.modules or 'server.ops.settings' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
