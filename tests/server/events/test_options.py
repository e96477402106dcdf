"""The settings of public events: errors in one line, without passwords."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from server.events import broker as broker_module
from server.events.broker import Broker, broker_of
from server.events.topics import Topics
from server.ops.settings import Settings, SettingsError
from server.ops.settings_sources import settings_from

SECRET = "open-sesame"


def options_of(url: str | None, **more: Any) -> Broker | None:
    return broker_of(Settings(events=url, **more))


def refusal(url: str | None, **more: Any) -> str:
    with pytest.raises(SettingsError) as refused:
        options_of(url, **more)
    assert SECRET not in str(refused.value)
    assert refused.value.__cause__ is None
    return str(refused.value)


def test_without_an_address_there_are_no_events() -> None:
    """Without an address there are no events and no connection."""
    assert options_of(None) is None


def test_an_address_says_all() -> None:
    """An address has scheme, user, password, host, port and topic prefix."""
    broker = options_of(f"mqtts://ann:{SECRET}@broker.example:8884/clubs/north")
    assert broker is not None
    assert (broker.user, broker.password, broker.tls) == ("ann", SECRET, True)
    assert (broker.host, broker.port, broker.prefix) == ("broker.example", 8884, "clubs/north")
    assert SECRET not in f"{broker} {broker!r} {Settings(events=f'mqtt://a:{SECRET}@h')!r}"


def test_an_address_may_be_short() -> None:
    """A short address has default port and topics; an IPv6 host is shown in brackets."""
    found = options_of("mqtt://localhost")
    assert found is not None
    assert (found.port, found.prefix, found.tls_context()) == (1883, "blackqueen", None)
    assert str(options_of("mqtts://house:p%40ss@[::1]")) == "mqtts://[::1]:8883"


def test_the_password_may_be_in_a_file(tmp_path: Path) -> None:
    """The password may be the first line of a file."""
    file = tmp_path / "password"
    file.write_text(f"{SECRET}\n")
    found = options_of("mqtt://ann@localhost", events_password_file=file)
    assert found is not None
    assert found.password == SECRET


@pytest.mark.parametrize(
    ("url", "words"),
    [
        (f"http://a:{SECRET}@h", "begins with mqtts://"),
        (f"mqtt://a:{SECRET}@", "mqtts://"),
        (f"mqtt://a:{SECRET}@h:port", "a number from 1 to 65535"),
        (f"mqtt://a:{SECRET}@[::1", "mqtts://"),
        (f"mqtt://a:{SECRET}@h/a/+/b", "a prefix of topics has no +"),
        (f"mqtt://a:{SECRET}@h/a//b", "no empty level"),
        (f"mqtt://a:{SECRET}@h/$SYS", "no $ in front"),
        (f"mqtt://a:{SECRET}@h/a?b=1", "ends with the prefix"),
        (f"mqtt://:{SECRET}@h", "needs a user"),
    ],
)
def test_a_bad_address_is_refused_without_being_repeated(url: str, words: str) -> None:
    """A bad address is refused without repeating it, since it may hold a password."""
    assert words in refusal(url)


def test_files_that_do_not_fit_are_named(tmp_path: Path) -> None:
    """Unreadable certificates and passwords are reported before the start."""
    missing, junk = tmp_path / "missing.pem", tmp_path / "junk.pem"
    junk.write_bytes(b"\xff not a certificate")
    for name in ("password", "ca", "certificate", "key"):
        assert str(missing) in refusal("mqtts://a@h", **{f"events_{name}_file": missing})
    assert f"--events-ca-file {junk}" in refusal("mqtts://h", events_ca_file=junk)
    assert str(junk) in refusal("mqtts://h", events_certificate_file=junk)
    assert "it is no text" in refusal("mqtts://a@h", events_password_file=junk)
    assert "not for mqtt://" in refusal("mqtt://h", events_ca_file=junk)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing MQTT client is reported with its extra."""
    monkeypatch.setattr(broker_module, "find_spec", lambda name: None)
    assert "blackqueen[mqtt]" in refusal("mqtt://h")


def test_a_value_that_may_hold_a_password_is_not_shown(tmp_path: Path) -> None:
    """A value that may hold a password is not shown, even if it has the wrong type."""
    file = tmp_path / "settings.toml"
    file.write_text(f'events = ["mqtt://a:{SECRET}@h"]\n')

    class Arguments:
        config = str(file)

    with pytest.raises(SettingsError) as refused:
        settings_from(Arguments())  # type: ignore[arg-type]  # all that is read of them
    assert "events: its value cannot be used" in str(refused.value)
    assert SECRET not in str(refused.value)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep the command line")
def test_the_address_is_hidden_from_the_list_of_processes() -> None:
    """In the process list the address is replaced by stars."""
    code = (
        "import sys; from server.ops.command_line import hide_argument; "
        "hide_argument(sys.argv[2]); hide_argument('not there'); "
        "print(open('/proc/self/cmdline').read().split(chr(0))[-4:], sys.argv[2])"
    )
    url = f"mqtt://a:{SECRET}@h"
    command = [sys.executable, "-c", code, "--events", url, "--port=1"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    assert shown == f"['--events', '{'*' * len(url)}', '--port=1', ''] {url}\n"


def test_an_alias_is_no_key() -> None:
    """An alias is constant at one server, different at others, and does not reveal the code."""
    topics = Topics("p", "secret of the database")
    alias = topics.alias("ABCDEFGH")
    assert alias == Topics("q", "secret of the database").alias("ABCDEFGH")
    assert alias != Topics("p", "secret of another").alias("ABCDEFGH")
    assert len({topics.alias(f"CODE{n}") for n in range(100)}) == 100
    assert alias.startswith("private-")
    assert alias.isascii()
    assert "ABC" not in alias
