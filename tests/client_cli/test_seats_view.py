"""The rows of the seats: players, their values, and partners."""

from dataclasses import replace

from client_cli.table_view import draw_scores, draw_table
from engine.facts import Value
from engine.layout import HAND, PILE, SLOTS, TRICK, Layout, ZoneHint
from tests.client_cli.tables import (
    ANN_AND_BOTS,
    FREE,
    NARROW,
    WIDE,
    bot,
    human,
    table,
    text_of,
)


def test_yes_and_no_are_words() -> None:
    """A value yes or no is a word in a row; in the title it is shown only if yes."""
    values = {"hearts_broken": True, "open": False, "closed/0": True, "closed/1": False}
    drawn = text_of(draw_scores(table(values=values), WIDE))
    assert "· table K7Q2X · hearts broken ──" in drawn
    assert "  Ann     you       yes\n  Blaise  bot 2      no\n" in drawn


def test_the_dealer_is_marked_in_their_row() -> None:
    """The dealer is marked in their row."""
    drawn = text_of(draw_scores(table(values={"dealer": 1, "total/1": 3}), WIDE))
    assert "  Blaise  bot 2, dealer      3\n" in drawn
    assert "dealer 1" not in drawn


def test_who_counts_tricks_counts_no_taken_cards() -> None:
    """With bids and tricks the number of taken cards is not shown."""
    zones = {"taken/0": "2C 3C 4C", "hand/0": "5C", "hand/1": "?", "hand/2": "?"}
    values = {"total/0": 11, "tricks/0": 1, "bid/0": 2}
    drawn = text_of(draw_table(table(zones=zones, values=values), WIDE))
    assert "                 bid  tricks  total  hand\n" in drawn


def test_absent_players_are_marked() -> None:
    """Absent players and the bots in their place are marked."""
    seats = (
        human("Ann", stand_in=True),
        human("Ann", away=True),
        human("Cem", away=True, stand_in=True),
        human("Dora", program="my bot"),
        FREE,
    )
    assert (
        text_of(draw_scores(table(seats=seats, values={"total/1": 3}), NARROW))
        == """
── Black Queen · table K7Q2X ──────────────────────────────
                            total
  Ann (1)  you, bot plays
  Ann (2)  away                 3
  Cem      away, bot plays
  Dora     program
  seat 5   free
"""
    )


def test_reserves_of_time_are_minutes() -> None:
    """Reserves of time are shown as minutes, if the clock has any."""
    seats = (human("Ann"), human("Bea"), bot("Cid"))
    drawn = text_of(draw_scores(table(seats=seats, reserve=(300, 65, 0)), NARROW))
    assert (
        drawn
        == """
── Black Queen · table K7Q2X ──────────────────────────────
              reserve
  Ann  you       5:00
  Bea            1:05
  Cid  bot 2
"""
    )
    assert "reserve" not in text_of(draw_scores(table(seats=seats), NARROW))


def test_what_a_team_has_is_told_for_the_team() -> None:
    """Values of a team are shown above the table, with teams counted from 1."""
    values: dict[str, Value] = {"score_team/0": 20, "score_team/1": 3, "trump": ""}
    drawn = text_of(draw_table(table(values=values), WIDE))
    assert "score team 1 20 · score team 2 3 ─" in drawn
    assert drawn.count("20") == 1
    assert "trump" not in drawn


def test_who_plays_with_whom_is_told_in_the_rows_and_the_scores() -> None:
    """Partners are marked in the rows, and the scores have a row for each team."""
    values: dict[str, Value] = {f"team/{seat}": seat % 2 for seat in range(4)}
    values |= {f"total/{seat}": (120, 95)[seat % 2] for seat in range(4)}
    values |= {"team_total/0": 120, "team_total/1": 95}
    shown = table(seats=(*ANN_AND_BOTS, bot("Dora")), values=values)
    rows = """
── Black Queen · table K7Q2X ──────────────────────────────────────────────────
                          team  total
  Ann     you                1    120
  Blaise  bot 2              2     95
  Carl    bot 2, partner     1    120
  Dora    bot 2              2     95
"""
    assert text_of(draw_table(shown, WIDE)) == rows
    teams = """
team  players       total
   1  Ann, Carl       120
   2  Blaise, Dora     95
"""
    assert text_of(draw_scores(shown, WIDE)) == rows + teams


def test_a_team_whose_players_have_different_totals_shows_none() -> None:
    """A team whose players' totals differ has no total."""
    shown = table(values={"team/0": 0, "team/1": 1, "team/2": 0, "team_total/1": 7})
    drawn = text_of(draw_scores(shown, WIDE))
    assert "   1  Ann, Carl\n   2  Blaise         7\n" in drawn


def test_numbered_slots_stand_in_their_order() -> None:
    """Slots stand by their numbers, however they came about, with room between rows."""
    zones = {f"up/0/{slot}": "QS" for slot in (1, 4)} | {f"up/0/{n}": "?" for n in (2, 3)}
    golf = replace(table(zones=zones), layout=Layout((ZoneHint("up", SLOTS, "place", rows=2),)))
    drawn = text_of(draw_table(golf, WIDE))
    assert "                 1  2  3 4\n" in drawn
    assert "  Ann     you    Q♠ ▒  ▒ Q♠\n" in drawn


def test_what_is_before_a_player_of_a_trick_stands_in_their_row() -> None:
    """A card that a player has before them stands in their row; a high pile shows its top."""
    zones = {"played/0": "QS", "played/1": "", "heap": "2C 3C 4C 5C 6C", "hand/0": "7C"}
    drawn = replace(
        table(zones=zones),
        layout=Layout(
            (
                ZoneHint("played", TRICK, "played"),
                ZoneHint("heap", PILE, "heap"),
                ZoneHint("hand", HAND, "hand"),
            )
        ),
    )
    text = text_of(draw_table(drawn, WIDE))
    assert "  Ann     you       1  Q♠\n  Blaise  bot 2     0  ·\n" in text
    assert "heap     ×5  3♣  4♣  5♣  6♣\n" in text
    assert "Ann, played" not in text


def test_a_match_of_one_deal_has_no_total_yet() -> None:
    """While a single deal is played there is neither a total nor a number of deals."""
    running = table(values={"deal": 1, "total/0": 0, "score/0": 3})
    info = running.info.model_copy(update={"options": {"deals": 1}})
    one = text_of(draw_scores(replace(running, info=info), WIDE))
    assert "total" not in one
    assert "deal" not in one
    over = info.model_copy(update={"phase": "finished"})
    assert "total" in text_of(draw_scores(replace(running, info=over), WIDE))
