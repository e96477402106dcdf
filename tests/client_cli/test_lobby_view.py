"""A table before the match, and lists of tables."""

from dataclasses import replace

from client_cli.lobby_view import draw_games, draw_lobby, draw_tables
from protocol.to_client import GameCard
from tests.client_cli.tables import ANN_AND_BOTS, FREE, WIDE, bot, human, table, text_of

LOBBY = table(
    seats=(human("Ann"), human("Bob", ready=False), bot("Carl", 1), human("Dora", away=True), FREE),
    phase="lobby",
    # Left over from the match before.
    values={"deal": 4},
)


def test_who_sits_where_and_is_ready() -> None:
    """Seats are counted from 1, and options and settings stand as `set` takes them."""
    assert (
        text_of(draw_lobby(LOBBY, WIDE))
        == """
── Black Queen · table K7Q2X ──────────────────────────────────────────────────
1  Ann   you, host, ready
2  Bob   not ready
3  Carl  bot 1
4  Dora  away
5  free

options  deals=4  columns=2
table    private=no  turn_seconds=0  hints=yes  watchable=yes
         bot_delay=default  latecomers=ask  events=default
Wait for friends, or start medium: bots take the free seats. ? lists more.
"""
    )


def test_programs_are_named() -> None:
    """Beside the name of the player whose seat they play."""
    lobby = table(seats=(human("Ann"), human("Carl", program="my bot")), phase="lobby")
    assert "2  Carl (program: my bot)  ready\n" in text_of(draw_lobby(lobby, WIDE))


def test_public_tables_are_numbered() -> None:
    """It shows what is played, how many seats are taken, and who has opened it."""
    playing = table(seats=ANN_AND_BOTS)
    hostless = replace(playing, info=playing.info.model_copy(update={"host": None}))
    assert (
        text_of(draw_tables([LOBBY.info, playing.info, hostless.info], WIDE))
        == """
   code   game                  seats   host
1  K7Q2X  Black Queen  lobby    4 of 5  Ann
2  K7Q2X  Black Queen  playing  3 of 3  Ann
3  K7Q2X  Black Queen  playing  3 of 3
"""
    )


def test_no_public_tables() -> None:
    """An empty list says so."""
    assert text_of(draw_tables([], WIDE)) == "\nThere are no public tables.\n"


def test_the_games_of_a_server_are_listed() -> None:
    """By what one opens a table with, with their players and bots; files are marked."""
    games = (
        GameCard(
            id="whist",
            version=1,
            title="Whist",
            seats=(3, 4, 5, 6, 7),
            usual_seats=5,
            options=(),
            strengths=(0, 1, 2, 3),
        ),
        GameCard(
            id=f"Agram3.rcy@{'0' * 32}",
            version=1,
            title="Agram",
            seats=(3,),
            usual_seats=3,
            options=(),
            strengths=(0, 2),
            described=True,
        ),
    )
    assert [each.split() for each in text_of(draw_games(games, WIDE)).strip().splitlines()] == [
        ["game", "players", "bots"],
        ["whist", "Whist", "(Oh", "Hell)", "3", "to", "7", "0", "to", "3"],
        ["Agram3.rcy", "Agram", "3", "0,", "2", "from", "a", "file"],
    ]
