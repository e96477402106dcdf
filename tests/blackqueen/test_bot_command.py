"""The command `blackqueen bot` with the players that come with the program."""

import json
import sys
from argparse import Namespace
from dataclasses import replace
from random import Random
from threading import Event

import pytest

from blackqueen.bot import command, included
from blackqueen.bot.command import seated, tell_json, tell_people
from blackqueen.bot.included import IncludedBot, bot_for, described_bot
from blackqueen.main import main
from bots.command_line import telling
from bots.spec import Spec, parse_spec
from client_cli.standing import Standing
from engine.views import View
from protocol import playing
from protocol.client_events import ClientEvent, Disconnected, Reconnected, TableSnapshot
from protocol.exits import Exit, UsageError
from protocol.playing import MatchResult, SeatPlayer
from protocol.texts.language import speaking
from protocol.to_client import GameCard
from protocol.to_server import Leave, ListTables
from tests.client_cli.tables import CODE, FREE, bot, human, table
from tests.protocol.scripted_client import ScriptedClient
from tests.server.small_descriptions import BROKEN, HIGH

LOBBY = table(seats=(human("Robo", ready=False), bot("Carl"), FREE), phase="lobby")
RESULT = MatchResult(CODE, 1, ("Ann", "Robo"), (-3, 5), (2, 1))


async def test_no_seat_is_taken_at_a_table_it_cannot_play_at() -> None:
    """The strengths that the game does have are named."""
    script = ScriptedClient([], lists=[[LOBBY]])
    with pytest.raises(
        UsageError, match=r"Black Queen has no bot of strength 9; there are [\d, ]+$"
    ):
        await seated(script.client, CODE, 9)
    assert script.kinds == [ListTables]


async def test_a_game_without_such_a_bot_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another table may have one."""
    monkeypatch.setattr(playing, "LOOK_AGAIN_SECONDS", 0.0)
    other = replace(LOBBY, info=LOBBY.info.model_copy(update={"game": "new", "table": "NEW22"}))
    script = ScriptedClient([], lists=[[LOBBY], [LOBBY, other]])
    monkeypatch.setattr(command, "strengths", lambda game: (0, 7) if game == "new" else (0,))
    assert await seated(script.client, None, 7) == "NEW22"


async def test_a_seat_it_cannot_play_is_given_back() -> None:
    """A private table tells its game only to who sits there; nothing is promised before."""
    script = ScriptedClient([TableSnapshot(LOBBY)], refusals=["draining"])
    nine = IncludedBot(script.client, Spec("9"), Random(1))
    with pytest.raises(UsageError, match="no bot of strength 9"):
        await SeatPlayer(script.client, CODE, nine.prepare).play()
    assert script.asked == [(Leave, {"table": CODE})]


async def test_a_word_for_its_strength_suits_every_game() -> None:
    """What it means there, the table's game says."""
    script = ScriptedClient([], lists=[[LOBBY]])
    assert await seated(script.client, None, None) == CODE
    for word, searches in (("easy", False), ("medium", True)):
        assert bot_for("schnapsen", "Schnapsen", Spec(word)).needs_facts is searches


def test_a_bot_may_be_given_settings() -> None:
    """Those of its strength in the arena; an unknown or wrong setting is reported."""
    assert bot_for("schnapsen", "Schnapsen", parse_spec("3:aim=score")).needs_facts
    with pytest.raises(UsageError, match="strength 3:aim=fame of Schnapsen: setting aim"):
        bot_for("schnapsen", "Schnapsen", parse_spec("3:aim=fame"))


@pytest.mark.parametrize("text", ["sampling", "3:aim", "-1", ""])
def test_what_names_no_strength_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody knows yet what will be played, so a name says nothing."""
    with pytest.raises(SystemExit) as end:
        main(["bot", "ws://127.0.0.1:1", f"--strength={text}"])
    assert end.value.code == Exit.USAGE
    assert "argument --strength" in capsys.readouterr().err


def test_a_strength_that_no_game_has_is_refused_before_connecting(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Waiting for a table that suits it would take for ever."""
    assert main(["bot", "ws://127.0.0.1:1", "--strength", "99"]) == Exit.USAGE
    assert "no game has a bot of strength 99" in capsys.readouterr().err


def test_a_strength_that_lacks_numba_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is there, only not here."""
    monkeypatch.setattr(included, "withheld", lambda game: (3,))
    with pytest.raises(UsageError, match=r"strength 3 of Black Queen needs Numba: install"):
        bot_for("black_queen", "Black Queen", Spec("3"))


def test_an_unknown_strength_is_a_wrong_command_line() -> None:
    """It says which there are."""
    with pytest.raises(UsageError, match="no bot of strength 9; there are 0"):
        bot_for("black_queen", "Black Queen", Spec("9"))


def test_people_are_told_the_connection_and_the_result(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing else: a bot has nothing to say."""
    told: list[ClientEvent | MatchResult | None] = [
        TableSnapshot(LOBBY),
        Disconnected("gone"),
        Reconnected(),
        RESULT,
        None,
    ]
    for each in told:
        tell_people(each)
    assert capsys.readouterr().out.splitlines() == [
        "Connection lost: gone. Trying to reconnect.",
        "Connected again.",
        "Ann -3, Robo 5",
    ]


def test_people_are_told_it_in_their_language(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As by every command that is a client."""

    async def heard(arguments: Namespace) -> Exit:
        tell_people(Reconnected())
        return Exit.DONE

    monkeypatch.setattr(command, "_bot", heard)
    for language in ("de", "en"):
        assert main(["bot", "localhost", "--language", language]) == Exit.DONE
    assert capsys.readouterr().out.splitlines() == ["Wieder verbunden.", "Connected again."]


def test_scripts_get_one_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    """As JSON, the result in the same form as in every client."""
    for each in (Reconnected(), RESULT, None):
        tell_json(each)
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == [
        {"type": "reconnected"},
        {
            "type": "finished",
            "table": CODE,
            "totals": [-3, 5],
            "ranks": [2, 1],
            "names": ["Ann", "Robo"],
        },
    ]


def card(text: str) -> GameCard:
    """A described game as the server shows it to who asks for it."""
    return GameCard(
        id=f"High2.rcy@{'0' * 32}",
        version=1,
        title="High",
        seats=(2,),
        usual_seats=2,
        options=(),
        strengths=(0, 1, 2),
        described=True,
        description=text,
    )


@pytest.mark.parametrize("strength", [1, 2])
def test_a_bot_for_a_described_game_is_made_from_its_text(strength: int) -> None:
    """It searches, so it wants to know what has happened and time of its own."""
    made = described_bot(card(HIGH), Spec(str(strength)))
    assert (made.needs_facts, made.in_place) == (True, False)


@pytest.mark.parametrize(("text", "strength"), [(BROKEN, 1), (HIGH, 7)])
def test_a_bot_that_cannot_be_made_is_a_mistake(text: str, strength: int) -> None:
    """A description of a newer language, or a strength that nobody has."""
    with pytest.raises(UsageError):
        described_bot(card(text), Spec(str(strength)))


def test_people_hear_now_and_then_how_far_it_is() -> None:
    """Before it has a table, while it waits for the match, and in it; in their language."""
    standing = Standing()
    assert str(standing) == "Looking for a table with a free seat."
    waits = table(seats=(human("Robo"), human("Carl"), FREE), phase="lobby")
    waits = replace(waits, info=waits.info.model_copy(update={"host": 1}))
    standing.happened(TableSnapshot(waits))
    assert str(standing) == f"Black Queen, table {CODE}. Waiting for Carl to start the match."
    playing = replace(waits, view=View({}, {"deal": 3}))
    played = playing.info.model_copy(update={"phase": "playing", "options": {"deals": 8}})
    standing.happened(TableSnapshot(replace(playing, info=played)))
    assert "deal 3 of 8" in str(standing)
    with speaking("de"):
        assert "Runde 3 von 8" in str(standing)


async def test_while_it_plays_a_line_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    """On stderr, after ten seconds, if people read it."""
    over = Event()
    heard: list[float] = []

    def wait(seconds: float) -> bool:
        heard.append(seconds)
        over.set()
        return len(heard) > 1

    with speaking("de"), telling(Standing().__str__, sys.stderr, wait):
        assert over.wait(60)
    assert heard == [10, 60]
    assert capsys.readouterr().err == "Es wird ein Tisch mit einem freien Platz gesucht.\n"
