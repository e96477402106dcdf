"""Tables as a person sees them: golden texts, and whatever a server may send."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from client_cli.effects import Show
from client_cli.output import LineOutput
from client_cli.table_view import draw_scores, draw_table, draw_turn, title_lines
from client_cli.text import Look, Span, paint, width
from engine.choices import Pick
from engine.facts import Value
from engine.views import View, Zone
from protocol.mirror import TableMirror
from protocol.to_client import Snapshot
from tests.client_cli.tables import (
    ANN_AND_BOTS,
    ANNS_TURN,
    ASCII,
    FREE,
    NARROW,
    WIDE,
    bot,
    human,
    played,
    table,
    text_of,
)
from tests.protocol.strategies import instances


def test_a_turn_of_black_queen() -> None:
    """Scores, piles and columns in rows; the trick in order; legal cards numbered."""
    assert (
        text_of(draw_table(ANNS_TURN, WIDE))
        == """
── Black Queen · table K7Q2X · deal 2 of 4 ────────────────────────────────────
                 points  total  hand  taken  1   2
▸ Ann     you         0      5     6      0  J♣▒ 5♥
  Blaise  bot 2       0    -30     3      2  Q♥▒ ▒
  Carl    bot 2     -14     10     5      3  ·   10♦▒

trick    Blaise 4♣  Carl K♣

hand      1)2♣   2)9♣   3)10♣
            4♦
            Q♠
            A♥
column    4)J♣@1
"""
    )


def test_a_bid_of_whist() -> None:
    """The dealer, the bids, trumps, and the allowed bids as they are typed."""
    bidding = table(
        zones={
            "deck": "? " * 36,
            "turned": "7H",
            "trick": "",
            "hand/0": "2C 9C TS 4H AH",
            "hand/1": "? ? ? ? ?",
            "hand/2": "? ? ? ? ?",
            "taken/0": "",
            "taken/1": "",
            "taken/2": "",
        },
        values={
            "deal": 6,
            "deals": 20,
            "cards": 5,
            "trump": "♥",
            "dealer": 0,
            "leader": 1,
            "turn": (0,),
            "bid/1": 2,
            "bid/2": 1,
            "tricks/0": 0,
            "tricks/1": 0,
            "tricks/2": 0,
            "total/0": 31,
            "total/1": 20,
            "total/2": 33,
        },
        to_act=(0,),
        actions=("bid 0", "bid 1", "bid 3", "bid 4", "bid 5"),
    )
    whist = replace(
        bidding, info=bidding.info.model_copy(update={"title": "Whist", "options": {"cards": 10}})
    )
    assert (
        text_of(draw_table(whist, WIDE))
        == """
── Whist · table K7Q2X · deal 6 of 20 · cards 5 · trump ♥ ─────────────────────
                       bid  tricks  total  hand
▸ Ann     you, dealer            0     31     5
  Blaise  bot 2          2       0     20     5
  Carl    bot 2          1       0     33     5

deck     ▒×36  turned 7♥
trick    -

hand     2♣  9♣
         10♠
         4♥  A♥
bid      0  1  3  4  5
"""
    )


STOCK = table(
    seats=(human("Ann"), bot("Blaise")),
    zones={
        "talon": "? ? ? ? ?",
        "turned": "JD",
        "trick": "",
        "hand/0": "QS KS AH TD",
        "hand/1": "KH ? ? ? ?",
        "taken/0": "",
        "taken/1": "",
    },
    values={"turn": (0,), "marriages/0": 0, "marriages/1": 20, "closed/1": True},
    to_act=(0,),
    actions=("play TD", "play QS", "play KS", "play AH", "marry QS", "marry KS", "close"),
)
"""Cards are drawn from a stock; a king in the other hand is known; some moves need no card."""


def test_a_stock_a_known_card_and_moves_without_a_card() -> None:
    """Piles stand side by side, what is known of a hand has a line, words have numbers."""
    assert (
        text_of(draw_table(STOCK, WIDE))
        == """
── Black Queen · table K7Q2X ──────────────────────────────────────────────────
                 closed  marriages  hand  taken
▸ Ann     you                    0     4      0
  Blaise  bot 2     yes         20     5      0

talon    ▒×5  turned J♦
trick    -
Blaise, hand K♥  ▒×4

hand      1)10♦
          2)Q♠   3)K♠
          4)A♥
moves     5)marry Q♠   6)marry K♠   7)close
"""
    )
    assert "\ntalon    # x5  turned JD\n" in text_of(draw_table(STOCK, ASCII))


def test_letters_instead_of_symbols() -> None:
    """In ASCII the cards are their tokens, and nothing is drawn with lines."""
    drawn = text_of(draw_table(ANNS_TURN, ASCII))
    assert drawn.isascii()
    assert "> Ann     you         0      5     6      0  JC# 5H\n" in drawn
    assert "\nhand      1)2C   2)9C   3)TC\n" in drawn


def test_a_narrow_terminal_gets_the_columns_below() -> None:
    """The columns stay beside each other, under the names once more."""
    assert (
        text_of(draw_table(ANNS_TURN, Look(width=50))).split("\n\n")[0]
        == """
── Black Queen · table K7Q2X · deal 2 of 4 ───────
                 points  total  hand  taken
▸ Ann     you         0      5     6      0
  Blaise  bot 2       0    -30     3      2
  Carl    bot 2     -14     10     5      3
          1   2
▸ Ann     J♣▒ 5♥
  Blaise  Q♥▒ ▒
  Carl    ·   10♦▒"""
    )


def test_cards_that_may_not_be_played_are_dim() -> None:
    """With colour the eye finds the legal cards at once."""
    drawn = "\n".join(paint(each, Look(79, colour=True)) for each in draw_table(ANNS_TURN, WIDE))
    assert "\x1b[2mQ♠\x1b[0m" in drawn
    assert "\x1b[1m 1)\x1b[0m\x1b[32m2♣\x1b[0m" in drawn


def test_a_hand_without_a_question_is_not_numbered() -> None:
    """While others are asked the hand lies there as it is, in its colours."""
    waiting = table(zones={"hand/0": "2C QS AH"}, to_act=(1,))
    assert "hand     2♣\n         Q♠\n         A♥" in text_of(draw_table(waiting, WIDE))


def test_the_trick_tells_who_played_what() -> None:
    """Equal cards of two decks are distinguished by the order in which they came."""
    twice = table(zones={"trick": "QS QS"}, facts=(played(2, "QS"), played(1, "QS")), to_act=(0,))
    assert "trick    Carl Q♠  Blaise Q♠" in text_of(draw_table(twice, WIDE))


def test_moves_that_are_no_card_are_listed() -> None:
    """Calls are numbered like cards; a second move with one card is listed too."""
    lead = table(zones={"hand/0": "KS"}, to_act=(0,), actions=("close", "play KS", "marry KS"))
    drawn = text_of(draw_table(lead, WIDE))
    assert "hand      2)K♠" in drawn
    assert "moves     1)close   3)marry K♠" in drawn


def test_bids_are_listed_as_they_are_typed() -> None:
    """A number typed alone is a bid then, so that no other move has a number before it."""
    bidding = table(
        zones={"hand/0": "KS 2C"},
        to_act=(0,),
        actions=("bid 0", "bid 2", "bid 3", "pass", "play KS"),
    )
    drawn = text_of(draw_table(bidding, WIDE))
    assert "\nbid      0  2  3\nmoves    pass\n" in drawn
    assert ")" not in drawn


def test_a_hand_is_in_its_colours_while_none_of_it_may_be_played() -> None:
    """A bidder sees all cards normally; cards are dim only beside others that may be played."""
    bidding = table(zones={"hand/0": "KS 2C"}, to_act=(0,), actions=("bid 0", "bid 1"))
    drawn = "\n".join(paint(each, Look(79, colour=True)) for each in draw_table(bidding, WIDE))
    assert "\x1b[32m2♣\x1b[0m" in drawn
    assert "\x1b[1mK♠\x1b[0m" in drawn


def test_a_choice_of_many_cards_says_how_many() -> None:
    """Its cards are numbered where they lie in the hand."""
    passing = table(
        zones={"hand/0": "2C 3D 4H 5S"},
        to_act=(0,),
        picks=(Pick("pass", ("2C", "3D", "4H", "5S"), 3, 3),),
    )
    drawn = text_of(draw_table(passing, WIDE))
    assert "hand      1)2♣\n          2)3♦\n          4)5♠\n          3)4♥\n" in drawn
    assert "pass 3   by card or number, such as 1 2 3" in drawn
    narrow = text_of(draw_table(passing, Look(30)))
    assert "pass 3   by card or number,\n         such as 1 2 3" in narrow


def test_a_choice_among_cards_that_lie_elsewhere_lists_them() -> None:
    """A card that has no place of its own among one's zones, or shares it, has no number."""
    for among in (("2C", "9D"), ("2C", "2C")):
        giving = table(zones={"hand/0": "2C 2C"}, to_act=(0,), picks=(Pick("give", among, 0, 1),))
        listed = "  ".join("9♦" if card == "9D" else "2♣" for card in among)
        assert f"give 0 to 1 {listed}" in text_of(draw_table(giving, WIDE))


def test_unknown_zones_are_drawn_as_lists() -> None:
    """A game of another day shows its zones without this client knowing them."""
    other = table(zones={"talon": "9D ? ?", "hand/1": "2C 3C", "meld/2": "KH QH", "row/1/3": "?"})
    drawn = text_of(draw_table(other, WIDE))
    assert "talon    9♦  ▒×2" in drawn
    assert "Blaise, hand 2♣  3♣" in drawn
    assert "Carl, meld Q♥  K♥" in drawn
    assert "Blaise, row 3 ▒×1" in drawn


def test_backs_in_ones_own_hand_are_counted() -> None:
    """A game may keep even the owner from looking."""
    blind = table(zones={"hand/0": "? ? ?"})
    assert "hand     ▒×3" in text_of(draw_table(blind, WIDE))


def test_values_without_an_owner_stand_in_the_title() -> None:
    """Trump and the number of the deal are for all to see; what is only a marker is not told."""
    trumps = table(values={"trump": "♠", "turn": (1,), "leader": 0, "option/deals": 4, "deal": 1})
    assert text_of(title_lines(trumps, WIDE)).startswith(
        "\n── Black Queen · table K7Q2X · trump ♠ · deal 1 of 4 ─"
    )


def test_practice_stands_in_the_title() -> None:
    """Moves of this match were taken back."""
    here = table(values={"deal": 1})
    here = replace(here, info=here.info.model_copy(update={"practice": True}))
    assert "table K7Q2X · practice · deal 1 of 4 ─" in text_of(title_lines(here, WIDE))


def test_a_title_never_cuts_a_score() -> None:
    """What does not fit into a line stands in the next."""
    values: dict[str, Value] = {"score_team/0": 1234, "score_team/1": -567, "deal": 3}
    lines = text_of(title_lines(table(values=values), Look(40))).splitlines()[1:]
    assert lines == [
        "── Black Queen · table K7Q2X ───────────",
        "── score team 1 1234 ───────────────────",
        "── score team 2 -567 · deal 3 of 4 ─────",
    ]


def test_a_value_may_say_how_many_deals_there_are() -> None:
    """It stands beside the number of the deal, and not a second time by itself."""
    values = {"deals": 20, "cards": 8, "deal": 3}
    whist = replace(table(values=values), info=table().info.model_copy(update={"options": {}}))
    assert text_of(title_lines(whist, WIDE)).startswith(
        "\n── Black Queen · table K7Q2X · cards 8 · deal 3 of 20 ─"
    )


def test_suits_are_told_in_their_colour_and_in_ascii() -> None:
    """A value that names a suit of the legend looks like one, and has a letter for a symbol."""
    trumps = table(values={"trump": "♥"})
    assert Span("♥", "red") in title_lines(trumps, WIDE)[0]
    assert "- trump H -" in text_of(title_lines(trumps, ASCII))


def test_yes_and_no_are_words() -> None:
    """The title names a value that is yes and omits one that is no; a seat's row says yes or no."""
    values = {"hearts_broken": True, "open": False, "closed/0": True, "closed/1": False}
    drawn = text_of(draw_scores(table(values=values), WIDE))
    assert "· table K7Q2X · hearts broken ──" in drawn
    assert "  Ann     you       yes\n  Blaise  bot 2      no\n" in drawn


def test_the_dealer_is_marked_in_their_row() -> None:
    """A number of a seat says nothing to people."""
    drawn = text_of(draw_scores(table(values={"dealer": 1, "total/1": 3}), WIDE))
    assert "  Blaise  bot 2, dealer      3\n" in drawn
    assert "dealer 1" not in drawn


def test_who_counts_tricks_counts_no_taken_cards() -> None:
    """Bid and tricks beside each other, the total behind, and one number for what was taken."""
    zones = {"taken/0": "2C 3C 4C", "hand/0": "5C", "hand/1": "?", "hand/2": "?"}
    values = {"total/0": 11, "tricks/0": 1, "bid/0": 2}
    drawn = text_of(draw_table(table(zones=zones, values=values), WIDE))
    assert "                 bid  tricks  total  hand\n" in drawn


def test_absent_players_are_marked() -> None:
    """The table shows who is away and for whom a bot plays."""
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
    """Of people, in a column of their own; without a clock that has reserves there is none."""
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


def test_who_is_played_for_reads_how_to_come_back() -> None:
    """Whoever is asked."""
    mine = table(seats=(human("Ann", stand_in=True), human("Bea")), to_act=(0,))
    said = "\nA bot plays your seat. Type back to play it yourself.\n"
    assert text_of([draw_turn(mine, WIDE)]) == said


def test_whose_turn_it_is() -> None:
    """One sentence for the player who is asked, one for those who wait, none if nobody is asked."""
    assert text_of([draw_turn(ANNS_TURN, WIDE)]) == "\nYour turn.\n"
    both = table(to_act=(1, 2))
    assert text_of([draw_turn(both, WIDE)]) == "\nWaiting for Blaise, Carl.\n"
    assert draw_turn(table(), WIDE) == ()


def test_a_spectator_is_offered_nothing() -> None:
    """A viewer without a seat has no hand and no numbers."""
    watched = replace(ANNS_TURN, seat=None)
    assert " 1)" not in text_of(draw_table(watched, WIDE))


def test_a_name_cannot_break_the_picture() -> None:
    """Control characters of a stranger's name do not reach the terminal."""
    rude = table(seats=(human("A\x1b[2J\nnn"), *ANN_AND_BOTS[1:]))
    spans = [span for each in draw_table(rude, WIDE) for span in each]
    assert Span("A[2J nn") in spans


ZONES = st.one_of(
    st.sampled_from(["deck", "trick", "hand", "taken", "column", "x"]),
    st.builds(
        "{}/{}".format,
        st.sampled_from(["hand", "taken", "column", "meld"]),
        st.one_of(st.integers(0, 12), st.sampled_from(["", "x", "-1", "²", "9" * 5000])),
    ),
    st.builds("{}/{}/{}".format, st.just("column"), st.integers(0, 9), st.integers(0, 12)),
    st.text(max_size=12),
)
TOKENS = st.one_of(st.sampled_from(["QS", "2C", "TH", "AD"]), st.text(max_size=5))
PILES = st.builds(Zone, st.lists(TOKENS, max_size=9).map(tuple), st.integers(0, 30))
VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=9), st.just((1, 2)), st.just(())
)
KEYS = st.one_of(
    st.sampled_from(["deal", "turn", "leader", "points/0", "total/1", "bid/x", "option/a/b", "/"]),
    st.text(max_size=8),
)
VIEWS = st.builds(
    View, st.dictionaries(ZONES, PILES, max_size=12), st.dictionaries(KEYS, VALUES, max_size=8)
)
LOOKS = st.builds(Look, st.integers(20, 130), st.booleans(), st.booleans())


@given(instances(Snapshot).map(TableMirror.of), VIEWS, LOOKS)
def test_no_view_breaks_the_picture(mirror: TableMirror, view: View, look: Look) -> None:
    """Whatever a server sends, every picture is drawn, fits, and is ASCII where that is wanted."""
    shown = replace(mirror, view=view)
    drawn = [*draw_table(shown, look), draw_turn(shown, look), *draw_scores(shown, look)]
    assert all(width(each) <= look.width for each in drawn)
    written: list[str] = []
    output = LineOutput(lambda: look, written.append)
    for what in ("table", "score", "final", "help"):
        output.show(Show(what), shown)
    text = "".join(written)
    assert look.symbols or text.isascii()
    assert look.colour or "\x1b" not in text


def test_eight_players_and_four_packs_fit_sixty_columns() -> None:
    """The largest table of Black Queen is readable in a narrow terminal."""
    seats = tuple(bot(f"Player number {seat + 1}") for seat in range(8))
    zones = {f"column/{seat}/{slot}": "? TH" for seat in range(8) for slot in range(1, 9)}
    values = {f"{key}/{seat}": -100 for seat in range(8) for key in ("points", "total")}
    drawn = draw_table(table(seats=seats, zones=zones, values=values), NARROW)
    assert all(width(each) <= 59 for each in drawn)
    row = "  Player number 3  10♥▒ 10♥▒ 10♥▒ 10♥▒ 10♥▒ 10♥▒ 10♥▒ 10♥▒"
    assert row in text_of(drawn)


def test_what_a_team_has_is_told_for_the_team() -> None:
    """Above the table, teams counted from 1: a team is no seat of that number."""
    values: dict[str, Value] = {"score_team/0": 20, "score_team/1": 3, "trump": ""}
    drawn = text_of(draw_table(table(values=values), WIDE))
    assert "score team 1 20 · score team 2 3 ─" in drawn
    assert drawn.count("20") == 1
    assert "trump" not in drawn


def test_who_plays_with_whom_is_told_in_the_rows_and_the_scores() -> None:
    """Teams are counted from 1; the scores have a row for each, with its players and its total."""
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
    """Partners who change have totals of their own."""
    shown = table(values={"team/0": 0, "team/1": 1, "team/2": 0, "team_total/1": 7})
    drawn = text_of(draw_scores(shown, WIDE))
    assert "   1  Ann, Carl\n   2  Blaise         7\n" in drawn


def test_small_piles_of_one_kind_share_a_line() -> None:
    """Numbered piles of a seat stand side by side, each after its number."""
    zones = {"up/1/1": "QS", "up/1/2": "?", "up/2/1": "2C"}
    drawn = text_of(draw_table(table(zones=zones), WIDE))
    assert "Blaise, up 1 Q♠  2 ▒×1\nCarl, up 1 2♣" in drawn
