"""A bot as a client: when it says ready, when it plays, and when it gives up."""

import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from blackqueen.main import main
from bots import remote
from bots.remote import Player, bot_for, described_bot, seated
from bots.spec import Spec, parse_spec
from engine.facts import Fact
from protocol.client_events import (
    ClientEvent,
    Disconnected,
    Reconnected,
    TableClosed,
    TableSnapshot,
)
from protocol.connection import Client
from protocol.errors import ConnectionLost, ErrorCode, ProtocolError
from protocol.exits import Exit, Mistake
from protocol.mirror import TableMirror
from protocol.to_client import GameCard, Ok, Phase, TableList
from protocol.to_server import Act, Join, Leave, ListTables, Ready, ToServer
from protocol.wire_form import WireForm
from tests.client_cli.tables import ANNS_TURN, CODE, FREE, bot, event, human, table
from tests.server.small_games import BROKEN, HIGH

OVER = table(
    phase="finished", facts=(Fact("match_ended", {"totals": (1, 2, 3), "ranks": (3, 2, 1)}),)
)
LOBBY = table(seats=(human("Robo", ready=False), bot("Carl"), FREE), phase="lobby")


@dataclass
class Script:
    """A connection on which these things happen; what is asked is refused as `refusals` say."""

    events_told: list[ClientEvent]
    refusals: list[ErrorCode | None] = field(default_factory=list)
    lists: list[list[TableMirror]] = field(default_factory=list)
    asked: list[tuple[type[ToServer], dict[str, Any]]] = field(default_factory=list)
    session: SimpleNamespace = field(
        default_factory=lambda: SimpleNamespace(tables={}, knows=lambda feature: True)
    )

    async def events(self) -> AsyncIterator[ClientEvent]:
        for client_event in self.events_told:
            mirror = getattr(client_event, "mirror", None)
            if mirror is not None:
                self.session.tables[mirror.table] = mirror
            yield client_event

    async def ask(self, kind: type[ToServer], **fields: Any) -> Ok | TableList:
        self.asked.append((kind, fields))
        refusal = self.refusals.pop(0) if self.refusals else None
        if refusal is not None:
            raise ProtocolError(refusal, "no")
        if kind is ListTables:
            return TableList(id=1, tables=tuple(each.info for each in self.lists.pop(0)))
        return Ok(id=1)

    @property
    def client(self) -> Client:
        return cast(Client, self)


async def played(script: Script, tell: Callable[[WireForm], None] = lambda _: None) -> Exit:
    return await Player(script.client, CODE, Spec("0"), Random(1)).play(tell)


def moves(script: Script) -> list[str]:
    return [fields["action"] for kind, fields in script.asked if kind is Act]


async def test_it_says_ready_and_plays_to_the_end() -> None:
    """Each question is answered once, with one of the choices; then it is done."""
    script = Script(
        [
            TableSnapshot(LOBBY),
            event(ANNS_TURN),
            event(ANNS_TURN),
            event(table(to_act=(1,))),
            event(OVER),
        ]
    )
    told: list[WireForm] = []
    assert await played(script, told.append) is Exit.DONE
    assert script.asked[0] == (Ready, {"table": CODE})
    (move,) = moves(script)
    assert move in ANNS_TURN.choices.actions
    assert [line["type"] for line in told] == ["table", *["event"] * 4, "finished"]


async def test_a_move_refused_at_a_bad_time_is_made_when_something_happens() -> None:
    """After a restart of the server nothing may have been missed, and yet the question stands."""
    script = Script(
        [event(ANNS_TURN), Disconnected("gone"), Reconnected(), event(OVER)],
        refusals=["draining", "try_again"],
    )
    await played(script)
    assert len(moves(script)) == 3


async def test_a_move_refused_for_good_is_an_error() -> None:
    """A bot that plays what is not allowed has a bug, and nobody is served by hiding it."""
    with pytest.raises(ProtocolError, match="illegal_action"):
        await played(Script([event(ANNS_TURN)], refusals=["illegal_action"]))


async def test_a_lost_seat_is_an_error_unless_the_match_is_over() -> None:
    """Being removed is reported; a table that closes after its match is not."""
    with pytest.raises(ProtocolError, match="the host sent you away"):
        await played(Script([TableClosed(table(), "kicked")]))
    assert await played(Script([TableClosed(table(), "finished")])) is Exit.DONE


async def test_a_connection_that_ends_is_told_as_such() -> None:
    """No matter who closed it."""
    with pytest.raises(ConnectionLost):
        await played(Script([event(table())]))


async def test_it_sits_down_at_the_first_table_with_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking again until there is one; where others were faster it takes the next."""
    monkeypatch.setattr(remote, "LOOK_AGAIN_SECONDS", 0.0)
    full, playing = table(phase="lobby"), table(seats=LOBBY.info.seats)
    script = Script(
        [], refusals=[None, None, "table_full"], lists=[[full, playing], [LOBBY], [LOBBY]]
    )
    assert await seated(script.client, None) == CODE
    kinds = [kind for kind, _ in script.asked]
    assert kinds == [ListTables, ListTables, Join, ListTables, Join]
    assert script.asked[0][1] == {"page": None, "free": 1, "phase": "lobby"}


async def test_a_table_asked_for_by_code_is_that_or_none() -> None:
    """No other will do."""
    with pytest.raises(ProtocolError, match="table_full"):
        await seated(Script([], refusals=[None, "table_full"], lists=[[LOBBY]]).client, CODE)


@pytest.mark.parametrize("phase", ["lobby", "playing"])
async def test_no_seat_is_taken_at_a_table_it_cannot_play_at(phase: Phase) -> None:
    """A bot that leaves again has driven another one away; a table that is listed says enough."""
    listed = table(seats=LOBBY.info.seats, phase=phase)
    script = Script([], lists=[[listed]])
    with pytest.raises(Mistake, match=r"Black Queen has no bot of strength 9; there are [\d, ]+$"):
        await seated(script.client, CODE, 9)
    assert [kind for kind, _ in script.asked] == [ListTables]


async def test_a_game_without_such_a_bot_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another table may have one."""
    monkeypatch.setattr(remote, "LOOK_AGAIN_SECONDS", 0.0)
    other = replace(LOBBY, info=LOBBY.info.model_copy(update={"game": "new", "table": "NEW22"}))
    script = Script([], lists=[[LOBBY], [LOBBY, other]])
    monkeypatch.setattr(remote, "strengths", lambda game: (0, 7) if game == "new" else (0,))
    assert await seated(script.client, None, 7) == "NEW22"


async def test_a_seat_it_cannot_play_is_given_back() -> None:
    """A private table tells its game only to who sits there; nothing is promised before."""
    script = Script([TableSnapshot(LOBBY)], refusals=["draining"])
    with pytest.raises(Mistake, match="no bot of strength 9"):
        await Player(script.client, CODE, Spec("9"), Random(1)).play(lambda _: None)
    assert script.asked == [(Leave, {"table": CODE})]


def test_a_bot_may_be_given_settings() -> None:
    """Those of its strength in the arena; an unknown or wrong setting is reported."""
    assert bot_for("schnapsen", "Schnapsen", parse_spec("3:aim=score")).needs_facts
    with pytest.raises(Mistake, match="strength 3:aim=fame of Schnapsen: setting aim"):
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
    monkeypatch.setattr(remote, "withheld", lambda game: (3,))
    with pytest.raises(Mistake, match=r"strength 3 of Black Queen needs Numba: install"):
        bot_for("black_queen", "Black Queen", Spec("3"))


def test_an_unknown_strength_is_a_wrong_command_line() -> None:
    """It says which there are."""
    with pytest.raises(Mistake, match="no bot of strength 9; there are 0"):
        bot_for("black_queen", "Black Queen", Spec("9"))


def test_people_are_told_the_connection_and_the_result(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing else: a bot has nothing to say."""
    finished = {"type": "finished", "names": ("Ann", "Robo"), "totals": (-3, 5)}
    for form in (
        {"type": "event"},
        {"type": "disconnected", "reason": "gone"},
        {"type": "reconnected"},
        finished,
    ):
        remote._briefly(form)
    assert capsys.readouterr().out.splitlines() == [
        "Connection lost: gone. Trying to come back.",
        "Connected again.",
        "Ann -3, Robo 5",
    ]


def test_scripts_get_one_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    """As JSON."""
    remote._json({"type": "reconnected"})
    assert json.loads(capsys.readouterr().out) == {"type": "reconnected"}


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
    with pytest.raises(Mistake):
        described_bot(card(text), Spec(str(strength)))
