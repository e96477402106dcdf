"""A table before the match, and lists of tables."""

from dataclasses import replace

from client_cli.lobby_view import draw_games, draw_lobby, draw_tables, settings_of
from client_cli.narrator import sentences
from client_cli.seating import with_game
from client_cli.spoken_lists import spoken_games, spoken_lobby, spoken_tables
from client_cli.spoken_table import spoken_table
from client_cli.table_view import draw_table
from client_cli.text import line
from client_cli.warm_ups import warm_up_text
from engine.facts import Fact
from protocol.table_settings import TableSettings
from protocol.to_client import GameCard, Notice, StrengthInfo
from tests.client_cli.tables import ANN_AND_BOTS, FREE, WIDE, bot, human, table, text_of

LOBBY = table(
    seats=(human("Ann"), human("Bob", ready=False), bot("Carl", 1), human("Dora", away=True), FREE),
    phase="lobby",
    # Left over from the match before.
    values={"deal": 4},
)


def test_who_sits_where_and_is_ready() -> None:
    """The lobby shows players by seat from 1, readiness, options and settings."""
    text = text_of(draw_lobby(LOBBY, WIDE))
    settings = settings_of(LOBBY.info.settings)
    assert settings.keys() == TableSettings.model_fields.keys()
    for name, value in settings.items():
        word = ("no", "yes")[value] if isinstance(value, bool) else value
        assert f"  {name}={word}" in text.replace("\n         ", "  ")
    assert (
        text.partition("table    ")[0]
        == """
── Black Queen · table K7Q2X ──────────────────────────────────────────────────
1  Ann   you, host, ready
2  Bob   not ready
3  Carl  bot 1
4  Dora  away
5  free

options  deals=4  columns=2
"""
    )
    assert text.endswith(
        "Wait for friends, or start medium: bots take the free seats. ? lists more.\n"
    )


def test_programs_are_named() -> None:
    """The program that plays a seat is named beside the player."""
    lobby = table(seats=(human("Ann"), human("Carl", program="my bot")), phase="lobby")
    assert "2  Carl (program: my bot)  ready\n" in text_of(draw_lobby(lobby, WIDE))


def test_public_tables_are_numbered() -> None:
    """Public tables are numbered, with game, seats and host."""
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


def test_ones_own_tables_are_marked() -> None:
    """One's own tables are marked in a column, and in spoken sentences."""
    other = LOBBY.info.model_copy(update={"table": "PLUM5"})
    assert (
        text_of(draw_tables([LOBBY.info, other], WIDE, {"PLUM5"}))
        == """
   code   game                seats   host
1  K7Q2X  Black Queen  lobby  4 of 5  Ann
2  PLUM5  Black Queen  lobby  4 of 5  Ann   yours
"""
    )
    mine, others = spoken_tables([other, LOBBY.info], {"PLUM5"})
    assert "you have a seat there" in mine
    assert "you have a seat there" not in others


def test_no_public_tables() -> None:
    """An empty list of tables says so."""
    assert text_of(draw_tables([], WIDE)) == "\nThere are no public tables.\n"


def test_the_games_of_a_server_are_listed() -> None:
    """Games are listed by the names for `--create`, with players and bots, files marked."""
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


def test_bots_are_named_by_the_words_for_their_strength() -> None:
    """Bots are named by the lowest word for their strength, or by the number."""
    bots = (
        StrengthInfo(strength=0),
        StrengthInfo(strength=1, levels=("easy", "medium")),
        StrengthInfo(strength=2, levels=("strong",)),
    )
    seats = (human("Ann"), bot("Ada", 2), bot("Ben", 1), bot("Cleo", 0))
    lobby = replace(table(seats=seats, phase="lobby"), bots=bots)
    drawn = text_of(draw_lobby(lobby, WIDE))
    for row in ("2  Ada   strong bot\n", "3  Ben   easy bot\n", "4  Cleo  bot 0\n"):
        assert row in drawn
    assert "Seat 2: Ada, strong bot." in spoken_lobby(lobby)
    playing = replace(table(seats=seats), bots=bots)
    assert "  Ada   strong bot" in text_of(draw_table(playing, WIDE))
    assert "Ada, strong bot." in spoken_table(playing)
    card = GameCard(
        id="mine",
        version=1,
        title="Mine",
        seats=(4,),
        usual_seats=4,
        options=(),
        strengths=(0, 1, 2),
        bots=bots,
    )
    assert "easy = medium, strong" in text_of(draw_games([card], WIDE))
    assert "bots of strength easy = medium, strong" in spoken_games([card])[0]
    without_numba = card.model_copy(update={"lowered": ("medium",)})
    assert "bots of strength easy, strong" in spoken_games([without_numba])[0]


def test_what_is_said_of_bots_has_the_words_too() -> None:
    """Messages about bots and their warm-up use the words for strengths."""
    seats = (human("Ann"), bot("Ada", 2))
    bots = (StrengthInfo(strength=1, levels=("easy", "strong")), StrengthInfo(strength=2))
    lobby = replace(table(seats=seats, phase="lobby"), bots=bots)
    sits = Fact("bot_added", {"seat": 1, "strength": 1, "name": "Ada"})
    assert text_of(sentences([sits], lobby, WIDE)) == ("\nAda, an easy bot, sits down.\n")
    own = Fact("bot_added", {**sits.args, "seat": 0})
    assert text_of(sentences([own], lobby, WIDE)) == "\nYour seat goes to an easy bot.\n"
    unnamed = Fact("bot_added", {"seat": 1, "strength": 1})
    assert "of strength 1, sits down" in text_of(sentences([unnamed], lobby, WIDE))
    assert sentences([sits], table(seats=seats), WIDE) == [
        line("Ada, a bot of strength 1, sits down.")
    ]
    warming = Notice(kind="warming", seats=(1,), strength=1, seconds=4)
    assert "plays like an easy bot meanwhile" in warm_up_text(warming, lobby, WIDE)


def test_partners_are_marked_before_the_match() -> None:
    """Partners are marked before the match; a spectator sees the teams."""
    seats = (human("Ann"), human("Bob"), FREE, bot("Dora"))
    lobby = replace(table(seats=seats, phase="lobby"), teams=((0, 2), (1, 3)))
    assert "3  free  your partner\n" in text_of(draw_lobby(lobby, WIDE))
    assert text_of(draw_lobby(lobby, WIDE)).count("partner") == 1
    watched = text_of(draw_lobby(replace(lobby, seat=None), WIDE))
    assert [row.split()[-1] for row in watched.splitlines()[2:6]] == ["1", "2", "1", "2"]
    assert "Seat 3: free, your partner." in spoken_lobby(lobby)
    alone = replace(lobby, teams=((0,), (1,), (2,), (3,)))
    assert "partner" not in text_of(draw_lobby(alone, WIDE))
    assert "partner" not in text_of(draw_lobby(replace(lobby, teams=((1, 3),)), WIDE))


def test_the_teams_are_those_of_the_usual_number_of_seats() -> None:
    """Teams are shown only at the usual number of seats."""
    card = GameCard(
        id="mine",
        version=1,
        title="Mine",
        seats=(3, 4),
        usual_seats=4,
        options=(),
        strengths=(0,),
        teams=((0, 2), (1, 3)),
    )
    four = table(seats=(human("Ann"), FREE, FREE, FREE))
    assert with_game(four, card).teams == card.teams
    assert with_game(table(), card).teams == ()
