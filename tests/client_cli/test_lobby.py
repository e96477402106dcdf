"""The lobby: what a person can type without a table."""

from collections.abc import Iterator
from typing import Any, cast

import pytest

from client_cli.lobby import LobbyScreen
from client_cli.output import LineOutput
from client_cli.seating import invitation
from client_cli.tell import told
from protocol.connection import Client
from protocol.errors import ProtocolError
from protocol.texts import speaking
from protocol.to_client import (
    GameCard,
    GameList,
    Ok,
    OptionInfo,
    OwnTable,
    OwnTables,
    TableInfo,
    TableList,
)
from protocol.to_server import CreateTable, Games, Join, ListTables, MyTables, ToServer
from tests.client_cli.tables import FREE, WIDE, human, table

CARD = GameCard(
    id="black_queen",
    version=1,
    title="Black Queen",
    seats=(2, 3, 4),
    usual_seats=4,
    options=(
        OptionInfo(name="deals", title="how many deals", default=4),
        OptionInfo(name="columns", title="how many columns", default=2),
    ),
    strengths=(0, 1),
)


class Lister:
    """A server of three tables, two a page, and one game."""

    invitation = "ws://cards.example"

    def __init__(self) -> None:
        self.session = self
        self.own: tuple[TableInfo, ...] = ()
        self.joined: list[str] = []
        self.listed: list[dict[str, Any]] = []
        self.opened: list[dict[str, Any]] = []

    def knows(self, feature: str) -> bool:
        return feature == "my_tables" and bool(self.own)

    async def ask(
        self, kind: type[ToServer], **fields: Any
    ) -> Ok | TableList | GameList | OwnTables:
        match kind:
            case _ if kind is MyTables:
                return OwnTables(id=1, tables=tuple(OwnTable(seat=0, info=i) for i in self.own))
            case _ if kind is Join:
                if not fields["table"].startswith("CODE"):
                    raise ProtocolError("unknown_table", f"there is no table {fields['table']!r}")
                self.joined.append(fields["table"])
                return Ok(id=1)
            case _ if kind is Games:
                if fields.get("game", "black_queen") != "black_queen":
                    raise ProtocolError("unknown_game", f"no game {fields['game']!r}")
                return GameList(id=1, games=(CARD,))
            case _ if kind is CreateTable:
                self.opened.append(fields)
                return Ok(id=1, table="MYOWN")
        assert kind is ListTables
        page = fields.pop("page")
        self.listed.append(fields)
        lobby = table(phase="lobby", seats=(human("Ann"), FREE)).info
        infos = [lobby.model_copy(update={"table": f"CODE{at}"}) for at in (1, 2, 3)]
        if page is None:
            return TableList(id=1, tables=tuple(infos[:2]), next="2")
        return TableList(id=1, tables=tuple(infos[2:]))


class Visit:
    """A person in the lobby who types these lines and then Ctrl-D."""

    def __init__(self, *typed: str) -> None:
        self.lister = Lister()
        self.questions: list[str] = []
        self._written: list[str] = []
        self._typed: Iterator[str] = iter(typed)

    async def ends(self) -> str | None:
        output = LineOutput(lambda: WIDE, self._written.append)
        return await LobbyScreen(cast(Client, self.lister), output, self._ask).choose()

    @property
    def seen(self) -> str:
        return "".join(self._written)

    async def _ask(self, question: str) -> str | None:
        self.questions.append(question)
        return next(self._typed, None)


@pytest.mark.parametrize(
    ("typed", "joined"),
    [
        (["1"], "CODE1"),
        (["http://192.0.2.7:8765/t/code3#from=Ann&game=Whist"], "CODE3"),
        (["blackqueen join ws://192.0.2.7:8765 CODE3"], "CODE3"),
        (["“code3”. "], "CODE3"),
        (["more", "1"], "CODE3"),
        (["more", "more", "2"], "CODE2"),
        (["code3"], "CODE3"),
    ],
)
async def test_a_table_of_many_is_chosen_by_what_is_shown(typed: list[str], joined: str) -> None:
    """A table is chosen by its number on the shown page; after the last page the first returns."""
    visit = Visit(*typed)
    assert await visit.ends() == joined
    assert visit.lister.joined == [joined]
    assert ["more" in question for question in visit.questions] == [True, False, True][: len(typed)]


async def test_ones_own_tables_come_first() -> None:
    """One's own tables come first, marked, with the numbers on the screen."""
    visit = Visit("1", "free 1", "1")
    mine = table(phase="paused", seats=(human("Ann"), FREE)).info
    visit.lister.own = (
        mine.model_copy(update={"table": "CODE9"}),
        table(phase="lobby", seats=(human("Ann"), FREE)).info.model_copy(update={"table": "CODE2"}),
    )
    assert await visit.ends() == "CODE9"
    numbered = [line.split() for line in visit.seen.splitlines() if line[:1].isdigit()]
    assert [(each[1], each[-1]) for each in numbered] == [
        ("CODE9", "yours"),
        ("CODE2", "yours"),
        ("CODE1", "Ann"),
    ]


async def test_help_lists_what_can_be_typed() -> None:
    """`help` lists what can be typed, and is not taken for a code."""
    for typed in ("help", "?", "HELP"):
        visit = Visit(typed)
        assert await visit.ends() is None
        assert all(f"\n{example} " in visit.seen for example in told("lobby.help"))
        assert visit.lister.joined == []


async def test_help_tells_what_can_be_set_for_a_game() -> None:
    """`help` with a game lists its options with their defaults."""
    for typed in ("help black queen", "help Black Queen", "? black_queen"):
        visit = Visit(typed)
        assert await visit.ends() is None
        assert "deals=4    How many deals.\n" in visit.seen
    visit = Visit("help bridge")
    assert await visit.ends() is None
    assert "help bridge: no game 'bridge'" in visit.seen


async def test_a_german_lobby_says_what_is_wrong() -> None:
    """A German lobby shows errors in German and accepts German words."""
    with speaking("de"):
        visit = Visit("neu bridge", "ZZZZZ", "spiele", "alle", "hilfe")
        assert await visit.ends() is None
    assert "neu bridge: so ein Spiel gibt es hier nicht\n" in visit.seen
    assert "ZZZZZ: diesen Tisch gibt es nicht; vielleicht ist er schon geschlossen\n" in visit.seen
    assert "black_queen" in visit.seen
    assert "diese Liste" in visit.seen


async def test_games_are_listed() -> None:
    """The games are listed with the names that `new` takes."""
    visit = Visit("games")
    await visit.ends()
    assert "black_queen  Black Queen" in visit.seen


@pytest.mark.parametrize("typed", ["quit", "exit", " QUIT ", "q"])
async def test_quitting_ends_the_lobby(typed: str) -> None:
    """`quit` ends the lobby without joining or opening a table."""
    visit = Visit(typed, "1")
    assert await visit.ends() is None
    assert visit.lister.joined == []


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        (["game whist"], {"game": "whist"}),
        (["free 2", "text Ann B"], {"free": 2, "text": "Ann B"}),
        (["phase lobby", "all"], {}),
        (["phase lobby", ""], {"phase": "lobby"}),
    ],
)
async def test_lists_are_filtered(typed: list[str], wanted: dict[str, Any]) -> None:
    """Filters add up until `all` removes them, and are named below the list."""
    visit = Visit(*typed)
    await visit.ends()
    assert visit.lister.listed[-1] == wanted
    assert ("Only tables with" in visit.seen) == any(visit.lister.listed)


@pytest.mark.parametrize("answer", ["yes", "Y"])
async def test_a_table_is_opened_after_a_yes(answer: str) -> None:
    """A table is opened after a question is answered with yes."""
    visit = Visit("new black queen seats=3 private=yes deals=2", answer)
    assert await visit.ends() == "MYOWN"
    assert visit.questions[-1] == "Open a private table of Black Queen for 3 players? yes or no: "
    (opened,) = visit.lister.opened
    assert opened["game"] == "black_queen"
    assert opened["seats"] == 3
    assert opened["options"] == {"deals": 2}
    assert opened["settings"] == {"private": True}
    assert "blackqueen join ws://cards.example MYOWN" in visit.seen


@pytest.mark.parametrize("answer", ["no", "", "1"])
async def test_without_a_yes_no_table_is_opened(answer: str) -> None:
    """Without a yes no table is opened, and the lobby goes on."""
    visit = Visit("new black_queen", answer, "1")
    assert await visit.ends() == "CODE1"
    assert visit.lister.opened == []
    assert "No table was opened." in visit.seen


@pytest.mark.parametrize("answer", ["quit", "Q", "exit"])
async def test_quit_at_a_question_closes_the_program(answer: str) -> None:
    """`quit` at a question closes the program."""
    visit = Visit("new black_queen", answer, "1")
    assert await visit.ends() is None
    assert visit.lister.opened == []
    assert visit.lister.joined == []


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("hepl", "hepl: unknown command; did you mean help?"),
        ("nwe whist", "nwe whist: unknown command; did you mean new?"),
        ("nrw", "nrw: unknown command; did you mean new?"),
        ("hi there", "hi there: unknown command; type help"),
        ("NOSUCH", "NOSUCH: there is no table 'NOSUCH'"),
        ("9", "9: no table in the list has this number; the list has 1 to 2"),
        ("new", "new: which game? For example: new black_queen"),
        ("new whst", "new whst: no game 'whst'"),
        ("new black_queen deals=", "new black_queen deals=: deals=: write it like deals=2"),
        (
            "new black_queen rounds=2",
            "Black Queen has no option rounds; its options are",
        ),
        ("new black_queen seats=few", "how many seats? For example: seats=4"),
        ("free", "free: free needs a word behind it. For example: free 2"),
        ("free some", "free some: how many free seats?"),
    ],
)
async def test_what_cannot_be_is_explained(typed: str, told: str) -> None:
    """An impossible command is answered with what was typed, and nothing is opened."""
    visit = Visit(typed)
    assert await visit.ends() is None
    assert told in visit.seen
    assert visit.lister.joined == []
    assert visit.lister.opened == []


def test_an_invitation_that_works_only_here_says_what_others_need() -> None:
    """An invitation for this machine only says what others need."""
    lister = Lister()
    assert invitation(cast(Client, lister), "MYOWN").text == "Friends join with:"
    lister.invitation = "ws://127.0.0.1:8765"
    told = invitation(cast(Client, lister), "MYOWN")
    assert "need a server that listens there (--host 0.0.0.0)" in told.text
    assert told.command == "blackqueen join ws://127.0.0.1:8765 MYOWN"
