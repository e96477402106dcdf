"""The arguments of the commands."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from typing import Any

import pytest

from blackqueen.bot import command as bot
from client_cli import devices, join, play, review, tables, watch
from client_cli.arguments import (
    add_output,
    bot_strength,
    bot_strengths,
    check_values,
    chosen_language,
    run_spoken,
    seat_number,
    table_fields,
    take_place,
)
from protocol.errors import ConnectionLost, ProtocolError
from protocol.exits import Exit, UsageError
from protocol.texts import closing


def test_options_of_the_game_and_of_the_table_are_told_apart() -> None:
    """Words for game options and for table settings are told apart by the settings' names."""
    fields = table_fields(["deals=2", "turn_seconds=30", "bot_delay=0.5", "open=yes"])
    assert fields == {
        "options": {"deals": 2, "open": True},
        "settings": {"turn_seconds": 30, "bot_delay": 0.5},
    }


@pytest.mark.parametrize("word", ["deals", "=2", "deals="])
def test_an_option_needs_a_name_and_a_value(word: str) -> None:
    """An option word without a name or a value is a mistake."""
    with pytest.raises(UsageError, match="deals=2"):
        table_fields([word])


@pytest.mark.parametrize(
    ("words", "url", "code"),
    [
        ([], "localhost", None),
        (["K7Q2X"], "localhost", "K7Q2X"),
        (["K7Q2XABC"], "localhost", "K7Q2XABC"),
        (["raspberrypi"], "raspberrypi", None),
        (["k7q2x"], "localhost", "K7Q2X"),
        (["localhost"], "localhost", None),
        (["ws://host:8765", "k7q2x"], "ws://host:8765", "K7Q2X"),
        (["K7Q2X", "ws://host:8765"], "ws://host:8765", "K7Q2X"),
        (["http://host:8765/t/K7Q2X#from=Ann"], "http://host:8765", "K7Q2X"),
        (["https://host/cards/t/k7q2x/"], "https://host/cards", "K7Q2X"),
        (["host:8765", " K7Q2X\n"], "host:8765", "K7Q2X"),
    ],
)
@pytest.mark.parametrize("command", [join, bot])
def test_server_and_table_are_taken_as_they_are_pasted(
    command: Any, words: list[str], url: str, code: str | None
) -> None:
    """Server and table are taken in either order or from a link; a lone word may be a host."""
    parser = ArgumentParser()
    command.add_arguments(parser)
    arguments = parser.parse_args(words or ["localhost"])
    take_place(arguments)
    assert (arguments.url, arguments.code) == (url, code)


@pytest.mark.parametrize("command", [watch, review])
@pytest.mark.parametrize(
    ("words", "url"),
    [
        (["k7q2x"], "localhost"),
        (["ws://host:8765", "K7Q2X"], "ws://host:8765"),
        (["k7q2x", "ws://host:8765"], "ws://host:8765"),
        (["localhost", "k7q2x."], "localhost"),
        (["http://host:8765/t/K7Q2X"], "http://host:8765"),
    ],
)
def test_watching_and_reviewing_take_the_same(command: Any, words: list[str], url: str) -> None:
    """`watch` and `review` take server and table in either order."""
    parser = ArgumentParser()
    command.add_arguments(parser)
    arguments = parser.parse_args(words)
    take_place(arguments)
    assert (arguments.url, arguments.code) == (url, "K7Q2X")


@pytest.mark.parametrize("command", [join, bot, tables, devices, review, play])
def test_a_name_loses_what_nobody_sees(command: Any) -> None:
    """Names are cleaned of invisible characters, blanks and line ends."""
    parser = ArgumentParser()
    command.add_arguments(parser)
    words = ["K7Q2X"] if command is review else []
    assert parser.parse_args([*words, "--name", "\u200b Ann\n"]).name == "Ann"


@pytest.mark.parametrize(
    ("words", "url", "code"),
    [
        (["http://host:8765/#device=00ff"], "http://host:8765/#device=00ff", "00ff"),
        (["--code", "http://host:8765/#device=00ff"], "http://host:8765/", "00ff"),
        (["host", "--code", " 00ff\n"], "host", "00ff"),
        (["host", "--add"], "host", None),
        (["host"], "host", None),
    ],
)
def test_the_code_of_a_device_is_taken_from_its_link(
    words: list[str], url: str, code: str | None
) -> None:
    """The code of a device is taken from its link, in either place."""
    parser = ArgumentParser()
    devices.add_arguments(parser)
    arguments = parser.parse_args(words)
    devices._take_link(arguments)
    assert (arguments.url, arguments.code) == (url, code)


def test_lists_and_watching_look_on_this_machine_too() -> None:
    """Commands use this machine's server if only a code is given."""
    watching, listing = ArgumentParser(), ArgumentParser()
    watch.add_arguments(watching)
    tables.add_arguments(listing)
    assert (
        vars(watching.parse_args(["k7q2x"])).items()
        >= {"url": "localhost", "code": "k7q2x"}.items()
    )
    assert listing.parse_args(["--games"]).url == "localhost"


def test_people_count_seats_from_one() -> None:
    """Seats are counted from 1, and impossible numbers are refused."""
    assert seat_number("3") == 2
    for wrong in ("0", "-1", "two", "65"):
        with pytest.raises(ArgumentTypeError, match="counted from 1"):
            seat_number(wrong)


def test_strengths_are_numbers_or_words_with_commas() -> None:
    """Strengths are numbers or words with commas between, in any mixture."""
    assert bot_strengths("2,1,0") == (2, 1, 0)
    assert bot_strengths("easy, 3,STRONG") == ("easy", 3, "strong")
    for wrong in ("best", "10", "-1", "2,,1", ""):
        with pytest.raises(ArgumentTypeError, match="look like medium or 2,1,0"):
            bot_strengths(wrong)


def test_one_strength_is_a_number_or_a_word() -> None:
    """A strength is a number or a word; other text is refused with what would be right."""
    assert (bot_strength("1"), bot_strength("medium")) == (1, "medium")
    with pytest.raises(ArgumentTypeError, match="10: a strength is easy, medium, strong or"):
        bot_strength("10")


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("turn_seconds=-1", "must be greater than or equal to 0"),
        ("turn_seconds=soon", "must be a valid integer"),
        ("private=maybe", "say yes or no"),
        (f"deals={2**60}", "must be less than or equal to"),
        (f"deals={'9' * 65}x", "must have at most 64 characters"),
        (f"{'x' * 65}=1", "must have at most 64 characters"),
    ],
)
def test_an_option_that_no_server_takes_is_told_as_it_was_typed(word: str, told: str) -> None:
    """An impossible option is refused as it was typed, without protocol fields."""
    with pytest.raises(UsageError) as caught:
        table_fields(["deals=2", word])
    assert str(caught.value).startswith(f"--option {word}: {told}")


@pytest.mark.parametrize(
    ("flag", "value", "told"),
    [
        ("seed", -1, "--seed -1: must be greater than or equal to 0"),
        ("seed", 2**64, "--seed 18446744073709551616: must be less than"),
        ("seats", 0, "--seats 0: must be greater than or equal to 1"),
        ("seats", 65, "--seats 65: must be less than or equal to 64"),
        ("name", "", "--name '': must have at least 1 character"),
        ("name", " ", "--name ' ': must not be blank"),
        ("name", "x" * 25, f"--name '{'x' * 25}': must have at most 24 characters"),
        ("name", "a\nb", r"--name 'a\nb': must not hold control characters"),
        ("game", "", "GAME '': must have at least 1 character"),
        ("create", "x" * 129, f"--create '{'x' * 129}': must have at most 128 characters"),
        ("code", "x" * 17, f"CODE '{'x' * 17}': must have at most 16 characters"),
    ],
)
def test_a_flag_that_no_server_takes_is_named(flag: str, value: object, told: str) -> None:
    """A flag with an impossible value is named before a server is asked or started."""
    with pytest.raises(UsageError) as caught:
        check_values(Namespace(**{flag: value}))
    assert str(caught.value).startswith(told)


def test_flags_that_may_be_right_are_left_to_the_server() -> None:
    """Flags that may be right are left to the server, and so are missing ones."""
    check_values(Namespace(name="Ann", seats=64, seed=2**64 - 1, game="whst"))
    check_values(Namespace(name=None, seats=None, code=None, create=None))


class TestLanguage:
    @pytest.mark.parametrize(
        ("words", "locale", "language"),
        [
            ("", {"LANG": "de_AT.UTF-8"}, "de"),
            ("", {"LANG": "de_DE", "LC_ALL": "C.UTF-8"}, "en"),
            ("", {"LC_MESSAGES": "de", "LANG": "en_GB.UTF-8"}, "de"),
            ("", {"LANG": "tlh"}, "en"),
            ("", {}, "en"),
            ("--json", {"LANG": "de_DE"}, "en"),
            ("--json --language de", {}, "de"),
            ("--language en", {"LANG": "de_DE"}, "en"),
        ],
    )
    def test_without_a_word_it_is_that_of_the_locale(
        self, monkeypatch: pytest.MonkeyPatch, words: str, locale: dict[str, str], language: str
    ) -> None:
        """Without a word the language is that of the locale, and English for JSON output."""
        for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
            monkeypatch.delenv(name, raising=False)
        for name, value in locale.items():
            monkeypatch.setenv(name, value)
        parser = ArgumentParser()
        add_output(parser)
        assert chosen_language(parser.parse_args(words.split())) == language

    def test_the_client_speaks_the_one_that_was_asked_for(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The client speaks the requested language from its first sentence to its last."""
        monkeypatch.setenv("LC_ALL", "C")
        said: list[str] = []

        async def client() -> Exit:
            said.append(closing("abandoned"))
            return Exit.DONE

        parser = ArgumentParser()
        add_output(parser)
        for words in (["--language", "de"], []):
            assert run_spoken(parser.parse_args(words), client()) == Exit.DONE
        assert said == ["niemand ist zurückgekommen", "nobody came back"]

    def test_the_last_words_are_in_the_language(self, capsys: pytest.CaptureFixture[str]) -> None:
        """The last message is in the requested language, also without a connection."""

        async def refused() -> Exit:
            raise ProtocolError("table_full", "all seats are taken")

        async def lost() -> Exit:
            raise ExceptionGroup("", [ConnectionLost("cannot reach ws://x")])

        parser = ArgumentParser()
        add_output(parser)
        german = parser.parse_args(["--language", "de"])
        assert run_spoken(german, refused()) == Exit.REFUSED
        assert run_spoken(german, lost()) == Exit.UNREACHABLE
        assert run_spoken(parser.parse_args(["--language", "en"]), lost()) == Exit.UNREACHABLE
        assert capsys.readouterr().err.splitlines() == [
            "blackqueen: alle Plätze sind besetzt",
            "blackqueen: Der Server ist nicht zu erreichen. Läuft er, und stimmt die Adresse?",
            "blackqueen: cannot reach ws://x",
        ]

    def test_others_are_refused(self, capsys: pytest.CaptureFixture[str]) -> None:
        """An unknown language is refused with the known ones."""
        parser = ArgumentParser()
        add_output(parser)
        with pytest.raises(SystemExit):
            parser.parse_args(["--language", "tlh"])
        assert "tlh: there are texts in en, de" in capsys.readouterr().err
